"""Ways in which the bytes of a database come to be wrong while nobody runs."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

PAGE = 4096
TABLES = (
    "ltm_items",
    "ltm_events",
    "ltm_evidence",
    "ltm_meta",
    "ltm_audit",
    "ltm_fts_data",
    "ltm_fts_content",
    "ltm_fts_docsize",
    "ltm_alembic_version",
)

type Spoil = Callable[[Path, Random], None]
"""Does it to the database of this name, or to the files beside it."""


def pages_of(file: Path, table: str) -> Sequence[int]:
    """The numbers of its pages, from 1; its first one alone where SQLite does not tell the others."""
    with closing(sqlite3.connect(file)) as connection:
        try:
            rows = connection.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,)).fetchall()
        except sqlite3.OperationalError:
            query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
            rows = connection.execute(query, (table,)).fetchall()
    return [page for (page,) in rows]


def _put(file: Path, at: int, content: bytes) -> None:
    with file.open("rb+") as bytes_of_it:
        bytes_of_it.seek(at)
        bytes_of_it.write(content)


def _cut(file: Path, size: int) -> None:
    with file.open("rb+") as bytes_of_it:
        bytes_of_it.truncate(size)


def _write(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def _zeros(_: Random) -> bytes:
    return bytes(PAGE)


def _garbage(rng: Random) -> bytes:
    return _some(rng, PAGE)


def _some(rng: Random, number: int) -> bytes:
    return rng.randbytes(number)


def _size(file: Path) -> int:
    return file.stat().st_size


def wal_of(file: Path) -> Path:
    """Its write-ahead log."""
    return file.with_name(f"{file.name}-wal")


def a_page(table: str, content: Callable[[Random], bytes]) -> Spoil:
    """Put something else in place of one page of a table."""

    def spoil(file: Path, rng: Random) -> None:
        _put(file, (rng.choice(pages_of(file, table)) - 1) * PAGE, content(rng))

    return spoil


def _of_another_table(file: Path, rng: Random) -> None:
    ours, theirs = rng.sample(("ltm_items", "ltm_events", "ltm_evidence"), 2)
    at = (rng.choice(pages_of(file, ours)) - 1) * PAGE
    start = (rng.choice(pages_of(file, theirs)) - 1) * PAGE
    _put(file, at, file.read_bytes()[start : start + PAGE])


def _rotten(file: Path, rng: Random) -> None:
    pages = [page for table in TABLES for page in pages_of(file, table)]
    _put(file, (rng.choice(pages) - 1) * PAGE + rng.randrange(PAGE - 16), _some(rng, 16))


def _beside(change: Callable[[Path, Random], None]) -> Spoil:
    return lambda file, rng: change(wal_of(file), rng)


WHOLE: Mapping[str, Spoil] = {
    "its header is garbage": lambda file, rng: _put(file, 0, _some(rng, 100)),
    "its first bytes are zero": lambda file, _: _put(file, 0, bytes(16)),
    "its page size is none": lambda file, _: _put(file, 16, b"\x12\x34"),
    "its schema's page is garbage": lambda file, rng: _put(file, 100, _some(rng, PAGE - 100)),
    "it is garbage": lambda file, rng: _write(file, _some(rng, _size(file))),
    "it is a text": lambda file, _: _write(file, b"these are the only notes I have\n" * 500),
    "only its first bytes are left": lambda file, _: _cut(file, 60),
    "only its first page is left": lambda file, _: _cut(file, PAGE),
    "half of it is left": lambda file, _: _cut(file, _size(file) // 2 // PAGE * PAGE),
    "it ends in the middle of a page": lambda file, rng: _cut(
        file, _size(file) - rng.randrange(1, PAGE) - PAGE * 5
    ),
    "pages of two tables are one": _of_another_table,
    "a few bytes are others": _rotten,
}
"""What befalls a database that was closed well."""

PAGES: Mapping[str, Spoil] = {
    f"a page of {table} is {name}": a_page(table, content)
    for name, content in (("zero", _zeros), ("garbage", _garbage))
    for table in TABLES
}
"""What befalls one page of such a database; every second one is of each table, and half of them garbage."""

LOGS: Mapping[str, Spoil] = {
    "the log is gone": _beside(lambda log, _: log.unlink()),
    "the log is empty": _beside(lambda log, _: _cut(log, 0)),
    "the log is cut short": _beside(lambda log, rng: _cut(log, rng.randrange(1, _size(log)))),
    "bytes of the log are others": _beside(
        lambda log, rng: _put(log, rng.randrange(32, _size(log) - 16), _some(rng, 16))
    ),
    "the head of the log is garbage": _beside(lambda log, rng: _put(log, 0, _some(rng, 32))),
    "the log is garbage": _beside(lambda log, rng: _write(log, _some(rng, _size(log)))),
}
"""What befalls the write-ahead log of a process that was killed."""
