"""An operator sees how far the vectors are, and which memories have none and why."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.commands.operators import status
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.manager.status import Counts
from astrbot_plugin_ltm.long_term_memory.messages import Locale, Messages
from astrbot_plugin_ltm.long_term_memory.service import Report, State

from tests.running import PATIENCE, World, private, settings

ALICE = private("alice")


@dataclass
class Embedder:
    model: str = "small"
    down: bool = False

    def model_id(self) -> str | None:
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if self.down:
            raise UnavailableError("embedding provider: TimeoutError")
        return [[1.0, float(len(text))] for text in texts]


async def counts_of(world: World, *, embedded: int) -> Counts:
    """How a memory with two items stands once so many are embedded, or the provider is known to be down."""
    async with world.memory(settings()) as memory, asyncio.timeout(PATIENCE):
        for fact in ("I like tea", "I own a bike"):
            await memory.save(ALICE, fact=fact, said=fact, message_id=fact)
        while True:
            counts = await memory.status.counts()
            if counts.embedded == embedded and (embedded or counts.embedding_error):
                return counts
            await asyncio.sleep(0.05)


def told(counts: Counts, language: Locale = "en-US") -> str:
    report = Report(
        state=State.RUNNING, version="1", timezone="", problems=(), failures={}, notes=(), counts=counts
    )
    return status(report, Messages(language))


async def test_what_is_embedded_is_counted_and_nothing_is_said_once_all_is(tmp_path: Path) -> None:
    counts = await counts_of(World(tmp_path / "host.db", embedder=Embedder()), embedded=2)
    assert (counts.embedded, counts.embeddable, counts.not_embeddable) == (2, 2, 0)
    assert "Embedded so far" not in told(counts)


async def test_while_the_provider_is_down_it_says_so_and_how_far_it_came(tmp_path: Path) -> None:
    counts = await counts_of(World(tmp_path / "host.db", embedder=Embedder(down=True)), embedded=0)
    assert "Embedded so far: 0 of 2 memories" in told(counts)
    assert "已生成向量：0 / 2" in told(counts, "zh-CN")
    assert "at the moment: embedding provider: TimeoutError" in told(counts)
    some = replace(counts, not_embeddable=1, embedding_error="refused")
    assert "that the embedding model rejects: 1 (refused)" in told(some)
    assert "1 条记忆无法生成向量（refused）" in told(some, "zh-CN")
