"""`ltm_items`: rows to items and back, and the queries over them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ..domain.chat import ScopeRef
from ..domain.enums import LIVE_STATUSES, WAITING, Level, MemoryType, Origin, Status
from ..domain.memory import Item
from ..models import EVIDENCE, IMPORTED_ITEMS, IMPORTS, ITEMS, VECTORS
from .columns import Ready, from_sqlite, scope_in, values_in
from .connection import Connection
from .store_health import readable

_C = ITEMS.c
MAX_OLDER = 50
"""Older items that are looked at; more are left out."""
LIVE = _C.status.in_([sa.literal_column(f"'{status}'") for status in sorted(LIVE_STATUSES)])
_ANY = sa.true()
WAITS = _C.status.in_(WAITING)
RECALLED = _C.status.in_((Status.ACTIVE, *WAITING))
"""Items that are recalled, or will be when somebody approves them."""
IMPORT_UNDONE = sa.exists().where(
    sa.and_(IMPORTED_ITEMS.c.memory_id == _C.memory_id, IMPORTED_ITEMS.c.import_id == IMPORTS.c.import_id),
    IMPORTS.c.undone_at >= _C.updated_at,
)
"""Items whose import was undone after their last change: none comes back by itself."""
_READ_BY_RULES = sa.or_(
    _C.origin == Origin.RULE, sa.and_(_C.origin == Origin.USER_EXPLICIT, _C.type == MemoryType.EPISODE)
)
"""What rules made of a message, or what a person asked to keep in their own words: a model may do better."""

type Mark = tuple[datetime, int]
"""An active item's place in the order in which they changed: when it did, and its row."""
_SAME = [field.name for field in fields(Item) if field.name in ITEMS.c]
"""The columns that are fields of an item; its owner has two."""
_FROM_SQLITE = [(column.name, from_sqlite(column)) for column in _C]

# What each statement about a person asks is built once: building a query takes longer than running it.
_AT = sa.and_(*(_C[name] == sa.bindparam(name) for name in ("scope", "scope_id", "level")))
_OF = sa.and_(_AT, _C.person == sa.bindparam("person"))
_ONE = Ready(sa.select(ITEMS).where(_C.memory_id == sa.bindparam("memory_id")))
_IMPORT_UNDONE = sa.select(sa.func.count()).where(_C.memory_id == sa.bindparam("memory_id"), IMPORT_UNDONE)
_UNDER_KEY = Ready(
    sa.select(ITEMS)
    .where(_OF, _C.fact_key == sa.bindparam("fact_key"))
    .order_by(sa.case((LIVE, 0), else_=1), _C.updated_at.desc(), _C.id.desc())
    .limit(1)
)
_IN_SLOT = Ready(sa.select(ITEMS).where(_OF, _C.slot == sa.bindparam("slot"), LIVE).order_by(_C.id))
_PERSONS = sa.select(_C.person).where(_AT, _C.person != "").group_by(_C.person).order_by(sa.func.min(_C.id))
_ON_EVENT = sa.select(EVIDENCE.c.memory_id).where(EVIDENCE.c.event_id == sa.bindparam("event_id"))
# The hint keeps the planner from looking through everything that was ever deleted.
_DELETED_ON = Ready(
    sa.select(ITEMS)
    .where(sa.func.likely(_C.status == Status.DELETED), _C.memory_id.in_(_ON_EVENT))
    .order_by(_C.id)
)
_INSERT = ITEMS.insert()
_UPDATE = (
    ITEMS.update()
    .where(_C.memory_id == sa.bindparam("of"))
    .values({name: sa.bindparam(name) for name in (*_SAME, "scope", "scope_id")})
)


def item_of(row: sa.RowMapping | Mapping[str, Any]) -> Item:
    """The item a row of `ltm_items` holds."""
    return Item(owner=scope_in(row), **values_in(row, _SAME))


def item_in(row: Sequence[Any]) -> Item:
    """The item that a row of `ltm_items` holds as SQLite has it; more columns may follow."""
    return item_of({name: of(value) for (name, of), value in zip(_FROM_SQLITE, row, strict=False)})


def values_of(item: Item) -> dict[str, Any]:
    """The row of `ltm_items` that holds this item."""
    own = {name: getattr(item, name) for name in _SAME}
    return own | {"scope": item.owner.scope, "scope_id": item.owner.scope_id}


async def insert(connection: Connection, item: Item) -> None:
    """Store a new item; the schema refuses it unless its evidence is there already."""
    await connection.change(_INSERT, values_of(item))


async def update(connection: Connection, item: Item) -> bool:
    """Replace the stored item of the same id; False when there is none."""
    return await connection.change(_UPDATE, values_of(item) | {"of": item.memory_id}) == 1


async def get(connection: Connection, memory_id: str) -> Item | None:
    """The item with this id, whatever its status."""
    return next(iter(await looked_up(connection, _ONE, {"memory_id": memory_id})), None)


async def by_id(connection: Connection, memory_ids: Collection[str]) -> Mapping[str, Item]:
    """Those of the items that are still there, whatever their status."""
    found = await listed(connection, sa.select(ITEMS).where(_C.memory_id.in_(memory_ids)))
    return {item.memory_id: item for item in found}


async def import_undone(connection: Connection, memory_id: str) -> bool:
    """Whether this item is among the `IMPORT_UNDONE`."""
    return bool((await connection.scalars(_IMPORT_UNDONE, {"memory_id": memory_id}))[0])


async def find(
    connection: Connection, owner: ScopeRef, level: Level, fact_key: str, person: str
) -> Item | None:
    """The item of this identity: the live one if there is one, else the newest of the others."""
    asked = _at(owner, level) | {"person": person, "fact_key": fact_key}
    return next(iter(await looked_up(connection, _UNDER_KEY, asked)), None)


async def same_slot(
    connection: Connection, owner: ScopeRef, level: Level, slot: str, person: str
) -> Sequence[Item]:
    """Live items of this owner, level and person that answer this slot, oldest first."""
    return await looked_up(connection, _IN_SLOT, _at(owner, level) | {"person": person, "slot": slot})


async def persons(connection: Connection, owner: ScopeRef, level: Level) -> Sequence[str]:
    """The labels of the persons of this owner and level, in the order in which they were first told of."""
    return await connection.scalars(_PERSONS, _at(owner, level))


def _at(owner: ScopeRef, level: Level) -> dict[str, Any]:
    return {"scope": owner.scope, "scope_id": owner.scope_id, "level": level}


async def memory_ids(connection: Connection, rows: Collection[int]) -> Mapping[int, str]:
    """The ids of these rows, as far as they are there."""
    found = await connection.execute(sa.select(_C.id, _C.memory_id).where(_C.id.in_(rows)))
    return {row.id: row.memory_id for row in found}


async def listed(
    connection: Connection, query: sa.Select[Any], asked: Mapping[str, Any] | None = None
) -> list[Item]:
    """The items of a query over whole rows of `ltm_items`."""
    return [item_of(row) for row in (await connection.execute(query, asked)).mappings()]


async def looked_up(connection: Connection, query: Ready, asked: Mapping[str, Any]) -> list[Item]:
    """The items of a `Ready` query over whole rows of `ltm_items`."""
    rows = await connection.rows(query, asked)
    with readable():
        return [*map(item_in, rows)]


async def beginning(connection: Connection, id_prefix: str, *, limit: int) -> list[Item]:
    """Items of any status whose id begins like this, oldest first."""
    query = sa.select(ITEMS).where(_C.memory_id.startswith(id_prefix, autoescape=True))
    return await listed(connection, query.order_by(_C.id).limit(limit))


async def older(
    connection: Connection, memory_ids: Sequence[str], allowed: sa.ColumnElement[bool] = _ANY
) -> Mapping[str, Sequence[Item]]:
    """By the id of each, the superseded items that it replaced, directly or through others, latest first.

    What `allowed` lets not through ends its branch. A circle, left by going back and forth, ends after
    `MAX_OLDER` steps; each item is told once.
    """
    replaced = sa.and_(_C.status == Status.SUPERSEDED, allowed)
    first = sa.select(_C.superseded_by.label("newest"), _C.memory_id, sa.literal(1).label("steps"))
    chain = first.where(_C.superseded_by.in_(memory_ids), replaced).cte(recursive=True)
    next_ones = sa.select(chain.c.newest, _C.memory_id, chain.c.steps + 1).join_from(
        chain, ITEMS, sa.and_(_C.superseded_by == chain.c.memory_id, replaced)
    )
    chain = chain.union(next_ones.where(chain.c.steps < MAX_OLDER))
    met = sa.select(chain.c.newest, chain.c.memory_id).distinct().subquery()
    found = {memory_id: list[Item]() for memory_id in memory_ids}
    query = sa.select(met.c.newest, ITEMS).join(met, met.c.memory_id == _C.memory_id)
    others = query.where(_C.memory_id != met.c.newest).order_by(_C.updated_at.desc(), _C.id.desc())
    for row in (await connection.execute(others)).mappings():
        if len(found[row["newest"]]) < MAX_OLDER:
            found[row["newest"]].append(item_of(row))
    return found


async def deleted_on(connection: Connection, event_id: str) -> list[Item]:
    """Deleted items that this event is evidence of, oldest first."""
    return await looked_up(connection, _DELETED_ON, {"event_id": event_id})


async def extracted_by_rules(connection: Connection, event_ids: Sequence[str]) -> list[Item]:
    """Live items that rules found or a tool saved of these events alone: a model's reading replaces them."""
    here = sa.select(EVIDENCE.c.memory_id).where(EVIDENCE.c.event_id.in_(event_ids))
    by_tool = here.where(sa.func.json_extract(EVIDENCE.c.extraction_meta, "$.tool").is_not(None))
    elsewhere = sa.select(EVIDENCE.c.memory_id).where(EVIDENCE.c.event_id.not_in(event_ids))
    read = sa.or_(_READ_BY_RULES, _C.memory_id.in_(by_tool))
    query = sa.select(ITEMS).where(LIVE, read, _C.memory_id.in_(here), _C.memory_id.not_in(elsewhere))
    return await listed(connection, query.order_by(_C.id))


async def pending_for(connection: Connection, reasons: Collection[str], *, limit: int) -> list[Item]:
    """Pending items with one of these reasons, oldest first, at most `limit` of each chat."""
    waits = sa.and_(_C.status == Status.PENDING, _C.reason.in_(sorted(reasons)))
    place = sa.func.row_number().over(partition_by=_C.origin_umo, order_by=_C.id).label("place")
    placed = sa.select(_C.id, place).where(waits).subquery()
    first = sa.select(placed.c.id).where(placed.c.place <= limit)
    return await listed(connection, sa.select(ITEMS).where(_C.id.in_(first)).order_by(_C.id))


async def changed(
    connection: Connection, model_id: str | None, *, after: Mark | None, limit: int
) -> Sequence[tuple[Item, Mark]]:
    """Active items that changed after the mark, or got their vector of this model, longest ago first."""
    own = VECTORS.c.memory_id == _C.memory_id, VECTORS.c.model_id == (model_id or "")
    embedded = sa.select(sa.func.max(VECTORS.c.created_at)).where(*own).scalar_subquery()
    at = sa.case((embedded > _C.updated_at, embedded), else_=_C.updated_at)
    query = sa.select(*ITEMS.columns, at.label("changed_at")).where(_C.status == Status.ACTIVE)
    if after:
        mark = sa.tuple_(sa.literal(after[0], _C.updated_at.type), after[1])
        query = query.where(sa.tuple_(at, _C.id) > mark)
    rows = (await connection.execute(query.order_by(at, _C.id).limit(limit))).mappings()
    return [(item_of(row), (row["changed_at"], row["id"])) for row in rows]


async def counts(connection: Connection) -> Mapping[tuple[Status, MemoryType], int]:
    """How many items there are of each status and type."""
    query = sa.select(_C.status, _C.type, sa.func.count()).group_by(_C.status, _C.type)
    return {(status, kind): number for status, kind, number in await connection.execute(query)}
