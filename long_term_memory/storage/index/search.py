"""Several indexes searched as one: BM25 and cosines of every document that is visible together.

BM25 goes by the statistics of these documents; each text has its own mean length and weight (Robertson,
Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted fields").
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial, reduce
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from ...domain.chat import Access
from ...domain.memory import Event
from ...domain.reading import QueryVector, Said, Term
from ...domain.words import Role
from ...models import EVENTS
from ...read.protocols import Flags, Heard, Numbers, Signals, Visible
from .. import events
from ..database import Database
from ..visibility import searchable
from .cache import Entry, IndexCache
from .scope_index import NOTHING, Columns, Field, Ints, ScopeIndex, ScopeVectors, View
from .views import event_views, item_views

MANY = 2_000
"""More documents than these are searched in a thread: the hop costs less than they would hold others up."""
K1 = 0.9
"""How soon it stops to matter that a term is there once more."""
_LITTLE = 1e-9
_dots = getattr(np, "vecdot", partial(np.einsum, "ij,j->i"))
"""The product of each row with a vector; vecdot, which numpy has since 2.0, is the faster one.

Not `@`: its threads wait for each other, for tens of milliseconds while the machine is busy.
"""


class MergedIndex:
    """All documents of some indexes. Immutable but for its memos, so it may be searched in a thread."""

    def __init__(self, parts: Sequence[ScopeIndex]) -> None:
        self.parts = parts
        whole = reduce(lambda one, more: one.updated((), more), filter(len, parts), NOTHING)
        self.taken: Sequence[Any] = whole.view.taken(whole.rows)
        """What the rows hold."""
        self.columns = whole.columns
        self._shadowed = _other_version_counts(whole.columns)
        self._terms: Ints = whole.terms
        self._rows: Ints = whole.places
        self._named: Flags = whole.counts[:, Field.NAMES] > 0
        """Of each posting whether the term is among the names."""
        self._has_names = bool(self._named.any())
        self._answering: Flags = ~whole.counts[:, : Field.ANSWERS].any(axis=1)
        """Whether it is only in what the document answers."""
        self._has_answers = bool(self._answering.any())
        self._fits = self._fit(whole)
        """How well the document fits the term, 0..1."""
        self._places: dict[int, tuple[ScopeVectors, Ints, Ints]] = {}
        self._latest: tuple[Sequence[object], Signals | None] = ((), None)

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.taken)

    def search(
        self, terms: Sequence[Term], vector: QueryVector | None, vectors: Sequence[ScopeVectors]
    ) -> Signals:
        """The signals of every document; remembered for the last question.

        Each term is given once; `vectors` are those of the parts.
        """
        asked, (latest, signals) = (terms, vector, *vectors), self._latest
        if signals is None or not _same(latest, asked):
            words, coverage, named = self.words(terms)
            signals = Signals(
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
            self._latest = (asked, signals)
        return signals

    def words(self, terms: Sequence[Term]) -> tuple[Numbers, Numbers, Flags]:
        """How well each document fits, how much of the terms it has, and whether they name it."""
        size, named = len(self), np.zeros(len(self), np.bool_)
        if not size or not terms:
            return np.zeros(size), np.zeros(size), named
        hashes = np.array([hash(term.text) for term in terms])
        weights = np.array([term.weight for term in terms])
        tells = np.array([term.tells for term in terms])
        ends = self._terms.searchsorted(hashes, "right")
        having = ends - self._terms.searchsorted(hashes)
        of = np.arange(len(terms)).repeat(having)
        at = np.arange(len(of)) + (ends - having.cumsum())[of]
        if self._has_answers and not all(term.asks for term in terms):
            # Only who asks for what is their own finds what merely answers that.
            left = ~self._answering[at] | np.array([term.asks for term in terms])[of]
            of, at = of[left], at[left]
            having = np.bincount(of, minlength=len(terms))
        rows: Ints = self._rows[at]
        if self._has_names:
            named[rows[self._named[at] & tells[of]]] = True
        if any(term.day for term in terms):
            named[rows[np.array([term.day for term in terms])[of]]] = True
        rarity = np.log1p((size - having + 0.5) / (having + 0.5))
        telling = rarity * tells
        share: Numbers = telling / max(telling.sum(), _LITTLE)
        covered: Numbers = np.minimum(np.bincount(rows, share[of], size), 1.0)
        weight: Numbers = rarity * weights * (K1 + 1)
        words = np.bincount(rows, weight[of] * self._fits[at], size)
        return words, covered, named

    def _cosines(self, vector: QueryVector | None, vectors: Sequence[ScopeVectors]) -> Numbers:
        """The cosine of each document, NaN where it has no vector."""
        cosines = np.full(len(self), np.nan)
        question = np.array(vector.numbers if vector else (), np.float32)
        for at, held in enumerate(vectors):
            if len(held) and held.matrix.shape[1] == len(question):
                if at not in self._places or self._places[at][0] is not held:
                    ids = self.columns["id"]
                    _, rows, places = np.intersect1d(ids, held.ids, assume_unique=True, return_indices=True)
                    self._places[at] = (held, rows, places)
                _, rows, places = self._places[at]
                cosines[rows] = np.minimum(np.maximum(_dots(held.matrix, question)[places], -1.0), 1.0)
        return cosines

    def _fit(self, whole: ScopeIndex) -> NDArray[np.float32]:
        """How well documents fit their terms; a term counts the less, the longer its text is."""
        lengths, share = self.columns["lengths"], np.array(whole.view.length_shares)
        means = lengths.sum(axis=0, dtype=np.float64) / np.maximum(np.count_nonzero(lengths, axis=0), 1)
        longer = whole.view.weights / (1 - share + share * lengths / np.maximum(means, _LITTLE))
        weight = np.einsum("ij,ij->i", whole.counts, longer[whole.places])
        return (weight / (weight + K1)).astype(np.float32)


class _Indexes:
    """The indexes of some views and their vectors, from the cache."""

    def __init__(self, cache: IndexCache, model_id: Callable[[], str | None], *, many: int = MANY) -> None:
        """`model_id` tells whose vectors to have at hand when nobody has asked with one yet."""
        self._cache = cache
        self._model_id = model_id
        self._many = many

    async def _get(self, views: Sequence[View], model_id: str | None, now: datetime) -> list[Entry]:
        """The entries of the views, then those of their vectors under this model."""
        vectors = [] if model_id is None else [view.vectors(model_id) for view in views]
        return await self._cache.get([*views, *vectors], now)

    async def _search(
        self, views: Sequence[View], terms: Sequence[Term], vector: QueryVector | None, now: datetime
    ) -> tuple[MergedIndex, Signals]:
        """Everything these views show, and its signals."""
        entries = await self._get(views, vector and vector.model_id, now)
        indexes, vectors = entries[: len(views)], [entry.part for entry in entries[len(views) :]]
        parts = [entry.part for entry in indexes]

        def search() -> tuple[MergedIndex, Signals]:
            index = _merged(parts, indexes)
            return index, index.search(terms, vector, vectors)

        return await asyncio.to_thread(search) if sum(map(len, parts)) > self._many else search()


class IndexedMemory(_Indexes):
    """Implements `read.protocols.Memory`."""

    async def look_up(
        self,
        access: Access,
        terms: Sequence[Term],
        vector: QueryVector | None,
        *,
        now: datetime,
        min_confidence: float,
    ) -> Visible:
        """See `Memory.look_up`."""
        views = item_views(access, min_confidence)
        found, signals = await self._search(views, terms, vector, now)
        return Visible(
            signals=signals,
            items=found.taken,
            answers=found.columns["answers"],
            own=found.columns["own"],
            vectors=not np.isnan(np.fmin.reduce(signals.cosine, initial=np.nan)),
            words_of=lambda terms: found.words(terms)[0],
        )

    async def warm(self, access: Access, *, now: datetime, min_confidence: float) -> None:
        """See `Memory.warm`."""
        await self._get(item_views(access, min_confidence), self._model_id(), now)


class IndexedTranscript(_Indexes):
    """Implements `read.protocols.Transcript`; the store is asked for the words of what was found."""

    def __init__(
        self, database: Database, cache: IndexCache, model_id: Callable[[], str | None], *, many: int = MANY
    ) -> None:
        super().__init__(cache, model_id, many=many)
        self._database = database

    async def warm(self, access: Access, *, now: datetime) -> bool:
        """See `Transcript.warm`."""
        views = event_views(access)
        entries = await self._get(views, self._model_id(), now)
        return any(len(entry.part) for entry in entries[len(views) :])

    async def look_up(
        self, access: Access, terms: Sequence[Term], vector: QueryVector | None, *, now: datetime
    ) -> Heard:
        """See `Transcript.look_up`."""
        found, signals = await self._search(event_views(access), terms, vector, now)
        return Heard(signals=signals, threads=found.columns["thread"], event_ids=found.taken)

    async def read(self, access: Access, event_ids: Sequence[str]) -> Mapping[str, Said]:
        """See `Transcript.read`."""
        query = select(EVENTS).where(EVENTS.c.event_id.in_(event_ids), searchable(access))
        async with self._database.read() as connection:
            found = await events.listed(connection, query)
        return {each.event_id: _said(each) for each in found}


def _merged(parts: Sequence[ScopeIndex], entries: Sequence[Entry]) -> MergedIndex:
    """The parts as one; kept with the first of their entries as long as none of them changes."""
    known: MergedIndex | None = entries[0].merged if entries else None
    if known is None or not _same(known.parts, parts):
        known = MergedIndex(parts)
        if entries:
            entries[0].merged = known
    return known


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))


def _said(event: Event) -> Said:
    return Said(
        event_id=event.event_id,
        role=event.role,
        speaker=event.tool if event.role is Role.TOOL else event.sender_name,
        text=event.text,
        said_at=event.created_at,
        umo=event.umo,
    )


def _other_version_counts(columns: Columns) -> Flags:
    """Which are a version of a fact of which another counts: of a higher level, or confirmed later."""
    order = np.lexsort([columns[name] for name in ("id", "confirmed", "level", "identity")])
    identities, shadowed = columns["identity"][order], np.zeros(len(order), np.bool_)
    shadowed[order[:-1][identities[1:] == identities[:-1]]] = True
    return shadowed
