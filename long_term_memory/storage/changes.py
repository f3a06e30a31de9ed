"""What each commit changed, told to whoever keeps a copy in memory."""

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import NamedTuple

from sqlalchemy import Table

from ..domain.log import logger
from ..models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, LINKS, PAUSED, VECTORS

MOST = 10_000
"""A commit that changed more rows than these is told as a change of everything."""
EVERYTHING = "*"

_COUNTED = ("access_count", "last_accessed_at")
_QUEUED = ("extraction", "attempts", "last_error", "retry_at", "lease", "leased_until", "urgent")


class RowChange(NamedTuple):
    """A row that was inserted, updated or deleted, and the item or event it belongs to."""

    table: str
    """Its name, or EVERYTHING: then any row of any table may have changed, and the other fields are empty."""
    row_id: int = 0
    """Of the item or event; 0 if it does not exist (yet, or any more). Of a pause or a link: its own."""
    scope: str = ""
    """Of the item or event, with `scope_id`; '' if it does not exist.

    Of a pause: the paused scope. Of a link: the scope of the account itself.
    """
    scope_id: str = ""
    owner_scope: str = ""
    """Of an event and its vectors the scope of whoever said it, with `owner_scope_id`; else ''."""
    owner_scope_id: str = ""


type Listener = Callable[[Sequence[RowChange]], object]


class ChangeFeed:
    """Tells its listeners on the event loop what was committed, before the committer goes on.

    Temporary triggers on the writing connection report each changed row, and with an event also its evidence.
    Some rows are reported needlessly, as after a statement that failed half-way; none is missed. Not
    reported: rollbacks, access counts, the extraction queue, and what other connections write.
    """

    def __init__(self) -> None:
        self._listeners = dict[object, Listener]()
        self._loop: asyncio.AbstractEventLoop | None = None
        # These two belong to the thread that writes.
        self._rows = dict[RowChange, None]()
        self._overflown = False

    def listen(self, listener: Listener) -> Callable[[], object]:
        """Call this with the rows of each commit from now on; returns what ends it, safe to call twice."""
        key = object()  # two listeners may be equal
        self._listeners[key] = listener
        return partial(self._listeners.pop, key, None)

    def tell_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """The listeners live on this loop."""
        self._loop = loop

    def connected(self, connection: sqlite3.Connection) -> None:
        """A new connection writes from now on."""
        connection.create_function("ltm_changed", -1, self._changed)
        with closing(connection.cursor()) as cursor:
            for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for trigger in _TRIGGERS.get(name, ()):
                    cursor.execute(trigger)

    def beginning(self) -> None:
        """A transaction is about to begin: whatever the last one left was rolled back."""
        self._rows.clear()
        self._overflown = False

    def committed(self) -> None:
        """Notify the listeners; runs in the writing thread, so cancelling the committer changes nothing."""
        if changes := [RowChange(EVERYTHING)] if self._overflown else list(self._rows):
            self._tell_soon(changes)

    def elsewhere(self) -> None:
        """Have it told that another connection of this process has changed any rows; from any thread."""
        self._tell_soon([RowChange(EVERYTHING)])

    def _changed(self, table: str, row_id: int, *scopes: str) -> None:
        change = RowChange(table, row_id, *scopes)
        if len(self._rows) < MOST:
            self._rows[change] = None
        elif change not in self._rows:
            self._overflown = True

    def _tell_soon(self, changes: Sequence[RowChange]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and with it all who listened
                self._loop.call_soon_threadsafe(self._tell, changes)

    def _tell(self, changes: Sequence[RowChange]) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(changes)
            except Exception:
                logger.exception("What was written could not be told to everyone who keeps a copy.")


def _of(table: str, key: str, columns: Sequence[str]) -> str:
    """SQL for the columns of the item or event that a row belongs to."""
    row = f"FROM {table} WHERE {key} = ROW.{key}"
    empty = {"id": "0"}
    return ", ".join(f"coalesce((SELECT {column} {row}), {empty.get(column, "''")})" for column in columns)


_ITEM = ("id", "scope", "scope_id")
_EVENT = (*_ITEM, "owner_scope", "owner_scope_id")
_ITEMS_RESTING_ON = """
    SELECT ltm_changed('ltm_evidence', item.id, item.scope, item.scope_id)
    FROM ltm_evidence JOIN ltm_items item USING (memory_id) WHERE event_id = ROW.event_id;
"""
"""Items that rest on an event: what it says, and where it was said, decides where they are seen."""
_REPORTED = (
    (ITEMS, ", ".join(f"ROW.{each}" for each in _ITEM), _COUNTED),
    (EVIDENCE, _of(ITEMS.name, "memory_id", _ITEM), ()),
    (VECTORS, _of(ITEMS.name, "memory_id", _ITEM), ()),
    (EVENTS, ", ".join(f"ROW.{each}" for each in _EVENT), _QUEUED),
    (EVENT_VECTORS, _of(EVENTS.name, "event_id", _EVENT), ()),
    (PAUSED, "ROW.rowid, ROW.scope, ROW.scope_id", ()),
    (LINKS, "ROW.rowid, 'user', ROW.account", ()),
)


def _triggers(table: Table, values: str, silent: Collection[str]) -> Generator[str]:
    """What reports the rows of a table; an update counts when it sets a column that is not silent."""
    columns = ", ".join(column.name for column in table.c if column.name not in silent)
    report = f"SELECT ltm_changed('{table.name}', {values});" + (_ITEMS_RESTING_ON if table is EVENTS else "")
    moments = {"INSERT": ("NEW",), "DELETE": ("OLD",), f"UPDATE OF {columns}": ("OLD", "NEW")}
    for moment, rows in moments.items():
        name = f"{table.name}_reported_{moment.split()[0].lower()}"
        reports = " ".join(report.replace("ROW.", f"{row}.") for row in rows)
        after = f"AFTER {moment} ON main.{table.name} BEGIN {reports} END"
        yield f"CREATE TEMP TRIGGER IF NOT EXISTS {name} {after}"


_TRIGGERS = {table.name: tuple(_triggers(table, values, silent)) for table, values, silent in _REPORTED}
