"""Stage 2, retrieve: everything visible, with the signals that words and vectors give (design 6.2)."""

import asyncio
import logging
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta

from ..domain.chat import ScopeRef
from ..domain.errors import UnavailableError
from ..domain.memory import Item
from ..domain.reading import Found, Hit, Request
from .protocols import Embedder, ReadStore, VectorIndex

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_WORD_HITS = 200
"""How many items at most get a score by words."""


class Retriever:
    """Asks the store and, when it answers in time, the embedding provider."""

    def __init__(
        self, *, store: ReadStore, vectors: VectorIndex, embedder: Embedder, deadline: timedelta
    ) -> None:
        """`deadline` bounds everything that vectors cost one request."""
        self._store = store
        self._vectors = vectors
        self._embedder = embedder
        self._deadline = deadline
        self._answering = True

    async def retrieve(self, request: Request, *, min_confidence: float) -> Found:
        """Collect every visible item with its signals, those of vectors only when they come in time."""
        items = await self._store.visible_items(request.access, now=request.at, min_confidence=min_confidence)
        if not items:
            return Found(hits=(), vectors=False)
        words = await self._words(request, min_confidence)
        cosines = await self._cosines(request, items)
        hits = [
            Hit(item=item, words=words.get(item.memory_id, 0.0), cosine=cosines.get(item.memory_id))
            for item in items
        ]
        return Found(hits=hits, vectors=bool(cosines))

    async def _words(self, request: Request, min_confidence: float) -> Mapping[str, float]:
        if not request.words:
            return {}
        return await self._store.word_scores(
            request.access,
            request.words,
            now=request.at,
            min_confidence=min_confidence,
            limit=MAX_WORD_HITS,
        )

    async def _cosines(self, request: Request, items: Sequence[Item]) -> Mapping[str, float]:
        if not request.text:
            return {}
        try:
            model_id = self._embedder.model_id()
            if model_id is None:
                return {}
            async with asyncio.timeout(self._deadline.total_seconds()):
                vector = await self._embed(request.text)
                cosines = await self._search(vector, model_id, items)
        except Exception as error:  # noqa: BLE001  whatever a provider does, words answer
            self._note(answering=False, why=type(error).__name__)
            return {}
        self._note(answering=True)
        return cosines

    async def _embed(self, text: str) -> Sequence[float]:
        vectors = await self._embedder.embed([text])
        if len(vectors) != 1 or not vectors[0] or not all(map(math.isfinite, vectors[0])):
            raise UnavailableError("the embedding provider gave no usable vector")
        return vectors[0]

    async def _search(
        self, vector: Sequence[float], model_id: str, items: Sequence[Item]
    ) -> Mapping[str, float]:
        visible = defaultdict[ScopeRef, list[str]](list)
        for item in items:
            visible[item.owner].append(item.memory_id)
        cosines: dict[str, float] = {}
        for ref, allowed in visible.items():
            cosines |= await self._vectors.search(
                ref, vector, model_id=model_id, allowed=allowed, limit=len(allowed)
            )
        return cosines

    def _note(self, *, answering: bool, why: str = "") -> None:
        """Log once when the provider goes, and once when it is back."""
        if answering and not self._answering:
            logger.info("The embedding provider answers again: recall uses vectors.")
        elif not answering and self._answering:
            logger.warning("The embedding provider does not answer (%s): recall uses words alone.", why)
        self._answering = answering
