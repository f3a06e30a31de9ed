"""Who is extracting which events of `ltm_events` at the moment, and what becomes of them when that fails."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select

from ..domain.memory import Event
from ..domain.words import Extraction
from ..models import EVENTS
from ..policies.back_off import LEASE
from ..policies.spending import DAILY_CAP
from .seat import Seat

_C = EVENTS.c
_PENDING = _C.extraction == Extraction.PENDING
_STILL_PENDING = func.likely(_PENDING)
"""For events that are named: a hint without which all that is pending would be looked through for them."""
FREE: Mapping[str, Any] = {"lease": "", "leased_until": None}
"""What an event nobody is at work on has."""


async def claim(connection: Seat, events: Sequence[Event], *, lease: str, now: datetime) -> bool:
    """Lease these events of one chat, if all are pending and nobody else is at work on the chat."""
    ids = [event.event_id for event in events]
    here = and_(_PENDING, _C.session_id == events[0].umo, _C.scope_id == events[0].at_scope.scope_id)
    elsewhere = select(func.count()).select_from(EVENTS).where(here, _C.lease != lease, _running(now))
    if (await connection.execute(elsewhere)).scalar_one() or not await _all_pending(connection, ids):
        return False
    await connection.change(
        EVENTS.update().where(_C.event_id.in_(ids)).values(lease=lease, leased_until=now + LEASE)
    )
    return True


async def held(connection: Seat, event_ids: Sequence[str], lease: str) -> bool:
    """Whether all these events are still there, pending and under this lease."""
    mine = select(func.count()).select_from(EVENTS).where(_under(lease, event_ids))
    return (await connection.execute(mine)).scalar_one() == len(event_ids)


async def release(connection: Seat, lease: str) -> None:
    """Let go of whatever is under this lease."""
    await connection.change(EVENTS.update().where(_PENDING, _C.lease == lease).values(**FREE))


async def release_all(connection: Seat) -> None:
    """Let go of everything, and let nothing wait for a cap that may be another one now."""
    await connection.change(EVENTS.update().where(_PENDING, _C.lease != "").values(**FREE))
    capped = and_(_PENDING, _C.last_error == DAILY_CAP)
    await connection.change(EVENTS.update().where(capped).values(retry_at=None, last_error=""))


async def postpone(
    connection: Seat,
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
    await connection.change(
        EVENTS.update()
        .where(_under(lease, event_ids) if lease else _still_pending(event_ids))
        .values(attempts=_C.attempts + int(attempted), **values)
    )


async def give_up(connection: Seat, event_ids: Sequence[str], *, error: str, lease: str) -> None:
    """Count a failed attempt and move the events that are under this lease to `failed`."""
    await connection.change(
        EVENTS.update()
        .where(_under(lease, event_ids))
        .values(attempts=_C.attempts + 1, extraction=Extraction.FAILED, last_error=error, **FREE)
    )


async def _all_pending(connection: Seat, event_ids: Sequence[str]) -> bool:
    pending = select(func.count()).select_from(EVENTS).where(_still_pending(event_ids))
    return (await connection.execute(pending)).scalar_one() == len(event_ids)


def _still_pending(event_ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(_C.event_id.in_(event_ids), _STILL_PENDING)


def _under(lease: str, event_ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(_still_pending(event_ids), _C.lease == lease)


def _running(now: datetime) -> ColumnElement[bool]:
    """A lease that ends later than any can has been made before the clock was set back."""
    return and_(_C.lease != "", _C.leased_until > now, _C.leased_until <= now + LEASE)
