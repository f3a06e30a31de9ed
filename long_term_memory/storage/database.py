"""The plugin's own connections to the host's SQLite file: one that writes, a few that read."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ..domain.errors import ClosedError, RefusedError
from .columns import storable
from .failures import translated
from .steady import SteadyConnection, undisturbed

READERS = 3
BUSY = timedelta(seconds=5)


class Database:
    """One SQLite file, opened once and closed once.

    `read_only` may be set at any moment: from then on nothing is written, and a transaction under way is
    rolled back.
    """

    def __init__(self, path: Path, *, busy: timedelta = BUSY) -> None:
        """Name the file; `busy` is how long to wait for another program's write."""
        self.read_only: bool = False
        self._writer = _engine(
            path,
            1,
            "BEGIN IMMEDIATE",
            ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"),
            busy,
        )
        self._readers = _engine(path, READERS, "BEGIN", ("query_only = ON",), busy)
        self._turn = asyncio.Lock()
        self._seats = asyncio.Semaphore(READERS)
        self._is_open = False

    async def open(self) -> None:
        """Connect. Raises UnusableStoreError for a file that is no database, UnavailableError when locked."""
        try:
            with translated():
                async with _connected(self._writer) as connection:
                    await undisturbed(connection.run_sync(_use_wal))
        except BaseException:
            await undisturbed(self._writer.dispose())
            raise
        self._is_open = True

    async def close(self) -> None:
        """Refuse whoever comes now, wait for those inside, then end every connection and its thread.

        Safe to call twice, and on a database that never opened.
        """
        self._is_open = False
        async with self._turn:
            await undisturbed(self._writer.dispose())
        async with AsyncExitStack() as every_seat:
            for _ in range(READERS):
                await every_seat.enter_async_context(self._seats)
            await undisturbed(self._readers.dispose())

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncConnection]:
        """One snapshot of the store. Raises ClosedError, UnavailableError, UnusableStoreError."""
        self._check_open()
        async with self._seats:
            self._check_open()
            with translated():
                async with _connected(self._readers) as connection:
                    await undisturbed(connection.begin())
                    yield connection

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncConnection]:
        """The one writing transaction: commits when the block ends, rolls back when it raises.

        Transactions of this process queue up in order. Raises RefusedError(`emergency_read_only`) before
        anything happens, or instead of the commit; ClosedError, UnavailableError, UnusableStoreError.
        """
        self._check_writable()
        async with self._turn:
            self._check_writable()
            with translated():
                async with _connected(self._writer) as connection:
                    await undisturbed(connection.begin())
                    yield connection
                    self._check_writes()
                    await undisturbed(connection.commit())

    def _check_writable(self) -> None:
        self._check_open()
        self._check_writes()

    def _check_open(self) -> None:
        if not self._is_open:
            raise ClosedError("the store is closed")

    def _check_writes(self) -> None:
        if self.read_only:
            raise RefusedError("emergency_read_only")


@asynccontextmanager
async def _connected(engine: AsyncEngine) -> AsyncGenerator[AsyncConnection]:
    """A connection out of the engine's pool; what is not committed is rolled back when it returns there."""
    connection = SteadyConnection(engine)
    try:
        await undisturbed(connection.start())
        yield connection
    finally:
        if connection.sync_connection is not None:
            await undisturbed(connection.close())


def _engine(path: Path, size: int, begin: str, pragmas: tuple[str, ...], busy: timedelta) -> AsyncEngine:
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        pool_size=size,
        max_overflow=0,
        # The driver's own transactions are deferred ones, which fail at once instead of waiting.
        connect_args={"isolation_level": None, "timeout": busy.total_seconds()},
        json_serializer=_readable_json,
    )

    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    def prepare(connection: DBAPIConnection, _record: object) -> None:
        try:
            cursor = connection.cursor()
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except BaseException:
            connection.close()  # the pool would forget it, and its thread would stay
            raise

    event.listen(engine.sync_engine, "begin", start)
    event.listen(engine.sync_engine, "connect", prepare, insert=True)
    return engine


def _use_wal(connection: Connection) -> None:
    """The host has set it already; outside the host nobody has."""
    cursor = connection.connection.cursor()
    cursor.execute("PRAGMA journal_mode")
    if cursor.fetchone() != ("wal",):
        cursor.execute("PRAGMA journal_mode = WAL")
    cursor.close()


def _readable_json(value: object) -> str:
    return storable(json.dumps(value, ensure_ascii=False))
