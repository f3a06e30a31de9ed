"""Errors of SQLite in terms of `domain.errors`, and whether the plugin's part of the file is damaged."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Literal

from sqlalchemy.exc import DBAPIError

from ..domain.errors import StoreUnavailableError, UnusableStoreError
from ..domain.log import logger
from ..models import METADATA
from ..text_analysis.word_tables import word_table

_LATER, _BROKEN = (
    {getattr(sqlite3, code): texts.text(code) for code in texts}
    for texts in map(word_table(__file__).table, ("later", "broken"))
)
"""What passes, what does not pass by itself, and what an operator can do about it."""
DISK = _LATER[sqlite3.SQLITE_IOERR]
_UNREADABLE = ("Could not decode to UTF-8", "malformed JSON")
"""How the driver begins an error about a value that cannot be read, and goes on with the value."""


class UnreadableContentError(UnusableStoreError):
    """A row or the full-text index holds what could never have been stored."""

    def __init__(self) -> None:
        super().__init__(_BROKEN[sqlite3.SQLITE_CORRUPT])


@contextmanager
def translated() -> Generator[None]:
    """Raise StoreUnavailableError for what passes and UnusableStoreError for what does not.

    A broken constraint or statement is a fault of this program and goes through as it is.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        reported = error.orig if isinstance(error, DBAPIError) else error
        of_index = getattr(reported, "sqlite_errorcode", None) == sqlite3.SQLITE_CORRUPT_VTAB
        if of_index or str(reported).startswith(_UNREADABLE):
            raise UnreadableContentError from None  # no log may repeat what people said
        code = primary_code(reported)
        if code in _LATER:
            raise StoreUnavailableError(_LATER[code]) from error
        if code in _BROKEN:
            raise UnusableStoreError(_BROKEN[code]) from error
        raise


@contextmanager
def readable() -> Generator[None]:
    """Raise UnreadableContentError for a value that is none of its column's."""
    try:
        yield
    except (ValueError, TypeError, LookupError):
        raise UnreadableContentError from None  # no log may repeat what people said


def primary_code(error: BaseException | None) -> int:
    """SQLite's result code without its extension; SQLITE_OK when this is no error of SQLite's own."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


type Doing = Literal["read", "write"]


class StoreHealth:
    """Whether the file is damaged, and how the last reading and the last writing went."""

    def __init__(self, path: Path, read_only: Callable[[], bool] = lambda: False) -> None:
        """`read_only` tells whether nothing is written now."""
        self.damage = ""
        """Why nothing is written until the next start, and what to do; empty while the file is sound."""
        self._path = path
        self._read_only = read_only
        self._troubles: dict[Doing, str] = {}
        self._looking = asyncio.Lock()

    @property
    def trouble(self) -> str:
        """Why what was read or written last came to nothing, and what to do; empty while all is well."""
        tried = ("read",) if self._read_only() else self._troubles  # else nothing could end it
        lines = (f"the last {doing} failed: {why}" for doing, why in self._troubles.items() if doing in tried)
        return "; ".join(lines)

    def refuse_damaged(self) -> None:
        """Raise UnusableStoreError once the file is known to be damaged."""
        if self.damage:
            raise UnusableStoreError(self.damage)

    @asynccontextmanager
    async def noting(self, doing: Doing) -> AsyncGenerator[None]:
        """Raise as `translated`. Damage is believed once the file was looked through."""
        try:
            with translated():
                yield
        except StoreUnavailableError as error:
            self._troubles[doing] = str(error)
            raise
        except UnusableStoreError as error:
            await self._look(error)
            self.refuse_damaged()
            self._troubles[doing] = DISK
            raise StoreUnavailableError(DISK) from error
        self._troubles.pop(doing, None)

    async def _look(self, error: UnusableStoreError) -> None:
        unreadable = isinstance(error, UnreadableContentError)
        async with self._looking:
            if not self.damage and (unreadable or await asyncio.to_thread(is_damaged, self._path)):
                self.damage = str(error)
                logger.error("Paused, nothing is recorded or recalled: store: %s", self.damage)


def is_damaged(path: Path) -> bool:
    """Whether SQLite finds its file or one of our tables damaged; False when it cannot be read now.

    Changes not one byte.
    """
    # A quick check passes over the indexes.
    checks = ("quick_check(1)", *(f"integrity_check({name})" for name in METADATA.tables))
    as_it_is = f"{path.absolute().as_uri()}?mode=rw"  # where there is none, none is made
    try:
        with translated(), closing(sqlite3.connect(as_it_is, uri=True)) as connection:
            return any(connection.execute(f"PRAGMA {check}").fetchone() != ("ok",) for check in checks)
    except UnusableStoreError:
        return True
    except StoreUnavailableError:
        return False
