"""What housekeeping removes: a snapshot says what may go, and a short transaction of its own looks again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, and_, case, exists, func, select

from ..domain.time import Clock
from ..domain.words import Extraction, Status
from ..domain.writing import AuditEntry
from ..models import EVENTS, EVIDENCE, ITEMS, TOKENS
from ..policies.expiry import TTL_RULE
from . import audit
from .database import Database

_ITEM = ITEMS.c
_EVENT = EVENTS.c
_MORTAL = _ITEM.status.in_((Status.ACTIVE, Status.SHADOW, Status.PENDING))
"""What ends by itself. Disabled items stay as their operator left them."""
_WAITS = _ITEM.status.in_((Status.SHADOW, Status.PENDING))
_UNNEEDED = and_(
    _EVENT.extraction != Extraction.PENDING,
    ~exists().where(EVIDENCE.c.event_id == _EVENT.event_id),
)


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The items that an approval would make active."""

    total: int
    reasons: Mapping[str, int]
    """How many wait for which reason; only its name, never the words it may go on with."""
    expire_soon: int
    """How many end within the span that was asked for if nobody decides."""


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """Events that are gone."""

    total: int
    failed: int
    """Of these, how many were given up by extraction."""


class Sweeps:
    """Implements the stores of `upkeep.sweep`, `purge` and `retention`. The caller bounds each call."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def outlived(self, *, now: datetime, limit: int) -> Sequence[str]:
        """Memory ids of items whose time is over, those first that ended first."""
        query = select(_ITEM.memory_id).where(_is_over(now)).order_by(_ITEM.expires_at, _ITEM.id)
        async with self._database.read() as connection:
            return list((await connection.execute(query.limit(limit))).scalars())

    async def expire(self, memory_ids: Sequence[str], *, now: datetime) -> int:
        """End those of these items whose time is still over, with a line of audit for each; how many."""
        over = and_(_ITEM.memory_id.in_(memory_ids), _is_over(now))
        async with self._database.write() as connection:
            found = (await connection.execute(select(_ITEM.memory_id, _ITEM.status).where(over))).all()
            if found:
                ended = {"status": Status.EXPIRED, "reason": TTL_RULE, "updated_at": now}
                await connection.change(ITEMS.update().where(over).values(ended))
                lines = [
                    _ended(memory_id, "expire", before, Status.EXPIRED, TTL_RULE)
                    for memory_id, before in found
                ]
                await audit.extend(connection, lines, at=self._clock())
        return len(found)

    async def long_deleted(self, *, before: datetime, limit: int) -> Sequence[str]:
        """Memory ids of items that were deleted before, those first that were deleted first."""
        query = select(_ITEM.memory_id).where(_is_deleted(before)).order_by(_ITEM.deleted_at, _ITEM.id)
        async with self._database.read() as connection:
            return list((await connection.execute(query.limit(limit))).scalars())

    async def purge(self, memory_ids: Sequence[str], *, before: datetime) -> int:
        """Remove those of these items that still are deleted, with their evidence; how many."""
        gone = and_(_ITEM.memory_id.in_(memory_ids), _is_deleted(before))
        async with self._database.write() as connection:
            found = list((await connection.execute(select(_ITEM.memory_id).where(gone))).scalars())
            if found:
                await connection.change(ITEMS.delete().where(gone))
                lines = [_ended(memory_id, "purge", Status.DELETED, "", "") for memory_id in found]
                await audit.extend(connection, lines, at=self._clock())
        return len(found)

    async def unneeded_events(self, *, before: datetime, limit: int) -> Sequence[int]:
        """Row ids of older events on which nothing rests and that wait for nothing, oldest first."""
        query = select(_EVENT.id).where(_EVENT.created_at < before, _UNNEEDED)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(_EVENT.created_at, _EVENT.id).limit(limit))
            return list(rows.scalars())

    async def drop_events(self, rows: Sequence[int]) -> Dropped:
        """Delete those of these events that still nobody needs."""
        gone = and_(_EVENT.id.in_(rows), _UNNEEDED)
        failed = select(func.count()).where(gone, _EVENT.extraction == Extraction.FAILED)
        async with self._database.write() as connection:
            given_up = int((await connection.execute(failed)).scalar_one())
            return Dropped(total=await connection.change(EVENTS.delete().where(gone)), failed=given_up)

    async def drop_token_days(self, *, before: date, limit: int) -> int:
        """Delete what was counted on earlier days, at most `limit` of them; returns how many rows went."""
        old = select(TOKENS.c.day).where(TOKENS.c.day < before.isoformat()).distinct()
        async with self._database.read() as connection:
            days = list((await connection.execute(old.order_by(TOKENS.c.day).limit(limit))).scalars())
        if not days:
            return 0
        async with self._database.write() as connection:
            return await connection.change(TOKENS.delete().where(TOKENS.c.day.in_(days)))

    async def waiting_soon(self, *, now: datetime, within: timedelta) -> Waiting:
        """How many items wait for approval, why, and how many of them end within this span."""
        ending = case((_ITEM.expires_at <= now + within, 1), else_=0)
        query = select(_ITEM.reason, func.count(), func.sum(ending)).where(_WAITS).group_by(_ITEM.reason)
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        reasons = Counter[str]()
        for reason, number, _ in rows:
            reasons[reason.partition(":")[0]] += number
        return Waiting(
            total=reasons.total(), reasons=dict(reasons), expire_soon=sum(soon for _, _, soon in rows)
        )


def _is_over(now: datetime) -> ColumnElement[bool]:
    return and_(_MORTAL, _ITEM.expires_at.is_not(None), _ITEM.expires_at <= now)


def _is_deleted(before: datetime) -> ColumnElement[bool]:
    return and_(_ITEM.status == Status.DELETED, _ITEM.deleted_at < before)


def _ended(memory_id: str, action: str, before: str, after: str, reason: str) -> AuditEntry:
    return AuditEntry(
        actor="system", action=action, memory_id=memory_id, before=before, after=after, reason=reason
    )
