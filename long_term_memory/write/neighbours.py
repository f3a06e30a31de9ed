"""Which items of its owner a new fact means nearly the same as, for the merge to look at (design 5.5)."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from ..domain.providers import Embedder
from ..domain.writing import Grounded
from ..policies.embedded import alone, bare
from .protocols import VectorIndex

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

NEAR = 0.85
"""The cosine above which two facts may be one (seed 002 3.3)."""
MAX_NEAR = 5
DEADLINE = timedelta(seconds=10)


class Neighbours:
    """Asks the embedding provider once for all facts of a batch. Without it words alone compare."""

    def __init__(self, embedder: Embedder, vectors: VectorIndex, *, deadline: timedelta = DEADLINE) -> None:
        """`deadline` bounds everything one batch costs."""
        self._embedder = embedder
        self._vectors = vectors
        self._deadline = deadline.total_seconds()
        self._is_down = False

    async def found(self, facts: Sequence[Grounded]) -> Sequence[Grounded]:
        """The facts with what is `near` them; never raises. Must not run inside a transaction."""
        try:
            model_id = self._embedder.model_id() if facts else None
            if model_id is None:
                return facts
            async with asyncio.timeout(self._deadline):
                found = await self._found(facts, model_id)
        except Exception as error:  # noqa: BLE001  whatever a provider does, words compare
            if not self._is_down:
                why = type(error).__name__
                logger.warning("The embedding provider does not answer (%s): words alone compare facts.", why)
            self._is_down = True
            return facts
        if self._is_down:
            logger.info("The embedding provider answers again: new facts are compared by meaning.")
        self._is_down = False
        return found

    async def _found(self, facts: Sequence[Grounded], model_id: str) -> list[Grounded]:
        vectors = await self._embedder.embed([alone(each.candidate.fact) for each in facts])
        found: list[Grounded] = []
        for each, vector in zip(facts, vectors, strict=True):
            near = await self._vectors.search(each.owner, vector, model_id=bare(model_id), limit=MAX_NEAR)
            ids = tuple(memory_id for memory_id, cosine in near.items() if cosine > NEAR)
            found.append(replace(each, near=ids))
        return found
