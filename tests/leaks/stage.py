"""The memory at play: the real manager on a real file, with a model and an embedder that can be foreseen."""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, cast
from zlib import crc32

from astrbot_plugin_ltm.dashboard_routes.items import get_item, list_items
from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.commands import Commands
from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.components import Components
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.web import Request

from tests.leaks.canaries import Words
from tests.leaks.cast import Cast, Seat, Variant
from tests.leaks.found import canaries_in
from tests.leaks.oracle import Oracle
from tests.leaks.scene import Scene
from tests.running import A_MINUTE, World, settings
from tests.stores import migrated
from tests.tools import TOOLS
from tests.verifying import second_answer

_LINE = re.compile(r"^\[(\d+)\] user U\d+[^:]*: (?P<text>.*)$", re.MULTILINE)
_OF_OTHER = re.compile(r"^(?P<who>[A-Z][a-z]+) (?:collects|keeps) .+ at home$")
_OF_WORK = re.compile(r"^The boat still needs .+ before the launch$")
_OF_THE_DAY = re.compile(r"^I met .+ at the harbour today$")
_WORD = re.compile(r"\w+")
_ROUNDS = 60
_SELDOM = 0.03


@dataclass
class Model:
    """Reads the sentences it was made for, as a good model would."""

    asked: list[Callable[[str, str], None]] = field(default_factory=list[Callable[[str, str], None]])
    """Who is told where a question comes from, and what it says."""

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        for tell in self.asked:
            tell(umo, prompt)
        return Completion(text=extracted(prompt), prompt_tokens=90, answer_tokens=10)


def extracted(prompt: str) -> str:
    """What a model answers that is asked for facts."""
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


@dataclass(kw_only=True)
class Stage(Scene):
    """The real manager, in a variant."""

    world: World
    embedder: Embedder
    service: Service
    memory: LTMManager
    commands: Commands

    @property
    def parts(self) -> Components:
        return self.memory._components  # pyright: ignore[reportPrivateUsage] - its steps, without waits

    @property
    def store(self) -> Store:
        return self.parts.store

    def take(self, memory: LTMManager) -> None:
        """Ask this memory from now on."""
        self.memory = memory
        self.service._manager = memory  # pyright: ignore[reportPrivateUsage] - whom commands and routes ask

    def present(self, seat: Seat) -> Seat:
        """Seldom the host knows of no conversation, or a tool has raised it for one turn."""
        self.world.clock.move(timedelta(milliseconds=1))  # as between any two calls
        seat = super().present(seat)
        conversation = seat.chat.conversation_id
        if self.random.random() < _SELDOM:
            conversation = ""
        raised = self.random.choice((*Level,)) if self.random.random() < _SELDOM else Level.PUBLIC
        return replace(seat, chat=replace(seat.chat, conversation_id=conversation, raised=raised))

    async def says(self, seat: Seat, text: str, reply: str = "") -> None:
        self.world.clock.move(timedelta(seconds=3))
        await self.world.tell(self.memory, seat.chat, text, reply)

    async def command(self, seat: Seat, text: str, *, admin: bool = False) -> str:
        self.world.clock.move(timedelta(seconds=1))
        reply = await self.commands.answer(seat.chat, text, admin=admin, message_id=self.number())
        return f"{reply.text}\n{reply.file.content.decode() if reply.file else ''}"

    async def tool(self, seat: Seat, name: str, said: str, arguments: Mapping[str, object]) -> str:
        turn = Turn(
            chat=seat.chat, message_id=self.number(), user_text=said, reply_text="", at=self.world.clock()
        )
        return await TOOLS[name].call(self.memory, turn, arguments)

    async def items(self, query: Mapping[str, str]) -> str:
        return json.dumps(await list_items(self.service, Request(query=query)), ensure_ascii=False)

    async def item(self, memory_id: str) -> str:
        with suppress(NotFoundError):
            answer = await get_item(self.service, Request(path={"memory_id": memory_id}))
            return json.dumps(answer, ensure_ascii=False)
        return ""

    async def extract(self) -> None:
        """Let the model read what waits for it."""
        for _ in range(_ROUNDS):
            self.world.clock.move(timedelta(seconds=121))
            async with asyncio.TaskGroup() as chats:
                await self.parts.worker.begin(chats)
            if not (await self.memory.status.counts()).events.get("pending", 0):
                return
        raise AssertionError("messages wait for ever")

    async def tidy(self) -> None:
        """A round of housekeeping: duplicates are joined, what is over ends."""
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
        await self.parts.recall_log.settle()


@asynccontextmanager
async def on_stage(variant: Variant, folder: Path, seed: int) -> AsyncGenerator[Stage]:
    """A memory nobody has told anything."""
    embedder, model = Embedder("first" if variant.embeds else None), Model()
    world = World(
        file=migrated(folder / "data_v4.db"), model=cast("Any", model), embedder=cast("Any", embedder)
    )
    service = Service(world.memory, version="0", patience=A_MINUTE)
    assert settings(variant.raw())
    await service.start(variant.raw())
    for task in asyncio.all_tasks():
        if task.get_name() == "ltm:housekeeping":
            task.cancel()  # what `tidy` does changes memories in the midst of no call
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
