"""Nearest neighbours of new facts by vector, for the merge."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from ..domain.providers import Embedder
from ..domain.writing import Grounded
from ..policies.embedded import alone, bare
from .protocols import VectorIndex

NEAR = 0.85
"""The cosine above which two facts may be one."""
MAX_NEAR = 5
DEADLINE = timedelta(seconds=10)


class Neighbours:
    """Embeds the facts of a batch in one call. Without a provider the merge compares words alone."""

    def __init__(self, embedder: Embedder, vectors: VectorIndex, *, deadline: timedelta = DEADLINE) -> None:
        """`deadline` bounds the time of one batch."""
        self._embedder = embedder
        self._vectors = vectors
        self._deadline = deadline.total_seconds()

    async def found(self, facts: Sequence[Grounded]) -> Sequence[Grounded]:
        """The facts with their `near` items; never raises. Must not run inside a transaction."""
        try:
            model_id = self._embedder.model_id() if facts else None
            async with asyncio.timeout(self._deadline):
                return await self._found(facts, model_id) if model_id else facts
        except Exception:  # noqa: BLE001  recall and the embedding job log that the provider is down
            return facts

    async def _found(self, facts: Sequence[Grounded], model_id: str) -> list[Grounded]:
        vectors = await self._embedder.embed([alone(each.candidate.fact) for each in facts])
        found: list[Grounded] = []
        for each, vector in zip(facts, vectors, strict=True):
            near = await self._vectors.search(each.owner, vector, model_id=bare(model_id), limit=MAX_NEAR)
            ids = tuple(memory_id for memory_id, cosine in near.items() if cosine > NEAR)
            found.append(replace(each, near=ids))
        return found
