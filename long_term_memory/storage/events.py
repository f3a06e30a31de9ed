"""`ltm_events`: what happened, and rows written and read one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, Select, func, select
from sqlalchemy.dialects.sqlite import insert

from ..domain.chat import ScopeRef
from ..domain.memory import Event
from ..domain.words import Extraction, Level, Role, Scope, SourceType
from ..models import EVENTS
from .seat import Seat

_C = EVENTS.c


@dataclass(frozen=True, kw_only=True)
class EventCounts:
    """How extraction stands, for the operator."""

    by_state: Mapping[Extraction, int]
    """Every state has its number."""
    last_error: str
    """Of the event that failed last, given up or still waiting; empty when none has failed."""


def event_of(row: RowMapping) -> Event:
    """The event a row of `ltm_events` holds."""
    return Event(
        event_id=row["event_id"],
        at_scope=ScopeRef(scope=Scope(row["scope"]), scope_id=row["scope_id"]),
        owner=ScopeRef(scope=Scope(row["owner_scope"]), scope_id=row["owner_scope_id"]),
        source_type=SourceType(row["source_type"]),
        role=Role(row["source_role"]),
        text=row["content"].get("text", ""),
        tool=row["content"].get("tool", ""),
        quoted=row["content"].get("quoted", ""),
        platform_id=row["platform_id"],
        umo=row["session_id"],
        conversation_id=row["conversation_id"],
        message_id=row["message_id"],
        sender_id=row["sender_id"],
        sender_name=row["sender_name"],
        level=Level(row["level"]),
        created_at=row["created_at"],
        extraction=Extraction(row["extraction"]),
        attempts=row["attempts"],
        last_error=row["last_error"],
    )


def values_of(event: Event) -> dict[str, Any]:
    """The row of `ltm_events` that holds this event."""
    return {
        "event_id": event.event_id,
        "scope": event.at_scope.scope,
        "scope_id": event.at_scope.scope_id,
        "owner_scope": event.owner.scope,
        "owner_scope_id": event.owner.scope_id,
        "source_type": event.source_type,
        "source_role": event.role,
        "content": {"text": event.text, "tool": event.tool, "quoted": event.quoted},
        "platform_id": event.platform_id,
        "session_id": event.umo,
        "conversation_id": event.conversation_id,
        "message_id": event.message_id,
        "sender_id": event.sender_id,
        "sender_name": event.sender_name,
        "level": event.level,
        "extraction": event.extraction,
        "attempts": event.attempts,
        "last_error": event.last_error,
        "created_at": event.created_at,
    }


async def add(connection: Seat, events: Sequence[Event]) -> None:
    """Store events; one that is there already is left as it is."""
    if events:
        statement = insert(EVENTS).on_conflict_do_nothing(index_elements=["event_id"])
        await connection.change(statement, [values_of(event) for event in events])


async def mark(connection: Seat, event_ids: Sequence[str], extraction: Extraction, error: str) -> None:
    """Move events on; nothing else about them changes."""
    await connection.change(
        EVENTS.update().where(_C.event_id.in_(event_ids)).values(extraction=extraction, last_error=error)
    )


async def still_pending(connection: Seat, event_ids: Sequence[str]) -> frozenset[str]:
    """Those of these events that are still there and still pending."""
    query = select(_C.event_id).where(_C.event_id.in_(event_ids), _C.extraction == Extraction.PENDING)
    return frozenset((await connection.execute(query)).scalars())


async def listed(connection: Seat, query: Select[Any]) -> list[Event]:
    """The events of a query over whole rows of `ltm_events`."""
    return [event_of(row) for row in (await connection.execute(query)).mappings()]


async def counts(connection: Seat) -> EventCounts:
    """How many events there are in each state, and why the last one failed."""
    grouped = await connection.execute(select(_C.extraction, func.count()).group_by(_C.extraction))
    found = {Extraction(state): number for state, number in grouped.all()}
    failed = select(_C.last_error).where(_C.extraction.in_((Extraction.PENDING, Extraction.FAILED)))
    newest = failed.where(_C.last_error != "").order_by(_C.created_at.desc(), _C.id.desc()).limit(1)
    error = (await connection.execute(newest)).scalar()
    return EventCounts(by_state={state: found.get(state, 0) for state in Extraction}, last_error=error or "")


async def postpone(
    connection: Seat, event_ids: Sequence[str], *, until: datetime, error: str, attempted: bool
) -> None:
    """Leave the events alone until then, and count a failed attempt if there was one."""
    await connection.change(
        EVENTS.update()
        .where(_C.event_id.in_(event_ids))
        .values(attempts=_C.attempts + int(attempted), retry_at=until, last_error=error)
    )


async def give_up(connection: Seat, event_ids: Sequence[str], error: str) -> None:
    """Count a failed attempt and move the events to `failed`."""
    await connection.change(
        EVENTS.update()
        .where(_C.event_id.in_(event_ids))
        .values(attempts=_C.attempts + 1, extraction=Extraction.FAILED, last_error=error)
    )
