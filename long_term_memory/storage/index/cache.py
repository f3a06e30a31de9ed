"""Parts of the store kept in memory as the store stands now; the least recently used go first."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from sqlalchemy import Connection

from ...domain.chat import ScopeRef
from ..changes import EVERYTHING, Change
from ..database import Database

MAX_BYTES = 88 * 2**20
ENTRY_BYTES = 2_000
"""What an entry costs even if it holds nothing."""
MAX_TOUCHED = 1_000
"""A part of which more rows changed, and more than half, is dropped."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """What a part holds, and how it is loaded.

    A part holds rows of the store by their ids. It is immutable, so it may be searched in any thread. It has
    a length, `nbytes` and `next_expiry` in seconds since 1970; `expired(now)` gives the ids of the rows that
    have expired, `updated(touched, more)` the part with the touched rows replaced by those of `more`.
    """

    ref: ScopeRef
    tables: ClassVar[frozenset[str]]
    """The tables whose changes concern it."""
    max_rows: ClassVar[int] = 2**63 - 1
    """A part that grows beyond this is loaded anew."""

    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> Any:  # noqa: ANN401
        """The rows that this connection sees, or those of `only` these ids."""
        raise NotImplementedError


class Entry:
    """A part, and the rows that changed since it was loaded."""

    part: Any = None
    merged: Any = None
    """What is derived from the part; dropped with it."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.lock = asyncio.Lock()
        self.touched = set[int]()

    @property
    def nbytes(self) -> int:
        """Estimated size."""
        return ENTRY_BYTES + (self.part.nbytes if self.part else 0)

    def is_stale(self, now: float) -> bool:
        """Whether something has to be loaded."""
        return self.part is None or bool(self.touched) or self.part.next_expiry <= now

    def load(self, now: datetime, touched: set[int], connection: Connection) -> Any:  # noqa: ANN401
        """The part as it is now: with the touched rows loaded again, or all."""
        part, size, more = self.part, len(self.part or ()), len(touched)
        if part and 2 * more <= size and size + more <= self.key.max_rows:
            return part.updated(touched, self.key.load(connection, now, touched))
        return self.key.load(connection, now, None)


class IndexCache:
    """Loads parts on demand, and reloads what changed before it hands them out.

    Concurrent callers share one load; what changes during a load is loaded again.
    """

    def __init__(self, database: Database, max_bytes: int = MAX_BYTES) -> None:
        """Keep at most `max_bytes`, and always what was asked for last."""
        self.nbytes = 0
        self._database = database
        self._max_bytes = max_bytes
        self._entries = OrderedDict[Key, Entry]()
        self._of_scope = defaultdict[tuple[str, str], set[Entry]](set)
        self._end_listening = database.changes.listen(self._changed)

    async def get(self, keys: Sequence[Key], now: datetime) -> list[Entry]:
        """The entry of each key, its part no older than this call.

        Raises ClosedError, UnavailableError, UnusableStoreError.
        """
        entries, at = [self._entry(key) for key in keys], now.timestamp()
        for entry in entries:
            if entry.lock.locked() or entry.is_stale(at):
                async with entry.lock:
                    if entry.is_stale(at):
                        await self._load(entry, now)
        while self.nbytes > self._max_bytes and (oldest := next(iter(self._entries))) not in keys:
            self._forget(self._entries[oldest])
        return entries

    def close(self) -> None:
        """Drop everything and stop listening."""
        self._end_listening()
        self._clear()

    def _entry(self, key: Key) -> Entry:
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = Entry(key)
            self._of_scope[key.ref.scope, key.ref.scope_id].add(entry)
            self.nbytes += entry.nbytes
        self._entries.move_to_end(key)
        return entry

    async def _load(self, entry: Entry, now: datetime) -> None:
        touched, entry.touched = entry.touched, set[int]()
        if entry.part is not None and entry.part.next_expiry <= now.timestamp():
            touched |= entry.part.expired(now.timestamp())
        try:
            async with self._database.read() as connection:
                part = await connection.run(partial(entry.load, now, touched))
        except BaseException:
            entry.touched |= touched
            raise
        before = entry.nbytes
        entry.part, entry.merged = part, None
        if self._entries.get(entry.key) is entry:
            self.nbytes += entry.nbytes - before

    def _forget(self, entry: Entry) -> None:
        """Whoever waits for it still gets it."""
        place = (entry.key.ref.scope, entry.key.ref.scope_id)
        del self._entries[entry.key]
        self.nbytes -= entry.nbytes
        self._of_scope[place].remove(entry)
        if not self._of_scope[place]:
            del self._of_scope[place]

    def _clear(self) -> None:
        self._entries.clear()
        self._of_scope.clear()
        self.nbytes = 0

    def _changed(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.table == EVERYTHING:
                self._clear()
            places = {(change.scope, change.scope_id), (change.owner_scope, change.owner_scope_id)}
            for entry in [entry for place in places for entry in self._of_scope.get(place, ())]:
                if change.table in entry.key.tables:
                    entry.touched.add(change.row_id)
                    if len(entry.touched) > max(MAX_TOUCHED, len(entry.part or ()) // 2):
                        self._forget(entry)
