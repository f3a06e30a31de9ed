"""What a rate holds back or nobody could verify goes on by itself, as far as the mode allows."""

from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Mode, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.policies.admission import RATE_WINDOW
from astrbot_plugin_ltm.long_term_memory.write.worker import LOOK_AGAIN

from tests.write.desk import Desk, OpenDesk, answer
from tests.write.fakes import ALICE, BOB, ScriptedChatModel, access, chat, turn
from tests.write.made import an_item

BIKE = answer("User cycles to work", quote="I cycle to work")
MODES = pytest.mark.parametrize(
    ("mode", "state"), [(Mode.AUTO, "active:"), (Mode.SHADOW, "shadow:mode"), (Mode.MANUAL, "pending:mode")]
)
HOUR = timedelta(hours=1)


async def say(desk: Desk, *lines: str) -> None:
    for line in lines:
        await desk.say(line, message_id=line)
        desk.clock.move(timedelta(seconds=1))


@MODES
async def test_what_a_rate_holds_back_goes_on_when_the_window_allows(
    open_desk: OpenDesk, mode: Mode, state: str
) -> None:
    desk = await open_desk(max_writes_per_session=1, mode=Mode.AUTO)
    await say(desk, "My name is Alice", "I like tea")
    held = "pending:max_writes_per_session"
    assert await desk.facts() == {"User's name is Alice": "active:", "User likes tea": held}
    desk.policy = type(desk.policy)(mode=mode, max_writes_per_session=1)
    await desk.work_for(RATE_WINDOW / 2)
    assert (await desk.facts())["User likes tea"] == held
    await desk.work_for(RATE_WINDOW)
    assert (await desk.facts())["User likes tea"] == state


async def test_a_rate_lets_as_many_go_on_as_it_allows_oldest_first(open_desk: OpenDesk) -> None:
    desk = await open_desk(max_writes_per_session=1)
    await say(desk, "My name is Alice", "I like tea", "I like chess", "I hate olives")
    for active in (2, 3, 4):
        await desk.work_for(RATE_WINDOW + 2 * LOOK_AGAIN)
        assert len(await desk.active_facts()) == active
        assert (await desk.active_facts())[1] == "User likes tea"
    released = [line for line in await desk.audits() if line.action == "release"]
    assert {(line.actor, line.before, line.after) for line in released} == {("system", "pending", "active")}


async def test_a_chat_with_much_that_waits_keeps_no_other_waiting(open_desk: OpenDesk) -> None:
    desk = await open_desk(max_writes_per_session=2)
    held = {"status": Status.PENDING, "reason": "max_writes_per_session"}
    many = [an_item(f"m{n}", fact=f"fact {n}", fact_key=f"{n}", origin_umo="qq:x", **held) for n in range(99)]
    await desk.keep(*many, an_item("last", fact="User likes tea", fact_key="tea", origin_umo="qq:y", **held))
    for active in (2, 4):
        await desk.work_for(LOOK_AGAIN)
        desk.clock.move(RATE_WINDOW)
        facts = await desk.active_facts()
        assert (len(facts), "User likes tea" in facts) == (active + 1, True)


async def test_what_goes_on_takes_the_place_it_waited_for(open_desk: OpenDesk) -> None:
    desk = await open_desk(max_writes_per_session=1, mode=Mode.SHADOW)
    await say(desk, "I live in Rome")
    desk.policy = replace(desk.policy, mode=Mode.AUTO)
    await say(desk, "I live in Oslo")
    held = {"User lives in Rome": "shadow:mode", "User lives in Oslo": "pending:max_writes_per_session"}
    assert await desk.facts() == held
    await desk.work_for(2 * RATE_WINDOW)
    assert (await desk.facts())["User lives in Rome"].startswith("superseded:")
    assert await desk.active_facts() == ["User lives in Oslo"]


async def test_what_goes_on_still_waits_where_its_type_needs_approval(open_desk: OpenDesk) -> None:
    desk = await open_desk(max_writes_per_session=1)
    await say(desk, "My name is Alice", "I like tea")
    desk.policy = type(desk.policy)(mode=Mode.AUTO, require_approval_types=frozenset({MemoryType.PREFERENCE}))
    await desk.work_for(2 * RATE_WINDOW)
    assert (await desk.facts())["User likes tea"] == "pending:require_approval_types"


async def test_what_waits_for_another_reason_does_not_go_on(open_desk: OpenDesk) -> None:
    desk = await open_desk()
    for number, reason in enumerate(("mode", "quote_not_found", "require_approval_types")):
        await desk.keep(
            an_item(f"m{number}", fact=reason, fact_key=reason, status=Status.PENDING, reason=reason)
        )
    await desk.work_for(2 * RATE_WINDOW)
    assert {item.status for item in await desk.items()} == {Status.PENDING}


@MODES
async def test_what_was_not_verified_goes_on_as_the_mode_says(
    open_desk: OpenDesk, mode: Mode, state: str
) -> None:
    desk = await open_desk(ScriptedChatModel(BIKE, verdicts=["", "said"]), mode=mode)
    await say(desk, "I cycle to work")
    await desk.work(HOUR)
    assert await desk.facts() == {"User cycles to work": "pending:unverified"}
    await desk.work_for(HOUR)
    assert await desk.facts() == {"User cycles to work": state}


async def test_asked_again_the_model_sees_the_talk_around_the_words(open_desk: OpenDesk) -> None:
    model = ScriptedChatModel(answer("User cycles to work", quote="by bike"), verdicts=["", "said"])
    desk = await open_desk(model)
    await say(desk, "hi", "how do I get to work, you ask?", "by bike", "bye")
    await desk.work(HOUR)
    await desk.work_for(HOUR)
    again = model.checks[1]
    assert all(f"user U1 (Alice): {text}" in again for text in ("how do I get to work, you ask?", "bye"))
    assert "U1: User cycles to work" in again


async def test_what_only_the_bot_said_of_a_person_needs_its_plain_yes_then_too(open_desk: OpenDesk) -> None:
    found = answer("User has a nut allergy", quote="You have a nut allergy", type="constraint")
    for reply, state in (("I always carry a pen", "pending:needs_plain_yes"), ("yes", "active:")):
        desk = await open_desk(ScriptedChatModel(found, verdicts=["", "confirmed"]))
        await desk.say("hm", "You have a nut allergy", message_id="1")
        desk.clock.move(timedelta(seconds=1))
        await desk.say(reply, message_id="2")
        await desk.work(HOUR)
        assert await desk.facts() == {"User has a nut allergy": "pending:unverified"}
        await desk.work_for(HOUR)
        assert await desk.facts() == {"User has a nut allergy": state}
        assert (await desk.item()).origin is Origin.CONFIRMED


async def test_asked_again_the_model_tells_what_remains_true_beside_it_and_the_rates_count(
    open_desk: OpenDesk,
) -> None:
    still = '[{"n": 1, "verdict": "said", "still": [1]}, {"n": 2, "verdict": "said"}]'
    found = answer("User owns a Toyota", "User owns a Vespa", quote="a Toyota and a Vespa", replaces=["K1"])
    model = ScriptedChatModel(found, verdicts=["", still])
    desk = await open_desk(model, max_writes_per_session=1)
    await desk.keep(an_item("m1", fact="User owns a Honda", fact_key="honda"))
    await say(desk, "I also own a Toyota and a Vespa")
    await desk.work(2 * HOUR)
    await desk.work_for(HOUR / 2)
    assert model.checks[1].count("instead of a: User owns a Honda") == 2
    held = {"User owns a Toyota": "active:", "User owns a Vespa": "pending:max_writes_per_session"}
    assert await desk.facts() == {"User owns a Honda": "active:"} | held
    await desk.work_for(2 * HOUR)
    assert await desk.active_facts() == ["User owns a Toyota", "User owns a Vespa"]


async def test_while_its_person_is_paused_it_is_not_asked_about_and_afterwards_it_is(
    open_desk: OpenDesk,
) -> None:
    model = ScriptedChatModel(BIKE, verdicts=["", "said"])
    desk = await open_desk(model)
    await say(desk, "I cycle to work")
    await desk.work(HOUR)
    async with desk.store.transaction() as tx:
        await tx.pause(ALICE, actor="x")
    await desk.work_for(HOUR)
    assert (await desk.facts(), len(model.checks)) == ({"User cycles to work": "pending:unverified"}, 1)
    async with desk.store.transaction() as tx:
        await tx.resume(ALICE)
    await desk.work_for(8 * HOUR)
    assert await desk.facts() == {"User cycles to work": "active:"}


async def test_a_chat_about_which_the_model_says_nothing_usable_keeps_no_other_waiting(
    open_desk: OpenDesk,
) -> None:
    model = ScriptedChatModel(BIKE, verdicts=["", "", "", "", "said"])
    desk = await open_desk(model)
    for name in ("alice", "bob"):
        said = turn("I cycle to work", message_id=name, at=desk.clock())
        there = replace(said, chat=chat(name, f"qq:FriendMessage:{name}"))
        await desk.writer.record(there, access(ALICE if name == "alice" else BOB, umo=there.chat.umo))
    await desk.work(HOUR)
    await desk.work_for(3 * HOUR)
    assert [item.status for item in await desk.items()] == [Status.ACTIVE] * 2
    asked = [check.partition("user U1 (")[2].partition(")")[0] for check in model.checks]
    assert sorted(asked[2:4]) == ["Alice", "Bob"]


async def test_while_a_provider_rests_it_is_not_asked_again(open_desk: OpenDesk) -> None:
    down = UnavailableError("429")
    model = ScriptedChatModel(BIKE, *[down] * 12, "[]", verdicts=["", "said"])
    desk = await open_desk(model)
    await say(desk, "I cycle to work")
    await desk.work(HOUR)
    await say(desk, "and I swim")
    await desk.work(timedelta(minutes=2))
    await desk.work_for(timedelta(minutes=30))
    assert len(model.checks) == 1
    await desk.work_for(HOUR)
    assert await desk.facts() == {"User cycles to work": "active:"}
