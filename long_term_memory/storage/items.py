"""`ltm_items`: rows to items and back, and the queries over them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Select, and_, case, func, or_, select

from ..domain.chat import ScopeRef
from ..domain.memory import Item, ItemFilter, ItemPage
from ..domain.words import LIVE_STATUSES, Audience, Level, MemoryType, Origin, Scope, Status
from ..models import EVIDENCE, ITEMS
from ..policies.succession import RATE_RULES
from . import keywords
from .seat import Seat

_C = ITEMS.c
_SEARCHED = (_C.fact, _C.fact_key, _C.person, _C.relationship, _C.backstory, _C.slot)
_QUERY_WORDS = 8
_QUERY_LENGTH = 200
LIVE = _C.status.in_(sorted(LIVE_STATUSES))
_HELD = _C.status.in_((Status.SHADOW, Status.PENDING))


def item_of(row: RowMapping) -> Item:
    """The item a row of `ltm_items` holds."""
    return Item(
        memory_id=row["memory_id"],
        owner=ScopeRef(scope=Scope(row["scope"]), scope_id=row["scope_id"]),
        type=MemoryType(row["type"]),
        fact=row["fact"],
        fact_key=row["fact_key"],
        confidence=row["confidence"],
        importance=row["importance"],
        evidence_count=row["evidence_count"],
        ttl_days=row["ttl_days"],
        status=Status(row["status"]),
        reason=row["reason"],
        level=Level(row["level"]),
        audience=Audience(row["audience"]),
        origin=Origin(row["origin"]),
        origin_umo=row["origin_umo"],
        person=row["person"],
        teller=row["teller"],
        relationship=row["relationship"],
        backstory=row["backstory"],
        slot=row["slot"],
        superseded_by=row["superseded_by"],
        supersedes=tuple(row["supersedes"]),
        tags=tuple(row["tags"]),
        emotion=row["emotion"],
        persona_id=row["persona_id"],
        access_count=row["access_count"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        last_confirmed_at=row["last_confirmed_at"],
        last_accessed_at=row["last_accessed_at"],
        expires_at=row["expires_at"],
        deleted_at=row["deleted_at"],
    )


def values_of(item: Item) -> dict[str, Any]:
    """The row of `ltm_items` that holds this item."""
    return {
        "memory_id": item.memory_id,
        "scope": item.owner.scope,
        "scope_id": item.owner.scope_id,
        "type": item.type,
        "fact": item.fact,
        "fact_key": item.fact_key,
        "confidence": item.confidence,
        "importance": item.importance,
        "evidence_count": item.evidence_count,
        "ttl_days": item.ttl_days,
        "status": item.status,
        "reason": item.reason,
        "level": item.level,
        "audience": item.audience,
        "origin": item.origin,
        "origin_umo": item.origin_umo,
        "person": item.person,
        "teller": item.teller,
        "relationship": item.relationship,
        "backstory": item.backstory,
        "slot": item.slot,
        "superseded_by": item.superseded_by,
        "supersedes": list(item.supersedes),
        "tags": list(item.tags),
        "emotion": item.emotion,
        "persona_id": item.persona_id,
        "access_count": item.access_count,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "last_confirmed_at": item.last_confirmed_at,
        "last_accessed_at": item.last_accessed_at,
        "expires_at": item.expires_at,
        "deleted_at": item.deleted_at,
    }


async def insert(connection: Seat, item: Item) -> None:
    """Store a new item; the schema refuses it unless its evidence is there already."""
    await connection.change(ITEMS.insert().values(values_of(item)))


async def update(connection: Seat, item: Item) -> bool:
    """Replace the stored item of the same id; False when there is none."""
    changed = await connection.change(
        ITEMS.update().where(_C.memory_id == item.memory_id).values(values_of(item))
    )
    return changed == 1


async def get(connection: Seat, memory_id: str) -> Item | None:
    """The item with this id, whatever its status."""
    return await _first(connection, select(ITEMS).where(_C.memory_id == memory_id))


async def find(connection: Seat, owner: ScopeRef, level: Level, fact_key: str, person: str) -> Item | None:
    """The item of this identity: the live one if there is one, else the newest of the others."""
    live_first = case((LIVE, 0), else_=1)
    same = and_(of_scope(owner), _C.level == level, _C.fact_key == fact_key, _C.person == person)
    query = select(ITEMS).where(same).order_by(live_first, _C.updated_at.desc(), _C.id.desc())
    return await _first(connection, query.limit(1))


async def similar(
    connection: Seat, owner: ScopeRef, level: Level, text: str, *, limit: int
) -> Sequence[Item]:
    """Items of this owner and level, of whatever status, that share most words with the text, best first."""
    here = and_(of_scope(owner), _C.level == level, _C.fact != "")
    return [item_of(row) for row in await keywords.nearest(connection, text, here, limit=limit)]


async def same_slot(
    connection: Seat, owner: ScopeRef, level: Level, slot: str, person: str
) -> Sequence[Item]:
    """Live items of this owner, level and person that answer this slot, oldest first."""
    answers = and_(of_scope(owner), _C.level == level, _C.slot == slot, _C.person == person)
    return await listed(connection, select(ITEMS).where(answers, LIVE).order_by(_C.id))


def of_scope(ref: ScopeRef) -> ColumnElement[bool]:
    """Items of this scope."""
    return and_(_C.scope == ref.scope, _C.scope_id == ref.scope_id)


async def listed(connection: Seat, query: Select[Any]) -> list[Item]:
    """The items of a query over whole rows of `ltm_items`."""
    return [item_of(row) for row in (await connection.execute(query)).mappings()]


async def _first(connection: Seat, query: Select[Any]) -> Item | None:
    row = (await connection.execute(query)).mappings().first()
    return None if row is None else item_of(row)


async def live_in_scope(connection: Seat, owner: ScopeRef, *, full_at: int) -> list[Item]:
    """Live items of a scope that holds `full_at` or more, least recently confirmed first; else none."""
    live = and_(of_scope(owner), LIVE)
    if await _count(connection, live) < full_at:
        return []
    return await listed(connection, select(ITEMS).where(live).order_by(_C.last_confirmed_at, _C.id))


async def waiting(connection: Seat, id_prefix: str, *, limit: int | None) -> list[Item]:
    """Items that wait for approval, in shadow or as pending, whose id begins like this, oldest first."""
    query = select(ITEMS).where(_HELD, _C.memory_id.startswith(id_prefix, autoescape=True))
    return await listed(connection, query.order_by(_C.id).limit(limit))


async def waiting_page(connection: Seat, *, page: int, page_size: int) -> ItemPage:
    """One page of the items that wait for approval, oldest first; pages count from 1."""
    query = select(ITEMS).where(_HELD).order_by(_C.id).limit(page_size).offset((page - 1) * page_size)
    found = await listed(connection, query)
    return ItemPage(items=found, total=await _count(connection, _HELD), page=page, page_size=page_size)


async def live(connection: Seat, id_prefix: str, *, limit: int) -> list[Item]:
    """Live items whose id begins like this, oldest first."""
    query = select(ITEMS).where(LIVE, _C.memory_id.startswith(id_prefix, autoescape=True))
    return await listed(connection, query.order_by(_C.id).limit(limit))


async def deleted_on(connection: Seat, event_id: str) -> list[Item]:
    """Deleted items that this event is evidence of, oldest first."""
    rests = select(EVIDENCE.c.memory_id).where(EVIDENCE.c.event_id == event_id)
    # The hint keeps the planner from looking through everything that was ever deleted.
    deleted = func.likely(_C.status == Status.DELETED)
    return await listed(connection, select(ITEMS).where(deleted, _C.memory_id.in_(rests)).order_by(_C.id))


async def created_since(connection: Seat, since: datetime, umo: str | None = None) -> int:
    """How many items were created after `since`, in one chat or in all.

    What waits because of a rate does not use it up: else a steady stream would never be let in again.
    """
    here = () if umo is None else (_C.origin_umo == umo,)
    let_in = _C.reason.not_in(sorted(RATE_RULES))
    return await _count(connection, and_(_C.created_at > since, let_in, *here))


async def counts(connection: Seat) -> Mapping[tuple[Status, MemoryType], int]:
    """How many items there are of each status and type."""
    query = select(_C.status, _C.type, func.count()).group_by(_C.status, _C.type)
    rows = (await connection.execute(query)).all()
    return {(Status(status), MemoryType(kind)): number for status, kind, number in rows}


async def page(connection: Seat, wanted: ItemFilter) -> ItemPage:
    """One page of the operator's list, last changed first."""
    return await page_of(connection, _matching(wanted), page=wanted.page, page_size=wanted.page_size)


async def page_of(connection: Seat, condition: ColumnElement[bool], *, page: int, page_size: int) -> ItemPage:
    """One page of the items a condition holds for, last changed first; pages count from 1."""
    query = select(ITEMS).where(condition).order_by(_C.updated_at.desc(), _C.id.desc())
    found = await listed(connection, query.limit(page_size).offset((page - 1) * page_size))
    return ItemPage(items=found, total=await _count(connection, condition), page=page, page_size=page_size)


async def _count(connection: Seat, condition: ColumnElement[bool]) -> int:
    counted = await connection.execute(select(func.count()).select_from(ITEMS).where(condition))
    return int(counted.scalar_one())


def _matching(wanted: ItemFilter) -> ColumnElement[bool]:
    exact = {
        _C.scope: wanted.scope,
        _C.scope_id: wanted.scope_id,
        _C.type: wanted.type,
        _C.status: wanted.status,
    }
    terms = [column == value for column, value in exact.items() if value is not None]
    return and_(_C.id.is_not(None), *terms, *_each_word(wanted.query or ""))


def _each_word(query: str) -> Sequence[ColumnElement[bool]]:
    """Every word of the query occurs somewhere in the text, `%` and `_` taken as written."""
    words = query[:_QUERY_LENGTH].replace("\0", " ").split()[:_QUERY_WORDS]
    return [or_(*(column.contains(word, autoescape=True) for column in _SEARCHED)) for word in words]
