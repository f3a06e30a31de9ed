"""`ltm_recalls`: what each recall gave and left out: ids, scores and rules, never a memory's text."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, tzinfo
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, bindparam, func, not_, select, true, type_coerce

from ..domain.chat import Access, ScopeRef
from ..domain.enums import Extraction, Level, MemoryType, Role, Scope, Status
from ..domain.memory import Page
from ..domain.reading import Given, Omitted
from ..domain.recalls import ListedRecall, LoggedRecall, NoBlock, RecallFilter
from ..models import EVENTS, ITEMS, RECALLS
from . import events
from .columns import in_scopes, scope_in, values_in
from .connection import Connection
from .database import Database, OnDatabase, reads
from .erasure import ErasedPersons
from .paging import each_word, paged, within
from .visibility import reachable

_C = RECALLS.c
_SAME = ("recall_id", "conversation_id", "level", "query", "vectors", "reason")
_PLACES = 4
"""Decimals of a score: what tells two memories apart, and no more."""
_IS_EMPTY = type_coerce(_C.injected, Text) == "[]"
GAVE_NOTHING = and_(_IS_EMPTY, _C.reason != NoBlock.PAUSED)
"""Looked for something and found nothing, unlike for somebody who is paused."""


async def _count_uses(connection: Connection, recalls: Sequence[LoggedRecall]) -> None:
    """Count one use of each memory that was given, once for each recall."""
    times = Counter(given.memory_id for each in recalls for given in each.given)
    last = {given.memory_id: each.at for each in sorted(recalls, key=lambda r: r.at) for given in each.given}
    if not times:
        return
    await connection.change(
        ITEMS.update()
        .where(ITEMS.c.memory_id == bindparam("used"))
        .values(access_count=ITEMS.c.access_count + bindparam("times"), last_accessed_at=bindparam("last")),
        [{"used": used, "times": number, "last": last[used]} for used, number in times.items()],
    )


async def last(
    connection: Connection, owners: Sequence[ScopeRef], umo: str, level: Level
) -> LoggedRecall | None:
    """The latest recall of any of these owners in this chat, at most at this level.

    What a more confidential recall was given, and what it left out for that, is not for this one to know.
    """
    here = and_(in_scopes(_C, owners, "owner_"), _C.session_id == umo, _C.level <= level)
    return await _first(connection, select(RECALLS).where(here).order_by(_C.created_at.desc(), _C.id.desc()))


async def get(connection: Connection, recall_id: str) -> LoggedRecall | None:
    """The recall with this id."""
    return await _first(connection, select(RECALLS).where(_C.recall_id == recall_id))


async def _first(connection: Connection, query: Select[Any]) -> LoggedRecall | None:
    row = (await connection.execute(query.limit(1))).mappings().first()
    return None if row is None else _recall_of(row)


def _values_of(recall: LoggedRecall) -> dict[str, Any]:
    return {name: getattr(recall, name) for name in _SAME} | {
        "owner_scope": recall.owner.scope,
        "owner_scope_id": recall.owner.scope_id,
        "session_id": recall.umo,
        "created_at": recall.at,
        "injected": [_json_of(each) for each in recall.given],
        "omitted": [_json_of(each) for each in recall.left_out],
    }


def _json_of(each: Given | Omitted) -> dict[str, Any]:
    values = {name: _rounded(value) for name, value in asdict(each).items()}
    return {"id": values.pop("memory_id")} | values


def _rounded(value: Any) -> object:  # noqa: ANN401 - whatever a recall tells of a memory
    if value is None or isinstance(value, str):
        return value
    return round(float(value), _PLACES) if math.isfinite(value) else None


def _recall_of(row: Mapping[Any, Any]) -> LoggedRecall:
    return LoggedRecall(
        owner=scope_in(row, "owner_"),
        umo=row["session_id"],
        given=[Given(**_met(each)) for each in row["injected"]],
        left_out=[Omitted(**_met(each)) for each in row["omitted"]],
        at=row["created_at"],
        **values_in(row, _SAME),
    )


def _met(each: Mapping[str, Any]) -> dict[str, Any]:
    kind = each.get("type")
    own = {"memory_id": each["id"], "type": kind and MemoryType(kind)}
    return {name: value for name, value in each.items() if name != "id"} | own


class RecallStore(OnDatabase):
    """The recall log."""

    get = reads(get)
    _events = reads(events.listed)
    _paged = reads(paged)

    def __init__(self, database: Database, erased: ErasedPersons) -> None:
        super().__init__(database)
        self._erased = erased

    async def counts(self, *, since: datetime) -> tuple[int, int]:
        """How many recalls there were from then on, and how many of them gave nothing."""
        query = select(func.count(), func.count().filter(GAVE_NOTHING)).where(_C.created_at >= since)
        [(total, found_nothing)] = await self._rows(query)
        return total, found_nothing

    async def noted(self, rows: Sequence[LoggedRecall], *, kept: bool) -> None:
        """Count one use of each memory that was given, and keep the rows if they are to be kept.

        All of it happens, or nothing; and nothing while the store is read-only. Left out is what people asked
        who were erased since.
        """
        if self.read_only:
            return
        async with self._database.write() as connection:
            known = [each for each in rows if not self._erased.includes(each.owner, each.at)]
            await _count_uses(connection, known)
            if kept and known:
                await connection.change(RECALLS.insert(), [_values_of(each) for each in known])

    async def drop_old(self, *, before: datetime, keep: int, limit: int) -> int:
        """Delete at most so many of what is older, and of all but the newest `keep` rows; how many went."""
        last_too_many = select(_C.id).order_by(_C.id.desc()).offset(keep).limit(1).scalar_subquery()
        too_many = select(_C.id).where(_C.id <= last_too_many).order_by(_C.id)
        too_old = select(_C.id).where(_C.created_at < before).order_by(_C.created_at, _C.id)
        async with self._database.read() as connection:
            # Two queries, each along an index: the rows are long.
            found = [await connection.scalars(each.limit(limit)) for each in (too_many, too_old)]
        rows = list(dict.fromkeys(chain.from_iterable(found)))[:limit]
        return await self._drop(rows, RECALLS.delete().where(_C.id.in_(rows)))

    async def page(self, wanted: RecallFilter, zone: tzinfo = UTC) -> Page[ListedRecall]:
        """One page, the newest first; pages count from 1."""
        condition, newest = _matching(wanted, zone), (_C.created_at.desc(), _C.id.desc())
        found = await self._paged(RECALLS, _recall_of, condition, newest, wanted)
        return found.of([recall.listed for recall in found.rows])

    async def reply(self, recall: LoggedRecall) -> str:
        """What the bot answered then, as far as that is kept; else empty."""
        of = EVENTS.c
        of_owner = in_scopes(of, [recall.owner], "owner_")
        # Both are dated by the arrival of the message.
        then = and_(of.created_at == recall.at, of.session_id == recall.umo)
        found = await self._events(select(EVENTS).where(of_owner, then, of.source_role == Role.ASSISTANT))
        return found[0].text if found else ""

    async def not_here(self, access: Access, *, at: datetime) -> int:
        """How many memories in use of whoever asks, which an operator may see, this chat may not show."""
        own = in_scopes(ITEMS.c, [ref for ref in access.readable if ref.scope is Scope.USER])
        in_use = and_(ITEMS.c.status == Status.ACTIVE, func.coalesce(ITEMS.c.expires_at > at, true()))
        hidden = and_(own, in_use, not_(reachable(access)))
        return (await self._rows(select(func.count()).where(hidden)))[0][0]

    async def place(self, umo: str) -> ScopeRef | None:
        """The scope of the group or project under which something said in this chat was kept last."""
        of = EVENTS.c
        # By each state, so that the index of the queue serves.
        here = and_(of.extraction.in_(sorted(Extraction)), of.session_id == umo)
        query = select(of.scope, of.scope_id).where(here, of.scope.in_((Scope.GROUP, Scope.PROJECT)))
        rows = await self._rows(query.order_by(of.created_at.desc()).limit(1))
        return next((ScopeRef(scope=scope, scope_id=scope_id) for scope, scope_id in rows), None)


def _matching(wanted: RecallFilter, zone: tzinfo) -> ColumnElement[bool]:
    terms: list[ColumnElement[bool]] = []
    if wanted.scope_id is not None:
        # By each kind, so that the index by owner serves.
        terms += [_C.owner_scope.in_(sorted(Scope)), _C.owner_scope_id == wanted.scope_id]
    if wanted.umo is not None:
        terms.append(_C.session_id == wanted.umo)
    if wanted.empty is not None:
        terms.append(GAVE_NOTHING if wanted.empty else ~_IS_EMPTY)
    terms += within(_C.created_at, wanted.since, wanted.until, zone)
    return and_(_C.id.is_not(None), *terms, *each_word(wanted.query, (_C.query,)))
