"""What was injected is counted soon after, all that waits at once, and never at the cost of the job."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import Recall
from astrbot_plugin_ltm.long_term_memory.policies.read_policy import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.reader import MemoryReader
from astrbot_plugin_ltm.long_term_memory.read.retrieve import Retriever
from astrbot_plugin_ltm.long_term_memory.upkeep.recall_log import MAX_WAITING, SETTLE, RecallLog

from tests.read.fakes import NOW, FakeAccessLog, FakeReadStore, FakeVectorIndex, NoEmbedder, item, ranked


class BreakableLog(FakeAccessLog):
    broken: bool = False
    asked: int = 0

    async def touched(self, memory_ids: Sequence[str], *, at: datetime) -> None:
        self.asked += 1
        if self.broken:
            raise RuntimeError("a bug")
        await super().touched(memory_ids, at=at)


def log_over(counts: FakeAccessLog) -> RecallLog:
    retriever = Retriever(
        store=FakeReadStore(), vectors=FakeVectorIndex(), embedder=NoEmbedder(), deadline=SETTLE
    )
    return RecallLog(MemoryReader(retriever=retriever, log=counts, policy=MemoryReadPolicy), lambda: NOW)


def recall(memory_id: str = "m") -> Recall:
    return Recall(block="x", injected=(ranked(item(memory_id)),), omitted=(), vectors=False)


async def run_until(log: RecallLog, condition: Callable[[], bool]) -> None:
    task = asyncio.ensure_future(log.run())
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.005)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_all_that_waits_is_counted_after_one_pause() -> None:
    counts = BreakableLog()
    log = log_over(counts)
    for number in range(50):
        log.put(recall(f"m{number}"))
    loop = asyncio.get_running_loop()
    began = loop.time()
    await run_until(log, lambda: len(counts.counted) == 50)
    assert loop.time() - began < 3 * SETTLE.total_seconds()
    assert [memory_ids for memory_ids, _ in counts.counted] == [[f"m{number}"] for number in range(50)]


async def test_whatever_breaks_the_next_one_is_counted_and_it_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    counts = BreakableLog()
    log = log_over(counts)
    counts.broken = True
    with caplog.at_level(logging.INFO):
        log.put(recall())
        log.put(recall())
        await run_until(log, lambda: counts.asked == 2)
        counts.broken = False
        log.put(recall())
        await run_until(log, lambda: len(counts.counted) == 1)
    assert [record.getMessage() for record in caplog.records] == [
        "What is injected is not counted for now: RuntimeError",
        "What is injected is counted again.",
    ]


async def test_what_waits_at_the_stop_is_dropped_and_said(caplog: pytest.LogCaptureFixture) -> None:
    counts = BreakableLog()
    log = log_over(counts)
    task = asyncio.ensure_future(log.run())
    await asyncio.sleep(0)
    log.put(recall())
    log.put(recall())
    await asyncio.sleep(0.01)
    task.cancel()
    with caplog.at_level(logging.INFO):
        await asyncio.gather(task, return_exceptions=True)
    assert "2 recalls are not counted" in caplog.text
    assert counts.counted == []


async def test_a_full_queue_loses_counts_and_nothing_else() -> None:
    counts = BreakableLog()
    log = log_over(counts)
    for _ in range(MAX_WAITING + 5):
        log.put(recall())
    await run_until(log, lambda: len(counts.counted) >= MAX_WAITING)
    assert len(counts.counted) == MAX_WAITING
