"""What somebody asks not to keep in words that no rule knows: a model reads it, and code forgets it."""

from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Role

from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import BOB, ScriptedChatModel, access, turn
from tests.write.made import an_item

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


async def test_short_words_are_cut_where_they_are_words(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(withdrawn("no")))
    await talk(desk, "no, nobody knows that I said no")
    assert (await texts(desk))[0] == "[…], nobody knows that I said […]"


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


async def test_nobody_forgets_for_another(open_desk: OpenDesk) -> None:
    desk = await open_desk(ScriptedChatModel(withdrawn("I live in Rome", replaces=["K1"])))
    await desk.keep(an_item(memory_id="k", fact="User walks between ten and two", owner=BOB))
    here = access(group=None)
    await desk.writer.record(turn("I live in Rome", message_id="1", at=desk.clock()), here)
    await talk(desk)
    assert (await desk.facts())["User walks between ten and two"] == "active:"


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
            set(),
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
    for text in (said, asked):
        desk.clock.move(timedelta(seconds=1))
        await desk.say(text, message_id=text)
    assert await texts(desk) == [left]
    assert set(await desk.active_facts()) == kept


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
