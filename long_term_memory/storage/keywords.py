"""`ltm_fts`: the full-text index. It holds text and nothing else: no id or level can be searched for."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    RowMapping,
    Select,
    Text,
    and_,
    bindparam,
    column,
    func,
    insert,
    literal_column,
    select,
    table,
)

from ..domain.memory import Item
from ..models import ITEMS
from ..text_analysis.terms import terms, without_stop_words
from .seat import Seat

_FTS = table("ltm_fts", column("rowid"), column("text"))
_WHOLE_INDEX: ColumnElement[str] = literal_column("ltm_fts")
_ROW: ColumnElement[int] = literal_column("+ltm_fts.rowid")
"""The sign has each row the index finds compared, where else the index would be asked anew for each row."""
_QUERY_LENGTH = 4_000
_QUERY_TERMS = 64
_INDEXED_LENGTH = 20_000
_ROW_OF = ITEMS.c.memory_id == bindparam("memory_id")
_DELETE = _FTS.delete().where(_FTS.c.rowid == select(ITEMS.c.id).where(_ROW_OF).scalar_subquery())
_INSERT = insert(_FTS).from_select(
    ["rowid", "text"], select(ITEMS.c.id, bindparam("text", type_=Text)).where(_ROW_OF)
)


async def refresh(connection: Seat, item: Item, quotes: Sequence[str]) -> None:
    """Put the item's words into the index, in place of what it held for it."""
    text = indexed(item.fact, item.person, item.relationship, item.backstory, *quotes)
    await connection.change(_DELETE, {"memory_id": item.memory_id})
    await connection.change(_INSERT, {"memory_id": item.memory_id, "text": text})


def indexed(*said: str) -> str:
    """What the index holds of an item with these texts."""
    return " ".join(terms(" ".join(said)[:_INDEXED_LENGTH]))


async def nearest(
    connection: Seat, text: str, allowed: ColumnElement[bool], *, limit: int
) -> Sequence[RowMapping]:
    """The rows of `ltm_items` that `allowed` holds for and that have words of the text, best first."""
    return await found_by(connection, near(allowed), text, {}, limit=limit)


def near(allowed: ColumnElement[bool]) -> Select[Any]:
    """What `found_by` runs, over the rows of `ltm_items` that `allowed` holds for."""
    return (
        select(ITEMS)
        .join_from(_FTS, ITEMS, ITEMS.c.id == _FTS.c.rowid)
        .where(_matches(bindparam("words"), allowed))
        .order_by(func.bm25(_WHOLE_INDEX), ITEMS.c.id)
        .limit(bindparam("most"))
    )


async def found_by(
    connection: Seat, query: Select[Any], text: str, parameters: Mapping[str, Any], *, limit: int
) -> Sequence[RowMapping]:
    """The rows of a query of `near` that have words of the text, best first; `parameters` are its own."""
    words = match_of(text)
    if not words:
        return ()
    found = await connection.execute(query, {**parameters, "words": words, "most": limit})
    return found.mappings().all()


def _matches(query: str | BindParameter[Any], allowed: ColumnElement[bool]) -> ColumnElement[bool]:
    """Which items may be found is known before the first word is looked up, not read row by row after it."""
    rows = select(ITEMS.c.id).where(allowed).correlate(None)
    return and_(_WHOLE_INDEX.op("MATCH")(query), _ROW.in_(rows))


def match_of(text: str) -> str:
    """An FTS5 query for any of the text's terms, each quoted; empty when there is none."""
    found = list(dict.fromkeys(terms(text[:_QUERY_LENGTH])))
    return " OR ".join(f'"{term}"' for term in islice(without_stop_words(found), _QUERY_TERMS))
