"""Functions that take a connection, as methods of what has one: a store lists what it answers."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Concatenate

from .database import Database
from .seat import Seat

if TYPE_CHECKING:
    from types import CoroutineType

type Query[**P, T] = Callable[Concatenate[Seat, P], Coroutine[Any, Any, T]]
type Method[O, **P, T] = Callable[Concatenate[O, P], CoroutineType[Any, Any, T]]


class OnDatabase:
    """Opens a transaction for each call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._database.read_only

    @read_only.setter
    def read_only(self, value: bool) -> None:
        self._database.read_only = value


class OnConnection:
    """Works within a transaction that is open."""

    def __init__(self, connection: Seat) -> None:
        self._connection = connection


def reads[**P, T](query: Query[P, T]) -> Method[OnDatabase, P, T]:
    """A method that asks one snapshot of the store."""

    async def method(self: OnDatabase, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async with self._database.read() as connection:  # pyright: ignore[reportPrivateUsage] - a method of it
            return await query(connection, *args, **kwargs)

    return method


def writes[**P, T](query: Query[P, T]) -> Method[OnDatabase, P, T]:
    """A method that is a writing transaction of its own."""

    async def method(self: OnDatabase, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async with self._database.write() as connection:  # pyright: ignore[reportPrivateUsage] - a method of it
            return await query(connection, *args, **kwargs)

    return method


def within[**P, T](query: Query[P, T]) -> Method[OnConnection, P, T]:
    """A method that is a part of the open transaction."""

    async def method(self: OnConnection, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await query(self._connection, *args, **kwargs)  # pyright: ignore[reportPrivateUsage] - a method of it

    return method
