"""What an operator's overview counts: a read transaction for each question, so that none lasts long."""

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import partialmethod
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, Table, Text, and_, func, select, type_coerce

from ..domain.enums import EDITED, Role, Scope, Status
from ..domain.memory import Page
from ..domain.statistics import ScopeCounts
from ..models import EVENTS, ITEMS, RECALLS, TOKENS
from . import items, recalls
from .columns import scope_in, values_in
from .database import OnDatabase

_C = ITEMS.c
_ACTIVE = _C.status == Status.ACTIVE
_SCOPES = (
    select(_C.scope, _C.scope_id, func.count().label("items"))
    .where(_C.status != Status.DELETED)
    .group_by(_C.scope, _C.scope_id)
)
_DAY_LENGTH = len("2026-01-31")

type DayRow = tuple[int, ...]
"""The numbers of one day."""


class Statistics(OnDatabase):
    """Days are those of UTC, written like 2026-01-31; of those without anything there is no row."""

    async def scopes(self, *, page: int, page_size: int) -> Page[ScopeCounts]:
        """One page of the scopes that hold anything that is not deleted, the fullest first."""
        counted = _SCOPES.add_columns(
            func.count().filter(_ACTIVE).label("active"), func.count().filter(items.WAITS).label("waiting")
        )
        order = (func.count().desc(), _C.scope, _C.scope_id)
        here = counted.order_by(*order).limit(page_size).offset((page - 1) * page_size).subquery()
        named = select(here, _last_name(here).label("name"))
        fullest = named.order_by(here.c["items"].desc(), here.c.scope, here.c.scope_id)
        async with self._database.read() as connection:
            rows = (await connection.execute(fullest)).mappings()
        counts = ("name", "items", "active", "waiting")
        found = [ScopeCounts(ref=scope_in(row), **values_in(row, counts)) for row in rows]
        total = await self._number(select(func.count()).select_from(_SCOPES.subquery()))
        return Page(rows=found, total=total, page=page, page_size=page_size)

    async def names(self, scope_ids: Collection[str]) -> Mapping[str, str]:
        """What the person of each of these scopes was called when they spoke last, as far as that is kept."""
        here = select(_C.scope, _C.scope_id).where(_C.scope == Scope.USER, _C.scope_id.in_(scope_ids))
        people = here.distinct().subquery()
        rows = await self._rows(select(people, _last_name(people).label("name")))
        return {row.scope_id: row.name for row in rows if row.name}

    async def tokens(self, *, since: str) -> Mapping[str, DayRow]:
        """What models were asked each day from this one on: calls, tokens of questions and of answers."""
        of = TOKENS.c
        sums = (func.sum(column) for column in (of.calls, of.prompt_tokens, of.answer_tokens))
        rows = await self._rows(select(of.day, *sums).where(of.day >= since).group_by(of.day))
        return {day: tuple(numbers) for day, *numbers in rows}

    async def active_between(self, lower: float, upper: float) -> int:
        """How many active memories have a confidence from `lower` to below `upper`."""
        between = and_(_ACTIVE, _C.confidence >= lower, _C.confidence < upper)
        return await self._number(select(func.count()).where(between))

    async def fuller_than(self, capacity: int) -> int:
        """How many scopes hold more live memories than that."""
        full = select(_C.scope_id).where(items.LIVE).group_by(_C.scope, _C.scope_id)
        over = full.having(func.count() > capacity).subquery()
        return await self._number(select(func.count()).select_from(over))

    async def waiting(self) -> int:
        """How many memories wait for an approval."""
        return await self._number(select(func.count()).where(items.WAITS))

    async def _by_day(
        self, table: Table | Subquery, *numbers: ColumnElement[int], since: datetime
    ) -> Mapping[str, DayRow]:
        at = table.c.created_at
        day = func.substr(type_coerce(at, Text), 1, _DAY_LENGTH)
        rows = await self._rows(select(day, func.count(), *numbers).where(at >= since).group_by(day))
        return {day: tuple(counted) for day, *counted in rows}

    new_items = partialmethod(_by_day, select(ITEMS).where(_C.reason != EDITED).subquery())
    """How many items each day brought from then on, whatever has become of them; no earlier texts."""
    new_events = partialmethod(_by_day, EVENTS)
    """How many events each day brought from then on, as far as they are kept."""
    recalls = partialmethod(_by_day, RECALLS, func.count().filter(recalls.GAVE_NOTHING))
    """How many recalls the log holds of each day from then on, and how many of them gave nothing."""

    async def _number(self, query: Select[Any]) -> int:
        return int((await self._rows(query))[0][0])


def _last_name(of: Subquery) -> ColumnElement[str]:
    """What the person of each scope was called when they spoke last, as far as that is kept."""
    said = EVENTS.c
    last = (
        select(said.sender_name)
        .where(
            said.owner_scope == of.c.scope,
            said.owner_scope_id == of.c.scope_id,
            said.source_role == Role.USER,
        )
        .order_by(said.created_at.desc())
        .limit(1)
    )
    return func.coalesce(last.scalar_subquery(), "")
