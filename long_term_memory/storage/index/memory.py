"""Implements `read.protocols.Memory` and `Transcript` on indexes in memory."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import RowMapping, select

from ...domain.chat import Access
from ...domain.reading import QueryVector, Said, Term
from ...domain.words import Role
from ...models import EVENTS
from ...read.protocols import Heard, Signals, Visible
from ..database import Database
from ..visibility import searchable
from .cache import Entry, IndexCache
from .scope_index import View
from .search import MergedIndex, merged
from .views import event_views, item_views

MANY = 2_000
"""More documents than these are searched in a thread: the hop costs less than they would hold others up."""


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
    ) -> tuple[MergedIndex, Signals, bool]:
        """Everything these views show, its signals, and whether vectors took part."""
        entries = await self._get(views, vector and vector.model_id, now)
        indexes, vectors = entries[: len(views)], [entry.part for entry in entries[len(views) :]]
        parts = [entry.part for entry in indexes]

        def search() -> tuple[MergedIndex, Signals, bool]:
            index = merged(parts, indexes)
            return index, *index.search(terms, vector, vectors)

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
        found, signals, vectors = await self._search(views, terms, vector, now)
        return Visible(
            signals=signals,
            items=found.taken,
            answers=found.columns["answers"],
            own=found.columns["own"],
            vectors=vectors,
            words_of=found.words,
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
        found, signals, _ = await self._search(event_views(access), terms, vector, now)
        return Heard(signals=signals, threads=found.columns["thread"], event_ids=found.taken)

    async def read(self, access: Access, event_ids: Sequence[str]) -> Mapping[str, Said]:
        """See `Transcript.read`."""
        query = select(EVENTS).where(EVENTS.c.event_id.in_(event_ids), searchable(access))
        async with self._database.read() as seat:
            rows = (await seat.execute(query)).mappings().all()
        return {row["event_id"]: _said(row) for row in rows}


def _said(row: RowMapping) -> Said:
    role = Role(row["source_role"])
    content = row["content"]
    return Said(
        event_id=row["event_id"],
        role=role,
        speaker=content.get("tool", "") if role is Role.TOOL else row["sender_name"],
        text=content.get("text", ""),
        said_at=row["created_at"],
        umo=row["session_id"],
    )
