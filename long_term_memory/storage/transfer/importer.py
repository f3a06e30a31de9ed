"""Imports: a document is checked in temporary tables beside the store's, then merged in one transaction.

Temporary tables lie in a file without a name, so a long document takes little memory and locks nothing. What
the store has under the same id stays as it is, deleted or not; only what an undone import had added comes in
again. A memory that the store has in use under another id comes in as superseded by that one; but what only
waits here is superseded by what the file has in use. Of its own files a store takes neither pauses nor links,
and links of another store only at its first restore: nobody is joined again who parted.
"""

import json
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ...domain.errors import InvalidInputError, RefusedError
from ...domain.transfer import Arrived, Contents, Kind, Manifest, Phase
from .. import keywords
from ..long_work import Course, StoppedError
from .document import SECTIONS, canonical, checksums, damaged, read, read_entries, read_manifest
from .rows import COLUMNS, row_of
from .statements import COUNTS, MARK, MERGE, PRAGMAS, STAGING, WEIGH, WORDS

# ruff: noqa: S608 - nothing but our own names goes into the statements

BUSY = timedelta(seconds=5)
ERASED = "somebody is being erased, and no older snapshot may bring them back"
_A_STEP, _INSTRUCTIONS = 100, 20_000
"""Rows after which the thread pauses, and instructions of SQLite after which it may be stopped."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """By whom, when and as what a document is imported."""

    import_id: str
    kind: Kind
    actor: str
    at: datetime
    source: Path
    """The file it is in."""
    name: str
    """What that is called."""


class Importer:
    """One document on its way in. Used from one thread at a time, and closed by whoever made it."""

    def __init__(self, store: Path, course: Course, *, busy: timedelta = BUSY) -> None:
        """`busy` is how long to wait for another program's write."""
        self._course = course
        self._connection = sqlite3.connect(
            store, isolation_level=None, timeout=busy.total_seconds(), check_same_thread=False
        )
        self._connection.create_function("ltm_words", 5, _words, deterministic=True)
        self._connection.set_progress_handler(lambda: course.stopped, _INSTRUCTIONS)
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._manifest: Manifest
        self._done = 0

    def close(self) -> None:
        """Drop all that was read."""
        self._connection.close()

    def check(self, file: Path, *, keep_waiting: bool) -> Arrived:
        """Read the document and say what an import would do; nothing is written.

        `keep_waiting`: messages that wait for extraction go on waiting here. Raises InvalidInputError.
        """
        self._manifest, raw = read_manifest(file)
        entries = {section: self._canonical(file, section) for section in SECTIONS}
        if self._manifest.sha256 != checksums(raw, entries).document:
            raise InvalidInputError("file", "its checksum is wrong: it was changed or damaged")
        with self._transaction("BEGIN"):
            for statement in STAGING:
                self._connection.execute(statement)
            counts = {section: self._take(file, section, keep_waiting=keep_waiting) for section in SECTIONS}
            told = self._manifest.counts
            if any(counts[name] != getattr(told, name) for name in ("items", "evidence", "events")):
                raise damaged("it holds other numbers of rows than it says")
            return self._weigh(None)

    def merge(self, order: Order, *, see: Callable[[], None]) -> Arrived:
        """Write all of it, or nothing; `see` raises at the end what prevents it by then.

        Raises InvalidInputError, StoppedError, RefusedError, and what `see` raises.
        """
        try:
            with self._transaction("BEGIN IMMEDIATE"):
                arrived = self._weigh(order.import_id)
                self._merge(order, arrived)
                # An erasure leaves its mark with the rows, and takes it away only after all snapshots.
                marked = self._connection.execute(MARK).fetchone() is not None
                if order.kind is Kind.RESTORE and (marked or not order.source.exists()):
                    raise RefusedError(ERASED)
                see()
        except sqlite3.IntegrityError as error:
            raise InvalidInputError("file", "the store does not take a row of it") from error
        return arrived

    def _entries(self, file: Path, section: str) -> Generator[tuple[str, str]]:
        """Each entry, and what it is called."""
        told = self._manifest.counts
        for number, entry in enumerate(read_entries(file, section)):
            if self._done % _A_STEP == 0:
                # It is read twice.
                total = 2 * (told.items + told.evidence + told.events)
                self._course.tell(Phase.CHECKING, self._done, max(self._done, total))
            self._done += 1
            yield entry, f"{section}[{number}]"

    def _canonical(self, file: Path, section: str) -> Generator[str]:
        return (canonical(read(entry, name)) for entry, name in self._entries(file, section))

    def _take(self, file: Path, section: str, *, keep_waiting: bool) -> int:
        rows = (
            row_of(section, entry, name, keep_waiting=keep_waiting)
            for entry, name in self._entries(file, section)
        )
        places = ", ".join("?" * len(COLUMNS[section]))
        statement = f"INSERT INTO arriving_{section} ({', '.join(COLUMNS[section])}) VALUES ({places})"
        try:
            return self._connection.executemany(statement, rows).rowcount
        except sqlite3.IntegrityError as error:
            live = "fact_key" in str(error)
            why = "two live ones of one scope say the same" if live else "an id stands there twice"
            raise InvalidInputError("file", f"{section}: {why}") from error

    def _weigh(self, import_id: str | None) -> Arrived:
        """Compare with the store."""
        for statement in (*WEIGH, WORDS):
            self._connection.execute(statement)
        counts = {name: self._connection.execute(query).fetchone()[0] for name, query in COUNTS.items()}
        added = Contents(**{name: counts.pop(name) for name in ("items", "evidence", "events")})
        return Arrived(import_id=import_id, added=added, manifest=self._manifest, **counts)

    def _merge(self, order: Order, arrived: Arrived) -> None:
        added = asdict(arrived.added)
        counted = added | {"known": arrived.known, "gave_way": arrived.gave_way}
        values = added | {
            "import_id": order.import_id,
            "actor": order.actor,
            "kind": str(order.kind),
            "at": f"{order.at.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}",
            "name": order.name,
            "sha256": self._manifest.sha256,
            "store_id": self._manifest.store_id,
            "counted": " ".join(f"{name}={number}" for name, number in counted.items()),
        }
        for number, statement in enumerate(MERGE, 1):
            self._connection.execute(statement, values)
            self._course.tell(Phase.WRITING, number, len(MERGE))

    @contextmanager
    def _transaction(self, begin: str) -> Generator[None]:
        try:
            self._connection.execute(begin)
            yield
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if self._course.stopped:
                raise StoppedError from error
            raise
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def _words(*said: str) -> str:
    """The full-text index of an item; the last argument has its quotes as a JSON array."""
    return keywords.indexed(*said[:-1], *dict.fromkeys(json.loads(said[-1])))
