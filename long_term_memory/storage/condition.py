"""Errors of SQLite in terms of `domain.errors`, and whether the plugin's part of the file is damaged."""

import asyncio
import logging
import math
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal

from sqlalchemy import Connection, LargeBinary, NullPool, create_engine, func, or_, select
from sqlalchemy.exc import DBAPIError

from ..domain.errors import LtmError, UnavailableError, UnusableStoreError
from ..models import METADATA
from .long_work import finish_despite_cancel

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

DISK = "the disk reports errors; check whether it is full or failing"
_LOCKED = "the database is locked; end the program that holds the lock"
_LATER = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_IOERR: DISK,
    sqlite3.SQLITE_NOMEM: "out of memory; give the process more",
    sqlite3.SQLITE_READONLY: "the database file cannot be written; check its permissions and file system",
    sqlite3.SQLITE_CANTOPEN: "the database file cannot be opened; check whether it exists and is readable",
}
"""What passes, and what an operator can do about it."""
_MEND = (
    "nothing is written to it any more. Stop AstrBot, copy the file and the files next to it, restore a"
    " backup of AstrBot or repair the files, and start again. You can then restore the memory's own snapshots"
    " on its page"
)
_DAMAGED = f"the database file is damaged; {_MEND}"
_BROKEN = {
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: f"the database file is not a database; {_MEND}",
}
"""What does not pass by itself, and what an operator can do about it."""
_UNREADABLE = ("Could not decode to UTF-8", "malformed JSON")
"""How the driver begins an error about a value that cannot be read, and goes on with the value."""
_IMPOSSIBLE = (ValueError, TypeError, LookupError)
"""What reading a row may raise that could never have been stored."""
_TRUSTED = timedelta(minutes=1)
"""How long such a row is taken for a fault of this program in a file that was looked through."""


@contextmanager
def translated() -> Generator[None]:
    """Raise UnavailableError for what passes and UnusableStoreError for what does not.

    A broken constraint or statement is a fault of this program and goes through as it is.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        reported = error.orig if isinstance(error, DBAPIError) else error
        quotes = isinstance(reported, sqlite3.OperationalError) and str(reported).startswith(_UNREADABLE)
        found = UnusableStoreError(_DAMAGED) if quotes else _named(primary_code(reported))
        if found is None:
            raise
        raise found from (None if quotes else error)  # no log may repeat what people said


def _named(code: int) -> LtmError | None:
    if code in _LATER:
        return UnavailableError(_LATER[code])
    return UnusableStoreError(_BROKEN[code]) if code in _BROKEN else None


def primary_code(error: BaseException | None) -> int:
    """SQLite's result code without its extension; SQLITE_OK when this is no error of SQLite's own."""
    while error is not None:
        code = getattr(error, "sqlite_errorcode", None)
        if isinstance(code, int):
            return code & 0xFF
        error = error.__cause__
    return sqlite3.SQLITE_OK


type Doing = Literal["read", "write"]
"""What is done with the file."""


class Condition:
    """Whether the file is damaged, and how the last reading and the last writing went."""

    def __init__(self, path: Path, *, read_only: Callable[[], bool] = lambda: False) -> None:
        """`read_only` tells whether anything is written at the moment."""
        self.damage = ""
        """Why nothing is written until the next start, and what to do; empty while the file is sound."""
        self._path = path
        self._read_only = read_only
        self._troubles: dict[Doing, str] = {}
        self._looking = asyncio.Lock()
        self._looked_at = -math.inf

    @property
    def trouble(self) -> str:
        """Why what was read or written last came to nothing, and what to do; empty while all is well."""
        troubles = dict(self._troubles)
        if self._read_only():
            troubles.pop("write", None)  # nothing will be tried that could end it
        return "; ".join(f"the last {doing} failed: {why}" for doing, why in troubles.items())

    def refuse_damaged(self) -> None:
        """Raise UnusableStoreError once the file is known to be damaged."""
        if self.damage:
            raise UnusableStoreError(self.damage)

    @asynccontextmanager
    async def noting(self, doing: Doing) -> AsyncGenerator[None]:
        """Raise as `translated`. Damage is believed once the tables have been gone through."""
        try:
            with translated():
                yield
        except UnavailableError as error:
            self._troubles[doing] = str(error)
            raise
        except UnusableStoreError as error:
            if await self._is_damaged(str(error), unless_looked_at=monotonic()):
                raise UnusableStoreError(self.damage) from error.__cause__
            self._troubles[doing] = DISK
            raise UnavailableError(DISK) from error
        except _IMPOSSIBLE as error:
            # One bad row must not have all of them read at every use.
            if await self._is_damaged(_DAMAGED, unless_looked_at=monotonic() - _TRUSTED.total_seconds()):
                raise UnusableStoreError(self.damage) from error
            raise
        self._troubles.pop(doing, None)

    async def _is_damaged(self, why: str, *, unless_looked_at: float) -> bool:
        """Look, unless that was done since then: one look serves all who wait for it."""
        async with self._looking:
            if not self.damage and self._looked_at < unless_looked_at:
                await finish_despite_cancel(self._look(why))
        return bool(self.damage)

    async def _look(self, why: str) -> None:
        found = await asyncio.to_thread(damage_in, self._path)
        if found is not None:
            self._looked_at = monotonic()
        if found:
            self.damage = f"{why}. What is damaged: {found}"
            logger.error("Paused, nothing is recorded or recalled: store: %s", self.damage)


def damage_in(path: Path) -> str | None:
    """What is damaged; empty when nothing is, None while that cannot be told. Changes not one byte.

    SQLite calls a page damaged that the disk did not give it: what is damaged is found twice.
    """
    return _seen(path) and _seen(path)


def _seen(path: Path) -> str | None:
    connects = partial(_connected, path)
    try:
        read_a_page(path)
        with (
            translated(),
            create_engine("sqlite://", creator=connects, poolclass=NullPool).connect() as connection,
        ):
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").all()
            return _in_tables(connection) or _in_index(connection)
    except UnusableStoreError:
        return "the file"
    except (UnavailableError, DBAPIError):
        return None


def _connected(path: Path) -> sqlite3.Connection:
    """To the file as it is: where there is none, none is made."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)


class _EnoughError(Exception):
    """A page was read."""


def read_a_page(path: Path) -> None:
    """Raise UnavailableError when the disk gives nothing, which every statement would call damage."""

    def enough(*_: int) -> None:
        raise _EnoughError

    with (
        translated(),
        closing(_connected(path)) as connection,
        closing(sqlite3.connect(":memory:")) as nowhere,
        suppress(_EnoughError),
    ):
        connection.backup(nowhere, pages=1, progress=enough)


def _in_tables(connection: Connection) -> str:
    for name, table in METADATA.tables.items():
        try:
            with translated():
                if connection.exec_driver_sql(f"PRAGMA integrity_check({name})").scalar() != "ok":
                    return f"the table {name}"
                bytes_in_place_of_text = or_(
                    *(func.typeof(c) == "blob" for c in table.c if not isinstance(c.type, LargeBinary))
                )
                if connection.execute(select(1).where(bytes_in_place_of_text).limit(1)).first():
                    return f"the table {name}"
                for _ in connection.execution_options(yield_per=1_000).execute(select(table)):
                    pass  # its instants and its JSON are read
        except (UnusableStoreError, *_IMPOSSIBLE):
            return f"the table {name}"
    return ""


def _in_index(connection: Connection) -> str:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        connection.exec_driver_sql("INSERT INTO ltm_fts (ltm_fts) VALUES ('integrity-check')")
    except DBAPIError as error:
        if primary_code(error.orig) != sqlite3.SQLITE_CORRUPT:
            raise
        return "the full-text index, ltm_fts"
    finally:
        connection.exec_driver_sql("ROLLBACK")
    return ""
