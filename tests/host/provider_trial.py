"""One trial of a memory whose providers fail: well, down for some rounds, and well again.

The memory is whole, and so are the host's own providers and their clients; only the host itself is not
there, and time is a clock that the trial moves. It imports the host, which warns and sets up logging, so it
runs in a process of its own.
"""

import asyncio
import itertools
import logging
import sqlite3
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, override

from astrbot_plugin_ltm.long_term_memory.domain.reading import Recall
from astrbot_plugin_ltm.long_term_memory.host.providers import HostChatModel, HostEmbedder
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.read.query_embedding import MAX_MISSES

from tests.host.harness.failing import FailingServer
from tests.host.harness.right_answers import well
from tests.host.harness.ways_to_fail import ANY, SILENT
from tests.host.real_providers import Providers
from tests.host.trouble import NOT_EMBEDDED, Trouble, unexpected
from tests.running import FakeClock, World, private, settings, until
from tests.stores import migrated

if TYPE_CHECKING:
    from astrbot.api.star import Context

LATER = timedelta(days=1)
"""Longer than anything is left alone for."""
GENEROUS = 300.0
"""Seconds: for what takes a moment on an idle machine."""
ALICE = private()
RAW: Mapping[str, object] = {
    "write_policy": {"mode": "auto"},
    "extraction": {"batch_turns": 1, "idle_seconds": 1},
}
SLACK = timedelta(seconds=2)
"""By how much a busy machine may be late; far from the patience with providers."""
# fmt: off
PETS = (
    "tortoise", "hamster", "goldfish", "donkey", "canary", "ferret", "python", "llama", "iguana", "peacock",
    "beagle", "mule", "chinchilla", "lobster", "gecko", "ostrich", "rabbit", "pony", "turkey", "axolotl",
    "budgie", "scorpion", "alpaca", "hedgehog", "falcon", "newt", "tarantula", "swan", "oxen",
)
# fmt: on
"""No two of them nearly the same word, so that none passes for another."""
_NEVER_ANSWERS = tuple(ANY[name] for name in SILENT)
_told = ContextVar[list[str]]("_told")


class Ear(logging.Handler):
    """Hears what each trial makes the plugin, and asyncio, log."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        if (lines := _told.get(None)) is not None:
            lines.append(f"{record.levelname} {record.getMessage()}")


@dataclass
class Trial:
    """A memory at work, and the servers behind its providers."""

    memory: LTMManager
    world: World
    providers: Providers
    chatting: FailingServer
    embedding: FailingServer
    told: list[str]
    deadline: timedelta
    """How long a reply waits for a vector."""
    _things: Iterator[str] = field(default_factory=lambda: iter(PETS))
    _questions: Iterator[int] = field(default_factory=itertools.count)

    async def suffers(self, trouble: Trouble, *, rounds: int = 2) -> list[str]:
        """Go into a trouble and out of it again; returns what was not as it should be."""
        before, things, faults = len(self.told), [next(self._things) for _ in range(rounds)], list[str]()
        self._begin(trouble)
        for thing in things:
            self.pass_time()
            faults += await self._round(trouble, thing)
        self._end(trouble)
        await self.learns(next(self._things))
        for thing in things:
            await self.comes(partial(self._knows, thing))
        if trouble.embeds_wrongly:
            await self.comes(self.asks_with_vectors)
        faults += unexpected(self.told[before:], trouble)
        return [f"{trouble.name}: {fault}" for fault in faults]

    async def learns(self, thing: str) -> None:
        """Alice tells, and sooner or later it is known and embedded."""
        await self.tell(thing)
        await self.comes(partial(self._knows, thing))

    async def tell(self, thing: str) -> None:
        await self.world.tell(self.memory, ALICE, f"I keep a {thing}.")

    async def comes(self, state: Callable[[], Awaitable[bool]]) -> None:
        """Let time pass until it is so."""
        async with asyncio.timeout(GENEROUS):
            while not await state():
                self.pass_time()
                await asyncio.sleep(0.5)

    def pass_time(self) -> None:
        """As if every pause were over."""
        self.world.clock.move(LATER)
        parts = self.memory._components  # pyright: ignore[reportPrivateUsage] - the loops wait for real seconds
        parts.worker.notify()
        parts.embedding.notify()

    async def ask(self) -> Recall:
        question = f"What about my parrot, for the {next(self._questions)}th time?"
        self.memory.prepare(ALICE, question)
        async with asyncio.timeout(GENEROUS):
            return await self.memory.recall(ALICE, question)

    def _begin(self, trouble: Trouble) -> None:
        self.chatting.does, self.embedding.does = trouble.chatting, trouble.embedding
        if trouble.moved:
            self.providers.set_up(trouble.moved(self.chatting.url), trouble.moved(self.embedding.url))
        if trouble.shut:
            self.chatting.shut()
            self.embedding.shut()

    def _end(self, trouble: Trouble) -> None:
        for server, does in ((self.chatting, trouble.chatting), (self.embedding, trouble.embedding)):
            server.recover()
            if does in _NEVER_ANSWERS:  # one that drips goes on: whoever still waits is to find the line dead
                server.shut()
            if does in _NEVER_ANSWERS or trouble.shut:
                server.open()
        if trouble.moved:
            self.providers.set_up(self.chatting.url, self.embedding.url)

    async def _round(self, trouble: Trouble, thing: str) -> list[str]:
        """Something is told, some questions are asked, and all of it fails."""
        waiting, noted = self.waiting(), len(self.told)
        await self.tell(thing)
        faults = [fault for _ in range(MAX_MISSES) for fault in await self._asked(trouble)]
        if trouble.chats_wrongly:
            await until(lambda: self._put_off(waiting), GENEROUS)
        elif (
            not self.lines(NOT_EMBEDDED[0], since=noted)
            and (await self.memory.status.counts()).embedding_error == ""
        ):
            await self.comes(self._is_not_embedded)
        return faults

    async def _asked(self, trouble: Trouble) -> list[str]:
        began = time.monotonic()
        recall = await self.ask()
        waited = timedelta(seconds=time.monotonic() - began)
        faults = list[str]()
        if "parrot" not in recall.block:
            faults.append("words found nothing")
        if trouble.embeds_wrongly and recall.vectors:
            faults.append("vectors from a provider that gives none")
        if trouble.embedding in _NEVER_ANSWERS and waited > self.deadline + SLACK:
            faults.append(f"the reply waited for {waited}")
        return faults

    async def _is_not_embedded(self) -> bool:
        return (await self.memory.status.counts()).embedding_error != ""

    async def asks_with_vectors(self) -> bool:
        return (await self.ask()).vectors

    def waiting(self) -> Sequence[str]:
        """Until when each message waits that no model has read; empty for those it is being asked about."""
        query = "select coalesce(retry_at, ''), lease from ltm_events where extraction = 'pending'"
        return ["" if lease else retry for retry, lease in self.rows(query)]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Look into the store from outside."""
        with closing(sqlite3.connect(self.world.file, timeout=30)) as connection:
            return connection.execute(query).fetchall()

    def lines(self, part: str, *, since: int = 0) -> int:
        """How many lines of the log hold this."""
        return sum(part in line for line in self.told[since:])

    def _put_off(self, before: Sequence[str]) -> bool:
        """Whether all that waits has been asked about since then."""
        return not set(self.waiting()) & {*before, ""}

    async def _knows(self, thing: str) -> bool:
        page = await self.memory.own_items(ALICE, kind=None, page=1, page_size=200)
        counts = await self.memory.status.counts()
        known = any(thing in item.fact for item in page.rows)
        return known and 0 < counts.embeddable == counts.embedded and not counts.events.get("pending")


@asynccontextmanager
async def a_trial(folder: Path, *, patience: timedelta, deadline: timedelta) -> AsyncGenerator[Trial]:
    """A memory that knows of a parrot already; its providers are well.

    A provider may take so long; a reply waits for a vector until the deadline.
    """
    told = list[str]()
    _told.set(told)
    with ExitStack() as stack:
        chatting, embedding = (stack.enter_context(FailingServer(well)) for _ in range(2))
        providers = Providers(chatting.url, embedding.url)
        context, clock = cast("Context", providers), FakeClock()
        world = World(
            migrated(folder / "data_v4.db"),
            clock=clock,
            model=cast("Any", HostChatModel(context, "", patience)),
            embedder=HostEmbedder(context, "", patience),
        )
        raw = {**RAW, "recall_deadline_ms": int(deadline / timedelta(milliseconds=1))}
        async with world.memory(settings(raw)) as memory:
            trial = Trial(memory, world, providers, chatting, embedding, told, deadline)
            await trial.learns("parrot")
            yield trial
        await providers.close()
