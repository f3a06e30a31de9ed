"""FAISS namespaces `ltm_{scope}_{scope_id}`, built from `ltm_vectors` on first use (seed 002 2.2)."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.chat import ScopeRef
from ..domain.errors import InvalidInputError, NotFoundError, UnavailableError
from ..read.protocols import Embedder
from .flat_index import FlatIndex
from .store import Store
from .vectors import Embedded, blob, unit

_INLINE_NUMBERS = 500_000
"""An index of so many numbers is searched in a millisecond or less; a larger one is searched in a thread."""
_KEPT_NUMBERS = 32_000_000
_KEPT_NAMESPACES = 1_000


@dataclass(frozen=True, kw_only=True)
class Match:
    """One match, in the form of the host's vector databases."""

    similarity: float
    data: Mapping[str, Any]


class Namespace:
    """The vectors of one scope, with the methods of the host's `BaseVecDB`.

    An index over `ltm_vectors`, which is what counts: it is built when first asked and built again when a
    vector of the scope has changed. A document's id is its memory id and its text is the fact. It knows no
    asker, so no person is answered from here: writing compares facts of one scope by it.
    """

    def __init__(self, ref: ScopeRef, store: Store, embedder: Embedder) -> None:
        self.name = f"ltm_{ref.scope}_{ref.scope_id}"
        self._ref = ref
        self._store = store
        self._embedder = embedder
        self._building = asyncio.Lock()
        self._model_id: str | None = None
        self._version: int | None = None
        self._index: FlatIndex | None = None

    @property
    def size(self) -> int:
        """How many numbers the index holds in memory."""
        return self._index.size if self._index else 0

    async def initialize(self) -> None:
        """Build the index for the model of the moment."""
        await self._current(self._require_model())

    async def insert(
        self,
        content: str,
        metadata: dict[str, Any] | None = None,
        id: str | None = None,  # noqa: A002 - the host's name
    ) -> int:
        """Embed the fact of the item `id` and keep the vector. Raises as `insert_batch`; returns 1."""
        return await self.insert_batch([content], [metadata or {}], [id or ""])

    async def insert_batch(
        self,
        contents: list[str],
        metadatas: list[dict[str, Any]] | None = None,  # noqa: ARG002 - the store has them already
        ids: list[str] | None = None,
        batch_size: int = 32,
        tasks_limit: int = 3,  # noqa: ARG002 - the embedder minds its own limits
        max_retries: int = 3,  # noqa: ARG002 - the embedder minds its own limits
        progress_callback: Callable[[int, int], Any] | None = None,
        embedding_contents: list[str] | None = None,
    ) -> int:
        """Embed the facts of these items and keep the vectors; returns how many.

        Raises InvalidInputError when there is not one id for each fact, UnavailableError without an embedding
        provider, NotFoundError for an item that is not there or states another fact.
        """
        if ids is None or len(ids) != len(contents):
            raise InvalidInputError("ids", "must name the item of each text")
        model_id = self._require_model()
        texts = embedding_contents or contents
        for start in range(0, len(contents), batch_size):
            part = slice(start, start + batch_size)
            embedded = await self._embedder.embed(texts[part])
            rows = zip(ids[part], contents[part], embedded, strict=True)
            batch = [Embedded(memory_id=one, fact=fact, vector=vector) for one, fact, vector in rows]
            if await self._store.put_vectors(model_id, batch) < len(batch):
                raise NotFoundError("no such memory, or its fact has changed")
            if progress_callback is not None:
                await progress_callback(min(start + batch_size, len(contents)), len(contents))
        return len(contents)

    async def retrieve(
        self,
        query: str,
        top_k: int = 5,
        fetch_k: int = 20,  # noqa: ARG002 - the search is exact, nothing is fetched to be dropped
        rerank: bool = False,  # noqa: ARG002, FBT001, FBT002 - the host's signature; there is no reranker here
        metadata_filters: dict[str, Any] | None = None,
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
        """Let the index go. The next use builds it again."""
        self._index = None
        self._version = None

    async def search(self, vector: Sequence[float], *, model_id: str, limit: int) -> Mapping[str, float]:
        """Memory id to cosine of the nearest items of the scope, nearest first.

        Raises InvalidInputError when a number is not finite.
        """
        if not any(vector):
            return {}
        query = unit(vector)
        index = await self._current(model_id)
        if index is None or index.dimension != len(query):
            return {}
        if index.size <= _INLINE_NUMBERS:
            return index.search(blob(query), limit)
        return await asyncio.to_thread(index.search, blob(query), limit)

    async def _current(self, model_id: str) -> FlatIndex | None:
        """The index as the store stands now; None when the scope has no vectors of this model."""
        async with self._building:
            known = self._version if self._model_id == model_id else None
            matrix = await self._store.vectors_since(self._ref, model_id, known)
            if matrix is not None:
                built = await asyncio.to_thread(FlatIndex, matrix) if matrix.memory_ids else None
                self._index, self._model_id, self._version = built, model_id, matrix.version
            return self._index

    def _require_model(self) -> str:
        model_id = self._embedder.model_id()
        if model_id is None:
            raise UnavailableError("there is no embedding provider")
        return model_id


class Namespaces:
    """Implements `write.protocols.VectorIndex`: the namespaces; the longest unused go when memory is full.

    `make` makes a namespace, so that the host's side can give it the host's type.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        make: Callable[[ScopeRef, Store, Embedder], Namespace] = Namespace,
        *,
        max_numbers: int = _KEPT_NUMBERS,
    ) -> None:
        """Keep indexes of at most `max_numbers` numbers of 4 bytes in all, and always the last one used."""
        self._store = store
        self._embedder = embedder
        self._make = make
        self._max_numbers = max_numbers
        self._kept: OrderedDict[ScopeRef, Namespace] = OrderedDict()

    async def search(
        self,
        ref: ScopeRef,
        vector: Sequence[float],
        *,
        model_id: str,
        limit: int,
    ) -> Mapping[str, float]:
        """Memory id to cosine of the nearest items of the scope, nearest first."""
        namespace = self.of(ref)
        found = await namespace.search(vector, model_id=model_id, limit=limit)
        await self._let_go()
        return found

    def of(self, ref: ScopeRef) -> Namespace:
        """The namespace of a scope."""
        namespace = self._kept.pop(ref, None) or self._make(ref, self._store, self._embedder)
        self._kept[ref] = namespace
        return namespace

    async def close(self) -> None:
        """Let every index go."""
        while self._kept:
            await self._kept.popitem()[1].close()

    async def _let_go(self) -> None:
        while len(self._kept) > 1 and self._too_full():
            await self._kept.popitem(last=False)[1].close()

    def _too_full(self) -> bool:
        held = sum(namespace.size for namespace in self._kept.values())
        return held > self._max_numbers or len(self._kept) > _KEPT_NAMESPACES
