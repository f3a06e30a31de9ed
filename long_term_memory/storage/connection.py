"""A connection and the one thread that uses it: a statement costs one hop, and steps come in order."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Connection as SyncConnection
from sqlalchemy import Engine, Executable, Result, RootTransaction
from sqlalchemy.exc import DBAPIError

from .condition import readable

type Rows = Result[*tuple[Any, ...]]


class Connection:
    """One transaction at a time: `begin`, then `execute` and `change`, then `commit`, and always `end`.

    Who only reads need not begin: the first query does.

    A cancelled caller leaves the step under way to its thread; the steps after it, the end among them, wait
    there until it is done. So a cancellation leaves no transaction open and no lock behind.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=self._sit_down)
        self._ident = 0
        self._connection: SyncConnection | None = None
        self._transaction: RootTransaction | None = None

    async def begin(self) -> None:
        """Begin the transaction; connects first if need be."""
        await self._run(self._begin)

    async def execute(self, statement: Executable, parameters: Any = None) -> Rows:  # noqa: ANN401
        """The rows of a query, all of them fetched."""
        return await self._run(partial(self._execute, statement, parameters))

    async def change(self, statement: Executable, parameters: Any = None) -> int:  # noqa: ANN401
        """Run a statement that gives no rows; returns how many it changed."""
        return await self._run(partial(self._change, statement, parameters))

    async def run[T](self, step: Callable[[SyncConnection], T]) -> T:
        """Do several statements in one step."""
        return await self._run(lambda: step(self._open()))

    def inside[T](
        self,
        work: Callable[[], Coroutine[Any, Any, T]],
        *,
        check: Callable[[], None] = lambda: None,
        then: Callable[[], None] = lambda: None,
    ) -> "asyncio.Future[T]":
        """All of a transaction in the thread, in one hop: each statement of the work returns at once.

        `check` raises what forbids it, before it begins and before it is committed; `then` as in `commit`.
        The work awaits nothing but this connection. A cancelled caller leaves all of it to the thread.
        """
        step = partial(self._inside, work, check, then)
        return asyncio.get_running_loop().run_in_executor(self._thread, step)

    async def commit(self, then: Callable[[], None]) -> None:
        """Make the transaction last, then do this in the thread, whether or not the caller still waits."""
        await self._run(partial(self._commit, then))

    async def end(self) -> None:
        """Undo what is not committed. Happens even when the caller is cancelled meanwhile."""
        await self._to_the_end(self._end)

    def end_soon(self) -> None:
        """End without waiting for it: whoever sits here next comes after it in the thread."""
        with suppress(RuntimeError):  # closed meanwhile, and so ended
            self._thread.submit(self._end)

    def close_soon(self) -> "asyncio.Future[None]":
        """Let the connection and the thread go, once the steps under way are done, whoever waits for it."""
        closing = self._thread.submit(self._close)
        self._thread.shutdown(wait=False)
        return asyncio.wrap_future(closing)

    async def _run[T](self, step: Callable[[], T]) -> T:
        if self._is_inside():
            return step()
        return await asyncio.get_running_loop().run_in_executor(self._thread, step)

    async def _to_the_end(self, step: Callable[[], None]) -> None:
        if self._is_inside():
            step()
        else:
            await asyncio.shield(asyncio.wrap_future(self._thread.submit(step)))

    def _is_inside(self) -> bool:
        return threading.get_ident() == self._ident

    def _sit_down(self) -> None:
        self._ident = threading.get_ident()

    def _open(self) -> SyncConnection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _begin(self) -> None:
        self._transaction = self._open().begin()

    def _execute(self, statement: Executable, parameters: Any) -> Rows:  # noqa: ANN401
        if self._transaction is None:
            self._begin()
        found = self._open().execute(statement, parameters)
        with readable():
            return found.freeze()()

    def _change(self, statement: Executable, parameters: Any) -> int:  # noqa: ANN401
        return self._open().execute(statement, parameters).rowcount

    def _inside[T](
        self, work: Callable[[], Coroutine[Any, Any, T]], check: Callable[[], None], then: Callable[[], None]
    ) -> T:
        """Raises RuntimeError when the work waits for anything, for nobody would tell this thread."""
        try:
            check()
            self._begin()
            doing = work()
            try:
                while (awaited := doing.send(None)) is None:
                    pass  # it would only let others go first
            except StopIteration as end:
                check()
                self._commit(then)
                return end.value
            doing.close()
            raise RuntimeError(f"work in a thread of the database waits for {type(awaited).__name__}")
        finally:
            self._end()

    def _commit(self, then: Callable[[], None]) -> None:
        if self._transaction is not None:
            self._transaction.commit()
            self._transaction = None
            then()

    def _end(self) -> None:
        transaction, self._transaction = self._transaction, None
        connection = self._connection
        if connection is None:
            return
        try:
            if transaction is not None:
                transaction.rollback()
            elif connection.in_transaction():
                connection.rollback()
            # SQLAlchemy takes a transaction whose commit failed for ended; SQLite does not.
            connection.connection.rollback()
        except (DBAPIError, sqlite3.Error):
            self._close()  # the next transaction connects anew

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        self._transaction = None
        if connection is not None:
            with suppress(DBAPIError):
                connection.close()
