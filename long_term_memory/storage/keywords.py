"""`ltm_fts`: the full-text index. It holds text and nothing else: no id or level can be searched for."""

from collections.abc import Sequence
from itertools import islice, zip_longest
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, column, func, literal_column, select, table

from ..domain.chat import ScopeRef
from ..domain.enums import Level
from ..domain.memory import Item
from ..models import ITEMS
from ..text_analysis.terms import terms, without_stop_words
from . import evidence, items
from .columns import Ready
from .connection import Connection

_FTS = table("ltm_fts", column("rowid"), column("text"))
_WHOLE_INDEX: ColumnElement[str] = literal_column("ltm_fts")
_ROW: ColumnElement[int] = literal_column("+ltm_fts.rowid")
"""The sign has each row the index finds compared, where else the index would be asked anew for each row."""
_QUERY_LENGTH = 4_000
_QUERY_TERMS = 200
_INDEXED_LENGTH = 20_000
_IS_ITEM = select(ITEMS.c.id).where(ITEMS.c.memory_id == bindparam("of"))
_DELETE = _FTS.delete().where(_FTS.c.rowid == _IS_ITEM.scalar_subquery())
_INSERT = _FTS.insert().from_select(["rowid", "text"], _IS_ITEM.add_columns(bindparam("text")))


async def refresh(connection: Connection, item: Item) -> None:
    """Put the item's words and its quotes into the index, in place of what it held for it."""
    quotes = await evidence.quotes(connection, item.memory_id)
    text = indexed(item.fact, item.person, item.relationship, item.backstory, *quotes)
    await connection.change(_DELETE, {"of": item.memory_id})
    await connection.change(_INSERT, {"of": item.memory_id, "text": text})


def indexed(*said: str) -> str:
    """What the index holds of an item with these texts."""
    return " ".join(terms(" ".join(said)[:_INDEXED_LENGTH]))


async def nearest(
    connection: Connection, text: str, allowed: ColumnElement[bool], *, limit: int
) -> list[Item]:
    """The items that `allowed` holds for and that have words of the text, best first."""
    asked = {"words": match_of(text), "limit": limit}
    return await items.listed(connection, _nearest(allowed), asked) if asked["words"] else []


async def nearest_in_turn(
    connection: Connection, texts: Sequence[str], allowed: ColumnElement[bool], *, limit: int
) -> list[Item]:
    """What `nearest` finds for each of these texts: the best of each in their order, the second of each..."""
    each = [await nearest(connection, text, allowed, limit=limit) for text in texts]
    in_turn = (item for place in zip_longest(*each) for item in place if item)
    return list(dict.fromkeys(in_turn))[:limit]


async def similar(
    connection: Connection, owner: ScopeRef, level: Level | None, text: str, *, limit: int
) -> Sequence[Item]:
    """Items of this owner and level (None: any), of any status, that share most words with the text."""
    levels = {"lowest": level or min(Level), "highest": level or max(Level)}
    here = {"scope": owner.scope, "scope_id": owner.scope_id, **levels}
    asked = {"words": match_of(text), "limit": limit, **here}
    return await items.looked_up(connection, _SIMILAR, asked) if asked["words"] else []


def _nearest(allowed: ColumnElement[bool]) -> Select[Any]:
    # Which items may be found is known before the first word is looked up, not read row by row after it.
    rows = select(ITEMS.c.id).where(allowed).correlate(None)
    found = select(ITEMS).join_from(_FTS, ITEMS, ITEMS.c.id == _FTS.c.rowid)
    matches = found.where(_WHOLE_INDEX.op("MATCH")(bindparam("words")), _ROW.in_(rows))
    return matches.order_by(func.bm25(_WHOLE_INDEX), ITEMS.c.id).limit(bindparam("limit"))


_SIMILAR = Ready(
    _nearest(
        and_(
            *(ITEMS.c[name] == bindparam(name) for name in ("scope", "scope_id")),
            ITEMS.c.level.between(bindparam("lowest"), bindparam("highest")),
            ITEMS.c.fact != "",
        )
    )
)


def match_of(text: str) -> str:
    """An FTS5 query for any of the text's terms, each quoted; empty when there is none."""
    found = list(dict.fromkeys(terms(text[:_QUERY_LENGTH])))
    return " OR ".join(f'"{term}"' for term in islice(without_stop_words(found), _QUERY_TERMS))
