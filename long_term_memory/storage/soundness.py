"""What of the plugin's part of a file is damaged: a disk that failed for a while looks the same at first.

SQLite calls a page damaged that the disk did not give it. So before the file is left alone until an operator
has mended it, all of the plugin's part is read, on a connection of its own, and what is found is found twice.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Table

from ..domain.errors import UnavailableError, UnusableStoreError
from ..models import METADATA
from .columns import Instant, Words
from .failures import DISK, primary_code, translated

_WAIT_SECONDS = 5
_NOT_GIVEN = re.compile(r"error code=(\d+)")
"""How SQLite's own check tells of a page that it could not have."""

_CHECKS: Mapping[type[Any], Callable[[str], object]] = {
    Instant: datetime.fromisoformat,
    JSON: json.loads,
    Words: str.isascii,  # of bytes it is none
}
"""How values are read of which SQLite itself knows no more than that they may be text."""


class _EnoughError(Exception):
    """A page was read."""


def damage_in(path: Path) -> str | None:
    """What is damaged; empty when nothing is, None while that cannot be told. Changes not one byte."""
    return _seen(path) and _seen(path)


def _seen(path: Path) -> str | None:
    try:
        with translated(), closing(_connected(path)) as connection:
            _read_a_page(connection)
            return _in_tables(connection) or _in_index(connection)
    except UnusableStoreError:
        return "the file"
    except (UnavailableError, sqlite3.Error):
        return None


def read_a_page(path: Path) -> None:
    """Raise UnavailableError when the disk gives nothing, UnusableStoreError when the file is no database."""
    with translated(), closing(_connected(path)) as connection:
        _read_a_page(connection)


def _connected(path: Path) -> sqlite3.Connection:
    """To the file as it is: where there is none, none is made."""
    name = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(name, uri=True, isolation_level=None, timeout=_WAIT_SECONDS)


def _read_a_page(connection: sqlite3.Connection) -> None:
    """Raise as the disk does when it gives nothing, which every statement would call damage."""

    def enough(*_: int) -> None:
        raise _EnoughError

    with closing(sqlite3.connect(":memory:")) as nowhere, suppress(_EnoughError):
        connection.backup(nowhere, pages=1, progress=enough)


def _in_tables(connection: sqlite3.Connection) -> str:
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # without it there are no tables
    return next(filter(None, (_in_table(connection, table) for table in METADATA.tables.values())), "")


def _in_table(connection: sqlite3.Connection, table: Table) -> str:
    try:
        with translated():
            (found,) = connection.execute(f"PRAGMA integrity_check({table.name})").fetchone()
            if found == "ok":
                return _in_values(connection, table)
            _see_the_disk(found)
    except UnusableStoreError:
        pass  # it cannot even be gone through
    return f"the table {table.name}"


def _in_values(connection: sqlite3.Connection, table: Table) -> str:
    """Where a value stands that could never have been stored; text that cannot be read raises."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    checks = [(at, column.name, _CHECKS.get(type(column.type))) for at, column in enumerate(table.columns)]
    wanted = [(at, name, check) for at, name, check in checks if check]
    for number, *row in connection.execute(f"SELECT rowid, {names} FROM {table.name}"):  # noqa: S608 - our own
        for at, name, check in wanted:
            try:
                if row[at] is not None:
                    check(row[at])
            except (ValueError, TypeError):
                return f"{name} in row {number} of the table {table.name}"
    return ""


def _in_index(connection: sqlite3.Connection) -> str:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("INSERT INTO ltm_fts (ltm_fts) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        return "the full-text index, ltm_fts"
    finally:
        connection.rollback()
    return ""


def _see_the_disk(found: str) -> None:
    """Raise UnavailableError when what was found is but that the disk did not give a page."""
    if any(int(code) & 0xFF == sqlite3.SQLITE_IOERR for code in _NOT_GIVEN.findall(found)):
        raise UnavailableError(DISK)
