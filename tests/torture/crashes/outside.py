"""The world around a memory that is killed: what it has outlives the process, its time goes on."""

import asyncio
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import override

from astrbot_plugin_ltm.long_term_memory.bootstrap import Ports
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.storage.uninstall import StoreMarkers

from tests.faults.loop import LoopClock
from tests.running import ScriptedChatModel, World, settings
from tests.torture.crashes.things import WORD, Kind
from tests.verifying import second_answer

IDS_OF_A_RUN = 1_000_000
THINKING = 2.0
"""Seconds of the loop's time that the model takes for an answer."""
SETTINGS = settings(
    {
        "write_policy": {
            "mode": "auto",
            "require_approval_types": ["constraint"],
            "max_writes_per_session": 10_000,
            "max_writes_per_hour": 100_000,
            "max_items_per_scope": 10_000,
        },
        "extraction": {"batch_turns": 3, "idle_seconds": 10},
        "retention_days": {"preference": -1, "task_state": 1},
        "event_retention_days": -1,
        "levels": {"group": "INTERNAL"},
    }
)
_READ = {
    re.compile(kind.of(f"({WORD.pattern})")): fact
    for kind, fact in (
        (Kind.GROWN, ("profile", "User has a pot of {} on the balcony")),
        (Kind.FEARED, ("constraint", "User is allergic to {}")),
        (Kind.FETCHED, ("task_state", "User must fetch {} from the station")),
    )
}


@dataclass(kw_only=True)
class Outside(World):
    """One for each process; `run` is its number, from 1."""

    run: int = 1
    embedding_model: str = "model-0"
    twice: Callable[[str], object] = str
    """Hears of a chat about which the model is asked twice at the same time."""
    _ids: "itertools.count[int]" = field(default_factory=itertools.count)

    def begin(self) -> AbstractAsyncContextManager[LTMManager]:
        """The memory at work; to be called inside the loop."""
        self.clock = LoopClock()
        self.model = _Reader(self.twice)
        self.embedder = Embedder(self.embedding_model)
        self._ids = itertools.count(self.run * IDS_OF_A_RUN)
        return self.memory(SETTINGS)

    @contextmanager
    def erasing(self) -> Generator[None]:
        """While it lasts a chat may be asked about again: no answer that is under way beside it counts."""
        assert isinstance(self.model, _Reader)
        self.model.erasures += 1
        try:
            yield
        finally:
            self.model.erasures -= 1
            self.model.asked = Counter[str]()

    @override
    def new_id(self) -> str:
        return f"{next(self._ids):08x}-0000"

    @override
    def _ports(self) -> Ports:
        markers = FileMarkers(self.file.parent.with_name("markers"))
        return replace(super()._ports(), markers=markers)


class _Reader(ScriptedChatModel):
    """Finds what people grow, fear and fetch in whatever it is shown."""

    def __init__(self, twice: Callable[[str], object]) -> None:
        super().__init__()
        self._twice = twice
        self.asked = Counter[str]()
        self.erasures = 0
        """How many are under way."""

    @override
    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        asked = self.asked
        asked[umo] += 1
        if asked[umo] > 1 and not self.erasures:
            self._twice(umo)
        try:
            await asyncio.sleep(THINKING)
            answer = await asyncio.to_thread(_read, prompt)
        finally:
            asked[umo] -= 1
        return Completion(text=answer, prompt_tokens=90, answer_tokens=10)


def _read(prompt: str) -> str:
    conversation = prompt.rpartition("<<<conversation>>>")[2]
    found = {
        said[0]: {
            "type": kind,
            "fact": fact.format(said[1]),
            "quote": said[0],
            "confidence": 0.9,
            "importance": 0.6,
        }
        for pattern, (kind, fact) in _READ.items()
        for said in pattern.finditer(conversation)
    }
    return json.dumps(list(found.values()))


@dataclass(frozen=True)
class Embedder:
    """Gives each text a direction of its own, from a thread."""

    name: str

    def model_id(self) -> str | None:
        return self.name

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return await asyncio.to_thread(lambda: [direction(text, self.name) for text in texts])


def direction(text: str, model: str) -> list[float]:
    """What this model makes of a text."""
    source = random.Random(f"{model} {text}")  # noqa: S311  it need not be hard to guess
    return [source.gauss() for _ in range(16)]


@dataclass(frozen=True)
class FileMarkers(StoreMarkers):
    """The two places outside the tables, as one file that a killed process leaves whole."""

    path: Path

    async def read(self) -> Sequence[str | None]:
        found = self.path.read_text() if self.path.exists() else None
        return [found, found]

    async def write(self, store_id: str) -> None:
        beside = self.path.with_suffix(".new")
        beside.write_text(store_id)
        beside.replace(self.path)
