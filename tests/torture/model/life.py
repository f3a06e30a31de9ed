"""One memory after another on one file, driven step by step; no time passes but what is let pass."""

import asyncio
import json
import random
import re
import shutil
import tempfile
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, override

from astrbot_plugin_ltm.long_term_memory.bootstrap import Ports
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests import quick_folder
from tests.faults.faults import Points
from tests.faults.loop import LoopClock, SteppedLoop, this_loop
from tests.faults.stores import NAME
from tests.faults.story import Front, as_it_is
from tests.running import ScriptedChatModel, World, settings
from tests.stores import migrated
from tests.torture.model.statements import read
from tests.verifying import second_answer

DAY = timedelta(days=1)
FOREVER = -1
FIRST_MODEL = "first"
IDLE = timedelta(minutes=2)
"""How long a chat is left alone before the model reads it; once read it rests thirty times as long."""
ROUND = timedelta(hours=1, minutes=5)
"""In so long all that waits is read, what may be recalled is embedded, and the store is tidied once."""

SETTINGS = settings(
    {
        "write_policy": {
            "mode": "auto",
            "require_approval_types": ["constraint"],
            "max_writes_per_session": 1_000,
            "max_writes_per_hour": 1_000,
        },
        "read_policy": {"max_items": 30, "max_tokens": 4_000},
        "extraction": {"batch_turns": 100, "idle_seconds": int(IDLE.total_seconds())},
        "event_retention_days": FOREVER,
        "deleted_retention_days": FOREVER,
    }
)

_WORD = re.compile(r"[^\W_\u4e00-\u9fff]+|[\u4e00-\u9fff]")


class Outside(World):
    """The world around a memory: its time is the loop's, its model finds the statements in what it reads."""

    def begin(self) -> None:
        """Begin; a loop is running."""
        self.clock = LoopClock()
        self.model = _Reader()
        self.directions = Directions()

    @override
    def _ports(self) -> Ports:
        return replace(super()._ports(), embedder=self.directions)


CLEARER = 8
"""So much more than the words of its context a word of a fact counts in its direction."""


class Directions:
    """An embedding model by which texts are the nearer the more words they share; it may become another.

    The first line, a fact, counts most: its context does not lead it away from a question in its own words.
    """

    def __init__(self) -> None:
        self.model = FIRST_MODEL

    def model_id(self) -> str | None:
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._direction(text) for text in texts]

    def _direction(self, text: str) -> list[float]:
        fact, _, context = text.casefold().partition("\n")
        words = _WORD.findall(fact) * CLEARER + _WORD.findall(context)
        of_words = [_direction(f"{self.model} {word}") for word in words]
        return [sum(numbers) for numbers in zip(*of_words, strict=True)]


@cache
def _direction(word: str) -> Sequence[float]:
    source = random.Random(word)  # noqa: S311  it need not be hard to guess
    return [source.gauss() for _ in range(64)]


class _Reader(ScriptedChatModel):
    """Reads one chat a second, so that a chat is done with before the next, however often each asks."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = asyncio.Lock()

    @override
    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        async with self._turn:
            await asyncio.sleep(1)
        self.answer = json.dumps(read(prompt.rpartition("<<<conversation>>>")[2]), ensure_ascii=False)
        return await super().complete(umo=umo, system=system, prompt=prompt)


class Life:
    """A memory that is started, driven and stopped, all of it in an event loop of its own."""

    def __init__(self, front: Front = as_it_is) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=quick_folder.root()))
        self._front = front
        self._runner = asyncio.Runner(loop_factory=SteppedLoop)
        self._running = AsyncExitStack()
        self.outside = Outside(migrated(self.folder / NAME))
        self._runner.run(self._watch())
        self.memory = self.start()

    @property
    def file(self) -> Path:
        """The database."""
        return self.outside.file

    def do[T](self, work: Coroutine[Any, Any, T]) -> T:
        """What the memory answers."""
        loop = self._runner.get_loop()
        assert isinstance(loop, SteppedLoop)
        with loop.passes():
            return self._runner.run(work)

    def start(self, *, read_only: bool = False) -> LTMManager:
        """Begin anew on the file."""
        begun = self.outside.memory(replace(SETTINGS, emergency_read_only=read_only))
        self.memory = self._front(self.do(self._running.enter_async_context(begun)))
        return self.memory

    def stop(self) -> None:
        """End, as an unloaded plugin does."""
        self.do(self._running.aclose())

    def wait(self, span: timedelta) -> None:
        """Let time pass, and everything that happens in it."""
        self.do(asyncio.sleep(span.total_seconds()))

    def leap(self, span: timedelta) -> None:
        """Let the world's time go on, as if the machine had been asleep."""
        self.outside.clock.move(span)

    def end(self) -> None:
        """Stop, and leave nothing behind."""
        self.stop()
        self._runner.close()
        shutil.rmtree(self.folder)

    async def _watch(self) -> None:
        self.outside.begin()
        Points(None, lambda: None).watch(this_loop())
