"""What somebody said in a group to somebody else: kept, read by the rules, and never more than bounded."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, Origin
from astrbot_plugin_ltm.long_term_memory.domain.memory import QUEUE_FULL
from astrbot_plugin_ltm.long_term_memory.write.writer import MAX_ADDRESSED_WAITING, MAX_WAITING

from tests.write.desk import Desk, a_desk
from tests.write.fakes import ALICE, BOB, GROUP, access, event, tool_use, turn

IN_GROUP = access(group=GROUP, umo=GROUP.scope_id)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with a_desk(tmp_path) as opened:
        yield opened


async def overhear(desk: Desk, text: str, where: Access = IN_GROUP) -> None:
    said = turn(text, "", message_id=text, at=desk.clock())
    said = replace(said, chat=replace(said.chat, umo=where.umo, group_id="g1", conversation_id=""))
    await desk.writer.record(said, where, overheard=True)


async def pause(desk: Desk, ref: ScopeRef) -> None:
    async with desk.store.transaction() as transaction:
        await transaction.pause(ref, actor="somebody")


async def fill(desk: Desk, number: int) -> None:
    said = [
        replace(event("hm", event_id=f"e{at}", in_group=True), created_at=desk.clock())
        for at in range(number)
    ]
    async with desk.store.transaction() as transaction:
        await transaction.add_events(said)


async def test_plain_statements_are_learnt_as_the_speakers_own(desk: Desk) -> None:
    await overhear(desk, "I live in Rome")
    (item,) = await desk.items()
    assert (item.owner, item.fact, item.origin) == (ALICE, "User lives in Rome", Origin.RULE)
    (kept,) = await desk.events()
    assert (kept.at_scope, kept.owner, kept.extraction) == (GROUP, ALICE, Extraction.PENDING)


@pytest.mark.parametrize("text", ["Remember that I own a red bike", "记住我有一辆红色的自行车"])
async def test_remember_that_asks_nothing_of_the_bot(desk: Desk, text: str) -> None:
    await overhear(desk, text)
    assert Origin.USER_EXPLICIT not in {item.origin for item in await desk.items()}
    said = turn(text, "Fine.", message_id="to the bot", at=desk.clock())
    await desk.writer.record(said, IN_GROUP)
    assert Origin.USER_EXPLICIT in {item.origin for item in await desk.items()}


async def test_beyond_the_bound_the_rules_still_read_what_the_model_does_not(desk: Desk) -> None:
    await fill(desk, MAX_WAITING - 1)
    await overhear(desk, "I live in Rome")
    await overhear(desk, "I play the flute")
    states = {kept.text: (kept.extraction, kept.last_error) for kept in await desk.events()}
    assert states["I live in Rome"] == (Extraction.PENDING, "")
    assert states["I play the flute"] == (Extraction.SKIPPED, QUEUE_FULL)
    assert "User lives in Rome" in {item.fact for item in await desk.items()}
    assert (await desk.store.events.counts()).passed_over == 1


async def test_what_is_said_to_the_bot_joins_a_full_queue(desk: Desk) -> None:
    await fill(desk, MAX_WAITING)
    said = turn("hello", "Hi.", at=desk.clock())
    await desk.writer.record(replace(said, chat=replace(said.chat, umo=GROUP.scope_id)), IN_GROUP)
    assert [kept.extraction for kept in await desk.events() if kept.text == "hello"] == [Extraction.PENDING]


async def test_what_is_said_to_the_bot_has_its_bound_too(desk: Desk) -> None:
    await fill(desk, MAX_ADDRESSED_WAITING)
    said = turn("I live in Rome", "Nice!", at=desk.clock())
    await desk.writer.record(replace(said, chat=replace(said.chat, umo=GROUP.scope_id)), IN_GROUP)
    used = tool_use("42")
    await desk.writer.record_tool(replace(used, chat=replace(used.chat, umo=GROUP.scope_id)), IN_GROUP)
    states = {kept.text: (kept.extraction, kept.last_error) for kept in await desk.events()}
    for text in ("I live in Rome", "Nice!", "42"):
        assert states[text] == (Extraction.SKIPPED, QUEUE_FULL)
    assert "User lives in Rome" in {item.fact for item in await desk.items()}
    assert (await desk.store.events.counts()).passed_over == 3


async def test_the_bound_is_each_groups_own(desk: Desk) -> None:
    await fill(desk, MAX_WAITING)
    other = ScopeRef(scope=GROUP.scope, scope_id="qq:GroupMessage:g2")
    await overhear(desk, "hello", access(group=other, umo=GROUP.scope_id))
    assert [kept.extraction for kept in await desk.events() if kept.text == "hello"] == [Extraction.PENDING]


async def test_overheard_and_then_answered_it_counts_once(desk: Desk) -> None:
    said = turn("I live in Rome", "", at=desk.clock())
    await desk.writer.record(said, IN_GROUP)
    await desk.writer.record(replace(said, reply_text="Nice!"), IN_GROUP)
    (item,) = await desk.items()
    assert item.evidence_count == 1
    assert [kept.text for kept in await desk.events()] == ["I live in Rome", "Nice!"]


@pytest.mark.parametrize("paused", [ALICE, GROUP], ids=["the speaker", "the group"])
async def test_of_whoever_is_paused_nothing_is_recorded(desk: Desk, paused: ScopeRef) -> None:
    await pause(desk, paused)
    await overhear(desk, "I live in Rome")
    await desk.writer.record(turn("I live in Rome", at=desk.clock()), IN_GROUP)
    await desk.writer.record_tool(tool_use("Rome: 21 degrees"), IN_GROUP)
    assert await desk.events() == []
    assert await desk.items() == []


async def test_a_pause_of_somebody_else_changes_nothing(desk: Desk) -> None:
    await pause(desk, BOB)
    await overhear(desk, "I live in Rome")
    assert len(await desk.items()) == 1


async def test_a_person_with_several_accounts_is_paused_in_all_of_them(desk: Desk) -> None:
    await pause(desk, BOB)
    joined = replace(IN_GROUP, readable=(ALICE, BOB))
    await overhear(desk, "I live in Rome", joined)
    assert await desk.events() == []


async def test_after_the_pause_recording_goes_on(desk: Desk) -> None:
    await pause(desk, ALICE)
    await overhear(desk, "I live in Rome")
    async with desk.store.transaction() as transaction:
        await transaction.resume(ALICE)
    desk.clock.move(timedelta(seconds=1))
    await overhear(desk, "I play the flute")
    assert [kept.text for kept in await desk.events()] == ["I play the flute"]
