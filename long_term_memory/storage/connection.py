"""A connection and the one thread that uses it: a statement costs one hop, and steps come in order."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from threading import get_ident
from typing import Any, cast

from sqlalchemy import Connection as SyncConnection
from sqlalchemy import Engine, Executable, Result
from sqlalchemy.exc import DBAPIError

from .columns import Ready
from .store_health import readable

type Rows = Result[*tuple[Any, ...]]


class Connection:
    """One transaction at a time: the first statement begins it, and `end_soon` ends it.

    A cancelled caller leaves the step under way to its thread; the steps after it, the end among them, wait
    there until it is done. So a cancellation leaves no transaction open and no lock behind.
    """

    def __init__(
        self,
        engine: Engine,
        name: str,
        *,
        check: Callable[[], None] = lambda: None,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """`check` raises what forbids a commit; `then` is done in the thread once it has happened."""
        self._engine = engine
        self._check = check
        self._then = then
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._ident = 0
        self._connection: SyncConnection | None = None
        self._is_left_open = False
        """Whether a step outside of `inside`, which ends what it began, may have begun a transaction."""

    def execute(self, statement: Executable, parameters: Any = None) -> Awaitable[Rows]:  # noqa: ANN401
        """The rows of a query, all of them fetched."""
        return self.run(lambda connection: _fetched(connection.execute(statement, parameters)))

    async def scalars(self, statement: Executable, parameters: Any = None) -> Sequence[Any]:  # noqa: ANN401
        """The first column of a query."""
        return (await self.execute(statement, parameters)).scalars().all()

    async def column(self, query: Ready, parameters: Mapping[str, object]) -> Sequence[Any]:
        """The values that a query of one column finds."""
        return [value for (value,) in await self.rows(query, parameters)]

    async def rows(self, query: Ready, parameters: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """The rows that a query of each message finds, as SQLite has them: by way of the driver alone."""

        def step(connection: SyncConnection) -> list[tuple[Any, ...]]:
            if not connection.in_transaction():
                connection.begin()
            return _driver(connection).execute(query.sql, query.values(parameters)).fetchall()

        return await self.run(step)

    async def changes(self) -> int:
        """How many rows it has changed so far; until there are more, a transaction finds the same."""
        return await self.run(lambda connection: _driver(connection).total_changes)

    async def change(self, statement: Executable, parameters: Any = None) -> int:  # noqa: ANN401
        """Run a statement that gives no rows; returns how many it changed."""
        if get_ident() == self._ident:
            return self._opened().execute(statement, parameters).rowcount
        return await self.run(lambda connection: connection.execute(statement, parameters).rowcount)

    async def run[T](self, step: Callable[[SyncConnection], T]) -> T:
        """Do several statements in one step."""
        if get_ident() == self._ident:  # the step is part of `inside`
            return step(self._opened())
        self._is_left_open = True
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: step(self._opened()))

    def inside[T](self, work: Callable[[], Coroutine[Any, Any, T]]) -> "asyncio.Future[T]":
        """All of a transaction in the thread, in one hop: each statement of the work returns at once.

        `check` is asked before it begins, too. The work awaits nothing but this connection, else RuntimeError
        is raised, for nobody would tell the thread. A cancelled caller leaves all of it to the thread.
        """

        def step() -> T:
            try:
                self._check()
                transaction = self._opened().begin()
                doing = work()
                try:
                    while (awaited := doing.send(None)) is None:
                        pass  # it would only let others go first
                except StopIteration as end:
                    done = end.value
                else:
                    doing.close()
                    raise RuntimeError(f"work in a thread of the database waits for {type(awaited).__name__}")
                self._check()
                transaction.commit()
                self._then()
                return done
            finally:
                self._end()

        return asyncio.get_running_loop().run_in_executor(self._thread, step)

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[None]:
        """Commit when the block ends, whether or not the caller still waits.

        Nothing is left of it when the block or `check` raises, also when the caller is cancelled meanwhile.
        """

        def commit(connection: SyncConnection) -> None:
            connection.commit()
            self._then()

        try:
            await self.run(SyncConnection.begin)
            yield
            self._check()
            await self.run(commit)
        finally:
            await asyncio.shield(asyncio.wrap_future(self._thread.submit(self._end)))

    def end_soon(self) -> None:
        """End without waiting for it: whoever sits here next comes after it in the thread."""
        if self._is_left_open:
            self._is_left_open = False
            with suppress(RuntimeError):  # closed meanwhile, and so ended
                self._thread.submit(self._end)

    def close_soon(self) -> "asyncio.Future[None]":
        """Let the connection and the thread go, once the steps under way are done, whoever waits for it."""
        closing = self._thread.submit(self._close)
        self._thread.shutdown(wait=False)
        return asyncio.wrap_future(closing)

    def _opened(self) -> SyncConnection:
        self._ident = get_ident()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _end(self) -> None:
        connection = self._connection
        try:
            if connection is not None:
                connection.rollback()
                # SQLAlchemy takes a transaction whose commit failed for ended; SQLite does not.
                connection.connection.rollback()
        except (DBAPIError, sqlite3.Error):
            self._close()  # the next transaction connects anew

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError):
                connection.close()


def _driver(connection: SyncConnection) -> sqlite3.Connection:
    return cast("sqlite3.Connection", connection.connection.dbapi_connection)


def _fetched(found: Rows) -> Rows:
    with readable():
        return found.freeze()()
