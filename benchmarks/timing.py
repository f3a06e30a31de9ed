"""Timing of recalls, in turn with their alternatives, and of stalls of the event loop."""

import asyncio
import gc
import statistics
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from benchmarks.at_once import AtOnce
from benchmarks.bulk import Texts
from benchmarks.memory import at_work, chat_of, world_of
from benchmarks.ticker import Stall, watched

READY = 0.003
"""So many seconds the host takes at least between a message and the request to the model."""

type Milliseconds = list[float]
type Call = Callable[[str], Awaitable[float]]
"""Asks this question and returns the milliseconds it took."""


@dataclass
class Measuring:
    """How much is measured, and what the loop did meanwhile."""

    rounds: int
    starts: int
    stalls: dict[str, float] = field(default_factory=dict[str, float])

    @asynccontextmanager
    async def watching(self, name: str) -> AsyncGenerator[Stall]:
        """Keep the longest stall under this name; what was measured before leaves nothing to clear up."""
        gc.collect()
        async with watched() as stall:
            yield stall
        self.stalls[name] = max(self.stalls.get(name, 0.0), stall.milliseconds)


@asynccontextmanager
async def memory_of(file: Path) -> AsyncGenerator[LTMManager]:
    """The memory in this file, on the plugin's own settings, its questions embedded at once."""
    async with at_work(world_of(file, AtOnce()), {}) as memory:
        yield memory


async def unprepared(memory: LTMManager, person: str, question: str) -> float:
    """Recall for this person, the embedding provider being asked meanwhile; returns the milliseconds."""
    began = time.perf_counter()
    recall = await memory.recall(chat_of(person), question)
    taken = (time.perf_counter() - began) * 1000
    if not recall.vectors:
        raise RuntimeError("the recall went without vectors")
    return taken


async def prepared(memory: LTMManager, person: str, question: str) -> float:
    """The same after the question was announced, as the plugin does while the host gets ready."""
    memory.prepare(chat_of(person), question)
    await asyncio.sleep(READY)
    return await unprepared(memory, person, question)


async def cold(file: Path, people: Sequence[str], measuring: Measuring, name: str) -> Milliseconds:
    """The first recall of each of these people after a start, in each of several starts."""
    questions = Texts(4).questions(measuring.starts * len(people))
    taken: Milliseconds = []
    for _ in range(measuring.starts):
        async with memory_of(file) as memory, measuring.watching(name):
            taken += [await unprepared(memory, person, questions.pop()) for person in people]
    return taken


async def in_turn(calls: Mapping[str, Call], rounds: int) -> dict[str, Milliseconds]:
    """Each in turn with the same question, A B A B; what is slow at first does not count."""
    taken: dict[str, Milliseconds] = {each: [] for each in calls}
    for question in Texts(6).questions(5):
        for call in calls.values():
            await call(question)
    for question in Texts(7).questions(rounds):
        for each, call in calls.items():
            taken[each].append(await call(question))
    return taken


async def alone(call: Call, measuring: Measuring, name: str) -> None:
    """As often by itself, to see what it alone does to the loop."""
    questions = Texts(8).questions(measuring.rounds)
    async with measuring.watching(name):
        for question in questions:
            await call(question)
            await asyncio.sleep(0)


def summaries(taken: Mapping[str, Milliseconds]) -> dict[str, float]:
    """The summary of each."""
    return {name: value for each, times in taken.items() for name, value in summary(each, times).items()}


def summary(name: str, times: Milliseconds) -> dict[str, float]:
    """The median and the 95th percentile."""
    return {
        f"{name}_median_ms": statistics.median(times),
        f"{name}_p95_ms": statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0],
    }


def ratio(ours: Milliseconds, theirs: Milliseconds) -> float:
    """Of the medians."""
    return statistics.median(ours) / statistics.median(theirs)
