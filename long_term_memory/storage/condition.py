"""How the file behind the store has answered, and what of the plugin's part of it is damaged.

SQLite calls a page damaged that the disk did not give it. So before the file is left alone until an operator
has mended it, all of the plugin's part is read, on a connection of its own, and what is found is found twice.
"""

import asyncio
import json
import logging
import re
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, closing, suppress
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Table

from ..domain.errors import UnavailableError, UnusableStoreError
from ..models import METADATA
from .columns import Instant, Words
from .failures import DAMAGED, DISK, primary_code, translated
from .long_work import finish_despite_cancel

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

_ODD = (ValueError, TypeError, LookupError)
"""What reading a row may raise that could never have been stored."""
_TRUSTED = timedelta(minutes=1)
"""How long such a row is taken for a fault of this program in a file that was found sound."""


class Doing(Enum):
    """What is done with the file."""

    READING = "read"
    WRITING = "written"


class Condition:
    """Notes how it goes, each time something is done with the file."""

    def __init__(self, path: Path, *, read_only: Callable[[], bool] = lambda: False) -> None:
        """`read_only` tells whether anything is written at the moment."""
        self._path = path
        self._read_only = read_only
        self._damage = ""
        self._troubles: dict[Doing, str] = {}
        self._looking = asyncio.Lock()
        self._looks = 0
        self._sound_at: float | None = None

    @property
    def damage(self) -> str:
        """Why the file is left alone until the next start, and what to do; empty while it is sound.

        An unreadable store is not an empty one: what is damaged is not written to (design 9.10).
        """
        return self._damage

    @property
    def trouble(self) -> str:
        """Why what was read or written last came to nothing, and what to do; empty while all is well."""
        troubles = dict(self._troubles)
        if self._read_only():
            troubles.pop(Doing.WRITING, None)  # nothing will be tried that could end it
        return "; ".join(
            f"what was to be {doing.value} last could not be: {why}" for doing, why in troubles.items()
        )

    def refuse_damaged(self) -> None:
        """Raise UnusableStoreError once the file is known to be damaged."""
        if self._damage:
            raise UnusableStoreError(self._damage)

    @asynccontextmanager
    async def noting(self, doing: Doing) -> AsyncGenerator[None]:
        """Raise as `translated`. What seems to be damaged is looked at before that is believed."""
        try:
            with translated():
                yield
        except UnavailableError as error:
            self._troubles[doing] = str(error)
            raise
        except UnusableStoreError as error:
            if await self._is_damaged(str(error)):
                raise UnusableStoreError(self._damage) from error.__cause__
            self._troubles[doing] = DISK
            raise UnavailableError(DISK) from error
        except _ODD as error:
            if not self._is_trusted() and await self._is_damaged(DAMAGED):
                raise UnusableStoreError(self._damage) from error
            raise
        self._troubles.pop(doing, None)

    def _is_trusted(self) -> bool:
        """Whether it was found sound just now: one bad row must not have all of it read at every use."""
        now = asyncio.get_running_loop().time()
        return self._sound_at is not None and now - self._sound_at < _TRUSTED.total_seconds()

    async def _is_damaged(self, why: str) -> bool:
        """Whether a look at the file shows it; one serves all who wait for one."""
        looks = self._looks
        async with self._looking:
            if not self._damage and self._looks == looks:
                # Called off or not, nobody leaves a thread behind that reads on when the store is closed.
                await finish_despite_cancel(self._look(why))
        return bool(self._damage)

    async def _look(self, why: str) -> None:
        if found := await asyncio.to_thread(damage_in, self._path):
            self._damage = f"{why}. What is damaged: {found}"
            logger.error("Paused, nothing is recorded or recalled: store: %s", self._damage)
        elif found is not None:
            self._sound_at = asyncio.get_running_loop().time()
        self._looks += 1


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
