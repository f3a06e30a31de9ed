"""Several indexes searched as one: BM25 and cosines of every document that is visible together.

BM25 goes by the statistics of these documents; each text has its own mean length and weight (Robertson,
Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted fields").
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial, reduce
from typing import ClassVar
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from ...domain.chat import Access
from ...domain.memory import Event
from ...domain.reading import QueryVector
from ...models import EVENTS
from ...read.protocols import Flags, Heard, Numbers, Signals, Terms, Visible
from .. import events
from ..visibility import searchable
from .cache import IndexCache, IndexSource
from .scope_index import Columns, Field, Ints, ScopeIndex, documents_of
from .visible_documents import EventVectors, Items, ItemVectors, event_views, item_views

IN_THREAD_ABOVE = 2_000
"""Above this many documents, a thread searches them: the hand-over costs less than blocking the loop."""
K1 = 0.9  # how soon it stops to matter that a term is there once more
WEIGHTS = np.array([1.0, 0.4, 0.5, 0.5])  # what each `Field` counts
LONGER = np.array([0.4, 0.4, 0.4, 0.0])
"""How much a text longer than the others loses: to be asked for in many words makes none say less."""
_LITTLE = 1e-9
_NOTHING = documents_of((), ((),) * len(Field))
_row_dots = getattr(np, "vecdot", partial(np.einsum, "ij,j->i"))
"""The product of each row with a vector; vecdot, which numpy has since 2.0, is the faster one.

Not `@`: its threads wait for each other, for tens of milliseconds while the machine is busy.
"""


class MergedIndex:
    """All documents of some indexes. Immutable but for its memos, so it may be searched in a thread."""

    def __init__(self, parts: Sequence[ScopeIndex]) -> None:
        self.parts = [*map(ref, parts)]  # a part holds what was merged of it: both go at once
        whole = reduce(lambda one, more: one.updated((), more), parts, _NOTHING)
        self.columns = whole.columns
        self._terms: Ints = whole.terms
        self._rows: NDArray[np.int32] = whole.places
        self._named: Flags = whole.counts[:, Field.NAMES] > 0
        """Of each posting whether the term is among the names."""
        self._answering: Flags = ~whole.counts[:, : Field.ANSWERS].any(axis=1)
        """Whether it is only in what the document answers."""
        self._fits, self._shadowed = _term_weights(whole), _other_version_counts(whole.columns)
        self._places = WeakKeyDictionary[ScopeIndex, tuple[Ints, Ints]]()
        """Where the documents are that have the vectors of an index, and these vectors in it."""

    def search(self, terms: Terms, vector: QueryVector | None, vectors: Sequence[ScopeIndex]) -> Signals:
        """The signals of every document. Each term is given once; `vectors` are those of the parts."""
        words, coverage, named = self.bm25(terms)
        return Signals(
            words=words,
            coverage=coverage,
            cosine=self._cosines(vector, vectors),
            named=named,
            kinds=self.columns["kind"],
            shadowed=self._shadowed,
            importance=self.columns["importance"],
            said=self.columns["said"],
            confirmed=self.columns["confirmed"],
        )

    def bm25(self, terms: Terms) -> tuple[Numbers, Numbers, Flags]:
        """How well each document fits, how much of the terms it has, and whether they name it."""
        size = len(self.columns["id"])
        named = np.zeros(size, np.bool_)
        if not size or not terms:
            return np.zeros(size), np.zeros(size), named
        texts, *others = zip(*terms, strict=True)
        weights, tells, days, asks = map(np.array, others)
        hashes = np.array([*map(hash, texts)])
        ends = self._terms.searchsorted(hashes, "right")
        counts = ends - self._terms.searchsorted(hashes)  # of each term, how many documents have it
        term = np.arange(len(terms)).repeat(counts)  # of each posting, which term it is of
        posting = np.arange(len(term)) + (ends - counts.cumsum())[term]
        if not asks.all():
            # Only who asks for what is their own finds what merely answers that.
            left = ~self._answering[posting] | asks[term]
            term, posting = term[left], posting[left]
            counts = np.bincount(term, minlength=len(terms))
        rows = self._rows[posting]
        named[rows[(self._named[posting] & tells[term]) | days[term]]] = True
        rarity = np.log1p((size - counts + 0.5) / (counts + 0.5))
        telling = rarity * tells
        share: Numbers = telling / max(telling.sum(), _LITTLE)
        covered: Numbers = np.minimum(np.bincount(rows, share[term], size), 1.0)
        weight: Numbers = rarity * weights * (K1 + 1)
        words = np.bincount(rows, weight[term] * self._fits[posting], size)
        return words, covered, named

    def _cosines(self, vector: QueryVector | None, vectors: Sequence[ScopeIndex]) -> Numbers:
        """The cosine of each document, NaN where it has no vector."""
        cosines = np.full(len(self.columns["id"]), np.nan)
        question = np.array(vector.numbers if vector else (), np.float32)
        for held in vectors:
            if len(held) and held.width == len(question):
                if held not in self._places:
                    ids = (self.columns["id"], held.columns["id"])
                    self._places[held] = np.intersect1d(*ids, assume_unique=True, return_indices=True)[1:]
                rows, places = self._places[held]
                dots = _row_dots(held.columns["vector"], question)[places]
                cosines[rows] = np.minimum(np.maximum(dots, -1.0), 1.0)
        return cosines


class _IndexSearcher:
    """The indexes of some views and their vectors, from the cache."""

    vectors: ClassVar[type[IndexSource]]

    def __init__(self, cache: IndexCache, model_id: Callable[[], str | None]) -> None:
        """`model_id` tells whose vectors to have at hand when nobody has asked with one yet."""
        self._cache = cache
        self._model_id = model_id

    async def _get(
        self, views: Sequence[IndexSource], model_id: str | None, now: datetime
    ) -> list[ScopeIndex]:
        """The indexes of the views, then those of their vectors under this model."""
        vectors = [self.vectors(ref=view.ref, model_id=model_id) for view in views] if model_id else []
        return await self._cache.get([*views, *vectors], now)

    async def _search(
        self, views: Sequence[IndexSource], terms: Terms, vector: QueryVector | None, now: datetime
    ) -> tuple[MergedIndex, Signals]:
        """Everything these views show, and its signals."""
        found = await self._get(views, vector and vector.model_id, now)
        parts, vectors = found[: len(views)], found[len(views) :]
        first, many = parts[0] if parts else _NOTHING, sum(map(len, parts)) > IN_THREAD_ABOVE
        index: MergedIndex | None = first.merged
        if index is None or index.parts != [*map(ref, parts)]:
            index = await asyncio.to_thread(MergedIndex, parts) if many else MergedIndex(parts)
            first.merged = index
        work = partial(index.search, terms, vector, vectors)
        return index, await asyncio.to_thread(work) if many else work()


class IndexedMemory(_IndexSearcher):
    """What may be read, searched by words and vectors at once. Who may see what is decided in its queries."""

    vectors = ItemVectors

    async def look_up(
        self,
        access: Access,
        terms: Terms,
        vector: QueryVector | None,
        *,
        now: datetime,
        min_confidence: float,
    ) -> Visible:
        """Everything active, unexpired and trusted enough that this access reaches, with its signals."""
        found, signals = await self._search(item_views(access, min_confidence), terms, vector, now)
        return Visible(
            signals=signals,
            items=Items(found.columns["row"]),
            answers=found.columns["answers"],
            own=found.columns["own"],
            shared=found.columns["shared"],
            reworded=found.columns["reworded"],
            vectors=not np.isnan(np.fmin.reduce(signals.cosine, initial=np.nan)),
            words_of=lambda terms: found.bm25(terms)[0],
        )

    async def warm(self, access: Access, *, now: datetime, min_confidence: float) -> None:
        """Have what this access reaches at hand for the `look_up` that is about to come."""
        await self._get(item_views(access, min_confidence), self._model_id(), now)


class IndexedTranscript(_IndexSearcher):
    """What was said, searched in the same way; the store is asked for the words of what was found."""

    vectors = EventVectors

    async def look_up(
        self, access: Access, terms: Terms, vector: QueryVector | None, *, now: datetime
    ) -> Heard:
        """What this access reaches, with its signals; of a long transcript the newest part."""
        found, signals = await self._search(event_views(access), terms, vector, now)
        columns = found.columns
        return Heard(signals=signals, threads=columns["thread"], event_ids=columns["row"].tolist())

    async def warm(self, access: Access, *, now: datetime) -> bool:
        """Have what this access reaches at hand; whether any of it has a vector of the present model."""
        views = event_views(access)
        return any(map(len, (await self._get(views, self._model_id(), now))[len(views) :]))

    async def read(self, access: Access, event_ids: Sequence[str]) -> Mapping[str, Event]:
        """These messages by their ids, as far as this access reaches them now."""
        query = select(EVENTS).where(EVENTS.c.event_id.in_(event_ids), searchable(access))
        async with self._cache.database.read() as connection:
            return {each.event_id: each for each in await events.listed(connection, query)}


def _term_weights(whole: ScopeIndex) -> NDArray[np.float32]:
    """How well documents fit their terms, 0..1; a term counts the less, the longer its text is."""
    lengths = whole.columns["lengths"]
    means = lengths.sum(axis=0, dtype=np.float64) / np.maximum(np.count_nonzero(lengths, axis=0), 1)
    longer = WEIGHTS / (1 - LONGER + LONGER * lengths / np.maximum(means, _LITTLE))
    weight = np.einsum("ij,ij->i", whole.counts, longer[whole.places])
    return (weight / (weight + K1)).astype(np.float32)


def _other_version_counts(columns: Columns) -> Flags:
    """Which are a version of a fact of which another counts: of a higher level, or confirmed later."""
    order = np.lexsort([columns[name] for name in ("id", "confirmed", "level", "identity")])
    identities, shadowed = columns["identity"][order], np.zeros(len(order), np.bool_)
    shadowed[order[:-1][identities[1:] == identities[:-1]]] = True
    return shadowed
