"""What each commit changed, told to whoever keeps a copy in memory."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass

from ..models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, LINKS, PAUSED, VECTORS

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MOST = 10_000
"""A commit that changed more rows than these is told as a change of everything."""
EVERYTHING = "*"

_COUNTED = ("access_count", "last_accessed_at")
_QUEUED = ("extraction", "attempts", "last_error", "retry_at", "lease", "leased_until", "urgent")


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One row that was inserted, updated or deleted."""

    table: str
    """Its name, or EVERYTHING: then any row of any table may have changed, and the rest is empty."""
    row_id: int
    memory_id: str
    """Of an item, its evidence and its vectors the item's id; of an event and its vectors the event's."""
    scope: str
    """The item's or the event's, with `scope_id`; '' when that is not there (yet, or any more).

    Of a paused scope that one, of a linked account the one it has by itself.
    """
    scope_id: str
    owner_scope: str = ""
    """Of an event and its vectors the scope of whoever said it, with `owner_scope_id`; else ''."""
    owner_scope_id: str = ""


_ALL = Change(table=EVERYTHING, row_id=0, memory_id="", scope="", scope_id="")

type Listener = Callable[[Sequence[Change]], None]


class Changes:
    """Tells its listeners on the event loop what was committed, before the committer goes on.

    Triggers of the one connection that writes report each row; a row may be told without need, as when a
    statement failed half-way, and none is left out. What was rolled back is not told, nor what the counting
    of accesses and the queue of extraction write. What another connection writes goes unseen.
    """

    def __init__(self) -> None:
        self._listeners = dict[object, Listener]()
        self._loop: asyncio.AbstractEventLoop | None = None
        # These three belong to the thread that writes.
        self._unwatched = set[str]()
        self._rows = dict[tuple[str, int, str, str, str, str, str], None]()
        self._overflown = False

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call this with the rows of each commit from now on; returns what ends it, safe to call twice."""
        key = object()  # two listeners may be equal
        self._listeners[key] = listener

        def end() -> None:
            self._listeners.pop(key, None)

        return end

    def tell_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """The listeners live on this loop."""
        self._loop = loop

    def connected(self, connection: sqlite3.Connection) -> None:
        """A new connection writes from now on."""
        connection.create_function("ltm_changed", -1, self._changed)
        self._unwatched = set(_TRIGGERS)

    def beginning(self, connection: sqlite3.Connection) -> None:
        """A transaction is about to begin: whatever the last one left was rolled back.

        A trigger made inside it could be rolled back too.
        """
        self._forget()
        if self._unwatched:
            with closing(connection.cursor()) as cursor:
                self._watch(cursor)

    def committed(self) -> None:
        """Have it told; called in the thread that writes, so a cancelled committer changes nothing."""
        changes = self._taken()
        if changes and self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and with it all who listened
                self._loop.call_soon_threadsafe(self._tell, changes)

    def elsewhere(self) -> None:
        """Have it told that another connection of this process has changed any rows; from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # as above
                self._loop.call_soon_threadsafe(self._tell, [_ALL])

    def _watch(self, cursor: sqlite3.Cursor) -> None:
        """Triggers outlive their table and find it again; only one that is not there yet has to wait."""
        there = {name for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in self._unwatched & there:
            for trigger in _TRIGGERS[table]:
                cursor.execute(trigger)
        self._unwatched -= there

    def _changed(
        self,
        table: str,
        row_id: int,
        memory_id: str,
        scope: str,
        scope_id: str,
        owner_scope: str = "",
        owner_scope_id: str = "",
    ) -> None:
        row = (table, row_id, memory_id, scope, scope_id, owner_scope, owner_scope_id)
        if len(self._rows) < MOST:
            self._rows[row] = None
        elif row not in self._rows:
            self._overflown = True

    def _taken(self) -> Sequence[Change]:
        rows = [(EVERYTHING, 0, "", "", "", "", "")] if self._overflown else list(self._rows)
        self._forget()
        return [
            Change(
                table=table,
                row_id=row_id,
                memory_id=memory_id,
                scope=scope,
                scope_id=scope_id,
                owner_scope=owner_scope,
                owner_scope_id=owner_scope_id,
            )
            for table, row_id, memory_id, scope, scope_id, owner_scope, owner_scope_id in rows
        ]

    def _forget(self) -> None:
        self._rows.clear()
        self._overflown = False

    def _tell(self, changes: Sequence[Change]) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(changes)
            except Exception:
                logger.exception("What was written could not be told to everyone who keeps a copy.")


def _triggers(table: str, told: str, columns: Sequence[str]) -> Generator[str]:
    """What reports the rows of a table: `told` says it of a ROW, an update counts when it sets a column."""
    moments = (
        ("INSERT", ("NEW",)),
        ("DELETE", ("OLD",)),
        (f"UPDATE OF {', '.join(columns)}", ("OLD", "NEW")),
    )
    for moment, rows in moments:
        told_of_each = " ".join(f"SELECT ltm_changed('{table}', {told.replace('ROW', row)});" for row in rows)
        name = f"{table}_told_{moment.split()[0].lower()}"
        after = f"AFTER {moment} ON main.{table} BEGIN {told_of_each} END"
        yield f"CREATE TEMP TRIGGER IF NOT EXISTS {name} {after}"


def _of_row(table: str, key: str, columns: Sequence[str] = ("scope", "scope_id")) -> str:
    """Columns of the row that a row belongs to: its scope, if not others."""
    row = f"FROM {table} WHERE {key} = ROW.{key}"
    return ", ".join(f"coalesce((SELECT {column} {row}), '')" for column in columns)


_OF_EVENT = ("scope", "scope_id", "owner_scope", "owner_scope_id")
_TOLD = (
    (ITEMS, "ROW.id, ROW.memory_id, ROW.scope, ROW.scope_id", _COUNTED),
    (EVIDENCE, f"ROW.id, ROW.memory_id, {_of_row('ltm_items', 'memory_id')}", ()),
    (VECTORS, f"ROW.id, ROW.memory_id, {_of_row('ltm_items', 'memory_id')}", ()),
    (EVENTS, f"ROW.id, ROW.event_id, {', '.join(f'ROW.{each}' for each in _OF_EVENT)}", _QUEUED),
    (EVENT_VECTORS, f"ROW.id, ROW.event_id, {_of_row('ltm_events', 'event_id', _OF_EVENT)}", ()),
    (PAUSED, "ROW.rowid, '', ROW.scope, ROW.scope_id", ()),
    (LINKS, "ROW.rowid, '', 'user', ROW.account", ()),
)
_TRIGGERS = {
    table.name: tuple(
        _triggers(table.name, told, [column.name for column in table.c if column.name not in silent])
    )
    for table, told, silent in _TOLD
}
