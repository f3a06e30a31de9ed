"""Rows of some ids, as the driver gives them."""

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, bindparam, func, select

from .documents import Row

type Query = Select[*tuple[Any, ...]]

_WANTED = func.json_each(bindparam("ids")).table_valued("value", name="wanted")
WANTED_ID: ColumnElement[str] = _WANTED.c.value
"""One of the ids that are looked up."""


def of_each(table: Table, matches: ColumnElement[bool], *columns: ColumnElement[Any]) -> Query:
    """Look the rows of a table up for each of the ids, one after the other.

    An outer join, so that nothing else is thought quicker, such as all vectors of a model for those of a
    few items; what an id has no row for is NULL.
    """
    return select(*columns).join_from(_WANTED, table, matches, isouter=True)


def fetched(connection: Connection, query: Query, *, ids: Collection[str] = (), **values: str) -> list[Row]:
    """The rows as the driver gives them; `ids`, however many there are, are one value of the statement."""
    result = connection.execute(query, {"ids": json.dumps(list(ids)), **values})
    cursor = result.cursor
    return [] if cursor is None else [*cursor.fetchall()]  # there is always one for a query
