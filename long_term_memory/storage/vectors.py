"""`ltm_vectors` and `ltm_event_vectors`: all vectors. Any index is built from these rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Executable, Table, and_, bindparam, select
from sqlalchemy.dialects.sqlite import Insert, insert

from ..domain.chat import ScopeRef
from ..domain.enums import Status
from ..domain.errors import InvalidInputError
from ..domain.memory import Item
from ..models import EVENT_VECTORS, EVENTS, ITEMS, VECTORS
from ..policies.embedded import bare
from . import items, keywords, missing_vectors
from .columns import in_scopes
from .connection import Connection
from .database import OnDatabaseWithClock, reads

FAMILY = ("scope", "scope_id", "level", "person", "audience", "type", "persona_id")
"""What no joining of items crosses."""
_MAX_COMPARED = 1_000
"""Vectors of a family that one item is compared with."""


@dataclass(frozen=True, kw_only=True)
class Embedded:
    """The vector of an item or a message."""

    key: str
    """The memory or event id."""
    fact: str | None = None
    """That of an item."""
    vector: Sequence[float]
    """Of any norm."""


def unit(vector: Sequence[float]) -> NDArray[np.float32]:
    """The vector at norm 1 as it is stored, little-endian float32.

    Raises InvalidInputError when it points nowhere or is not finite.
    """
    norm = math.hypot(*vector)
    if not 0 < norm < math.inf:
        raise InvalidInputError("vector", "must consist of finite numbers and have a direction")
    return (np.array(vector) / norm).astype("<f4")


async def put(connection: Connection, model_id: str, embedded: Embedded, *, at: datetime) -> bool:
    """Store a vector in place of the older one under the same model.

    False, and nothing stored, when the item or message is gone or the fact is another by now. Raises
    InvalidInputError when the numbers are no vector or of another length than the model's other vectors.
    """
    vector = unit(embedded.vector)
    dimension, current, new = _OF_MESSAGE if embedded.fact is None else _OF_ITEM
    of = {"key": embedded.key, "model": model_id, "fact": embedded.fact}
    others = (await connection.execute(dimension, of)).scalar()
    if others not in (None, len(vector)):
        raise InvalidInputError(
            "vector", f"has {len(vector)} numbers, the others of this model have {others}"
        )
    if (await connection.execute(current, of)).first() is None:
        return False
    values = {"dimension": len(vector), "vector": vector.tobytes(), "created_at": at}
    await connection.change(new, of | values)
    return True


def _statements(table: Table, key: str, current: Executable) -> tuple[Executable, Executable, Insert]:
    """How a vector is stored: the length of the model's others, whether its owner is there, the vector."""
    model, own = (
        bindparam(name, type_=table.c[of].type) for name, of in (("model", "model_id"), ("key", key))
    )
    others = select(table.c.dimension).where(table.c.model_id == model, table.c[key] != own)
    names = ("dimension", "vector", "created_at")
    new = insert(table).values({key: own, "model_id": model} | {name: bindparam(name) for name in names})
    values = {name: new.excluded[name] for name in names}
    return others.limit(1), current, new.on_conflict_do_update(index_elements=[key, "model_id"], set_=values)


# Built once: building a statement takes longer than running it.
_OF_MESSAGE = _statements(
    EVENT_VECTORS, "event_id", select(EVENTS.c.id).where(EVENTS.c.event_id == bindparam("key"))
)
_OF_ITEM = _statements(
    VECTORS,
    "memory_id",
    select(ITEMS.c.id).where(ITEMS.c.memory_id == bindparam("key"), ITEMS.c.fact == bindparam("fact")),
)


async def delete(connection: Connection, ref: ScopeRef, memory_id: str) -> bool:
    """Forget the vectors of an item of this scope; whether there were any."""
    here = select(ITEMS.c.memory_id).where(in_scopes(ITEMS.c, [ref]))
    of = VECTORS.c.memory_id
    return await connection.change(VECTORS.delete().where(of == memory_id, of.in_(here))) > 0


async def near(
    connection: Connection, item: Item, model_id: str | None, *, cosine: float, limit: int
) -> Sequence[tuple[Item, float | None]]:
    """Active items of its family that share most words with it or lie nearer than `cosine`, oldest first.

    At most `limit` by words and as many by vectors; with each its cosine, if both have a vector.
    """
    row, of = items.values_of(item), ITEMS.c
    same = (of[name] == row[name] for name in FAMILY)
    family = and_(of.status == Status.ACTIVE, of.memory_id != item.memory_id, *same)
    by_words = await keywords.nearest(connection, item.fact, family, limit=limit)
    cosines = await _cosines(connection, item.memory_id, family, model_id)
    close = sorted((-value, memory_id) for memory_id, value in cosines.items() if value > cosine)
    wanted = {memory_id for _, memory_id in close[:limit]} | {one.memory_id for one in by_words}
    query = select(ITEMS).where(of.memory_id.in_(wanted)).order_by(of.id)
    return [(one, cosines.get(one.memory_id)) for one in await items.listed(connection, query)]


async def _cosines(
    connection: Connection, memory_id: str, family: ColumnElement[bool], model_id: str | None
) -> dict[str, float]:
    """Of the newest of a family that have a vector of this model, by their ids; none without one's own."""
    of = VECTORS.c
    own = select(of.vector).where(of.memory_id == memory_id, of.model_id == model_id)
    base = (await connection.execute(own)).scalar()
    if base is None:
        return {}
    others = select(of.memory_id, of.vector).join(ITEMS, ITEMS.c.memory_id == of.memory_id)
    others = others.where(of.model_id == model_id, family)
    found = dict((await connection.execute(others.order_by(ITEMS.c.id.desc()).limit(_MAX_COMPARED))).all())
    vector = np.frombuffer(base, "<f4").astype(np.float64)
    rows = np.frombuffer(b"".join(found.values()), "<f4").reshape(-1, len(vector))
    return dict(zip(found, (rows @ vector).tolist(), strict=True))


class VectorStore(OnDatabaseWithClock):
    """All vectors, for the background work that makes and drops them.

    Vectors are stored in one step of the writing thread, so that the write lock is held for a short time.
    """

    items_without = reads(missing_vectors.items_without)
    last_event = reads(missing_vectors.last_event)
    events_without = reads(missing_vectors.events_without)
    progress = reads(missing_vectors.progress)

    async def put(self, tag: str, embedded: Sequence[Embedded]) -> int:
        """Store vectors, all or none; returns how many still fitted their item's fact or their message.

        Raises InvalidInputError when one is no vector or of another length than the others under this tag.
        """
        at = self._clock()

        async def work() -> int:
            return sum([await put(connection, tag, one, at=at) for one in embedded])

        async with self._database.writer() as connection:
            return await connection.inside(work)

    async def drop(self, model_id: str, *, others: bool = False, limit: int) -> int:
        """Forget vectors of this model, or of all `others`; returns how many went."""
        gone, own = 0, (model_id, bare(model_id))
        for table in (VECTORS, EVENT_VECTORS):
            which = table.c.model_id.not_in(own) if others else table.c.model_id.in_(own)
            if rows := await self._rows(select(table.c.id).where(which).limit(limit)):
                found = table.c.id.in_([row.id for row in rows])
                gone += await self._change(table.delete().where(found, which))
        return gone
