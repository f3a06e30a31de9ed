"""What the database reports, said in the words of `domain.errors`."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from ..domain.errors import LtmError, UnavailableError, UnusableStoreError

_LATER = {
    sqlite3.SQLITE_BUSY: "the database is locked",
    sqlite3.SQLITE_LOCKED: "the database is locked",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk does not answer",
    sqlite3.SQLITE_NOMEM: "there is no memory left",
    sqlite3.SQLITE_READONLY: "the database file cannot be written",
    sqlite3.SQLITE_CANTOPEN: "the database file cannot be opened",
}
_BROKEN = {
    sqlite3.SQLITE_CORRUPT: "the database file is damaged",
    sqlite3.SQLITE_NOTADB: "the database file is not a database",
}


@contextmanager
def translated() -> Generator[None]:
    """Raise UnavailableError for what passes and UnusableStoreError for what does not.

    A broken constraint or statement is a fault of this program and goes through as it is.
    """
    try:
        yield
    except DBAPIError as error:
        found = _named(error.orig)
        if found is None:
            raise
        raise found from error
    except sqlite3.Error as error:
        found = _named(error)
        if found is None:
            raise
        raise found from error


def _named(error: BaseException | None) -> LtmError | None:
    code = _primary_code(error)
    if code in _LATER:
        return UnavailableError(_LATER[code])
    if code in _BROKEN:
        return UnusableStoreError(_BROKEN[code])
    return None


def _primary_code(error: BaseException | None) -> int:
    """SQLite's result code without its extension; SQLITE_OK when this is no error of SQLite's own."""
    while error is not None:
        code = getattr(error, "sqlite_errorcode", None)
        if isinstance(code, int):
            return code & 0xFF
        error = error.__cause__
    return sqlite3.SQLITE_OK
