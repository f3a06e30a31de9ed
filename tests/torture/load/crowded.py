"""Very many chats at once over one memory."""

import asyncio
import json
import random
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import override

from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.providers import Embedder
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.upkeep.housekeeping import Housekeeping
from astrbot_plugin_ltm.long_term_memory.upkeep.scheduler import MAX_LATE

from tests.dashboard_routes.calling import Api
from tests.running import A_MINUTE, ScriptedChatModel, World, group, private, until
from tests.verifying import second_answer

READY = 0.003
"""So many seconds the host takes at least between a message and the request to the model."""
PRIVATE_CHATS, GROUPS, SPEAKERS = 40, 10, 3
TOLD = re.compile(r"^\[(\d+)\] user (U\d+)[^:]*: (My (\w+) is called (\w+), as of turn \d+)$", re.MULTILINE)


class Reader(ScriptedChatModel):
    """Finds in what it is shown what people told, and takes a moment for it."""

    @override
    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        await asyncio.sleep(0.02)
        self.answer = json.dumps(
            [
                {
                    "type": "preference",
                    "fact": f"User's {thing} is called {name}",
                    "fact_key": f"name of the {thing}",
                    "confidence": 0.9,
                    "importance": 0.5,
                    "evidence": [int(number)],
                    "quote": said,
                    "about": speaker,
                }
                for number, speaker, said, thing, name in TOLD.findall(prompt)
            ]
        )
        return await super().complete(umo=umo, system=system, prompt=prompt)


class Directions:
    """Gives each text a direction of its own."""

    def model_id(self) -> str | None:
        return "directions"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        await asyncio.sleep(READY)
        return [_direction(text) for text in texts]


class Place(World):
    """The outside of a memory that very many talk to."""

    def housekeeping(self, memory: LTMManager) -> Housekeeping:
        """Whose rounds go on where the last one ended."""
        return housekeeping(memory._components, self._ports())  # pyright: ignore[reportPrivateUsage] - no verb


@dataclass(frozen=True, kw_only=True)
class Talk:
    """One chat: who speaks in it, each in turn."""

    speakers: Sequence[Chat]
    words: Sequence[tuple[str, str]]
    """Of each turn what is named, and its name: nobody else ever says either."""

    @property
    def umo(self) -> str:
        """The chat."""
        return self.speakers[0].umo

    def said(self, turn: int) -> str:
        """What is said in this turn."""
        thing, name = self.words[turn]
        return f"My {thing} is called {name}, as of turn {turn}"


@dataclass
class Crowd:
    """The chats at work on one memory."""

    place: Place
    memory: LTMManager
    recalls: list[float] = field(default_factory=list[float])
    """Milliseconds of each."""
    housekeeping: Housekeeping = field(init=False)
    """What tidies this memory; one for all rounds, for it goes on where it ended."""
    record: Callable[[Turn], Awaitable[None]] = field(init=False)
    """How a turn is recorded."""

    def __post_init__(self) -> None:
        self.housekeeping = self.place.housekeeping(self.memory)
        self.record = self.memory.record_turn

    async def holds(self, talk: Talk, *, pause: Callable[[], float] = lambda: 0.0) -> None:
        """One chat from its beginning to its end, as the host holds it; `pause` is between its turns."""
        for number in range(len(talk.words)):
            await asyncio.sleep(pause())
            self.place.clock.move(timedelta(milliseconds=1))
            chat, text = talk.speakers[number % len(talk.speakers)], talk.said(number)
            self.recalls.append(await self.recall(chat, text))
            if number % 3 == 2:
                await self._uses_tools(chat, text, number)
            turn = Turn(
                chat=chat,
                message_id=f"{talk.umo} {number}",
                user_text=text,
                reply_text=f"Turn {number}, I see.",
                at=self.place.clock(),
            )
            await self.record(turn)
            await self._taken_in()

    async def recall(self, chat: Chat, text: str) -> float:
        """What a request of the host waits for, in milliseconds."""
        self.memory.prepare(chat, text)
        await asyncio.sleep(READY)
        began = time.perf_counter()
        recall = await self.memory.recall(chat, text)
        taken = (time.perf_counter() - began) * 1000
        self.memory.log_recall(chat, text, recall, sent=bool(recall.block))
        return taken

    async def _uses_tools(self, chat: Chat, text: str, number: int) -> None:
        await self.memory.search_transcript(chat, text)
        use = ToolUse(
            chat=chat,
            message_id=f"{chat.umo} {number}",
            tool="weather",
            result=f"Sunny at {number}",
            at=self.place.clock(),
        )
        await self.memory.record_tool_use(use)
        await self._taken_in()

    async def _taken_in(self) -> None:
        """Wait while half as many writes are late as the memory takes: nobody talks faster for long."""
        scheduler = self.memory._components.scheduler  # pyright: ignore[reportPrivateUsage] - health asks the store too
        await until(lambda: scheduler.late < MAX_LATE // 2, timeout=600)


def talks(turns: int, chance: random.Random) -> list[Talk]:
    """Fifty of them, in private and in groups, of so many turns each."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    chats = [[private(f"p{number}")] for number in range(PRIVATE_CHATS)]
    chats += [
        [group(f"g{number}s{speaker}", f"group{number}") for speaker in range(SPEAKERS)]
        for number in range(GROUPS)
    ]
    seen: dict[str, None] = {}
    while len(seen) < 2 * turns * len(chats):
        seen["".join(chance.choices(syllables, k=4))] = None
    words = iter(seen)
    return [
        Talk(speakers=speakers, words=[(next(words), next(words)) for _ in range(turns)])
        for speakers in chats
    ]


@asynccontextmanager
async def crowded(
    file: Path, raw: Mapping[str, object], embedder: Embedder | None = None
) -> AsyncGenerator[tuple[Crowd, Api]]:
    """A memory at work, and its dashboard."""
    place = Place(file, model=Reader(), embedder=embedder or Directions())
    service = Service(place.memory, version="1", patience=A_MINUTE)
    await service.start(raw)
    try:
        yield Crowd(place, service.manager()), Api(service)
    finally:
        await service.stop()


@asynccontextmanager
async def going_on(*works: Awaitable[None]) -> AsyncGenerator[None]:
    """Have this go on until the block ends. Raises what any of it raises."""
    async with asyncio.TaskGroup() as tasks:
        others = [tasks.create_task(_of(each)) for each in works]
        yield
        for other in others:
            other.cancel()


async def at_once(works: Iterable[Awaitable[None]]) -> None:
    """Do all of it at once. Raises what any of it raises."""
    async with asyncio.TaskGroup() as tasks:
        for work in works:
            tasks.create_task(_of(work))


def _direction(text: str) -> list[float]:
    source = random.Random(text)  # noqa: S311  it need not be hard to guess
    return [source.gauss() for _ in range(16)]


async def _of(call: Awaitable[None]) -> None:
    await call
