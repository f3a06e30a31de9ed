"""The parts of the store in use, kept in memory as the store stands now; the longest unused go first."""

import asyncio
import math
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
"""What has changed in more places, and by more than half, is let go."""


class Part:
    """Rows of the store by their ids. Never changed once made, so it may be searched in any thread.

    It has a length, and `updated(touched, more)` gives the part after these rows were looked at again, `more`
    being what was found of them.
    """

    nbytes: int
    next_expiry: float = math.inf
    """From this instant (seconds since 1970) on one of the rows is no longer to be seen."""

    def expired(self, now: float) -> set[int]:  # noqa: ARG002 - for those whose rows expire
        """The ids of rows that are no longer to be seen."""
        return set()


@dataclass(frozen=True, kw_only=True)
class Key:
    """What a part is of, and where it comes from."""

    ref: ScopeRef
    tables: ClassVar[frozenset[str]]
    """Whose changes concern it, by the id of a row and its scope."""
    max_rows: ClassVar[int] = 2**63 - 1
    """Grown to more by changes, it is loaded anew: `load` may give less then."""

    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> Part:
        """The rows as this connection sees them, of `only` these ids."""
        raise NotImplementedError


class Entry:
    """A part, and what is known to have changed since it was loaded. Loaded by who holds the lock."""

    part: Any = None
    memo: Any = None
    """What its user makes of the part; it goes with the part."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.lock = asyncio.Lock()
        self.touched = set[int]()

    @property
    def nbytes(self) -> int:
        """About what it takes."""
        return ENTRY_BYTES + (self.part.nbytes if self.part else 0)

    def lacks(self, now: float) -> bool:
        """Whether something has to be loaded."""
        return self.part is None or bool(self.touched) or self.part.next_expiry <= now

    def outdated(self, now: float) -> set[int] | None:
        """The rows to look at again; None: all."""
        if self.part is None:
            return None
        rows = self.touched | self.part.expired(now)
        size = len(self.part)
        return None if 2 * len(rows) > size or size + len(rows) > self.key.max_rows else rows


class IndexCache:
    """Loads parts when they are asked for, and again what changed, before they are handed out.

    A part is loaded once for all who wait for it; what changes during a load is looked at again.
    """

    def __init__(self, database: Database, max_bytes: int = MAX_BYTES) -> None:
        """Keep so much in all, and always what was asked for last."""
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
            if entry.lock.locked() or entry.lacks(at):
                async with entry.lock:
                    if entry.lacks(at):
                        await self._load(entry, now)
        if self.nbytes > self._max_bytes:
            self._let_go(frozenset(keys))
        return entries

    def close(self) -> None:
        """Let everything go and hear of no more changes."""
        self._end_listening()
        self._clear()

    def _entry(self, key: Key) -> Entry:
        """Of this key, which is now the one asked for last."""
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = Entry(key)
            self._of_scope[key.ref.scope, key.ref.scope_id].add(entry)
            self.nbytes += entry.nbytes
        self._entries.move_to_end(key)
        return entry

    async def _load(self, entry: Entry, now: datetime) -> None:
        """Load what it lacks, in a reader's thread."""
        only, touched = entry.outdated(now.timestamp()), entry.touched
        entry.touched = set[int]()
        try:
            async with self._database.read() as seat:
                part = await seat.run(partial(_loaded, entry, only, now))
        except BaseException:
            entry.touched |= touched
            raise
        before = entry.nbytes
        entry.part, entry.memo = part, None
        if self._entries.get(entry.key) is entry:
            self.nbytes += entry.nbytes - before

    def _let_go(self, used: Collection[Key]) -> None:
        while self.nbytes > self._max_bytes and (oldest := next(iter(self._entries))) not in used:
            self._forget(self._entries[oldest])

    def _forget(self, entry: Entry) -> None:
        """Who waits for it still gets it."""
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


def _loaded(entry: Entry, only: set[int] | None, now: datetime, connection: Connection) -> Part:
    found = entry.key.load(connection, now, only)
    return found if only is None else entry.part.updated(only, found)
