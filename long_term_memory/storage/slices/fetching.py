"""Rows of some ids, as the driver gives them."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, Select, Table, bindparam, func, select

from .documents import Row

type Query = Select[*tuple[Any, ...]]

_WANTED = func.json_each(bindparam("ids")).table_valued("key", "value", name="wanted")
WANTED_ID: ColumnElement[Any] = _WANTED.c.value
"""One of the ids that are looked up."""
WANTED_PLACE: ColumnElement[int] = _WANTED.c.key
"""Its place among them."""


def of_each(table: Table, matches: ColumnElement[bool], *columns: ColumnElement[Any]) -> Query:
    """Look the rows of a table up for each of the ids, one after the other.

    An outer join, so that nothing else is thought quicker, such as all vectors of a model for those of a
    few items; what an id has no row for is NULL.
    """
    return select(*columns).join_from(_WANTED, table, matches, isouter=True)


def fetched(
    connection: Connection, query: Query, *, ids: Collection[str | int] = (), **values: str
) -> list[Row]:
    """The rows as the driver gives them; `ids`, however many there are, are one value of the statement."""
    return list(streamed(connection, query, ids=ids, **values))


def streamed(
    connection: Connection, query: Query, *, ids: Collection[str | int] = (), **values: str
) -> Iterator[Row]:
    """The same one by one: what is not kept is gone at once, so the garbage collector has less to do."""
    result = connection.execute(query, {"ids": json.dumps(list(ids)), **values})
    return iter(cast("Iterable[Row]", result.cursor))
