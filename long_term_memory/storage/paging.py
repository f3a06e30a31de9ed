"""One page of a long table: its rows are picked out by their ids, so that only those of the page are read."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Table, func, or_, select

from ..domain.memory import Page, Paging
from .connection import Connection

_QUERY_WORDS = 8
_QUERY_LENGTH = 200


async def paged[T](
    connection: Connection,
    table: Table,
    of: Callable[[RowMapping], T],
    condition: ColumnElement[bool],
    order: Sequence[ColumnElement[Any]],
    wanted: Paging,
) -> Page[T]:
    """One page of the rows for which this holds; `of` is what a row stands for.

    Sorting whole rows would move each of them about; the ids of a hundred thousand are sorted in no time.
    """
    counted = select(func.count()).select_from(table).where(condition)
    total = int((await connection.execute(counted)).scalar_one())
    ids = select(table.c.id).where(condition).order_by(*order)
    here = await connection.scalars(ids.limit(wanted.page_size).offset((wanted.page - 1) * wanted.page_size))
    there = await connection.execute(select(table).where(table.c.id.in_(here)))
    rows = {row["id"]: row for row in there.mappings()}
    found = [of(rows[row]) for row in here]
    return Page(rows=found, total=total, page=wanted.page, page_size=wanted.page_size)


def each_word(query: str, columns: Sequence[ColumnElement[str]]) -> Sequence[ColumnElement[bool]]:
    """Every word of the query occurs somewhere in the text, `%` and `_` taken as written."""
    words = query[:_QUERY_LENGTH].replace("\0", " ").split()[:_QUERY_WORDS]
    return [or_(*(contains(column, word) for column in columns)) for word in words]


def within(
    column: ColumnElement[datetime], since: date | None, until: date | None, zone: tzinfo
) -> Sequence[ColumnElement[bool]]:
    """The instant lies within these days of this time zone, both included."""
    first = [column >= _at(since, time.min, zone)] if since else []
    last = [column <= _at(until, time.max, zone)] if until else []
    return first + last


def _at(day: date, clock: time, zone: tzinfo) -> datetime:
    try:
        return datetime.combine(day, clock, zone).astimezone(UTC)
    except OverflowError:  # the first day there is, or the last
        return datetime.combine(day, clock, UTC)


def contains(column: ColumnElement[str], text: str) -> ColumnElement[bool]:
    """Whether the text occurs in the column, as it is written but for the case of ASCII letters."""
    return column.contains(text, autoescape=True)
