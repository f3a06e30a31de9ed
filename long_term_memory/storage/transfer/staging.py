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
from typing import Any

from pydantic import ValidationError

from ...domain import transfer
from ...domain.errors import ClosedError, InvalidInputError
from ...domain.transfer import Phase
from ...domain.words import Extraction
from .course import Course
from .document import (
    MANIFEST,
    MAX_CHARACTERS,
    MAX_ROWS,
    SECTIONS,
    ManifestJson,
    Strict,
    canonical,
    checksums,
    opened,
    part,
    see_version,
)
from .members import Member, damaged, members
from .rows import MODELS
from .tables import COLUMNS, SPOOL, staging
from .values import stored

A_STEP, AT_ONCE = 100, 500
"""Rows after which the thread rests, and of one statement."""
IMPORTED = "imported"
"""The `last_error` of a message that another store has to read: here it is evidence and talk only."""
BUSY = timedelta(seconds=5)
_MAX_SHOWN = 50
"""Characters that are shown of a name which stands in the file."""
_PRAGMAS = (
    "foreign_keys = ON",
    "secure_delete = ON",
    "synchronous = FULL",
    "temp_store = FILE",
    "cache_size = -8000",
    "temp.cache_size = -8000",
)


class Staging:
    """Used from one thread at a time, and closed by whoever made it."""

    def __init__(self, busy: timedelta = BUSY) -> None:
        """`busy` is how long to wait for another program's write."""
        self._busy = busy.total_seconds()
        self.counts: dict[str, int] = dict.fromkeys(SECTIONS, 0)
        self._connection: sqlite3.Connection | None = None

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
        raw = self._spool(file, course)
        entries = {section: self._entries(section, course) for section in SECTIONS}
        if raw.get("sha256") != checksums(raw, entries).document:
            raise InvalidInputError("file", "its checksum is wrong: it was changed or damaged")
        manifest = _checked(ManifestJson, canonical(raw), MANIFEST).manifest
        counts = transfer.Contents(**{name: self.counts[name] for name in ("items", "evidence", "events")})
        if counts != manifest.counts:
            raise damaged("it holds other numbers of rows than it says")
        self._lay_out(course, keep_waiting=keep_waiting)
        return manifest

    def _spool(self, file: Path, course: Course) -> Mapping[str, Any]:
        """Every entry as canonical JSON; the manifest is returned."""
        self.connection.execute(SPOOL)
        manifest: Any = None
        lists = set[str]()
        unknown = set[str]()

        def entries() -> Generator[tuple[str, int, str]]:
            nonlocal manifest
            with opened(file) as text:
                for member in members(text, most=MAX_CHARACTERS):
                    if member.name == MANIFEST and not member.is_entry:
                        manifest = member.value
                        see_version(manifest)
                        _written(manifest, MANIFEST)
                    elif member.name not in SECTIONS or not (member.is_list or member.is_entry):
                        unknown.add(member.name)
                    elif member.is_list:
                        lists.add(member.name)
                    else:
                        yield self._entry(member)

        with _at_once(self.connection):
            for some in batched(entries(), AT_ONCE):
                self.connection.executemany("INSERT INTO arriving VALUES (?, ?, ?)", some)
                self._tell(course, self._read, manifest)
        see_version(manifest)
        if unknown or lists != set(SECTIONS):
            raise damaged("its parts are not those of an export")
        return manifest

    def _entry(self, member: Member) -> tuple[str, int, str]:
        number = self.counts[member.name] = self.counts[member.name] + 1
        if number > MAX_ROWS[member.name]:
            raise InvalidInputError("file", f"holds more than {MAX_ROWS[member.name]} {member.name}")
        return member.name, number, _written(member.value, f"{member.name}[{number - 1}]")

    def _entries(self, section: str, course: Course) -> Generator[str]:
        """The entries of a list, in its order."""
        query = "SELECT entry FROM arriving WHERE section = ? ORDER BY n"
        for number, (entry,) in enumerate(self.connection.execute(query, (section,))):
            if number % A_STEP == 0:
                course.go_on()
            yield entry

    def _lay_out(self, course: Course, *, keep_waiting: bool) -> None:
        for statement in staging():
            self.connection.execute(statement)
        done = self._read
        with _at_once(self.connection):
            for section in SECTIONS:
                rows = _rows(section, self._entries(section, course), keep_waiting=keep_waiting)
                for some in batched(rows, AT_ONCE):
                    self._insert(section, some)
                    done += len(some)
                    course.tell(Phase.CHECKING, done, 2 * self._read)
        self.connection.execute("DROP TABLE arriving")

    def _insert(self, section: str, rows: Iterable[Sequence[object]]) -> None:
        places = ", ".join("?" * len(COLUMNS[section]))
        names = ", ".join(COLUMNS[section])
        statement = f"INSERT INTO arriving_{section} ({names}) VALUES ({places})"  # noqa: S608 - our own names
        try:
            self.connection.executemany(statement, rows)
        except sqlite3.IntegrityError as error:
            why = (
                "two live ones of one scope say the same"
                if "fact_key" in str(error)
                else "an id stands there twice"
            )
            raise InvalidInputError("file", f"{section}: {why}") from error

    @property
    def _read(self) -> int:
        return sum(self.counts.values())

    def _tell(self, course: Course, done: int, manifest: object) -> None:
        """The manifest says how many rows there are; nothing rests on it yet."""
        said = part(part(manifest).get("counts"))
        numbers = [number for number in said.values() if isinstance(number, int)]
        course.tell(Phase.CHECKING, done, 2 * max(done, min(sum(numbers), sum(MAX_ROWS.values()))))


def _rows(section: str, entries: Iterable[str], *, keep_waiting: bool) -> Generator[Sequence[object]]:
    model = MODELS[section]
    for number, entry in enumerate(entries):
        row = _checked(model, entry, f"{section}[{number}]").row()
        if row.get("extraction") is Extraction.PENDING and not keep_waiting:
            row = {**row, "extraction": Extraction.SKIPPED, "last_error": IMPORTED}
        yield [stored(row[column]) for column in COLUMNS[section]]


def _written(value: object, name: str) -> str:
    """The value as canonical JSON; `name` says what it is."""
    try:
        text = canonical(value)
        text.encode()
    except (ValueError, RecursionError) as error:  # of these is a text that is no Unicode
        raise damaged(f"{name} cannot be read") from error
    return text


def _checked[M: Strict](model: type[M], entry: str, name: str) -> M:
    """The entry, or what is wrong with it first; never what it says."""
    try:
        return model.model_validate_json(entry)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join([name, *(str(part)[:_MAX_SHOWN] for part in first["loc"])])
        raise InvalidInputError("file", f"{place}: {first['msg']}") from error


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
