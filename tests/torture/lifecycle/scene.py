"""A plugin at work on a long store, whose providers answer when they are let."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, override

from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import PoliciesJson
from astrbot_plugin_ltm.long_term_memory.service import Service, State
from astrbot_plugin_ltm.long_term_memory.settings import Settings

from tests.host.harness.tables import Row, Tables
from tests.running import ScriptedChatModel, World, settings
from tests.torture.lifecycle.document import long_document
from tests.verifying import second_answer

EAGER: dict[str, Any] = {
    "write_policy": {"mode": "auto"},
    "extraction": {"batch_turns": 1, "idle_seconds": 1},
    "recall_deadline_ms": 10_000,
}


class Gate:
    """Lets through whoever comes, or holds them until it opens."""

    def __init__(self) -> None:
        self.held = 0
        """How many wait in front of it."""
        self._open = asyncio.Event()
        self._open.set()

    def shut(self) -> None:
        """Hold whoever comes from now on."""
        self._open.clear()

    def open(self) -> None:
        """Let everybody through."""
        self._open.set()

    async def passed(self) -> None:
        """Come through it."""
        self.held += 1
        try:
            await self._open.wait()
        finally:
            self.held -= 1


@dataclass
class GatedModel(ScriptedChatModel):
    """Answers once the gate is open."""

    gate: Gate = field(default_factory=Gate)

    @override
    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        await self.gate.passed()
        return await super().complete(umo=umo, system=system, prompt=prompt)


@dataclass
class GatedEmbedder:
    """Gives each text a direction of its own, once the gate is open."""

    gate: Gate = field(default_factory=Gate)

    def model_id(self) -> str | None:
        return "model"

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        await self.gate.passed()
        return [[1.0 + len(text), float(sum(map(ord, text)) % 997), 1.0] for text in texts]


class Scene(World):
    """The outside of a plugin that the host starts and ends, again and again."""

    def __init__(self, file: Path) -> None:
        self.reader = GatedModel()
        self.embedding = GatedEmbedder()
        self.keeping = Gate()
        """In front of the file with the settings."""
        super().__init__(file, model=self.reader, embedder=self.embedding)

    @property
    def folder(self) -> Path:
        """The plugin's own."""
        return self.file.with_name("plugin_data")

    @property
    def document(self) -> Path:
        """The long document, on its way in."""
        path = self.file.with_name("many.json")
        if not path.exists():
            path.write_bytes(long_document())
        return path

    @property
    def tables(self) -> Tables:
        """The rows, seen from outside."""
        return Tables(self.file)

    def one(self, query: str) -> Any:
        """The one value that a query gives."""
        ((value,),) = self.tables.rows(query)
        return value

    def faults(self) -> list[Row]:
        """What is wrong with the store; nothing in a sound one."""
        return self.tables.faults()

    async def started(self) -> tuple[Service, LTMManager]:
        """The plugin as it runs after a start with the settings as they were kept last."""
        service = self.service()
        await service.start({})
        assert service.state is State.RUNNING, service.problems
        return service, service.manager()

    def service(self) -> Service:
        """The plugin, not yet started."""
        return Service(self.run, version="0")

    @asynccontextmanager
    async def run(self, _: Settings) -> AsyncGenerator[LTMManager]:
        """The memory of one load, with the settings as they were kept last."""
        kept: PoliciesJson = self.kept_policies[-1] if self.kept_policies else {}
        sections: dict[str, Any] = {f"{name}_policy": dict(policy) for name, policy in kept.items()}
        async with self.memory(settings({**EAGER, **sections})) as memory:
            yield memory

    @override
    async def _keep_policies(self, policies: PoliciesJson) -> None:
        await self.keeping.passed()
        await super()._keep_policies(policies)
