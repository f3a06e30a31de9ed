"""`ltm_fts`: the full-text index. It holds text and nothing else: no id or level can be searched for."""

from collections.abc import Mapping, Sequence
from itertools import islice

from sqlalchemy import ColumnElement, RowMapping, and_, column, func, insert, literal_column, select, table

from ..domain.memory import Item
from ..models import ITEMS
from ..policies.terms import terms, without_stop_words
from .seat import Seat

_FTS = table("ltm_fts", column("rowid"), column("text"))
_WHOLE_INDEX: ColumnElement[str] = literal_column("ltm_fts")
_ROW: ColumnElement[int] = literal_column("+ltm_fts.rowid")
"""The sign has each row the index finds compared, where else the index would be asked anew for each row."""
_QUERY_LENGTH = 4_000
_QUERY_TERMS = 64
_INDEXED_LENGTH = 20_000


async def refresh(connection: Seat, item: Item, quotes: Sequence[str]) -> None:
    """Put the item's words into the index, in place of what it held for it."""
    row = select(ITEMS.c.id).where(ITEMS.c.memory_id == item.memory_id)
    rowid = (await connection.execute(row)).scalar_one()
    said = " ".join((item.fact, item.person, item.relationship, item.backstory, *quotes))
    prepared = " ".join(terms(said[:_INDEXED_LENGTH]))
    await connection.change(_FTS.delete().where(_FTS.c.rowid == rowid))
    await connection.change(insert(_FTS).values(rowid=rowid, text=prepared))


async def scores(
    connection: Seat, text: str, allowed: ColumnElement[bool], *, limit: int
) -> Mapping[str, float]:
    """Memory id to BM25 score (> 0, more is better) of the items `allowed` holds for, best first.

    The limit counts allowed items only.
    """
    query = match_of(text)
    if not query:
        return {}
    rank = func.bm25(_WHOLE_INDEX)
    found = await connection.execute(
        select(ITEMS.c.memory_id, rank)
        .join_from(_FTS, ITEMS, ITEMS.c.id == _FTS.c.rowid)
        .where(_matches(query, allowed))
        .order_by(rank, ITEMS.c.id)
        .limit(limit)
    )
    return {memory_id: -score for memory_id, score in found.all()}


async def nearest(
    connection: Seat, text: str, allowed: ColumnElement[bool], *, limit: int
) -> Sequence[RowMapping]:
    """The rows of `ltm_items` that `allowed` holds for and that have words of the text, best first."""
    query = match_of(text)
    if not query:
        return ()
    found = await connection.execute(
        select(ITEMS)
        .join_from(_FTS, ITEMS, ITEMS.c.id == _FTS.c.rowid)
        .where(_matches(query, allowed))
        .order_by(func.bm25(_WHOLE_INDEX), ITEMS.c.id)
        .limit(limit)
    )
    return found.mappings().all()


def _matches(query: str, allowed: ColumnElement[bool]) -> ColumnElement[bool]:
    """Which items may be found is known before the first word is looked up, not read row by row after it."""
    rows = select(ITEMS.c.id).where(allowed).correlate(None)
    return and_(_WHOLE_INDEX.op("MATCH")(query), _ROW.in_(rows))


def match_of(text: str) -> str:
    """An FTS5 query for any of the text's terms, each quoted; empty when there is none."""
    found = list(dict.fromkeys(terms(text[:_QUERY_LENGTH])))
    return " OR ".join(f'"{term}"' for term in islice(without_stop_words(found), _QUERY_TERMS))
