"""What housekeeping ends and removes: a snapshot says what may go, a short transaction looks again."""

from dataclasses import replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Delete, Select, Update, and_, exists, func, select

from ..domain.enums import BY_ITSELF, Extraction, Status
from ..domain.memory import TOO_OLD
from ..domain.writing import AuditEntry
from ..models import EVENTS, EVIDENCE, ITEMS, TOKENS
from ..policies.retention import TTL_RULE
from . import audit, meta
from .database import OnDatabaseWithClock
from .items import RECALLED

SURPLUS = "surplus"
"""Why an item is purged that nobody deleted: too many of its scope are out of use."""
_ITEM = ITEMS.c
_EVENT = EVENTS.c
_ENDED = _ITEM.status.in_((Status.EXPIRED, Status.SUPERSEDED))
"""What is out of use, and comes back if it is heard again."""
_UNNEEDED = and_(
    _EVENT.extraction != Extraction.PENDING, ~exists().where(EVIDENCE.c.event_id == _EVENT.event_id)
)
_UNREAD = and_(_EVENT.extraction == Extraction.PENDING, _EVENT.lease == "")
"""What waits for a model, and no model is being asked about it."""
_EXPIRED = AuditEntry(actor=BY_ITSELF, action="expire", after=Status.EXPIRED, reason=TTL_RULE)
_PURGED = AuditEntry(actor=BY_ITSELF, action="purge")


class Sweeps(OnDatabaseWithClock):
    """Each call ends or removes at most `limit` rows, those first whose time was over first; how many."""

    async def expire(self, *, now: datetime, limit: int) -> int:
        """End items whose time is over. Disabled ones stay as their operator left them."""
        over = and_(RECALLED, _ITEM.expires_at.is_not(None), _ITEM.expires_at <= now)
        query = select(_ITEM.memory_id).where(over).order_by(_ITEM.expires_at, _ITEM.id)
        ended = {"status": Status.EXPIRED, "reason": TTL_RULE, "updated_at": now}
        return await self._end(query.limit(limit), over, ITEMS.update().values(ended), _EXPIRED)

    async def purge_deleted(self, *, before: datetime, limit: int) -> int:
        """Remove items that were deleted before, with their evidence."""
        gone = and_(_ITEM.status == Status.DELETED, _ITEM.deleted_at < before)
        query = select(_ITEM.memory_id).where(gone).order_by(_ITEM.deleted_at, _ITEM.id)
        return await self._end(query.limit(limit), gone, ITEMS.delete(), _PURGED)

    async def purge_surplus(self, *, keep: int, limit: int) -> int:
        """Remove items out of use beyond the newest `keep` of a scope, with their evidence."""
        here = _ITEM.scope, _ITEM.scope_id
        full = select(*here).where(_ENDED).group_by(*here).having(func.count() > keep).subquery()
        newest_first = _ITEM.updated_at.desc(), _ITEM.id.desc()
        place = func.row_number().over(partition_by=here, order_by=newest_first)
        ranked = (
            select(_ITEM.memory_id, _ITEM.updated_at, _ITEM.id, place.label("place"))
            .join(full, and_(full.c.scope == _ITEM.scope, full.c.scope_id == _ITEM.scope_id))
            .where(_ENDED)
            .subquery()
        )
        query = select(ranked.c.memory_id).where(ranked.c.place > keep)
        query = query.order_by(ranked.c.updated_at, ranked.c.id).limit(limit)
        return await self._end(query, _ENDED, ITEMS.delete(), replace(_PURGED, reason=SURPLUS))

    async def drop_events(self, *, before: datetime, limit: int) -> int:
        """Delete older events on which nothing rests and that wait for nothing."""
        rows = await self._column(_old_events(before, _UNNEEDED, limit))
        return await self._drop(rows, EVENTS.delete().where(_EVENT.id.in_(rows), _UNNEEDED))

    async def pass_over(self, *, before: datetime, limit: int) -> int:
        """Let older events wait no longer for a model."""
        rows = await self._column(_old_events(before, _UNREAD, limit))
        passed = EVENTS.update().where(_EVENT.id.in_(rows), _UNREAD)
        passed = passed.values(extraction=Extraction.SKIPPED, last_error=TOO_OLD)
        return await self._change(passed) if rows else 0

    async def drop_token_days(self, *, before: date, limit: int) -> int:
        """Delete what was counted on earlier days, at most `limit` of them; returns how many rows went."""
        old = select(TOKENS.c.day).where(TOKENS.c.day < before.isoformat()).distinct()
        days = await self._column(old.order_by(TOKENS.c.day).limit(limit))
        return await self._change(TOKENS.delete().where(TOKENS.c.day.in_(days))) if days else 0

    async def _end(
        self, query: Select[Any], still: ColumnElement[bool], change: Update | Delete, line: AuditEntry
    ) -> int:
        """Change the items that are found and still are what is looked for, with an audit line for each."""
        these = and_(_ITEM.memory_id.in_(ids := await self._column(query)), still)
        if not ids:
            return 0
        async with self._database.write() as connection:
            found = (await connection.execute(select(_ITEM.memory_id, _ITEM.status).where(these))).all()
            if found:
                await connection.change(change.where(_ITEM.memory_id.in_([row[0] for row in found])))
                lines = [replace(line, memory_id=each, before=status) for each, status in found]
                await audit.extend(connection, lines, at=self._clock())
                if isinstance(change, Delete):
                    await meta.note_dropped(connection)
        return len(found)


def _old_events(before: datetime, condition: ColumnElement[bool], limit: int) -> Select[Any]:
    query = select(_EVENT.id).where(_EVENT.created_at < before, condition)
    return query.order_by(_EVENT.created_at, _EVENT.id).limit(limit)
