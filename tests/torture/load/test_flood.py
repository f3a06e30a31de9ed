"""One person sends ten thousand messages in an hour: their limits hold, and the others notice nothing."""

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.conversation import MAX_OVERHEARD_AT_ONCE
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.write.writer import MAX_ADDRESSED_WAITING, MAX_WAITING

from benchmarks.at_once import AtOnce
from benchmarks.bulk import Texts, stored
from benchmarks.memory import embed, scope_of
from tests.faults.stores import faults
from tests.running import group
from tests.stores import NOW, an_event, migrated, opened
from tests.torture.form import LONG, chances, either, tell

from .crowded import Reader, going_on
from .flood import HOUR, MALLORY, MOST_IN_HOUR, MOST_KEPT, MOST_LEARNT, OTHERS, Flood, flooded
from .trend import quantile

MESSAGES = either(200, 10_000)
BLOCKS, BLOCK, GROUPS = 30, 100, 5
"""Recalls are timed in blocks, flooded and calm in turn; of each group of blocks a percentile is taken."""
CONVERSATIONS = tuple(replace(MALLORY, conversation_id=f"c{number}") for number in range(3))
PLACES = (MALLORY, *(group("mallory", f"group{number}") for number in range(4)))

pytestmark = pytest.mark.torture


@pytest.fixture
async def flood(tmp_path: Path) -> AsyncGenerator[Flood]:
    async with flooded(tmp_path, chances("flood")) as flood:
        yield flood


async def test_a_flood_fills_no_more_than_its_own_limits(tmp_path: Path) -> None:
    file = migrated(tmp_path / "data_v4.db")
    before = either(MAX_ADDRESSED_WAITING - 50, 0)
    await fill(file, before)
    async with flooded(tmp_path, chances("flood")) as flood:
        for other in OTHERS:
            await flood.says(other, f"My name is {other.sender_id.title()}")
        share = MESSAGES // len(OTHERS)
        most_tasks = 0
        for other in OTHERS:
            await flood.pours(hours=1 / len(OTHERS), messages=share)
            await flood.says(other, "I live in Oslo")
            most_tasks = max(most_tasks, len(asyncio.all_tasks()))
        health = await flood.memory.status.counts()
        failures = dict(flood.memory.failures)
    learnt, live, waiting = flood.learnt(MALLORY), flood.live(MALLORY), flood.waiting(MALLORY)
    tell("flood: messages of one person in an hour", MESSAGES)
    tell("flood: new facts learnt of them, of at most", (len(learnt), MOST_LEARNT))
    tell("flood: facts kept of them with those that wait, of at most", (live, MOST_KEPT))
    tell("flood: messages of them that wait for the model, of at most", (waiting, MAX_ADDRESSED_WAITING))
    tell("flood: messages that health calls passed over", health.passed_over)
    tell("flood: tasks at once", most_tasks)
    assert len(learnt) == MOST_LEARNT
    assert live == MOST_KEPT
    assert waiting["user"] == MAX_ADDRESSED_WAITING
    assert waiting["tool"] <= MAX_ADDRESSED_WAITING
    kept = Counter(
        dict(
            flood.tables.rows(
                "select extraction, count(*) from ltm_events where session_id = ? group by 1",
                MALLORY.umo,
            )
        )
    )
    assert health.passed_over == kept["skipped"] > 0
    assert kept.total() == before + 2 * MESSAGES + len(OTHERS) * (share // 10)
    assert most_tasks < 30
    assert failures == {}
    for other in OTHERS:
        assert {fact for _, fact in flood.learnt(other)} == {
            f"User's name is {other.sender_id.title()}",
            "User lives in Oslo",
        }
    assert faults(file) == []


async def test_in_each_hour_the_limit_is_the_same(flood: Flood) -> None:
    hours, messages = either((2, 30), (5, 300))
    began = flood.world.clock()
    for _ in range(hours):
        await flood.pours(hours=1, messages=messages)
        flood.world.clock.move(timedelta(seconds=1))
    by_hour = Counter(
        (datetime.fromisoformat(f"{at}+00:00") - began) // HOUR for at, _ in flood.learnt(MALLORY)
    )
    assert by_hour == dict.fromkeys(range(hours), MOST_LEARNT)


@pytest.mark.parametrize(
    ("chats", "most"),
    [
        pytest.param(CONVERSATIONS, MOST_LEARNT, id="one chat begun anew"),
        pytest.param(PLACES, MOST_IN_HOUR, id="a private chat and groups"),
    ],
)
async def test_wherever_somebody_talks_the_limits_of_the_hour_hold_and_what_is_above_waits(
    tmp_path: Path, chats: Sequence[Chat], most: int
) -> None:
    hours, messages = either((2, 60), (5, 600))
    policy = {
        "mode": "auto",
        "max_writes_per_session": MOST_LEARNT,
        "max_writes_per_hour": MOST_IN_HOUR,
        "max_items_per_scope": 10_000,
    }
    reading = {"batch_turns": 4, "idle_seconds": 1, "daily_token_cap": 1_000_000_000}
    facts = Counter[tuple[str, str, str]]()
    async with flooded(
        tmp_path, chances("places"), model=Reader(), write_policy=policy, extraction=reading
    ) as flood:
        for _ in range(hours):
            for number in range(messages):
                await flood.names(chats[number % len(chats)])
            await flood.read()
            found = Counter(flood.tables.rows("select origin_umo, status, reason from ltm_items"))
            told, gained, facts = found.total() - facts.total(), found - facts, found
            # What waited since the hour before may have gone on in this one.
            learnt = {umo: number for (umo, status, _), number in gained.items() if status == "active"}
            waiting = {reason for _, status, reason in found if status == "pending"}
            assert sum(learnt.values()) == most
            assert max(learnt.values()) <= MOST_LEARNT
            assert told == messages
            assert "max_writes_per_hour" in waiting or len(learnt) == 1
            assert waiting <= {"max_writes_per_session", "max_writes_per_hour"}
            flood.world.clock.move(HOUR + timedelta(seconds=1))
    tell("flood over several chats: facts told in an hour, learnt", (messages, most))
    assert {status for _, status, _ in facts} == {"active", "pending"}
    assert faults(flood.world.file) == []


async def test_demands_to_remember_take_only_the_room_of_who_makes_them(flood: Flood) -> None:
    for other in OTHERS:
        await flood.says(other, "I live in Oslo")
    await flood.insists(either(70, 1_000))
    assert flood.live(MALLORY) == MOST_KEPT
    assert [flood.live(other) for other in OTHERS] == [1] * len(OTHERS)
    assert faults(flood.world.file) == []


async def test_a_flood_that_is_overheard_waits_in_bounded_places(tmp_path: Path) -> None:
    crowd, in_turn, at_once = group("mallory"), MAX_WAITING + 40, either(200, 4_000)
    async with flooded(tmp_path, chances("overheard"), groups={"passive_capture": True}) as flood:
        for number in range(in_turn):
            await flood.memory.record_heard(overheard(flood, crowd, number), addressed=False)
            if number % 40 == 0:
                await flood.written()
        await flood.written()
        most_late = 0
        for number in range(at_once):
            await flood.memory.record_heard(overheard(flood, crowd, in_turn + number), addressed=False)
            most_late = max(most_late, flood.late)
        await flood.written()
        counts = await flood.memory.status.counts()
        told = flood.memory.failures.get("listen", 0)
    kept = flood.tables.rows("select count(*) from ltm_events where session_id = ?", crowd.umo)[0][0]
    tell("flood overheard: messages, kept, not kept and counted", (in_turn + at_once, kept, told))
    tell("flood overheard: writes under way, of at most", (most_late, MAX_OVERHEARD_AT_ONCE))
    assert kept + told == in_turn + at_once
    assert kept >= in_turn
    assert told > 0
    assert most_late <= MAX_OVERHEARD_AT_ONCE
    assert flood.waiting(crowd) == {"user": MAX_WAITING}
    assert counts.passed_over == kept - MAX_WAITING


@pytest.mark.skipif(not LONG, reason="times are taken in the long form alone")
async def test_the_recall_of_the_others_takes_at_most_a_tenth_longer(tmp_path: Path) -> None:
    """One memory is flooded at the pace of 10,000 messages an hour, after an hour of it; the other is not."""
    files = {name: tmp_path / name / "data_v4.db" for name in ("calm", "flooded")}
    for file in files.values():
        file.parent.mkdir()
        await stored(file, {other.sender_id: MOST_KEPT for other in OTHERS})
    await fill(files["flooded"], MAX_ADDRESSED_WAITING, read=20_000 - MAX_ADDRESSED_WAITING)
    for file in files.values():
        await embed(file, AtOnce(), transcript=True)
    times: dict[str, list[list[float]]] = {name: [] for name in files}
    async with (
        flooded(files["calm"].parent, chances("calm"), AtOnce()) as calm,
        flooded(files["flooded"].parent, chances("flood"), AtOnce()) as flood,
    ):
        for memory in (calm.memory, flood.memory):
            await recalls(memory, len(OTHERS))
        every, flooding = HOUR / 10_000, 0.0
        for _ in range(BLOCKS):
            times["calm"].append(await recalls(calm.memory, BLOCK))
            began = time.perf_counter()
            async with going_on(flood.goes_on(every=every)):
                times["flooded"].append(await recalls(flood.memory, BLOCK))
            flooding += time.perf_counter() - began
    late = {name: [p95(blocks[at::GROUPS]) for at in range(GROUPS)] for name, blocks in times.items()}
    ratios = [a / b for a, b in zip(late["flooded"], late["calm"], strict=True)]
    tell("flood: 95th percentiles of the others' recalls in milliseconds", late)
    pace = flood.said * every.total_seconds() / flooding
    tell("flood: messages sent meanwhile, of what 10,000 an hour would be", (flood.said, round(pace, 2)))
    assert pace > 0.9
    tell(
        "flood: 95th percentile of the others' recalls, flooded over calm",
        [round(each, 3) for each in ratios],
    )
    tell("flood: median of these", round(statistics.median(ratios), 3))
    assert statistics.median(ratios) <= 1.1


def p95(blocks: Sequence[Sequence[float]]) -> float:
    """Of all blocks together."""
    return quantile([*chain.from_iterable(blocks)], 0.95)


async def recalls(memory: LTMManager, number: int) -> list[float]:
    """How many milliseconds requests of the others wait, one after the other at some pace."""
    taken: list[float] = []
    for at in range(number):
        other, question = OTHERS[at % len(OTHERS)], next(_questions)
        memory.prepare(other, question)
        await asyncio.sleep(0.02)
        began = time.perf_counter()
        recall = await memory.recall(other, question)
        taken.append((time.perf_counter() - began) * 1000)
        assert recall.vectors
    return taken


_questions = iter(Texts(9).questions(10_000))


def overheard(flood: Flood, chat: Chat, number: int) -> Turn:
    return Turn(
        chat=chat,
        message_id=f"o{number}",
        user_text=f"What a day, number {number}!",
        reply_text="",
        at=flood.world.clock(),
    )


async def fill(file: Path, waiting: int, *, read: int = 0) -> None:
    """Have so many messages of the flood's chat wait already, after others that were read."""
    said = [
        an_event(
            "hm",
            event_id=f"earlier{at}",
            message_id=f"earlier{at}",
            at_scope=scope_of("mallory"),
            owner=scope_of("mallory"),
            platform_id=MALLORY.platform_id,
            umo=MALLORY.umo,
            sender_id=MALLORY.sender_id,
            extraction=Extraction.DONE if at < read else Extraction.PENDING,
        )
        for at in range(read + waiting)
    ]
    async with opened(file) as database, Store(database, lambda: NOW).transaction() as transaction:
        await transaction.add_events(said)
