"""The plugin's own connections to the host's SQLite file: one that writes, a few that read."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import CoroutineType
from typing import Any, Concatenate, cast

from sqlalchemy import URL, Delete, Engine, Executable, NullPool, create_engine, event
from sqlalchemy import Connection as SyncConnection
from sqlalchemy.engine.interfaces import DBAPIConnection

from ..domain.errors import ClosedError, RefusedError
from ..domain.time import Clock
from . import meta
from .changes import ChangeFeed
from .columns import readable_json
from .connection import Connection
from .long_work import StoppedError, StopSignal, finish_despite_cancel, in_thread
from .store_health import StoreHealth

READERS = 3
BUSY = timedelta(seconds=5)
_CAREFUL = (
    "journal_mode = WAL",  # the host has set it already; outside the host nobody has
    "foreign_keys = ON",
    "secure_delete = ON",
    "synchronous = FULL",
    "temp_store = MEMORY",
)


class Database:
    """One SQLite file, opened once and closed once.

    `read_only` may be set at any moment: from then on nothing is written, and a transaction under way is
    rolled back. The same happens once the file is found to be damaged: `health` tells.
    """

    def __init__(self, path: Path, *, busy: timedelta = BUSY) -> None:
        """Name the file; `busy` is how long to wait for another program's write."""
        self.read_only: bool = False
        self.change_feed = ChangeFeed()
        self.health = StoreHealth(path, lambda: self.read_only)
        self.path = path
        self._writer = Connection(
            engine(path, "BEGIN IMMEDIATE", _CAREFUL, busy, self.change_feed),
            "ltm_writer",
            check=self.check_writes,
            then=self.change_feed.committed,
        )
        reading = engine(path, "BEGIN", ("query_only = ON",), busy)
        self._readers = tuple(Connection(reading, f"ltm_reader_{number}") for number in range(READERS))
        self._idle = list(self._readers)
        self._turn = asyncio.Lock()
        self._free_readers = asyncio.Semaphore(READERS)
        self._long_work = dict[asyncio.Future[None], StopSignal]()
        self._is_open = False

    async def open(self) -> None:
        """Connect. Raises UnusableStoreError for a file that is no database, UnavailableError when locked."""
        self.change_feed.tell_on(asyncio.get_running_loop())
        try:
            # It has the file read, and of a page that the disk does not give SQLite says that it is damaged.
            async with self.health.noting("read"):
                await self._writer.run(lambda _: None)
        except BaseException:
            await asyncio.wait([self._writer.close_soon()])
            raise
        self._is_open = True

    async def close(self) -> None:
        """Refuse whoever comes now, wait for those inside, then end every connection and its thread.

        Long work is broken off: it would live on beside whatever opens the file next. A cancelled caller
        changes nothing about it. Safe to call twice, and on a database that never opened.
        """
        was_open, self._is_open = self._is_open, False
        if was_open:
            try:
                await finish_despite_cancel(self._empty())
            finally:  # also when the loop ends and calls off even that
                await asyncio.wait([connection.close_soon() for connection in (self._writer, *self._readers)])

    async def _empty(self) -> None:
        """Wait for those inside, of long work until it has stopped at its next step."""
        for stop_signal in self._long_work.values():
            stop_signal.set()
        if self._long_work:
            await asyncio.wait(self._long_work)
        async with self._turn:
            pass
        for _ in range(READERS):
            await self._free_readers.acquire()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[Connection]:
        """One snapshot of the store. Raises ClosedError, UnavailableError, UnusableStoreError."""
        self._check_open()
        async with self._free_readers:
            self._check_open()
            # The one given back last is taken first: most of the time one thread and one cache do it all.
            # Who is called off leaves a step to its thread: then the others are taken before it.
            connection, idle = self._idle.pop(), False
            try:
                async with self.health.noting("read"):
                    yield connection
                idle = True
            finally:
                connection.end_soon()
                self._idle.insert(len(self._idle) if idle else 0, connection)

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[Connection]:
        """The one writing transaction: commits when the block ends, rolls back when it raises.

        Whoever listens to `change_feed` has heard of it before the caller goes on, also when the caller was
        cancelled while it was being committed.

        Transactions of this process queue up in order. Raises RefusedError(`emergency_read_only`) before
        anything happens, or instead of the commit; ClosedError, UnavailableError, UnusableStoreError.
        """
        async with self.writer() as connection, connection.transaction():
            yield connection

    async def alone[T](self, work: Callable[[Path], T]) -> T:
        """Do this with the file, in a thread and on connections of its own, while nobody here writes.

        A cancelled caller does not stop it. Raises RefusedError, ClosedError, and what the work raises.
        """
        async with self.writer():
            return await finish_despite_cancel(asyncio.to_thread(work, self.path))

    async def beside[T](self, work: Callable[[Path], T], stop_signal: StopSignal) -> T:
        """Do this with the file, in a thread and on connections of its own, while everybody goes on.

        A cancelled caller has it stopped and waits for its end, and so has closing. Raises ClosedError,
        UnavailableError, UnusableStoreError, and what the work raises.
        """
        with self.long_work(stop_signal):
            async with self.health.noting("read"):
                return await in_thread(partial(work, self.path), stop_signal)

    @contextmanager
    def long_work(self, stop_signal: StopSignal) -> Generator[None]:
        """The block is an export, an import or a snapshot, which closing breaks off. Raises ClosedError."""
        self._check_open()
        end = asyncio.get_running_loop().create_future()
        self._long_work[end] = stop_signal
        try:
            yield
        except StoppedError:
            self._check_open()
            raise
        finally:
            del self._long_work[end]
            end.set_result(None)

    @asynccontextmanager
    async def writer(self) -> AsyncGenerator[Connection]:
        """Our turn to write; a transaction `inside` this is many times as fast as `write`.

        The same holds of it as of `write`, but a cancelled caller does not stop it: then all of it happens,
        or nothing.
        """
        self._check_writable()
        async with self._turn:
            self._check_writable()  # which may have changed while we waited
            async with self.health.noting("write"):
                yield self._writer

    def _check_writable(self) -> None:
        self._check_open()
        self.check_writes()

    def _check_open(self) -> None:
        if not self._is_open:
            raise ClosedError("the store is closed")

    def check_writes(self) -> None:
        """Raise UnusableStoreError once the file is damaged, RefusedError while read-only."""
        self.health.refuse_damaged()
        if self.read_only:
            raise RefusedError("emergency_read_only")


def engine(
    path: Path, begin: str, pragmas: tuple[str, ...], busy: timedelta, feed: ChangeFeed | None = None
) -> Engine:
    """Connects like this; what its connections change is reported if somebody asks."""
    made = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=NullPool,
        # The driver's own transactions are deferred ones, which fail at once instead of waiting.
        connect_args={"isolation_level": None, "timeout": busy.total_seconds(), "check_same_thread": False},
        json_serializer=readable_json,
        hide_parameters=True,  # an error may be logged; what people said may not
    )

    def start(connection: SyncConnection) -> None:
        if feed is not None:
            feed.beginning()
        # By way of SQLAlchemy it takes as long as a small query.
        cast("Any", connection.connection.dbapi_connection).execute(begin)

    def prepare(connection: DBAPIConnection, _record: object) -> None:
        try:
            cursor = connection.cursor()
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
            if feed is not None:
                feed.connected(cast("Any", connection))
        except BaseException:
            connection.close()  # SQLAlchemy before 2.1 forgets it
            raise

    event.listen(made, "begin", start)
    event.listen(made, "connect", prepare, insert=True)
    return made


type ConnectionCall[**P, T] = Callable[Concatenate[Connection, P], CoroutineType[Any, Any, T]]
type Method[O, **P, T] = Callable[Concatenate[O, P], CoroutineType[Any, Any, T]]


def reads[**P, T](call: ConnectionCall[P, T]) -> "Method[OnDatabase, P, T]":
    """A method that asks one snapshot of the store, all of it in one step of a thread."""

    async def method(self: "OnDatabase", /, *args: P.args, **kwargs: P.kwargs) -> T:
        async with self._database.read() as connection:  # pyright: ignore[reportPrivateUsage] - a method of it
            return await connection.inside(lambda: call(connection, *args, **kwargs))

    return method


def writes[**P, T](call: ConnectionCall[P, T]) -> "Method[OnDatabase, P, T]":
    """A method that is a writing transaction of its own."""

    async def method(self: "OnDatabase", /, *args: P.args, **kwargs: P.kwargs) -> T:
        async with self._database.writer() as connection:  # pyright: ignore[reportPrivateUsage] - a method of it
            return await connection.inside(lambda: call(connection, *args, **kwargs))

    return method


class OnDatabase:
    """Opens a transaction for each call."""

    _column = reads(Connection.scalars)
    _change = writes(Connection.change)

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._database.read_only

    @read_only.setter
    def read_only(self, value: bool) -> None:
        self._database.read_only = value

    async def _rows(self, query: Executable, parameters: Any = None) -> Sequence[Any]:  # noqa: ANN401
        async with self._database.read() as connection:
            return (await connection.execute(query, parameters)).all()

    async def _drop(self, found: Sequence[int], rows: Delete) -> int:
        """Delete these rows with text, if any were `found`; returns how many went."""
        if not found:
            return 0
        async with self._database.write() as connection:
            await meta.note_dropped(connection)
            return await connection.change(rows)


class OnDatabaseWithClock(OnDatabase):
    """Dates what it writes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock
