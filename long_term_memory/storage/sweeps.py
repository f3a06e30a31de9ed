"""What housekeeping removes: a snapshot says what may go, and a short transaction of its own looks again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, and_, case, exists, func, select

from ..domain.memory import TOO_OLD
from ..domain.time import Clock
from ..domain.words import LIVE_STATUSES, Extraction, Status
from ..domain.writing import AuditEntry
from ..models import EVENTS, EVIDENCE, ITEMS, TOKENS
from ..policies.worth import TTL_RULE
from . import audit, meta
from .database import Database
from .items import sums_up
from .methods import OnDatabase

SURPLUS = "surplus"
"""Why an item is purged that nobody deleted: too many of its scope are out of use."""
_ITEM = ITEMS.c
_EVENT = EVENTS.c
_MORTAL = _ITEM.status.in_((Status.ACTIVE, Status.SHADOW, Status.PENDING))
"""What ends by itself. Disabled items stay as their operator left them."""
_ENDED = _ITEM.status.in_((Status.EXPIRED, Status.SUPERSEDED))
"""What is out of use, and comes back if it is heard again."""
_NEWER = ITEMS.alias("newer")
_SUMMED_UP = exists().where(
    _NEWER.c.memory_id == _ITEM.superseded_by,
    _NEWER.c.status.in_(sorted(LIVE_STATUSES)),
    sums_up(_NEWER.c),
)
"""What a statement in use stands for: without it that could not come back once it was switched off."""
_WAITS = _ITEM.status.in_((Status.SHADOW, Status.PENDING))
_UNNEEDED = and_(
    _EVENT.extraction != Extraction.PENDING,
    ~exists().where(EVIDENCE.c.event_id == _EVENT.event_id),
)
_UNREAD = and_(_EVENT.extraction == Extraction.PENDING, _EVENT.lease == "")
"""What waits for a model, and no model is being asked about it."""


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


class Sweeps(OnDatabase):
    """Implements the stores of `upkeep.sweep`, `purge` and `retention`. The caller bounds each call."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
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
        return await self._remove(and_(_ITEM.memory_id.in_(memory_ids), _is_deleted(before)), "")

    async def surplus(self, *, keep: int, limit: int) -> Sequence[str]:
        """Memory ids of items out of use beyond the newest `keep` of a scope, those that ended first.

        What a statement in use sums up is none of them.
        """
        here = _ITEM.scope, _ITEM.scope_id
        full = select(*here).where(_ENDED).group_by(*here).having(func.count() > keep).subquery()
        newest_first = _ITEM.updated_at.desc(), _ITEM.id.desc()
        place = func.row_number().over(partition_by=here, order_by=newest_first)
        ranked = (
            select(_ITEM.memory_id, _ITEM.updated_at, _ITEM.id, place.label("place"))
            .join(full, and_(full.c.scope == _ITEM.scope, full.c.scope_id == _ITEM.scope_id))
            .where(_ENDED, ~_SUMMED_UP)
            .subquery()
        )
        query = select(ranked.c.memory_id).where(ranked.c.place > keep)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(ranked.c.updated_at, ranked.c.id).limit(limit))
            return list(rows.scalars())

    async def purge_surplus(self, memory_ids: Sequence[str]) -> int:
        """Remove those of these items that still are out of use, with their evidence; how many."""
        return await self._remove(and_(_ITEM.memory_id.in_(memory_ids), _ENDED, ~_SUMMED_UP), SURPLUS)

    async def _remove(self, gone: ColumnElement[bool], reason: str) -> int:
        async with self._database.write() as connection:
            found = (await connection.execute(select(_ITEM.memory_id, _ITEM.status).where(gone))).all()
            if found:
                await connection.change(ITEMS.delete().where(_ITEM.memory_id.in_([row[0] for row in found])))
                lines = [_ended(memory_id, "purge", status, "", reason) for memory_id, status in found]
                await audit.extend(connection, lines, at=self._clock())
                await meta.note_dropped(connection)
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
            total = await connection.change(EVENTS.delete().where(gone))
            if total:
                await meta.note_dropped(connection)
            return Dropped(total=total, failed=given_up)

    async def unread_events(self, *, before: datetime, limit: int) -> Sequence[int]:
        """Row ids of older events that wait for a model, oldest first."""
        query = select(_EVENT.id).where(_EVENT.created_at < before, _UNREAD)
        async with self._database.read() as connection:
            rows = await connection.execute(query.order_by(_EVENT.created_at, _EVENT.id).limit(limit))
            return list(rows.scalars())

    async def pass_over(self, rows: Sequence[int]) -> int:
        """Let those of these events wait no longer that still do; how many."""
        async with self._database.write() as connection:
            return await connection.change(
                EVENTS.update()
                .where(_EVENT.id.in_(rows), _UNREAD)
                .values(extraction=Extraction.SKIPPED, last_error=TOO_OLD)
            )

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
