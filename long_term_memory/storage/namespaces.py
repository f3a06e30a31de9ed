"""FAISS namespaces `ltm_{scope}_{scope_id}`: the vectors of a scope for the writer and the host."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..domain.chat import ScopeRef
from ..domain.errors import InvalidInputError, NotFoundError, UnavailableError
from ..domain.providers import Embedder
from .index.cache import IndexCache
from .index.scope_index import ScopeIndex
from .index.visible_documents import ItemVectors
from .store import Store
from .vectors import Embedded, unit

_ANY_TIME = datetime.fromtimestamp(0, UTC)
"""Vectors do not expire."""


@dataclass(frozen=True, kw_only=True)
class Match:
    """One match, in the form of the host's vector databases."""

    similarity: float
    data: Mapping[str, str]


class Namespace:
    """The vectors of one scope, with the methods of the host's `BaseVecDB`.

    It holds nothing: the matrix is the one in the cache, which recall searches too. A document's id is its
    memory id and its text is the fact. It knows no asker, so no person is answered from here: writing
    compares facts of one scope by it. Options of the host's that have no meaning here change nothing.
    """

    def __init__(self, ref: ScopeRef, store: Store, embedder: Embedder, cache: IndexCache) -> None:
        self.name = f"ltm_{ref.scope}_{ref.scope_id}"
        self._ref = ref
        self._store = store
        self._embedder = embedder
        self._cache = cache

    async def insert(self, content: str, metadata: object = None, id: str | None = None) -> int:  # noqa: A002, ARG002 - the host's names
        """Embed the fact of the item `id` and keep the vector. Raises as `insert_batch`; returns 1."""
        return await self.insert_batch([content], ids=[id or ""])

    async def insert_batch(
        self,
        contents: list[str],
        metadatas: object = None,  # noqa: ARG002 - the store has them already
        ids: Sequence[str] | None = None,
        *_: object,
        embedding_contents: list[str] | None = None,
        **__: object,
    ) -> int:
        """Embed the facts of these items and keep the vectors, all or none; returns how many.

        Raises ValueError when there is not one id for each fact, UnavailableError without an embedding
        provider, NotFoundError for an item that is not there or states another fact.
        """
        model_id = self._require_model()
        embedded = await self._embedder.embed(embedding_contents or contents)
        rows = zip(ids or (), contents, embedded, strict=True)
        batch = [Embedded(key=one, fact=fact, vector=vector) for one, fact, vector in rows]
        if await self._store.vectors.put(model_id, batch) < len(batch):
            raise NotFoundError("no such memory, or its fact has changed")
        return len(batch)

    async def retrieve(
        self, query: str, top_k: int = 5, *_: object, metadata_filters: object = None, **__: object
    ) -> list[Any]:
        """The nearest memories as `Match`, best first, `data` holding `doc_id`; no filter is known."""
        if metadata_filters:
            raise InvalidInputError("metadata_filters", "are not kept here")
        model_id = self._require_model()
        (vector,) = await self._embedder.embed([query])
        nearest = await self.search(vector, model_id=model_id, limit=top_k)
        return [Match(similarity=cosine, data={"doc_id": one}) for one, cosine in nearest.items()]

    async def delete(self, doc_id: str) -> bool:
        """Forget the vectors of an item of this scope; whether there were any."""
        return await self._store.delete_vectors(self._ref, doc_id)

    async def close(self) -> None:
        """There is nothing to let go."""

    async def search(self, vector: Sequence[float], *, model_id: str, limit: int) -> Mapping[str, float]:
        """Memory id to cosine (-1..1) of the nearest items of the scope, nearest first; none without vectors.

        Raises InvalidInputError for a vector without a direction or not finite.
        """
        query = unit(vector)
        [held] = await self._cache.get([ItemVectors(ref=self._ref, model_id=model_id)], _ANY_TIME)
        limit = min(limit, len(held))
        if limit < 1 or held.width != len(query):
            return {}
        nearest = await asyncio.to_thread(_nearest, held, query, limit)
        names = await self._store.memory_ids(list(nearest))
        return {names[row]: cosine for row, cosine in nearest.items() if row in names}

    def _require_model(self) -> str:
        model_id = self._embedder.model_id()
        if model_id is None:
            raise UnavailableError("there is no embedding provider")
        return model_id


def _nearest(held: ScopeIndex, query: NDArray[np.float32], limit: int) -> dict[int, float]:
    """Row to cosine, nearest first."""
    import faiss  # noqa: PLC0415 - 33 MB that nobody without vectors needs

    untyped: Any = faiss  # states no types that a strict checker can follow
    cosines, places = untyped.knn(
        query[None], held.columns["vector"], limit, metric=untyped.METRIC_INNER_PRODUCT
    )
    rows: list[int] = held.columns["id"][places[0]].tolist()
    return {row: max(-1.0, min(1.0, cosine)) for row, cosine in zip(rows, cosines[0].tolist(), strict=True)}
