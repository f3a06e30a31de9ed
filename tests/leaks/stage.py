"""The memory at play: the real manager on a real file, with a model and an embedder that can be foreseen."""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, cast
from zlib import crc32

from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.commands import Commands
from astrbot_plugin_ltm.long_term_memory.domain.words import Level
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager, Parts
from astrbot_plugin_ltm.long_term_memory.prompts.compaction import SYSTEM as COMPACTION
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.leaks.canaries import Words
from tests.leaks.cast import Cast, Seat, Variant
from tests.leaks.found import canaries_in
from tests.leaks.oracle import Fact, Oracle
from tests.running import World, settings
from tests.stores import migrated

_LINE = re.compile(r"^\[(\d+)\] user U\d+[^:]*: (?P<text>.*)$", re.MULTILINE)
_OF_OTHER = re.compile(r"^(?P<who>[A-Z][a-z]+) (?:collects|keeps) .+ at home$")
_OF_WORK = re.compile(r"^The boat still needs .+ before the launch$")
_OF_THE_DAY = re.compile(r"^I met .+ at the harbour today$")
_FACT = re.compile(r"^\[\d+\] (.+)$", re.MULTILINE)
_WORD = re.compile(r"\w+")
_ROUNDS = 60
_NOTHING, _MINE = 0.05, 0.6


@dataclass
class Model:
    """Reads the sentences it was made for, as a good model would."""

    asked: list[Callable[[str, str], None]] = field(default_factory=list[Callable[[str, str], None]])
    """Who is told where a question comes from, and what it says."""

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        for tell in self.asked:
            tell(umo, prompt)
        answer = _summed_up(prompt) if system == COMPACTION else _extracted(prompt)
        return Completion(text=answer, prompt_tokens=90, answer_tokens=10)


def _extracted(prompt: str) -> str:
    facts: list[dict[str, object]] = []
    for line in _LINE.finditer(prompt[prompt.rfind("<<<conversation") :]):
        number, text = int(line[1]), line["text"].strip()
        usual = {"confidence": 0.95, "importance": 0.7, "evidence": [number], "quote": text}
        if other := _OF_OTHER.match(text):
            facts.append({"type": "profile", "fact": text, "person": other["who"], **usual})
        elif _OF_WORK.match(text):
            facts.append({"type": "task_state", "fact": text, **usual})
        elif _OF_THE_DAY.match(text):
            facts.append({"type": "episode", "fact": f"User{text[1:]}", **usual})
    return json.dumps(facts, ensure_ascii=False)


def _summed_up(prompt: str) -> str:
    """All the facts in one sentence, their canaries included."""
    met = [
        fact.removeprefix("User met ").partition(" at the harbour")[0]
        for fact in _FACT.findall(prompt[prompt.rfind("<<<facts") :])
        if fact.startswith("User met ")
    ]
    return json.dumps({"fact": f"User often met {', '.join(met)} at the harbour" if met else ""})


@dataclass
class Embedder:
    """Texts that share words lie near each other; another model has other numbers."""

    model: str | None = "first"

    def model_id(self) -> str | None:
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        size = 48 if self.model == "first" else 32
        return [_vector(text.lower(), size) for text in texts]


def _vector(text: str, size: int) -> list[float]:
    numbers = [0.01] * size
    for word in (*_WORD.findall(text), *map("".join, pairwise(text))):
        numbers[crc32(word.encode()) % size] += 1.0
    return numbers


@dataclass(frozen=True)
class Row:
    """What matters of a memory's row."""

    status: str
    audience: str
    level: int
    text: str


@dataclass
class Stage:
    """A memory in a variant, what the oracle knows of it, and the dice."""

    cast: Cast
    oracle: Oracle
    world: World
    embedder: Embedder
    service: Service
    memory: LTMManager
    commands: Commands
    random: Random
    words: Words
    look: sqlite3.Connection
    """Reads the file beside the memory."""
    recalled: list[tuple[Seat, frozenset[str]]] = field(default_factory=list[tuple[Seat, frozenset[str]]])
    """Who was recalled something since the log was looked at, and what they may be shown."""
    prompt_leaks: list[str] = field(default_factory=list[str])
    keys: list[str] = field(default_factory=list[str])
    """Those that models have chosen for what they saved."""
    conversations: dict[str, str] = field(default_factory=dict[str, str])
    """What the ids of conversations end with, by chat, once a new one has begun there."""
    _rows: Mapping[str, Row] = field(default_factory=dict[str, Row])
    _rows_of: int = -1
    _words: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    _number: int = 0

    @property
    def parts(self) -> Parts:
        return self.memory._parts  # pyright: ignore[reportPrivateUsage] - its steps, without waits

    @property
    def store(self) -> Store:
        return self.parts.store

    def take(self, memory: LTMManager) -> None:
        """Ask this memory from now on."""
        self.memory = memory
        self.service._manager = memory  # pyright: ignore[reportPrivateUsage] - whom commands and routes ask

    def number(self) -> str:
        """A message's id."""
        self._number += 1
        return f"m{self._number}"

    async def says(self, seat: Seat, text: str, reply: str = "") -> None:
        """One exchange."""
        self.world.clock.move(timedelta(seconds=3))
        await self.world.tell(self.memory, seat.chat, text, reply)

    async def command(self, seat: Seat, text: str, *, admin: bool = False) -> str:
        """What `/ltm ...` is answered with, the file included."""
        self.world.clock.move(timedelta(seconds=1))
        reply = await self.commands.answer(seat.chat, text, admin=admin, message_id=self.number())
        return f"{reply.text}\n{reply.file.content.decode() if reply.file else ''}"

    def rows(self) -> Mapping[str, Row]:
        """Every memory as it stands in the file."""
        [version] = self.look.execute("PRAGMA data_version").fetchone()
        if version != self._rows_of:
            query = "SELECT memory_id, status, audience, level, fact || backstory || tags FROM ltm_items"
            self._rows = {each[0]: Row(*each[1:]) for each in self.look.execute(query)}
            self._rows_of = version
        return self._rows

    def words_of(self, memory_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The canaries that each of these memories holds."""
        rows = self.rows()
        return {each: self._words_in(rows[each].text) for each in memory_ids if each in rows}

    def _words_in(self, text: str) -> frozenset[str]:
        if text not in self._words:
            self._words[text] = frozenset(canaries_in(text, self.oracle.known()))
        return self._words[text]

    def some_id(self, seat: Seat) -> str:
        """One of one's own, of anybody's, or of nothing."""
        dice, rows = self.random.random(), self.rows()
        if dice < _NOTHING:
            return f"{self.random.getrandbits(32):08x}-none"
        if dice < _MINE:
            own = self.oracle.own(seat)
            mine = [each for each, row in rows.items() if not own.isdisjoint(self._words_in(row.text))]
            return self.random.choice(mine or [*rows])
        return self.random.choice([*rows])

    def facts_of(self, memory_id: str) -> list[Fact]:
        """What is told by the memory with this id."""
        words = self.words_of([memory_id]).get(memory_id, frozenset())
        told = [self.oracle.about(canary) for canary in words]
        return [fact for facts in told for fact in facts if len(facts) == 1 or fact.row == memory_id]

    async def extract(self) -> None:
        """Let the model read what waits for it."""
        for _ in range(_ROUNDS):
            self.world.clock.move(timedelta(seconds=121))
            async with asyncio.TaskGroup() as chats:
                await self.parts.worker.begin(chats)
            if not (await self.memory.counts()).events.get("pending", 0):
                return
        raise AssertionError("messages wait for ever")

    async def tidy(self) -> None:
        """A round of housekeeping: duplicates are joined, old episodes summed up."""
        ports = self.world._ports()  # pyright: ignore[reportPrivateUsage] - what the memory was made with
        await housekeeping(self.parts, ports).work()

    async def embedded_by(self, model: str) -> None:
        """Have every memory and message embedded by this model, where there is any."""
        if not self.cast.variant.embeds:
            return
        self.embedder.model = model
        self.parts.embedding.notify()
        async with asyncio.timeout(60):
            while await self.parts.embedding.embed_batch():
                pass

    def holding(self, fact: Fact) -> Sequence[Row]:
        """The rows that tell a fact: what is summed up, or waits to be, has more than one."""
        rows = self.rows()
        if len(self.oracle.about(fact.pair.canary)) > 1:
            return [rows[fact.row]] if fact.row in rows else []
        return [row for row in rows.values() if fact.pair.canary in self._words_in(row.text)]

    def note_prompt(self, umo: str, prompt: str) -> None:
        """A model that reads for a chat is told nothing that some chat of that origin may not see itself."""
        found = canaries_in(prompt, self.oracle.known())
        here = [seat for seat in self.cast.seats if seat.chat.umo == umo]
        if not any(found <= self._at_any_level(seat.room, seat.persona) for seat in here):
            self.prompt_leaks.append(f"prompt: {umo}: {sorted(found)}")

    def _at_any_level(self, room: str, persona: str) -> set[str]:
        there = [seat for seat in self.cast.seats if (seat.room, seat.persona) == (room, persona)]
        raised = [replace(seat, chat=replace(seat.chat, raised=Level.RESTRICTED)) for seat in there]
        return {word for seat in raised for word in self.oracle.remembered(seat) | self.oracle.said(seat)}

    async def settle(self) -> None:
        """Nothing waits to be written."""
        await self.parts.recall_log.settle()


@asynccontextmanager
async def on_stage(variant: Variant, folder: Path, seed: int) -> AsyncGenerator[Stage]:
    """A memory nobody has told anything."""
    embedder, model = Embedder("first" if variant.embeds else None), Model()
    world = World(
        file=migrated(folder / "data_v4.db"), model=cast("Any", model), embedder=cast("Any", embedder)
    )
    service = Service(world.memory, version="0")
    assert settings(variant.raw())
    await service.start(variant.raw())
    random = Random(seed)  # noqa: S311 - dice that can be thrown again
    look = sqlite3.connect(world.file, isolation_level=None)
    try:
        stage = Stage(
            look=look,
            cast=Cast(variant),
            oracle=Oracle(variant),
            world=world,
            embedder=embedder,
            service=service,
            memory=service.manager(),
            commands=world.commands(service),
            random=random,
            words=Words(random),
        )
        model.asked.append(stage.note_prompt)
        yield stage
    finally:
        look.close()
        await service.stop()
