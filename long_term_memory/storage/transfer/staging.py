"""A document on its way in: read, believed, and laid beside the tables, on a connection of its own.

Its rows lie in temporary tables, which SQLite keeps in a file that no name leads to and that goes with the
connection. So memory holds a few megabytes, however long the document is, and the store is not locked.
"""

import sqlite3
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import batched
from pathlib import Path
from typing import Any, cast

from ...domain import transfer
from ...domain.errors import ClosedError, InvalidInputError
from ...domain.transfer import Phase
from ...domain.words import LIVE_STATUSES
from ..columns import quoted
from ..long_work import Course
from .document import (
    MAX_ROWS,
    SECTIONS,
    canonical,
    checksums,
    damaged,
    manifest_of,
    read,
    read_entries,
    read_manifest,
)
from .rows import COLUMNS, TABLES, row_of

A_STEP, AT_ONCE = 100, 500
"""Rows after which the thread rests, and of one statement."""
BUSY = timedelta(seconds=5)
_PRAGMAS = (
    "foreign_keys = ON",
    "secure_delete = ON",
    "synchronous = FULL",
    "temp_store = FILE",
    "cache_size = -8000",
    "temp.cache_size = -8000",
)
_KEYS: Mapping[str, Sequence[str]] = {
    "events": ["event_id"],
    "items": ["memory_id"],
    "evidence": ["evidence_id", "memory_id, event_id"],
    "links": ["account"],
    "paused": ["scope, scope_id"],
}
"""What stands but once in each list."""
LIVE = f"status IN ({quoted(sorted(LIVE_STATUSES))})"
_TABLES = (
    *(
        f"CREATE TEMP TABLE arriving_{section} AS SELECT {', '.join(COLUMNS[section])} FROM {table} WHERE 0"  # noqa: S608 - our own names
        for section, table in TABLES.items()
    ),
    *(
        f"CREATE UNIQUE INDEX temp.arriving_{section}_{number} ON arriving_{section} ({key})"
        for section, keys in _KEYS.items()
        for number, key in enumerate(keys)
    ),
    "ALTER TABLE arriving_events ADD COLUMN state INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE arriving_items ADD COLUMN state INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE arriving_items ADD COLUMN in_place TEXT",
    "ALTER TABLE arriving_items ADD COLUMN words TEXT",
    "CREATE INDEX temp.arriving_items_superseded ON arriving_items (superseded_by)",
    f"""
    CREATE UNIQUE INDEX temp.arriving_items_live
    ON arriving_items (scope, scope_id, level, fact_key, person) WHERE {LIVE}
    """,
)
"""A temporary table like each of the store's, its rows in the order of the document."""


class Staging:
    """Used from one thread at a time, and closed by whoever made it."""

    def __init__(self, busy: timedelta = BUSY) -> None:
        """`busy` is how long to wait for another program's write."""
        self._busy = busy.total_seconds()
        self.counts: dict[str, int] = dict.fromkeys(SECTIONS, 0)
        self._connection: sqlite3.Connection | None = None
        self._done, self._total = 0, 0

    @property
    def connection(self) -> sqlite3.Connection:
        """The one that sees what is staged, and the store."""
        if self._connection is None:
            raise ClosedError("nothing is staged")
        return self._connection

    def open(self, store: Path) -> None:
        """Connect to the store; nothing in it is read or locked yet."""
        self._connection = sqlite3.connect(
            store, isolation_level=None, timeout=self._busy, check_same_thread=False
        )
        for pragma in _PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")

    def close(self) -> None:
        """Let everything go that was staged."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def take(self, file: Path, course: Course, *, keep_waiting: bool) -> transfer.Manifest:
        """Read the document in this file and see that it is what was once written.

        `keep_waiting`: messages that wait for extraction go on waiting here. Raises InvalidInputError.
        """
        said = read_manifest(file)
        self._total = _rows_told(said)
        entries = {section: self._canonical(file, section, course) for section in SECTIONS}
        if said.get("sha256") != checksums(said, entries).document:
            raise InvalidInputError("file", "its checksum is wrong: it was changed or damaged")
        manifest = manifest_of(said)
        self.counts = dict.fromkeys(SECTIONS, 0)
        self._lay_out(file, course, keep_waiting=keep_waiting)
        counts = transfer.Contents(**{name: self.counts[name] for name in ("items", "evidence", "events")})
        if counts != manifest.counts:
            raise damaged("it holds other numbers of rows than it says")
        return manifest

    def _canonical(self, file: Path, section: str, course: Course) -> Generator[str]:
        for number, entry in enumerate(self._read(file, section, course)):
            yield canonical(read(entry, f"{section}[{number}]"))

    def _read(self, file: Path, section: str, course: Course) -> Generator[str]:
        for entry in read_entries(file, section):
            self.counts[section] += 1
            self._done += 1
            if self._done % A_STEP == 1:
                # It is read twice. How long it is the manifest tells; nothing rests on that yet.
                course.tell(Phase.CHECKING, self._done, max(self._done, 2 * self._total))
            yield entry

    def _lay_out(self, file: Path, course: Course, *, keep_waiting: bool) -> None:
        for statement in _TABLES:
            self.connection.execute(statement)
        with _at_once(self.connection):
            for section in SECTIONS:
                rows = (
                    row_of(section, entry, f"{section}[{number}]", keep_waiting=keep_waiting)
                    for number, entry in enumerate(self._read(file, section, course))
                )
                for some in batched(rows, AT_ONCE):
                    self._insert(section, some)

    def _insert(self, section: str, rows: Iterable[Sequence[object]]) -> None:
        places = ", ".join("?" * len(COLUMNS[section]))
        names = ", ".join(COLUMNS[section])
        statement = f"INSERT INTO arriving_{section} ({names}) VALUES ({places})"  # noqa: S608 - our own names
        try:
            self.connection.executemany(statement, rows)
        except sqlite3.IntegrityError as error:
            live = "fact_key" in str(error)
            why = "two live ones of one scope say the same" if live else "an id stands there twice"
            raise InvalidInputError("file", f"{section}: {why}") from error


def _rows_told(manifest: Mapping[str, Any]) -> int:
    counts = manifest.get("counts")
    told = cast("dict[str, object]", counts).values() if isinstance(counts, dict) else ()
    return min(sum(number for number in told if isinstance(number, int)), sum(MAX_ROWS.values()))


@contextmanager
def _at_once(connection: sqlite3.Connection) -> Generator[None]:
    """One transaction, of temporary tables alone: nothing is locked by it."""
    connection.execute("BEGIN")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
