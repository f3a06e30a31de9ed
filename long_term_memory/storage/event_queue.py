"""`ltm_events` as the queue of extraction; events of paused people are not processed."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, func, select

from ..domain.enums import Extraction, Role
from ..domain.memory import Event
from ..domain.writing import Due
from ..models import EVENTS
from ..policies.back_off import LEASE, LONGEST_PAUSE
from ..policies.token_cap import DAILY_CAP, DAY
from ..settings import ExtractionSettings
from . import events, quotas
from .connection import Connection
from .database import OnDatabase, reads, writes
from .events import FREE
from .paused import is_of_paused

_C = EVENTS.c
_PENDING = _C.extraction == Extraction.PENDING
_STILL_PENDING = func.likely(_PENDING)
"""For events that are named: a hint without which all that is pending would be looked through for them."""


async def claim(connection: Connection, events: Sequence[Event], *, lease: str, now: datetime) -> bool:
    """Lease these events of one chat, if all are pending, of nobody paused, and nobody works on the chat."""
    ids = [event.event_id for event in events]
    here = and_(_PENDING, _C.session_id == events[0].umo, _C.scope_id == events[0].at_scope.scope_id)
    # A lease that ends later than any can has been made before the clock was set back.
    running = and_(_C.lease != "", _C.leased_until > now, _C.leased_until <= now + LEASE)
    others = await _number(connection, and_(here, _C.lease != lease, running))
    ready = and_(_still_pending(ids), ~is_of_paused())
    if others or await _number(connection, ready) < len(ids):
        return False
    these = EVENTS.update().where(_C.event_id.in_(ids))
    await connection.change(these.values(lease=lease, leased_until=now + LEASE))
    return True


async def held(connection: Connection, event_ids: Sequence[str], lease: str) -> bool:
    """Whether all these events are still there, pending and under this lease, and of nobody paused since."""
    return await _number(connection, and_(_under(lease, event_ids), ~is_of_paused())) == len(event_ids)


async def release(connection: Connection, lease: str) -> None:
    """Let go of whatever is under this lease."""
    await connection.change(EVENTS.update().where(_PENDING, _C.lease == lease).values(**FREE))


async def release_all(connection: Connection) -> None:
    """Let go of everything, and let nothing wait for a cap that may be another one now."""
    await connection.change(EVENTS.update().where(_PENDING, _C.lease != "").values(**FREE))
    capped = and_(_PENDING, _C.last_error == DAILY_CAP)
    await connection.change(EVENTS.update().where(capped).values(retry_at=None, last_error=""))


async def postpone(
    connection: Connection,
    event_ids: Sequence[str],
    *,
    until: datetime,
    error: str,
    attempted: bool = True,
    lease: str = "",
) -> None:
    """Leave pending events alone until then, and count a failed attempt if there was one.

    With a lease only what is under it, which ends.
    """
    values: dict[str, Any] = {"retry_at": until, "last_error": error}
    if lease:
        values |= FREE
    these = EVENTS.update().where(_under(lease, event_ids) if lease else _still_pending(event_ids))
    await connection.change(these.values(attempts=_C.attempts + int(attempted), **values))


async def give_up(connection: Connection, event_ids: Sequence[str], *, error: str, lease: str) -> None:
    """Count a failed attempt and move the events that are under this lease to `failed`."""
    these = EVENTS.update().where(_under(lease, event_ids))
    failed = {"extraction": Extraction.FAILED, "last_error": error, **FREE}
    await connection.change(these.values(attempts=_C.attempts + 1, **failed))


async def _number(connection: Connection, condition: ColumnElement[bool]) -> int:
    counted = select(func.count()).select_from(EVENTS).where(condition)
    return (await connection.execute(counted)).scalar_one()


def _still_pending(event_ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(_C.event_id.in_(event_ids), _STILL_PENDING)


def _under(lease: str, event_ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(_still_pending(event_ids), _C.lease == lease)


REST = 30
"""A chat that was read rests so many times as long as it must be quiet, or until enough is said for a batch.

Who says one thing every few minutes would else cost a call for each.
"""
QUIET = timedelta(minutes=5)
"""A chat that is quiet for so long rests no more: what was said last is read, where that costs little."""
QUIET_TURNS, QUIET_A_DAY = 6, 10
"""It costs little with so many messages at once, or while no more of a chat have been read in a day."""
SKEW = timedelta(minutes=5)
"""How far the clocks of a chat platform and of this machine may differ."""
_SPOKEN = case({Role.USER: 0, Role.TOOL: 1}, value=_C.source_role, else_=2)
"""Within a turn: the question, what tools found, the answer; they all bear the time the turn began."""
_FOR_TOKENS = _C.last_error == DAILY_CAP
_DONE = EVENTS.alias().c
_READ = (
    _DONE.extraction == Extraction.DONE,
    _DONE.session_id == _C.session_id,
    _DONE.scope_id == _C.scope_id,
)
_LAST_READ = select(func.max(_DONE.created_at)).where(*_READ, _DONE.created_at > bindparam("lately"))
_READ_IN_A_DAY = select(func.count()).where(
    *_READ, _DONE.created_at > bindparam("a_day_ago"), _DONE.source_role == Role.USER
)
_CHATS = (
    select(
        _C.session_id.label("umo"),
        _C.scope_id,
        func.sum(case((_C.source_role == Role.USER, 1), else_=0)).label("user_turns"),
        func.max(_C.urgent).label("urgent"),
        func.min(_C.created_at).label("oldest"),
        func.max(_C.created_at).label("newest"),
        func.max(case((~_FOR_TOKENS, _C.retry_at))).label("retry_at"),
        func.max(case((_FOR_TOKENS, _C.retry_at))).label("day_at"),  # when there are tokens again
        func.max(_C.leased_until).label("leased_until"),
        _LAST_READ.scalar_subquery().label("read"),  # when that was said which a model read last, if lately
        _READ_IN_A_DAY.scalar_subquery().label("read_in_a_day"),  # messages of people
    )
    .where(_PENDING, ~is_of_paused())
    # Some hosts give one person's chats in several groups one and the same origin.
    .group_by(_C.session_id, _C.scope_id)
)


def _due_at(chat: Any, now: datetime, settings: ExtractionSettings) -> datetime:  # noqa: ANN401 - a row of `_CHATS`
    """When a chat falls due if nothing more is said; in the past when it is due.

    What lies further ahead than anything waits was written before the clock was set back.
    """
    left_over = chat.read is not None and chat.newest <= chat.read
    full = chat.urgent or left_over or chat.user_turns >= settings.batch_turns
    rest = REST * settings.idle
    costs_little = chat.user_turns >= QUIET_TURNS or chat.read_in_a_day <= QUIET_A_DAY
    quiet = chat.newest + (QUIET if costs_little else rest)
    rested = None if full or not chat.read else min(chat.read + rest, quiet)
    waits = (
        (chat.newest if full else chat.newest + settings.idle, settings.idle),
        (rested, rest),
        (chat.retry_at, LONGEST_PAUSE),
        (chat.day_at, DAY),
        (chat.leased_until, LEASE),
    )
    return max((at for at, most in waits if at and at - now <= most + SKEW), default=now)


class StoredEventQueue(OnDatabase):
    """The table of events as a queue; each call is one transaction."""

    postpone = writes(postpone)
    give_up = writes(give_up)
    release = writes(release)
    release_all = writes(release_all)
    counts = reads(events.counts)
    _events = reads(events.listed)
    spent = reads(quotas.on_day)

    async def due(self, *, settings: ExtractionSettings, now: datetime, limit: int) -> Due:
        """The pending events of the chat that is due and has waited longest."""
        waiting = await self._waiting(settings, now)
        first = min((at for at, _ in waiting), default=None)
        due = [chat for at, chat in waiting if at <= now]
        if not due:
            return Due(batch=(), at=first)
        chat = min(due, key=lambda chat: chat.oldest)
        here = and_(_C.session_id == chat.umo, _C.scope_id == chat.scope_id)
        query = select(EVENTS).where(_PENDING, here, ~is_of_paused())
        found = await self._events(query.order_by(_C.created_at, _SPOKEN, _C.id).limit(limit))
        return Due(batch=list(takewhile(lambda event: event.level is found[0].level, found)), at=first)

    async def extraction_at(
        self, *, settings: ExtractionSettings, now: datetime
    ) -> Mapping[tuple[str, str], datetime]:
        """When the pending events are extracted if nothing more is said, by umo and scope id of the chat."""
        waiting = await self._waiting(settings, now)
        return {(chat.umo, chat.scope_id): max(now, at) for at, chat in waiting}

    async def _waiting(self, settings: ExtractionSettings, now: datetime) -> Sequence[tuple[datetime, Any]]:
        """Each chat with pending events, and when it falls due."""
        rows = await self._rows(_CHATS, {"lately": now - REST * settings.idle, "a_day_ago": now - DAY})
        return [(_due_at(chat, now, settings), chat) for chat in rows]
