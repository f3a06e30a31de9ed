"""Which items might be one: they are of one family and near each other.

A family is what no joining crosses: owner, level, person, audience, type and persona.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, literal, or_, select, tuple_

from ..domain.memory import Item
from ..domain.words import Status
from ..models import ITEMS, VECTORS
from . import items, keywords
from .connection import Connection
from .database import OnDatabase

_MAX_COMPARED = 1_000
"""Vectors of a family that one item is compared with."""
_C = ITEMS.c
_FAMILY = (_C.scope, _C.scope_id, _C.level, _C.person, _C.audience, _C.type, _C.persona_id)


type Mark = tuple[datetime, int]
"""An active item's place in the order in which they changed: when it did, and its row."""
type Near = tuple[Item, float | None]
"""An item of the same family that may say the same, and its cosine if both have a vector."""


class Families(OnDatabase):
    """Implements the store of `upkeep.duplicates`; each call is one snapshot."""

    async def changed(
        self, model_id: str | None, *, after: Mark | None, limit: int
    ) -> Sequence[tuple[Item, Mark]]:
        """Active items that changed after the mark, or got their vector of this model, longest ago first."""
        embedded = (
            select(func.max(VECTORS.c.created_at))
            .where(VECTORS.c.memory_id == _C.memory_id, VECTORS.c.model_id == (model_id or ""))
            .scalar_subquery()
        )
        at = case((embedded > _C.updated_at, embedded), else_=_C.updated_at)
        query = select(*ITEMS.columns, at.label("changed_at")).where(_C.status == Status.ACTIVE)
        if after:
            query = query.where(tuple_(at, _C.id) > tuple_(literal(after[0], _C.updated_at.type), after[1]))
        async with self._database.read() as connection:
            rows = (await connection.execute(query.order_by(at, _C.id).limit(limit))).mappings()
            return [(items.item_of(row), (row["changed_at"], row["id"])) for row in rows]

    async def near(self, item: Item, model_id: str | None, *, cosine: float, limit: int) -> Sequence[Near]:
        """Active items of its family that share most words with it or lie nearer than `cosine`, oldest first.

        At most `limit` by words and as many by vectors.
        """
        async with self._database.read() as connection:
            look = partial(_near, connection, item, model_id, cosine=cosine, limit=limit)
            return await connection.inside(look)


def _of_family(item: Item) -> ColumnElement[bool]:
    row = items.values_of(item)
    return and_(_C.status == Status.ACTIVE, *(column == row[column.name] for column in _FAMILY))


async def _near(
    connection: Connection, item: Item, model_id: str | None, *, cosine: float, limit: int
) -> Sequence[Near]:
    family = and_(_of_family(item), _C.memory_id != item.memory_id)
    by_words = await keywords.nearest(connection, item.fact, family, limit=limit)
    vectors = await _vectors(connection, item, family, model_id)
    own = vectors.pop(item.memory_id, None)
    cosines = _cosines(own, vectors) if own else {}
    close = sorted((-value, memory_id) for memory_id, value in cosines.items() if value > cosine)
    wanted = {memory_id for _, memory_id in close[:limit]} | {one.memory_id for one in by_words}
    found = await items.listed(connection, select(ITEMS).where(_C.memory_id.in_(wanted)).order_by(_C.id))
    return [(one, cosines.get(one.memory_id)) for one in found]


async def _vectors(
    connection: Connection, item: Item, family: ColumnElement[bool], model_id: str | None
) -> dict[str, bytes]:
    """Memory id to vector: of the item itself, and of the newest of its family."""
    if model_id is None:
        return {}
    mine = _C.memory_id == item.memory_id
    query = (
        select(VECTORS.c.memory_id, VECTORS.c.vector)
        .join(ITEMS, _C.memory_id == VECTORS.c.memory_id)
        .where(VECTORS.c.model_id == model_id, or_(mine, family))
        .order_by(mine.desc(), _C.id.desc())
    )
    rows: Sequence[Any] = (await connection.execute(query.limit(_MAX_COMPARED + 1))).all()
    return dict(rows)


def _cosines(own: bytes, vectors: Mapping[str, bytes]) -> dict[str, float]:
    """The cosine of each with `own`; all are unit vectors of one length."""
    import numpy as np  # noqa: PLC0415 - nobody without vectors needs it

    base = np.frombuffer(own, "<f4").astype(np.float64)
    rows = np.frombuffer(b"".join(vectors.values()), "<f4").reshape(-1, len(base))
    return dict(zip(vectors, (rows @ base).tolist(), strict=True))
