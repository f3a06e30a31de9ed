"""`ltm_events`: what happened, and rows written and read one by one."""

import asyncio
import re
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import ColumnElement, RowMapping, Select, and_, bindparam, func, or_, select, text, tuple_
from sqlalchemy.dialects.sqlite import insert

from ..domain.chat import ScopeRef
from ..domain.enums import Extraction, Role
from ..domain.memory import Event
from ..models import EVENT_CONTENT, EVENTS
from ..policies.token_cap import DAILY_CAP
from .columns import Ready, quoted, scope_in, values_in
from .connection import Connection
from .paused import is_of_paused

_C = EVENTS.c
IS_EXPLICIT_SAVE = and_(_C.source_role == Role.USER, _C.extraction == Extraction.SKIPPED, _C.last_error == "")
"""The words of an explicit save (`write.record.event_of_command`): evidence, and no part of the talk."""
SPOKEN = and_(_C.source_role.in_((Role.USER, Role.ASSISTANT)), ~IS_EXPLICIT_SAVE)
"""The talk: what people and the bot said."""
NEWEST = (_C.created_at.desc(), _C.id.desc())
_place = tuple_(_C.created_at, _C.id)
"""Of a message among those of its chat."""
_IN_ANY_STATE = text(f"ltm_events.extraction IN ({quoted(sorted(Extraction))})")
"""True of each event: with it the index of the queue finds those of a chat."""
FREE: Mapping[str, Any] = {"lease": "", "leased_until": None}
"""What an event that nobody is extracting has."""
_MOST_ASKED, _ASKED = 3, 500
"""Messages that matter to the next one, and the characters at their ends."""
_ASKED_WITHIN = timedelta(days=1)
"""Bounds the search in a group where the bot hardly speaks."""
_QUESTION = re.compile("[?？]")
_NEW = insert(EVENTS)
_HIGHER = {"level": _NEW.excluded["level"]}
_ADD = _NEW.on_conflict_do_update(
    index_elements=["event_id"], set_=_HIGHER, where=_C.level < _NEW.excluded["level"]
)
_WAITING = Ready(
    select(func.count())
    .select_from(EVENTS)
    .where(
        _C.extraction == Extraction.PENDING,
        _C.session_id == bindparam("umo"),
        _C.scope_id == bindparam("scope_id"),
        _C.source_role == Role.USER,
    )
)
TEXT = _C.content["text"].as_string()
_LAST_TEXTS = Ready(
    select(func.coalesce(TEXT, ""))
    .where(
        and_(_IN_ANY_STATE, _C.session_id == bindparam("umo"), _C.scope_id == bindparam("scope_id")),
        and_(_C.created_at < bindparam("before"), _C.created_at > bindparam("after")),
        or_(_C.source_role == Role.ASSISTANT, TEXT.contains("[secret:", autoescape=True)),
    )
    .order_by(*NEWEST)
    .limit(_MOST_ASKED)
)


@dataclass(frozen=True, kw_only=True)
class EventCounts:
    """How extraction stands, for the operator."""

    events: Mapping[str, int]
    """How many there are in each state; every state has its number."""
    last_error: str
    """Of the event that failed last, given up or still waiting; empty when none has failed.

    Waiting for the next day's tokens is no failure.
    """
    last_error_at: datetime | None
    """When that event happened."""
    passed_over: int
    """How many were skipped for a reason: the model could not be asked about all that was said."""


_SAME = [field.name for field in fields(Event) if field.name in EVENTS.c]
"""The columns that are fields of an event under the same name."""


def event_of(row: RowMapping) -> Event:
    """The event a row of `ltm_events` holds."""
    return Event(
        at_scope=scope_in(row),
        owner=scope_in(row, "owner_"),
        role=row["source_role"],
        umo=row["session_id"],
        **{key: row["content"].get(key, "") for key in EVENT_CONTENT},
        **values_in(row, _SAME),
    )


def values_of(event: Event) -> dict[str, Any]:
    """The row of `ltm_events` that holds this event."""
    return {name: getattr(event, name) for name in _SAME} | {
        "scope": event.at_scope.scope,
        "scope_id": event.at_scope.scope_id,
        "owner_scope": event.owner.scope,
        "owner_scope_id": event.owner.scope_id,
        "source_type": "tool_result" if event.role is Role.TOOL else "message",
        "source_role": event.role,
        "session_id": event.umo,
        "content": {key: getattr(event, key) for key in EVENT_CONTENT},
    }


def add(connection: Connection, events: Sequence[Event]) -> Awaitable[object]:
    """Store events; of one that is there already nothing changes but its level, and that only rises."""
    return connection.change(_ADD, [values_of(event) for event in events]) if events else asyncio.sleep(0)


async def mark(
    connection: Connection, event_ids: Sequence[str], extraction: Extraction, error: str = ""
) -> None:
    """Move events on, whoever held them."""
    these = EVENTS.update().where(_C.event_id.in_(event_ids))
    await connection.change(these.values(extraction=extraction, last_error=error, **FREE))


async def before(connection: Connection, event: Event, *, limit: int) -> list[Event]:
    """The newest messages of the chat of this event before it, oldest first; no commands."""
    spoken, at = _around(event)
    query = select(EVENTS).where(spoken, _place < at).order_by(*NEWEST)
    return (await listed(connection, query.limit(limit)))[::-1]


async def after(connection: Connection, event: Event, *, limit: int) -> list[Event]:
    """The first messages of the chat of this event after it, oldest first; no commands."""
    spoken, at = _around(event)
    query = select(EVENTS).where(spoken, _place > at).order_by(_C.created_at, _C.id)
    return await listed(connection, query.limit(limit))


def _around(event: Event) -> tuple[ColumnElement[bool], ColumnElement[Any]]:
    """The talk of this event's chat but of people paused, and the place of the event."""
    here = select(_C.id).where(_C.event_id == event.event_id).scalar_subquery()
    at = tuple_(event.created_at, here, types=[_C.created_at.type, _C.id.type])
    chat = and_(_C.session_id == event.umo, _C.scope_id == event.at_scope.scope_id, _C.level <= event.level)
    return and_(chat, SPOKEN, ~is_of_paused()), at


async def asked_before(connection: Connection, umo: str, scope_id: str, *, before: datetime) -> str:
    """The ends of the last messages before this instant that are the bot's or have a masked secret.

    None from before the last question: another question ends the one before.
    """
    here = {"umo": umo, "scope_id": scope_id, "before": before, "after": before - _ASKED_WITHIN}
    ends = [text[-_ASKED:] for text in await connection.column(_LAST_TEXTS, here)]
    asked = next((at for at, text in enumerate(ends) if _QUESTION.search(text)), len(ends))
    return "\n".join(reversed(ends[: asked + 1]))


async def newest(connection: Connection, umo: str, scope_id: str, *, limit: int) -> list[Event]:
    """The last messages of a chat, oldest first, those of explicit saves too."""
    here = and_(_C.session_id == umo, _C.scope_id == scope_id)
    spoken = and_(here, _C.source_role.in_((Role.USER, Role.ASSISTANT)))
    query = select(EVENTS).where(spoken).order_by(*NEWEST).limit(limit)
    return (await listed(connection, query))[::-1]


async def of_message(connection: Connection, umo: str, message_id: str) -> list[Event]:
    """A message of a chat with its tool results and the reply; none for a message without an id."""
    said = and_(_IN_ANY_STATE, _C.session_id == umo, _C.message_id == message_id)
    return await listed(connection, select(EVENTS).where(said)) if message_id else []


async def of_turn(connection: Connection, umo: str, owner: ScopeRef, at: datetime) -> list[Event]:
    """A person's message that arrived at this instant, with its tool results and the reply."""
    said = and_(_C.created_at == at, _C.session_id == umo, _C.owner_scope_id == owner.scope_id)
    return await listed(connection, select(EVENTS).where(said))


async def waiting_turns(connection: Connection, event: Event) -> int:
    """How many user messages of the chat of this event wait for the model."""
    here = {"umo": event.umo, "scope_id": event.at_scope.scope_id}
    return int((await connection.column(_WAITING, here))[0])


async def listed(connection: Connection, query: Select[Any]) -> list[Event]:
    """The events of a query over whole rows of `ltm_events`."""
    return [event_of(row) for row in (await connection.execute(query)).mappings()]


async def counts(connection: Connection) -> EventCounts:
    """How many events there are in each state, and why the last one failed."""
    grouped = await connection.execute(select(_C.extraction, func.count()).group_by(_C.extraction))
    found: dict[Extraction, int] = dict(cast("Any", grouped.all()))
    over = select(func.count()).where(_C.extraction == Extraction.SKIPPED, _C.last_error != "")
    unread = _C.extraction.in_((Extraction.PENDING, Extraction.FAILED))
    failed = select(_C.last_error, _C.created_at).where(unread)
    newest = failed.where(_C.last_error.not_in(("", DAILY_CAP))).order_by(*NEWEST).limit(1)
    error, at = (await connection.execute(newest)).first() or ("", None)
    return EventCounts(
        events={state.value: found.get(state, 0) for state in Extraction},
        last_error=error,
        last_error_at=at,
        passed_over=(await connection.execute(over)).scalar_one(),
    )


async def hasten(connection: Connection) -> int:
    """Let everything that waits be read without waiting for quiet; returns how many messages of people."""
    waits = and_(_C.extraction == Extraction.PENDING, _C.source_role == Role.USER)
    return await connection.change(EVENTS.update().where(waits).values(urgent=True))


async def retry_failed(connection: Connection) -> int:
    """Give every event that was given up a new start; returns how many."""
    anew: dict[str, Any] = {"extraction": Extraction.PENDING, "attempts": 0, "retry_at": None}
    failed = EVENTS.update().where(_C.extraction == Extraction.FAILED)
    return await connection.change(failed.values(**anew, last_error="", **FREE))
