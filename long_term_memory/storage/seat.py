"""A connection and the one thread that uses it: a statement costs one hop, and steps come in order."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, Executable, Result, RootTransaction
from sqlalchemy.exc import DBAPIError

type Rows = Result[*tuple[Any, ...]]


class Seat:
    """One transaction at a time: `begin`, then `execute` and `change`, then `commit`, and always `end`.

    Who only reads need not begin: the first query does.

    A cancelled caller leaves the step under way to its thread; the steps after it, the end among them, wait
    there until it is done. So a cancellation leaves no transaction open and no lock behind.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._connection: Connection | None = None
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

    async def run[T](self, step: Callable[[Connection], T]) -> T:
        """Do several statements in one step."""
        return await self._run(lambda: step(self._open()))

    async def commit(self) -> None:
        """Make the transaction last."""
        await self._run(self._commit)

    async def end(self) -> None:
        """Undo what is not committed. Happens even when the caller is cancelled meanwhile."""
        await self._to_the_end(self._end)

    def end_soon(self) -> None:
        """End without waiting for it: whoever sits here next comes after it in the thread."""
        self._thread.submit(self._end)

    async def close(self) -> None:
        """Let the connection and the thread go."""
        await self._to_the_end(self._close)
        self._thread.shutdown(wait=False)

    async def _run[T](self, step: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, step)

    async def _to_the_end(self, step: Callable[[], None]) -> None:
        await asyncio.shield(asyncio.wrap_future(self._thread.submit(step)))

    def _open(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _begin(self) -> None:
        self._transaction = self._open().begin()

    def _execute(self, statement: Executable, parameters: Any) -> Rows:  # noqa: ANN401
        if self._transaction is None:
            self._begin()
        return self._open().execute(statement, parameters).freeze()()

    def _change(self, statement: Executable, parameters: Any) -> int:  # noqa: ANN401
        return self._open().execute(statement, parameters).rowcount

    def _commit(self) -> None:
        if self._transaction is not None:
            self._transaction.commit()
            self._transaction = None

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
        except DBAPIError:
            self._close()  # the next transaction connects anew

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        self._transaction = None
        if connection is not None:
            with suppress(DBAPIError):
                connection.close()
