"""What the database reports, said in the words of `domain.errors`."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from ..domain.errors import LtmError, UnavailableError, UnusableStoreError

DISK = "the disk does not answer as it should; see whether it is full or failing"
_LATER = {
    sqlite3.SQLITE_BUSY: "the database is locked; end the program that does not let go of it",
    sqlite3.SQLITE_LOCKED: "the database is locked; end the program that does not let go of it",
    sqlite3.SQLITE_FULL: "the disk is full; make room on it",
    sqlite3.SQLITE_IOERR: DISK,
    sqlite3.SQLITE_NOMEM: "there is no memory left; give the process more",
    sqlite3.SQLITE_READONLY: "the database file cannot be written; see its permissions and its file system",
    sqlite3.SQLITE_CANTOPEN: "the database file cannot be opened; see whether it is there and may be read",
}
"""What passes, and what an operator can do about it."""
_MEND = (
    "nothing is written to it any more. Stop AstrBot, keep a copy of the file and those beside it, put a"
    " backup of AstrBot's in their place or have them mended, and start again. The memory's own snapshots can"
    " then be restored on its page"
)
DAMAGED = f"the database file is damaged; {_MEND}"
_BROKEN = {
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: f"the database file is not a database; {_MEND}",
}
"""What does not pass by itself, and what an operator can do about it."""


_UNREADABLE = ("Could not decode to UTF-8", "malformed JSON")
"""How the driver begins what it says of bytes that are no text, and goes on with them, or no JSON."""


@contextmanager
def translated() -> Generator[None]:
    """Raise UnavailableError for what passes and UnusableStoreError for what does not.

    A broken constraint or statement is a fault of this program and goes through as it is.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        reported = error.orig if isinstance(error, DBAPIError) else error
        found = _named(reported)
        if found is None:
            raise
        raise found from (None if _quotes(reported) else error)


def _named(error: BaseException | None) -> LtmError | None:
    code = primary_code(error)
    if code in _LATER:
        return UnavailableError(_LATER[code])
    if code in _BROKEN:
        return UnusableStoreError(_BROKEN[code])
    return UnusableStoreError(DAMAGED) if _quotes(error) else None


def _quotes(error: BaseException | None) -> bool:
    """Whether it may repeat what people said, which no log may: it tells of a value that cannot be read."""
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_UNREADABLE)


def primary_code(error: BaseException | None) -> int:
    """SQLite's result code without its extension; SQLITE_OK when this is no error of SQLite's own."""
    while error is not None:
        code = getattr(error, "sqlite_errorcode", None)
        if isinstance(code, int):
            return code & 0xFF
        error = error.__cause__
    return sqlite3.SQLITE_OK
