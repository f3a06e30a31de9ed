"""The operator's lists: everybody's items, events and audit, filtered and in pages."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from sqlalchemy import Column, ColumnElement, and_, false, func, or_, select, true

from ..access.persons import Person
from ..domain.enums import Origin, Scope
from ..domain.memory import Event, EventFilter, Item, ItemFilter, Page, Paging
from ..domain.review import WaitingFilter, WaitingItem, WaitingItems
from ..domain.writing import AuditFilter, AuditLine
from ..models import AUDIT, EVENTS, EVIDENCE, IMPORTED_ITEMS, ITEMS
from ..policies.succession import RATE_RULES
from . import accounts, audit, events, evidence, items
from .columns import Columns
from .database import OnDatabase, reads
from .paging import contains, each_word, paged, within
from .person_rows import of_person, resting_on, said_by

MAX_ACTORS = 200

_ITEM = ITEMS.c
_EVENT = EVENTS.c
_LINE = AUDIT.c
_BY_MODE = "mode"
"""The reason of an item that has none of its own."""
_OWN_WORDS = (Origin.LLM_EXTRACT, Origin.RULE, Origin.USER_EXPLICIT)
LAST_EVENTS = 500
"""Of so many it is looked at in which chats they happened."""
_SEARCHED = (_ITEM.fact, _ITEM.fact_key, _ITEM.person, _ITEM.relationship, _ITEM.backstory, _ITEM.slot)
_SHORTEST_ID = 4
_ORDERS: Mapping[str, Column[Any]] = {
    "created": _ITEM.created_at,
    "updated": _ITEM.updated_at,
    "importance": _ITEM.importance,
    "confidence": _ITEM.confidence,
    "accessed": _ITEM.last_accessed_at,
    "expires": _ITEM.expires_at,
}

type Named = tuple[Person | None, Person | None]
"""Whose accounts an ItemFilter names, as its `person` and as its `author`."""


class BrowsingQueries(OnDatabase):
    """What operators look at, whoever's it is; persons never reach this."""

    live_items = reads(accounts.live_items)
    accounts = reads(accounts.page)
    _paged = reads(paged)

    async def items(self, wanted: ItemFilter, named: Named = (None, None), zone: tzinfo = UTC) -> Page[Item]:
        """One page of items; `zone` is of its days."""
        return await self._paged(ITEMS, items.item_of, _items(wanted, named, zone), _ordered(wanted), wanted)

    async def item_ids(self, wanted: ItemFilter, named: Named, zone: tzinfo, *, limit: int) -> Sequence[str]:
        """The ids of all items that `items` has on its pages, or of so many of them."""
        query = select(_ITEM.memory_id).where(_items(wanted, named, zone)).order_by(*_ordered(wanted))
        return await self._column(query.limit(limit))

    async def events(self, wanted: EventFilter) -> Page[Event]:
        """One page of events, the newest first."""
        same = ("scope", "scope_id", "sender_id", "extraction")
        exact = _equal(_EVENT, wanted, *same, session_id=wanted.umo, source_role=wanted.role)
        condition = and_(true(), *exact, *each_word(wanted.query or "", (events.TEXT,)))
        return await self._paged(EVENTS, events.event_of, condition, events.NEWEST, wanted)

    async def audit(self, wanted: AuditFilter, zone: tzinfo = UTC) -> Page[AuditLine]:
        """One page of the audit, the newest first."""
        days = within(_LINE.created_at, wanted.since, wanted.until, zone)
        terms = [*_equal(_LINE, wanted, "actor", "action"), *days]
        if wanted.scope_id is not None:
            here = select(_ITEM.memory_id).where(_ITEM.scope_id == wanted.scope_id)
            terms.append(_LINE.memory_id.in_(here))
        of_item = _is_id(_LINE.memory_id, wanted.memory_id) if wanted.memory_id else _LINE.id.is_not(None)
        return await self._paged(AUDIT, audit.line_of, and_(*terms, of_item), [_LINE.id.desc()], wanted)

    async def actors(self) -> Sequence[str]:
        """Who is named in the audit, the latest first, MAX_ACTORS at most."""
        latest = select(_LINE.actor).group_by(_LINE.actor).order_by(func.max(_LINE.id).desc())
        return await self._column(latest.limit(MAX_ACTORS))

    async def waiting(self, wanted: WaitingFilter, *, soon: datetime) -> WaitingItems:
        """One page of the items that wait for approval, oldest first, and why how many do.

        `soon` is until when one ends that ends soon.
        """
        async with self._database.read() as connection:
            found = await paged(connection, ITEMS, items.item_of, _waiting(wanted), [_ITEM.id], wanted)
            said = await evidence.in_messages(connection, [item.memory_id for item in found.rows])
            ending = func.count().filter(_ITEM.expires_at <= soon)
            query = select(_ITEM.reason, func.count(), ending, func.max(_ITEM.updated_at))
            of_any = query.where(_waiting(replace(wanted, reason=None))).group_by(_ITEM.reason)
            counted = (await connection.execute(of_any)).all()
        reasons = Counter[str]()
        for reason, number, _, _ in counted:
            reasons[reason.partition(":")[0] or _BY_MODE] += number

        def waits(item: Item) -> WaitingItem:
            ends_soon = item.expires_at is not None and item.expires_at <= soon
            return WaitingItem(item=item, evidence=said.get(item.memory_id, ()), ends_soon=ends_soon)

        changed_at = max((at for *_, at in counted), default=None)
        rows = [*map(waits, found.rows)]
        return WaitingItems(
            **vars(found.of(rows)),
            reasons=dict(reasons),
            expire_soon=sum(number for *_, number, _ in counted),
            changed_at=changed_at,
        )

    async def waiting_for_admins(self, reasons: Collection[str], kinds: Collection[str]) -> tuple[int, int]:
        """How many items wait for an admin, and of how many people and groups.

        Not what goes on by itself, nor what its person may accept: `kinds` that wait for one of these
        reasons.
        """
        own = and_(_ITEM.scope == Scope.USER, _ITEM.person == "", _ITEM.origin.in_(_OWN_WORDS))
        theirs = and_(own, _ITEM.reason.in_(reasons), _ITEM.type.in_(kinds))
        query = select(func.count(), func.count(_ITEM.scope_id.distinct())).where(items.WAITS, ~theirs)
        [(count, owners)] = await self._rows(query.where(_ITEM.reason.not_in(RATE_RULES)))
        return count, owners

    async def waiting_ids(self, reason: str | None, since: datetime | None) -> Sequence[str]:
        """The id of each that waits for this reason, or any, unchanged since, as last confirmed."""
        unchanged = _ITEM.updated_at <= since if since else true()
        query = select(_ITEM.memory_id).where(_waiting(WaitingFilter(reason=reason)), unchanged)
        return await self._column(query.order_by(_ITEM.last_confirmed_at, _ITEM.id))

    async def private_chats(self, scope_ids: Sequence[str]) -> Sequence[str]:
        """The origins of the chats in which these people were last alone with the bot."""
        found = dict[str, None]()
        for scope_id in scope_ids:
            here = and_(_EVENT.scope == Scope.USER, _EVENT.scope_id == scope_id)
            newest = select(_EVENT.session_id).where(here).order_by(_EVENT.created_at.desc())
            last = newest.limit(LAST_EVENTS).subquery()
            found |= dict.fromkeys(await self._column(select(last.c.session_id).distinct()))
        return list(found)


def _waiting(wanted: WaitingFilter) -> ColumnElement[bool]:
    terms: list[ColumnElement[bool]] = [items.WAITS]
    if wanted.reason is not None:
        begins = _ITEM.reason.startswith(f"{wanted.reason}:", autoescape=True)
        none = [_ITEM.reason == ""] if wanted.reason == _BY_MODE else []
        terms.append(or_(_ITEM.reason == wanted.reason, begins, *none))
    return and_(*terms, *_equal(_ITEM, wanted, "scope_id"))


def _ordered(wanted: ItemFilter) -> list[ColumnElement[Any]]:
    """A whole order, the other way round exactly the other way round; what never ends ends last."""
    column = _ORDERS[wanted.sort.removeprefix("-")]
    order: list[ColumnElement[Any]] = [column, _ITEM.id]
    if wanted.sort.endswith("expires"):
        order.insert(0, column.is_(None))
    return [each.desc() for each in order] if wanted.sort.startswith("-") else order


def _items(wanted: ItemFilter, named: Named, zone: tzinfo) -> ColumnElement[bool]:
    (person, author), terms = named, _equal(_ITEM, wanted, "scope", "scope_id", "type", "level", "origin")
    if wanted.status:
        terms.append(items.LIVE if wanted.status == "live" else _ITEM.status == wanted.status)
    if wanted.person:
        of = [contains(_ITEM.person, wanted.person), contains(_ITEM.teller, wanted.person)]
        called = and_(_EVENT.owner_scope == Scope.USER, contains(_EVENT.sender_name, wanted.person))
        own_scopes = select(_EVENT.owner_scope_id).where(called).distinct()
        of.append(and_(_ITEM.scope == Scope.USER, _ITEM.scope_id.in_(own_scopes)))
        of += [of_person(person, _ITEM.scope, _ITEM.scope_id)] if person else []
        terms.append(or_(*of))
    if wanted.author:
        terms.append(resting_on(said_by(author, _EVENT)) if author else false())
    if wanted.import_id:
        brought = select(IMPORTED_ITEMS.c.memory_id).where(IMPORTED_ITEMS.c.import_id == wanted.import_id)
        terms.append(_ITEM.memory_id.in_(brought))
    if wanted.since or wanted.until:
        first = select(func.min(EVIDENCE.c.created_at)).where(EVIDENCE.c.memory_id == _ITEM.memory_id)
        terms += within(first.correlate(ITEMS).scalar_subquery(), wanted.since, wanted.until, zone)
    words = and_(true(), *each_word(wanted.query or "", _SEARCHED))
    return and_(*terms, or_(words, _is_id(_ITEM.memory_id, wanted.query or "")))


def _is_id(memory_id: Column[str], text: str) -> ColumnElement[bool]:
    """Whether this is its id or how that begins, as replies show it."""
    begin = text.strip(" ()")
    return memory_id.between(begin, f"{begin}~") if len(begin) >= _SHORTEST_ID else memory_id == text


def _equal(of: Columns, wanted: Paging, *same: str, **others: object) -> list[ColumnElement[bool]]:
    """These columns have what the filter has under the same name, and others these values; None is any."""
    exact = {name: getattr(wanted, name) for name in same} | others
    return [of[name] == value for name, value in exact.items() if value is not None]
