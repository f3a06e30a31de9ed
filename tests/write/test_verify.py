"""The second question: what the model says of each fact, and what waits because it could not."""

from datetime import UTC, timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin, Role, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Grounded, Segment, TokenReservation
from astrbot_plugin_ltm.long_term_memory.prompts.verification import ALL, VERSION, Judgement, Ruling
from astrbot_plugin_ltm.long_term_memory.write.ground import ground
from astrbot_plugin_ltm.long_term_memory.write.verify import judged

from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import ScriptedChatModel, event
from tests.write.made import a_candidate, an_item

HOUR = timedelta(hours=1)
BIKE = answer("User cycles to work", quote="I cycle to work")
BOT_SAID = answer("User has a nut allergy", quote="You have a nut allergy", type="constraint")


async def a_talk(open_desk: OpenDesk, model: ScriptedChatModel, *lines: str, **policy: Any) -> Desk:
    desk = await open_desk(model, **policy)
    await say_all(desk, *lines)
    return desk


async def say_all(desk: Desk, *lines: str) -> None:
    """What Alice says and the bot answers, in turn, worked off."""
    for said, reply in zip(lines[::2], [*lines[1::2], "Fine."], strict=False):
        await desk.say(said, reply, message_id=said)
        desk.clock.move(timedelta(seconds=1))
    await desk.work(HOUR)


async def test_what_the_model_accepts_is_kept_and_what_it_refuses_is_not_even_to_be_reviewed(
    open_desk: OpenDesk,
) -> None:
    for ruling in Ruling:
        desk = await a_talk(open_desk, ScriptedChatModel(BIKE, verdicts=[ruling]), "I cycle to work")
        fact = "User cycles to work"
        assert await desk.facts() == ({fact: "active:"} if ruling.accepts else {}), ruling
        actions = [(line.action, line.reason) for line in await desk.audits()]
        assert actions == ([("add", "")] if ruling.accepts else [("refuse", ruling)])
        assert set(await desk.states()) == {"done"}


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.EXPIRED])
async def test_what_is_refused_changes_nothing_whatever_it_meets(open_desk: OpenDesk, status: Status) -> None:
    desk = await open_desk(ScriptedChatModel(BIKE, verdicts=["not_said"]))
    await desk.keep(an_item(fact="User cycles to work", fact_key="user cycles to work", status=status))
    before = await desk.items()
    await say_all(desk, "I cycle to work")
    assert await desk.items() == before
    assert [(line.action, line.reason) for line in await desk.audits()][-1] == ("refuse", "not_said")


async def test_one_question_is_asked_about_all_facts_that_code_has_nothing_against(
    open_desk: OpenDesk,
) -> None:
    several = answer("User cycles to work", "User has 12 bikes", "User owns a boat", quote="I cycle to work")
    model = ScriptedChatModel(
        several, verdicts=['[{"n": 1, "verdict": "said"}, {"n": 2, "verdict": "not_said"}]']
    )
    desk = await a_talk(open_desk, model, "I cycle to work")
    (check,) = model.checks
    assert [line.partition("] ")[2] for line in check.splitlines() if line.startswith("[F")] == [
        "U1: User cycles to work (events 1)",
        "U1: User owns a boat (events 1)",
    ]
    assert await desk.facts() == {
        "User cycles to work": "active:",
        "User has 12 bikes": "pending:not_in_evidence:12",
    }
    evidence = await desk.evidence()
    assert [each.extraction_meta.get("verified") for each in evidence] == [VERSION, None]


async def test_the_second_question_finds_what_its_facts_make_untrue_by_their_tags(
    open_desk: OpenDesk,
) -> None:
    bought = answer("User bought a Yaris", quote="I bought a Yaris", tags=["car", "vehicle"])
    verdict = '[{"n": 1, "verdict": "said", "ends": ["K1", "K40", "Q"]}]'
    model = ScriptedChatModel(bought, verdicts=[verdict])
    desk = await open_desk(model)
    old = ["User has no car of any kind", *(f"User likes tune {n} best" for n in range(40))]
    for fact in old:
        await desk.keep(an_item(memory_id=fact, fact=fact, fact_key=fact.casefold()))
    await say_all(desk, "I bought a Yaris")
    (asked,), (check,) = model.prompts, model.checks
    known = [line for line in check.splitlines() if line.startswith("[K")]
    assert old[0] not in asked
    assert (known[0], len(known)) == (f"[K1] U1: {old[0]}", 16)
    assert (await desk.facts())[old[0]].startswith("superseded")
    assert set(await desk.active_facts()) == {*old[1:], "User bought a Yaris"}


async def test_the_second_question_ends_few_facts_no_constraint_and_nothing_asked_for(
    open_desk: OpenDesk,
) -> None:
    verdict = '[{"n": 1, "verdict": "said", "ends": ["K1", "K2", "K3", "K4", "K5", "K6", "K7"]}]'
    desk = await open_desk(ScriptedChatModel(BIKE, verdicts=[verdict]))
    facts = [f"User cycles route {n}" for n in range(7)]
    kinds: dict[str, Any] = {
        facts[0]: {"type": MemoryType.CONSTRAINT},
        facts[1]: {"origin": Origin.USER_EXPLICIT},
    }
    for fact in facts:
        await desk.keep(an_item(memory_id=fact, fact=fact, fact_key=fact.casefold(), **kinds.get(fact, {})))
    await say_all(desk, "I cycle to work")
    ended = {fact for fact, state in (await desk.facts()).items() if state.startswith("superseded")}
    assert 1 <= len(ended) <= 4
    assert ended.isdisjoint(facts[:2])


async def test_what_a_fact_replaces_stands_under_it_and_not_among_what_is_known(open_desk: OpenDesk) -> None:
    told = answer("User cycles to work", quote="I cycle to work", replaces=["K1"])
    model = ScriptedChatModel(told)
    desk = await open_desk(model)
    for fact in ("User walks to work", "User likes work"):
        await desk.keep(an_item(memory_id=fact, fact=fact, fact_key=fact.casefold()))
    await say_all(desk, "I cycle to work")
    (check,) = model.checks
    shown = [line.strip() for line in check.splitlines() if line.strip().startswith(("[K1]", "instead"))]
    assert shown == ["[K1] U1: User walks to work", "instead of a: User likes work"]


async def test_what_is_verified_or_will_be_is_kept_however_unsure_its_proposer_was(
    open_desk: OpenDesk,
) -> None:
    unsure = answer("User cycles to work", quote="I cycle to work", confidence=0.1)
    for verdict, state in (("said", "active:"), ("not_said", ""), ("", "pending:unverified")):
        desk = await a_talk(open_desk, ScriptedChatModel(unsure, verdicts=[verdict]), "I cycle to work")
        assert await desk.facts() == ({"User cycles to work": state} if state else {})


async def test_what_code_refuses_needs_no_second_question(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(BOT_SAID)
    await a_talk(open_desk, model, "hm", "You have a nut allergy")
    assert model.checks == []


async def test_what_the_rules_find_and_the_model_does_not_tell_is_verified_once(open_desk: OpenDesk) -> None:
    said, fact = "Hello, I'm Sandra, I have 3 kids", "User has 3 kids"
    told = answer("User has three kids", quote="I have 3 kids")
    for found, verdict, kept in (("[]", "not_meant", False), ("[]", "said", True), ("[]", "", True)):
        model = ScriptedChatModel(found, verdicts=[verdict] * 2)
        desk = await a_talk(open_desk, model, said)
        assert len(model.checks) == 1
        assert (await desk.facts()).get(fact) == ("active:" if kept else "expired:not_meant"), verdict
        await desk.say(said, "Fine.", message_id="again")
        await desk.work(HOUR)
        assert len(model.checks) == 1, "it is known, or refused"
        assert (await desk.facts()).get(fact) == ("active:" if kept else "expired:not_meant"), verdict
    model = ScriptedChatModel(told, verdicts=["said"])
    await a_talk(open_desk, model, "Hello, I have 3 kids")
    assert "[F2]" not in model.checks[0], "the model tells it"
    unquoted = answer("User has three kids", quote="I adopted them")
    model = ScriptedChatModel(unquoted, verdicts=["not_meant"])
    desk = await a_talk(open_desk, model, "Hello, I have 3 kids")
    assert (await desk.facts())[fact] == "expired:not_meant", "what the model tells is in doubt"


@pytest.mark.parametrize(
    "useless", ["Sure!", "[]", '[{"n": 2, "verdict": "said"}]', UnavailableError("down")]
)
async def test_what_could_not_be_verified_waits_and_is_asked_about_again(
    open_desk: OpenDesk, useless: str | Exception
) -> None:
    model = ScriptedChatModel(BIKE, verdicts=[useless, useless, "said"])
    desk = await a_talk(open_desk, model, "I cycle to work")
    assert await desk.facts() == {"User cycles to work": "pending:unverified"}
    assert set(await desk.states()) == {"done"}
    await desk.work_for(2 * HOUR)
    assert await desk.facts() == {"User cycles to work": "active:"}
    assert (len(model.checks), len(model.prompts)) == (3, 1)


async def test_what_is_refused_later_is_forgotten_and_named_in_the_audit(open_desk: OpenDesk) -> None:
    desk = await a_talk(open_desk, ScriptedChatModel(BIKE, verdicts=["", "over"]), "I cycle to work")
    await desk.work_for(HOUR)
    assert await desk.facts() == {"User cycles to work": "expired:over"}
    assert ((await desk.audits())[-1].action, (await desk.audits())[-1].reason) == ("reject", "over")


async def test_a_spent_cap_makes_it_wait_for_the_next_day(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(BIKE)
    desk = await open_desk(model)
    await desk.say("I cycle to work")
    await desk.work()

    async def spend() -> None:
        all_of_it = TokenReservation(
            day="2025-03-01",
            provider_id="other",
            prompt_tokens=desk.settings.daily_token_cap,
            answer_tokens=0,
        )
        async with desk.store.transaction() as tx:
            await tx.book(all_of_it)

    model.during = spend
    await desk.work(HOUR)
    await desk.work_for(HOUR)
    assert (await desk.facts(), model.checks) == ({"User cycles to work": "pending:unverified"}, [])
    await desk.work_for(timedelta(days=1))
    assert await desk.facts() == {"User cycles to work": "active:"}
    assert (len(model.prompts), len(model.checks)) == (1, 1)


async def test_switched_off_what_is_grounded_goes_on_but_for_questions_and_the_bots_words(
    open_desk: OpenDesk,
) -> None:
    for lines, found, facts, reason in (
        (["I cycle to work"], BIKE, ["User cycles to work"], ""),
        (
            ["Do I cycle to work?"],
            answer("User cycles to work", quote="Do I cycle to work?"),
            [],
            "only_asked",
        ),
        (["hm", "You have a nut allergy", "nuts are nice"], BOT_SAID, [], "assistant_words"),
        (["hm", "You have a nut allergy", "yes"], BOT_SAID, ["User has a nut allergy"], ""),
    ):
        model = ScriptedChatModel(found)
        desk = await open_desk(model)
        desk.verify = False
        desk.start_again()
        await say_all(desk, *lines)
        assert (await desk.active_facts(), model.checks) == (facts, []), lines
        assert [line.reason for line in await desk.audits() if line.action == "refuse"] == [reason] * bool(
            reason
        )


# what a judgement makes of a fact


def of_bot(answer: str, kind: MemoryType) -> tuple[Grounded, Segment]:
    said = (event("You have a nut allergy", Role.ASSISTANT, event_id="bot"), event(answer))
    segment = Segment(events=said)
    return ground(
        a_candidate("User has a nut allergy", quotes=(said[0].text,), type=kind), segment, UTC
    ), segment


def test_what_only_the_bot_said_of_a_person_needs_a_plain_yes() -> None:
    for words, kind, doubt in (
        ("yes", MemoryType.CONSTRAINT, ""),
        ("I always carry a pen", MemoryType.CONSTRAINT, "needs_plain_yes"),
        ("I always carry a pen", MemoryType.PROFILE, "needs_plain_yes"),
        ("I always carry a pen", MemoryType.PREFERENCE, ""),
    ):
        fact, segment = of_bot(words, kind)
        for ruling in (Ruling.CONFIRMED, Ruling.SAID):
            found = judged(fact, Judgement(ruling=ruling), segment)
            assert (found.doubt, found.candidate.origin) == (doubt, Origin.CONFIRMED), words


def test_what_a_group_arranges_needs_none() -> None:
    asked, told = "make us a rota", "Sundays: Kim the kitchen, Huw the bathroom"
    for about, person, name, doubt in (
        ("group", "", "The rota", ""),
        ("group", "Kim", "The rota", "needs_plain_yes"),
        ("group", "", "Alice", "needs_plain_yes"),
        ("group", "", "Alices rota", ""),
    ):
        said = (
            event(asked, event_id="a", in_group=True),
            event(told, Role.ASSISTANT, event_id="b", in_group=True),
            event("why me", in_group=True),
        )
        told_of = {"about": about, "person": person, "type": MemoryType.CONSTRAINT}
        segment = Segment(events=said)
        found = ground(a_candidate(f"{name}: {told}", quotes=(told,), **told_of), segment, UTC)
        assert judged(found, Judgement(ruling=Ruling.CONFIRMED), segment).doubt == doubt, person


def test_what_a_person_states_themselves_or_a_thing_costs_needs_none() -> None:
    for asked, told, fact, kind, doubt in (
        (
            "Tan gets 4200, Li 3800",
            "That is 8000 for both",
            "User pays Tan 4200, Li 3800, 8000 in all",
            "profile",
            "",
        ),
        (
            "what's my credit limit?",
            "It is $8,500",
            "User's card has a credit limit of $8,500",
            "profile",
            "",
        ),
        (
            "what is diabetes?",
            "You have type 2 diabetes",
            "User has type 2 diabetes",
            "profile",
            "needs_plain_yes",
        ),
        ("do you know me?", "You are Michael", "User's name is Michael", "profile", "needs_plain_yes"),
        ("am I allergic?", "To nuts", "User is allergic to nuts", "constraint", "needs_plain_yes"),
    ):
        said = (event(asked, event_id="a"), event(told, Role.ASSISTANT, event_id="b"), event("next topic"))
        segment = Segment(events=said)
        slot = "name" if "name" in fact else ""
        found = ground(a_candidate(fact, quotes=(told,), type=MemoryType(kind), slot=slot), segment, UTC)
        assert judged(found, Judgement(ruling=Ruling.CONFIRMED), segment).doubt == doubt, fact


def test_what_is_confirmed_has_the_words_of_both() -> None:
    said = (event("Shall I book Rome?", Role.ASSISTANT, event_id="bot"), event("do that"))
    fact = ground(a_candidate("User goes to Rome", quotes=("do that",)), Segment(events=said), UTC)
    for segment in (Segment(events=said), Segment(events=said[1:], earlier=said[:1])):
        found = judged(fact, Judgement(ruling=Ruling.CONFIRMED), segment)
        assert [each.event for each in found.beside] == [said[0]]
        assert (found.event, found.candidate.origin, found.doubt) == (said[1], Origin.CONFIRMED, "")


async def test_both_are_kept_as_evidence_of_what_is_confirmed_alone(open_desk: OpenDesk) -> None:
    found = answer("User goes to Rome", quote="do that", type="task_state")
    for ruling, quotes in (("confirmed", ["do that", "Shall I book Rome?"]), ("said", ["do that"])):
        model = ScriptedChatModel(found, verdicts=[ruling])
        desk = await a_talk(open_desk, model, "hm", "Shall I book Rome?", "do that")
        assert [each.quote for each in await desk.evidence()] == quotes


def test_what_remains_true_beside_the_fact_keeps_its_place() -> None:
    said = event("I also play the harp")
    fact = ground(
        a_candidate(quotes=(said.text,), slot="job", replaces=("m1", "m2")), Segment(events=(said,)), UTC
    )
    known = tuple(an_item(f"m{n}", fact="User plays the flute") for n in range(1, 3))
    for still, here, slot, replaces in (
        ((ALL,), known, "", ()),
        ((2,), known, "", ("m1",)),
        ((), known, "job", ("m1", "m2")),
        ((ALL,), (), "job", ("m1", "m2")),
    ):
        segment = Segment(events=(said,), known=here)
        found = judged(fact, Judgement(ruling=Ruling.SAID, still=still), segment)
        assert (found.candidate.slot, found.candidate.replaces) == (slot, replaces)


async def test_the_model_is_told_what_a_fact_would_take_the_place_of(open_desk: OpenDesk) -> None:
    for changes in ({"slot": "home_city"}, {"replaces": "K1"}):
        still = '[{"n": 1, "verdict": "said", "still": true}]'
        model = ScriptedChatModel(
            answer("User lives in Oslo", quote="I live in Oslo as well as in Rome", **changes),
            verdicts=[still],
        )
        desk = await open_desk(model)
        await desk.keep(an_item("m1", fact="User lives in Rome", fact_key="home", slot="home_city"))
        await desk.say("I live in Oslo as well as in Rome")
        await desk.work(HOUR)
        assert "instead of a: User lives in Rome" in model.checks[0]
        assert len(await desk.active_facts()) == 2
