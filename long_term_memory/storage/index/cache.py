"""Indexes of scopes kept in memory as the store stands now; the scopes least recently used go first."""

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import ClassVar

from sqlalchemy import Connection, Table

from ...domain.chat import ScopeRef
from ...models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, VECTORS
from ..changes import EVERYTHING, RowChange
from ..database import Database
from .scope_index import ScopeIndex

OF_ITEMS, OF_EVENTS = (ITEMS, EVIDENCE, VECTORS), (EVENTS, EVENT_VECTORS)
"""The tables that an index of either holds rows of."""
MAX_BYTES = 77 * 2**20
ENTRY_BYTES = 2_000  # what an entry costs even if it holds nothing
MAX_TOUCHED = 1_000  # a scope of which more rows changed since it was looked at is dropped


@dataclass(frozen=True, kw_only=True)
class IndexSource(ABC):
    """What an index holds of a scope, and how it is loaded."""

    ref: ScopeRef
    model_id: str = ""  # of vectors their model
    max_rows: ClassVar[int] = 2**63 - 1  # an index that grows beyond this is loaded anew

    @abstractmethod
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        """The rows that this connection sees, or those of `only` these ids."""


@dataclass(eq=False)
class Entry:
    """An index, and the rows that changed since it was loaded."""

    key: IndexSource
    index: ScopeIndex | None = None
    nbytes: int = 0  # as counted in the cache's
    touched: set[int] = field(default_factory=set[int])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def is_stale(self, now: float) -> bool:
        """Whether something has to be loaded."""
        return self.index is None or bool(self.touched) or self.index.next_expiry <= now

    def loaded(self, now: datetime, touched: set[int], connection: Connection) -> ScopeIndex:
        """The index as it is now: with the touched rows loaded again, or all."""
        if self.index is None or len(self.index) + len(touched) > self.key.max_rows:
            return self.key.load(connection, now, None)
        touched |= self.index.expired(now.timestamp())
        return self.index.updated(touched, self.key.load(connection, now, touched))


class IndexCache:
    """Loads indexes on demand, and reloads what changed before it hands them out.

    Concurrent callers share one load; what changes during a load is loaded again.
    """

    def __init__(
        self, database: Database, tables: Sequence[Table] = OF_ITEMS, max_bytes: int = MAX_BYTES
    ) -> None:
        """Keep at most `max_bytes`, and always what was asked for last."""
        self.database = database
        self._tables = frozenset(table.name for table in tables)
        self._max_bytes = max_bytes
        self._scopes = OrderedDict[tuple[str, str], dict[IndexSource, Entry]]()
        self.nbytes = 0  # an estimate
        self._end_listening = database.change_feed.listen(self._changed)

    async def get(self, keys: Sequence[IndexSource], now: datetime) -> list[ScopeIndex]:
        """The index of each key, no older than this call.

        Raises ClosedError, UnavailableError, UnusableStoreError.
        """
        entries, at = [self._entry(key) for key in keys], now.timestamp()
        stale = [entry for entry in entries if entry.lock.locked() or entry.is_stale(at)]
        for entry in stale:
            async with entry.lock:
                if entry.is_stale(at):
                    await self._load(entry, now)
        wanted = {(key.ref.scope, key.ref.scope_id) for key in keys}
        while stale and self.nbytes > self._max_bytes and (oldest := next(iter(self._scopes))) not in wanted:
            self._drop(oldest)
        return [entry.index for entry in entries if entry.index is not None]

    def close(self) -> None:
        """Drop everything and stop listening."""
        self._end_listening()
        self._drop(*self._scopes)

    def _drop(self, *places: tuple[str, str]) -> None:
        for place in places:
            self.nbytes -= sum(entry.nbytes for entry in self._scopes.pop(place, {}).values())

    def _entry(self, key: IndexSource) -> Entry:
        place = (key.ref.scope, key.ref.scope_id)
        entries = self._scopes.setdefault(place, {})
        self._scopes.move_to_end(place)
        return entries.get(key) or entries.setdefault(key, Entry(key))

    async def _load(self, entry: Entry, now: datetime) -> None:
        touched, entry.touched = entry.touched, set[int]()
        try:
            async with self.database.read() as connection:
                entry.index = await connection.run(partial(entry.loaded, now, touched))
        except BaseException:
            entry.touched |= touched
            raise
        kept = self._scopes.get((entry.key.ref.scope, entry.key.ref.scope_id), {})
        if kept.get(entry.key) is entry:  # not dropped meanwhile
            grown = ENTRY_BYTES + entry.index.nbytes - entry.nbytes
            entry.nbytes, self.nbytes = entry.nbytes + grown, self.nbytes + grown

    def _changed(self, changes: Sequence[RowChange]) -> None:
        """Whoever waits for what is dropped still gets it."""
        for change in changes:
            if change.table == EVERYTHING:
                self._drop(*self._scopes)
            for place in ((change.scope, change.scope_id), (change.owner_scope, change.owner_scope_id)):
                for entry in self._scopes.get(place, {}).values() if change.table in self._tables else ():
                    entry.touched.add(change.row_id)
                    if len(entry.touched) > MAX_TOUCHED:
                        self._drop(place)
