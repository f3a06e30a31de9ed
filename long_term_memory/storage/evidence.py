"""`ltm_evidence`: why an item may exist."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Executable, RowMapping, bindparam, case, func, select

from ..domain.chat import ScopeRef
from ..domain.enums import Level, Scope, Stance
from ..domain.memory import Event, Evidence, EvidenceInContext
from ..models import EVENTS, EVIDENCE, ITEMS
from ..text_analysis.quotes import surroundings
from . import events
from .columns import Ready, scope_in, values_in
from .connection import Connection

_C = EVIDENCE.c
QUOTES_INDEXED = 8
"""An item confirmed a hundred times is found by its newest words as well as by all."""
_COLUMNS = [field.name for field in fields(Evidence)]
_IN_CONTEXT = (
    select(
        *EVIDENCE.columns,
        EVENTS.c.source_role,
        EVENTS.c.sender_id,
        EVENTS.c.sender_name,
        EVENTS.c.created_at.label("said_at"),
        EVENTS.c.session_id,
    )
    .join(EVENTS, EVENTS.c.event_id == _C.event_id)
    .order_by(EVENTS.c.created_at, EVENTS.c.id)
)

# What is asked of each fact that is written is built once: building a query takes longer than running it.
_INSERT = EVIDENCE.insert()
_OF_ITEM = _C.memory_id == bindparam("memory_id")
_LINK = Ready(select(_C.id).where(_OF_ITEM, _C.event_id == bindparam("event_id")))
_NEWEST_META = select(_C.extraction_meta).where(_OF_ITEM).order_by(_C.id.desc()).limit(1)
_ON_EVENTS = EVENTS.join(EVIDENCE, EVENTS.c.event_id == _C.event_id)
_LAST_SAID = (
    select(func.max(EVENTS.c.created_at, type_=EVENTS.c.created_at.type))
    .select_from(_ON_EVENTS)
    .where(_OF_ITEM)
)
_IN_GROUPS = select(EVENTS.c.scope, EVENTS.c.scope_id).select_from(_ON_EVENTS)
_SAID_IN = _IN_GROUPS.where(_OF_ITEM, EVENTS.c.scope == Scope.GROUP).distinct()
_QUOTE_WITH_TAGS = _C.quote + " " + func.coalesce(func.json_extract(_C.extraction_meta, "$.tags"), "")
_QUOTES = Ready(
    select(_QUOTE_WITH_TAGS)
    .join(EVENTS, EVENTS.c.event_id == _C.event_id)
    .join(ITEMS, ITEMS.c.memory_id == _C.memory_id)
    .where(_OF_ITEM, EVENTS.c.session_id == ITEMS.c.origin_umo)
    .order_by(_C.id.desc())
    .limit(QUOTES_INDEXED)
)


async def add(connection: Connection, evidence: Sequence[Evidence]) -> None:
    """Link events to items. The events exist; a link that is there already is an IntegrityError."""
    if evidence:
        await connection.change(_INSERT, [values_of(one) for one in evidence])


def values_of(evidence: Evidence) -> dict[str, Any]:
    """The row of `ltm_evidence` that holds this piece."""
    values = {name: getattr(evidence, name) for name in _COLUMNS}
    return values | {"extraction_meta": dict(evidence.extraction_meta)}


async def exists(connection: Connection, memory_id: str, event_id: str) -> bool:
    """Whether this event already counts for this item."""
    return bool(await connection.column(_LINK, {"memory_id": memory_id, "event_id": event_id}))


async def stance_of(connection: Connection, memory_id: str) -> Stance:
    """How long an item holds, as its newest evidence says; lasting when that says nothing."""
    found = await connection.execute(_NEWEST_META, {"memory_id": memory_id})
    meta: Mapping[str, object] = found.scalar() or {}
    stance = meta.get("stance", "")
    return Stance(stance) if stance in list(Stance) else Stance.LASTING


async def events_of(connection: Connection, memory_id: str) -> list[Event]:
    """The events an item rests on, oldest first."""
    resting = select(EVENTS).select_from(_ON_EVENTS).where(_C.memory_id == memory_id)
    return await events.listed(connection, resting.order_by(EVENTS.c.created_at, EVENTS.c.id))


async def last_said(connection: Connection, memory_id: str) -> datetime | None:
    """When the newest words that an item rests on were said; None when none are left."""
    return (await connection.execute(_LAST_SAID, {"memory_id": memory_id})).scalar()


async def in_messages(connection: Connection, ids: Sequence[str]) -> dict[str, list[EvidenceInContext]]:
    """Memory id to all it rests on, oldest words first, with what stands around each quote: for operators.

    People see no more of a message than the quote: it may hold what their chat may not be told.
    """

    def with_surroundings(row: RowMapping) -> EvidenceInContext:
        before, after = surroundings(row["quote"], row["content"].get("text", ""))
        return replace(_in_context(row), before=before, after=after)

    query = _IN_CONTEXT.add_columns(EVENTS.c.content).where(_C.memory_id.in_(ids))
    return await _grouped(connection, query, with_surroundings)


async def of_items(
    connection: Connection, memory_ids: Sequence[str], allowed: ColumnElement[bool]
) -> dict[str, list[EvidenceInContext]]:
    """Memory id to what it rests on, oldest words first; only events that `allowed` holds for."""
    return await _grouped(connection, _IN_CONTEXT.where(_C.memory_id.in_(memory_ids), allowed), _in_context)


async def _grouped[T](
    connection: Connection, query: Executable, of: Callable[[RowMapping], T], by: str = "memory_id"
) -> dict[str, list[T]]:
    found = dict[str, list[T]]()
    for row in (await connection.execute(query)).mappings():
        found.setdefault(row[by], []).append(of(row))
    return found


async def level_said_at(connection: Connection, memory_id: str) -> Level:
    """The highest level at which something was said that an item rests on; an item without is for nobody."""
    highest = select(func.max(EVENTS.c.level)).select_from(_ON_EVENTS).where(_C.memory_id == memory_id)
    return (await connection.execute(highest)).scalar() or Level.RESTRICTED


def _in_context(row: RowMapping) -> EvidenceInContext:
    same = values_in(row, (*_COLUMNS, "sender_id", "sender_name", "said_at"))
    return EvidenceInContext(role=row["source_role"], umo=row["session_id"], **same)


async def on_events(connection: Connection, event_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Event id to the memory ids of the items, of whatever scope, that rest on it."""
    query = select(_C.event_id, _C.memory_id).where(_C.event_id.in_(event_ids))
    return await _grouped(connection, query, lambda row: row["memory_id"], by="event_id")


async def links_of(connection: Connection, memory_id: str) -> list[Evidence]:
    """The evidence of an item as it is stored, oldest link first."""
    rows = await connection.execute(select(EVIDENCE).where(_C.memory_id == memory_id).order_by(_C.id))
    return [Evidence(**values_in(row, _COLUMNS)) for row in rows.mappings()]


async def said_in(connection: Connection, memory_id: str) -> frozenset[ScopeRef]:
    """The groups in which an item's words were said: where a person's item surfaces beside private chats."""
    places = await connection.execute(_SAID_IN, {"memory_id": memory_id})
    return frozenset(map(scope_in, places.mappings()))


async def quotes(connection: Connection, memory_id: str) -> list[str]:
    """The newest distinct quotes of an item from the chat it was said in, with tags.

    Those from elsewhere would let one chat's search find what was said in another.
    """
    return list(dict.fromkeys(await connection.column(_QUOTES, {"memory_id": memory_id})))


def quotes_of_each(allowed: ColumnElement[bool]) -> ColumnElement[str]:
    """The newest distinct quotes of each item of a query, with tags, from events that `allowed` holds for."""
    # Decided after an outer join, so that nobody goes through all events of a group for those of an item.
    newest = func.max(case((allowed, _C.id)))
    found = (
        select(_QUOTE_WITH_TAGS.label("quote"))
        .join(EVENTS, EVENTS.c.event_id == _C.event_id, isouter=True)
        .where(_C.memory_id == ITEMS.c.memory_id)
        .group_by(_C.quote)
        .having(newest.is_not(None))
        .order_by(newest.desc())
        .limit(QUOTES_INDEXED)
        .correlate(ITEMS)
        .subquery()
    )
    return select(func.group_concat(found.c.quote, " ")).scalar_subquery()
