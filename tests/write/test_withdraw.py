"""What somebody asks not to keep in words that no rule knows: a model reads it, and code forgets it."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Role
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Grounded
from astrbot_plugin_ltm.long_term_memory.write.record import forget_withdrawn
from sqlalchemy import text

from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import ALICE, BOB, GROUP, ScriptedChatModel, access, chat, event, turn
from tests.write.made import a_candidate, an_item

ASKED = "that one had better stay between you, me and no disk"


def withdrawn(*quotes: str, **changes: object) -> str:
    return answer("User asks not to keep it", quote=[*quotes, ASKED], stance="withdrawn", **changes)


async def talk(desk: Desk, *lines: str) -> None:
    for said in (*lines, ASKED):
        desk.clock.move(timedelta(seconds=1))
        await desk.say(said, message_id=said)
    await desk.work(timedelta(hours=1))


async def texts(desk: Desk) -> list[str]:
    return [each.text for each in await desk.events() if each.role is Role.USER]


async def test_the_words_are_cut_out_and_what_rests_on_them_is_forgotten(open_desk: OpenDesk) -> None:
    said = "My name is Sue, I live in Rome and I like tea, lately less sober"
    found = answer("User likes tea", quote="I like tea")
    asked = withdrawn("I live in Rome", "lately less sober")
    desk = await open_desk(ScriptedChatModel(f"{found[:-1]}, {asked[1:]}"))
    await talk(desk, said)
    assert [each.text for each in await desk.events()] == [
        "My name is Sue, […] and I like tea, […]",
        "[…]",
        "[…]",
        "[…]",
    ]
    facts = await desk.facts()
    assert facts.pop("User lives in Rome") == "deleted:forgotten"
    assert facts == {"User's name is Sue": "active:", "User likes tea": "active:"}
    assert "Rome" not in str([each.quote for each in await desk.evidence()])
    line = (await desk.audits())[-1]
    assert (line.action, line.reason, line.actor) == ("forget", "forgotten", "qq:alice")


async def test_what_other_memories_tell_of_it_in_their_backstory_goes_too(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(withdrawn("I owe the bank 900")))
    for fact, backstory in (
        ("User likes tea", "cheap, as 900 is owed to a bank"),
        ("User likes rum", "Cuba"),
    ):
        key = {"memory_id": fact, "fact": fact, "fact_key": fact.casefold()}
        await desk.keep(an_item(**key, backstory=backstory))
    await talk(desk, "I owe the bank 900")
    async with desk.store.transaction() as tx:
        found = [await tx.get_item(fact) for fact in ("User likes tea", "User likes rum")]
    assert [item and (item.backstory, item.status) for item in found] == [("", "active"), ("Cuba", "active")]


async def test_so_does_what_they_tell_of_a_whole_message_and_only_of_the_speakers_own(
    open_desk: OpenDesk,
) -> None:
    desk = await open_desk(ScriptedChatModel("[]"))
    for memory_id, owner in (("mine", ALICE), ("his", BOB)):
        await desk.keep(an_item(memory_id, owner=owner, backstory="cheap, as 900 is owed to a bank"))
    for said in ("I owe the bank 900", "please don't remember that"):
        desk.clock.move(timedelta(seconds=1))
        await desk.say(said, message_id=said)
    async with desk.store.transaction() as tx:
        found = [await tx.get_item(memory_id) for memory_id in ("mine", "his")]
    assert [item and bool(item.backstory) for item in found] == [False, True]


async def test_what_was_known_before_is_forgotten_with_the_words_it_rests_on(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(withdrawn(replaces=["K1"])))
    for fact in ("User walks between ten and two", "User likes tea"):
        await desk.keep(an_item(memory_id=fact, fact=fact, fact_key=fact.casefold()))
    await talk(desk)
    states = [*(await desk.facts()).values()]
    assert states == ["deleted:forgotten", "active:"]
    assert await texts(desk) == ["[…]", "User likes tea", "[…]"]


@pytest.mark.parametrize("verdict", ["not_meant", "", '[{"n": 1, "verdict": "said", "still": ["a"]}]'])
async def test_without_a_second_yes_nothing_known_is_forgotten(open_desk: OpenDesk, verdict: str) -> None:
    desk = await open_desk(ScriptedChatModel(withdrawn(replaces=["K1"]), verdicts=[verdict]))
    await desk.keep(an_item(memory_id="k", fact="User walks between ten and two"))
    await talk(desk)
    assert await desk.facts() == {"User walks between ten and two": "active:"}
    assert (await texts(desk))[0] == "User walks between ten and two"


async def test_without_verification_or_words_of_the_speaker_nothing_is_forgotten(
    open_desk: OpenDesk,
) -> None:
    of_bot = answer("User asks not to keep it", quote="Fine.", stance="withdrawn", replaces=["K1"])
    for verify, found in ((False, withdrawn("I live in Rome", replaces=["K1"])), (True, of_bot)):
        desk = await open_desk(ScriptedChatModel(found))
        desk.verify = verify
        desk.start_again()
        await desk.keep(an_item(memory_id="k", fact="User walks between ten and two"))
        await talk(desk, "I live in Rome")
        assert set((await desk.facts()).values()) == {"active:"}
        assert await texts(desk) == ["User walks between ten and two", "I live in Rome", ASKED]


async def in_group(desk: Desk, who: str, said: str, reply: str = "Fine.", **quoted: str) -> Turn:
    """Somebody says it in a group, and the bot answers; without a reply it is only heard."""
    desk.clock.move(timedelta(seconds=1))
    where = chat(who, GROUP.scope_id, "g1")
    said_now = Turn(chat=where, message_id=said, user_text=said, reply_text=reply, at=desk.clock(), **quoted)
    owner = BOB if who == "bob" else ALICE
    await desk.writer.record(said_now, access(owner, GROUP, GROUP.scope_id), overheard=not reply)
    return said_now


async def test_nobody_forgets_for_another(open_desk: OpenDesk) -> None:
    for quotes, known in ((("I live in Rome",), ()), ((), ("K1",))):
        desk = await open_desk(ScriptedChatModel("[]"))
        await in_group(desk, "alice", "I live in Rome")
        await desk.work(timedelta(hours=1))
        desk.model = ScriptedChatModel(withdrawn(*quotes, replaces=known))
        desk.start_again()
        quoted = {"quoted": "I live in Rome", "quoted_from": "Alice", "quoted_sender": "alice"}
        await in_group(desk, "bob", ASKED, **quoted)
        await in_group(desk, "alice", "where do we live in Rome")
        await desk.work(timedelta(hours=1))
        assert await desk.active_facts() == ["User lives in Rome"]
        assert "I live in Rome" in await texts(desk)


async def test_of_a_higher_level_nothing_known_is_forgotten(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(withdrawn(replaces=["K1"])))
    await desk.keep(an_item(memory_id="k", fact="User walks between ten and two", level=Level.RESTRICTED))
    async with desk.store.transaction() as tx:
        said = event(ASKED, event_id="asked")
        await tx.add_events([said])
        told = replace(a_candidate("User asks not to keep it", replaces=("k",)), meta={"verified": "1"})
        fact = Grounded(candidate=told, event=said, quote=ASKED, owner=ALICE, person="")
        assert not await forget_withdrawn(tx, fact, now=desk.clock(), most=4)
    assert [*(await desk.facts()).values()] == ["active:"]


async def test_the_requests_of_one_batch_forget_four_known_facts_at_most(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    facts = [f"User owns a boat called B{n}" for n in range(8)]
    await desk.keep(*[an_item(memory_id=f"k{n}", fact=f, fact_key=f.casefold()) for n, f in enumerate(facts)])
    asked = [json.loads(withdrawn(replaces=[f"K{n}" for n in which])) for which in (range(1, 5), range(5, 9))]
    desk.model = ScriptedChatModel(json.dumps([each for several in asked for each in several]))
    desk.start_again()
    await desk.say(f"boat called {ASKED}", message_id="1")
    await desk.work(timedelta(hours=1))
    assert len(await desk.active_facts()) == 4


async def test_only_what_rests_on_the_words_is_forgotten(open_desk: OpenDesk) -> None:
    for said, words, fact, quotes, left in (
        (
            "yes, and yesterday I drank a beer",
            "yesterday I drank a beer",
            "User lives in Rome",
            ["yes"],
            True,
        ),
        ("对。我对老板有意见", "我对老板有意见", "用户住在罗马", ["对"], True),
        ("I like tea, during chemotherapy", "during chemotherapy", "User likes tea", [], True),
        ("I like tea, during chemotherapy", "during chemotherapy", "User has chemotherapy", [], False),
    ):
        question = "Do you live in Rome? 你住在罗马吗？"
        found = answer(fact, quote=[*quotes, question] if quotes else said)
        desk = await open_desk(ScriptedChatModel(found, withdrawn(words)))
        await desk.say("Hello there", question, message_id="0")
        desk.clock.move(timedelta(seconds=1))
        await desk.say(said, message_id="1")
        await desk.work(timedelta(hours=1))
        assert fact in await desk.active_facts()
        await talk(desk)
        assert (fact in await desk.active_facts()) is left, said
        assert words not in str([await texts(desk), [each.quote for each in await desk.evidence()]])
        async with desk.database.read() as seat:
            index = (
                await seat.execute(text("SELECT text FROM ltm_fts WHERE text MATCH 'chemotherapy'"))
            ).all()
        assert not (left and index)


async def test_what_was_told_of_others_goes_with_its_words(open_desk: OpenDesk) -> None:
    said = "my boss Carl is in hospital"
    found = answer("Carl is in hospital", quote=said, person="Carl", relationship="boss")
    desk = await open_desk(ScriptedChatModel(found, withdrawn(said)))
    await in_group(desk, "alice", said)
    await desk.work(timedelta(hours=1))
    assert await desk.active_facts() == ["Carl is in hospital"]
    await in_group(desk, "bob", "is he?", quoted=said, quoted_from="Alice", quoted_sender="alice")
    await in_group(desk, "alice", ASKED)
    await desk.work(timedelta(hours=1))
    assert not await desk.active_facts()
    assert "Carl" not in str([(each.text, each.quoted) for each in await desk.events()])


async def test_of_what_the_group_knows_who_alone_told_it_takes_it_back(open_desk: OpenDesk) -> None:
    for other, left in (("indeed", []), ("yes, we meet at seven", ["The group meets at seven"])):
        found = [answer("The group meets at seven", quote="we meet at seven", about="group")] * 2
        desk = await open_desk(ScriptedChatModel(*found[: 1 + len(left)], withdrawn(replaces=["K1"])))
        await in_group(desk, "alice", "we meet at seven")
        await desk.work(timedelta(hours=1))
        await in_group(desk, "bob", other, "" if not left else "Fine.")
        await desk.work(timedelta(hours=1))
        await in_group(desk, "alice", ASKED)
        await desk.work(timedelta(hours=1))
        assert await desk.active_facts() == left, other


async def test_what_cannot_be_verified_is_asked_again(open_desk: OpenDesk) -> None:
    down = UnavailableError("down")
    model = ScriptedChatModel(*[withdrawn("lately I see a therapist")] * 2, verdicts=[down, "said"])
    desk = await open_desk(model)
    await talk(desk, "lately I see a therapist")
    assert await texts(desk) == ["lately I see a therapist", ASKED]
    await desk.work(timedelta(hours=3))
    assert await texts(desk) == ["[…]", "[…]"]
    desk = await open_desk(ScriptedChatModel(*[withdrawn("I live in Rome")] * 9, verdicts=[down] * 9))
    await talk(desk, "I live in Rome")
    for _ in range(4):
        await desk.work(timedelta(hours=3))
    assert set(await desk.states()) == {"done"}


async def test_replies_that_come_later_bring_nothing_back(open_desk: OpenDesk) -> None:
    for said, asked, left in (
        ("I live in Rome", "don't save that", []),
        ("I live in Rome and I am pregnant", "don't remember that I'm pregnant", ["I live in Rome and […]"]),
    ):
        desk = await open_desk()
        first = await in_group(desk, "alice", said, "")
        request = await in_group(desk, "alice", asked, "")
        await in_group(desk, "alice", "I like tea", "")
        here = access(ALICE, GROUP, GROUP.scope_id)
        for turn_ in (first, request):
            await desk.writer.record(replace(turn_, reply_text="Congratulations!"), here)
        assert [each.text for each in await desk.events()] == [*left, "I like tea"], asked


async def test_a_second_request_reaches_no_further_back(open_desk: OpenDesk) -> None:
    for between in ("Off the record: I live in Rome.", "when paused"):
        desk = await open_desk()
        await desk.say("I like jam", message_id="1")
        desk.clock.move(timedelta(seconds=1))
        async with desk.store.transaction() as tx:
            if between == "when paused":
                await tx.pause(ALICE, actor="x")
        await desk.say(between, message_id="2")
        desk.clock.move(timedelta(seconds=1))
        async with desk.store.transaction() as tx:
            await tx.resume(ALICE)
        await desk.say("Please don't save that", message_id="3")
        assert await desk.active_facts() == ["User likes jam"], between


@pytest.mark.parametrize(
    ("said", "asked", "left", "kept"),
    [
        (
            "My name is Sue, I'm allergic to shrimp, and my PIN hint is the cat",
            "don't remember that my PIN hint is the cat",
            "My name is Sue, I'm allergic to shrimp, and […]",
            {"User's name is Sue", "User is allergic to shrimp"},
        ),
        (
            "I like tea, and my sister likes tea, and my name is Sue",
            "don't remember that I like tea",
            "[…], and my sister likes tea, and my name is Sue",
            set[str](),
        ),
        (
            "I live in Rome and I am pregnant",
            "don't remember that I'm pregnant",
            "I live in Rome and […]",
            {"User lives in Rome"},
        ),
        ("我叫小明，我怀孕了", "不要把我怀孕的事记下来", "我叫小明，[…]", {"用户的名字是小明"}),
        (
            "My name is Sue. I like tea",
            "don't remember that I like tea",
            "My name is Sue. […]",
            {"User's name is Sue"},
        ),
    ],
)
async def test_a_plain_request_about_a_part_of_a_message_leaves_the_rest(
    open_desk: OpenDesk, said: str, asked: str, left: str, kept: set[str]
) -> None:
    desk = await open_desk()
    for each in (said, asked):
        desk.clock.move(timedelta(seconds=1))
        await desk.say(each, message_id=each)
    assert await texts(desk) == [left]
    assert set(await desk.active_facts()) == kept


async def test_of_a_wide_quote_the_rest_of_the_message_stays(open_desk: OpenDesk) -> None:
    said = "I live in Rome near the big station and I am pregnant"
    desk = await open_desk(ScriptedChatModel(answer("User is pregnant", quote=said)))
    await desk.say(said, message_id="1")
    await desk.work(timedelta(hours=1))
    await desk.say("don't remember that I'm pregnant", message_id="2")
    assert "User is pregnant" not in await desk.active_facts()
    assert await texts(desk) == ["I live in Rome near the big station and […]"]


@pytest.mark.parametrize("said", ["I told my mom I'm pregnant", "my sister knows that I'm pregnant"])
async def test_a_message_that_names_a_relative_goes_whole(open_desk: OpenDesk, said: str) -> None:
    desk = await open_desk()
    for each in (said, "don't remember that I'm pregnant"):
        desk.clock.move(timedelta(seconds=1))
        await desk.say(each, message_id=each)
    assert not await texts(desk)


async def test_that_means_what_somebody_asked_to_remember_last(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    await desk.say("I live in Rome", message_id="1")
    desk.clock.move(timedelta(seconds=1))
    command = turn("/ltm add I like gin", "", message_id="2", at=desk.clock())
    await desk.writer.save_explicit(command, access(), "I like gin")
    desk.clock.move(timedelta(seconds=1))
    await desk.say("Forget what I just said", message_id="3")
    assert await desk.active_facts() == ["User lives in Rome"]
    assert await texts(desk) == ["I live in Rome"]


async def test_what_others_told_too_stays_with_their_words(open_desk: OpenDesk) -> None:
    said, told = "my name is Sue, and my boss Carl is in hospital", "Carl is in hospital, I saw him"
    for asked in ("don't remember that my boss Carl is in hospital", ASKED):
        fact = {"person": "Carl", "relationship": "boss"}
        found = [answer("Carl is in hospital", quote=each, **fact) for each in (told, said)]
        desk = await open_desk(ScriptedChatModel(*found, withdrawn("my boss Carl is in hospital")))
        for who, each in (("bob", told), ("alice", said)):
            await in_group(desk, who, each)
            await desk.work(timedelta(hours=1))
        await in_group(desk, "alice", asked)
        await desk.work(timedelta(hours=1))
        assert "Carl is in hospital" in await desk.active_facts(), asked
        assert (await texts(desk))[:2] == [told, "my name is Sue, and […]"]


async def test_all_of_the_words_are_cut_and_nobody_elses(open_desk: OpenDesk) -> None:
    long = f"my secret is {'confidentiality ' * 40}indeed"
    for said, words in ((long, [long]), ("so I am ill since May", ["I am ill", "I am ill since May"])):
        desk = await open_desk(ScriptedChatModel(withdrawn(*words)))
        await in_group(
            desk, "bob", "ok", quoted=f"{words[0]} of it", quoted_from="Carol", quoted_sender="carol"
        )
        await in_group(desk, "alice", said)
        await in_group(desk, "alice", ASKED)
        await desk.work(timedelta(hours=1))
        assert (await texts(desk))[1].removeprefix("so ") == "[…]"
        assert (await desk.events())[0].quoted == f"Carol: {words[0]} of it"


async def test_what_tools_answer_later_to_what_is_not_kept_is_not_kept_either(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    first = await in_group(desk, "alice", "I live in Rome", "")
    request = await in_group(desk, "alice", "don't save that", "")
    for each in (first, request):
        use = ToolUse(chat=each.chat, message_id=each.message_id, tool="t", result="Rome", at=each.at)
        await desk.writer.record_tool(use, access(ALICE, GROUP, GROUP.scope_id))
    assert not await desk.events()
