"""The documents a chat may see in each scope. Every query takes its condition from `visibility.py`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from math import inf
from typing import Any, ClassVar, override

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, func, literal_column, or_, select

from ...domain.chat import Access, ScopeRef
from ...domain.enums import EDITED, MemoryType, Scope
from ...domain.memory import Item
from ...models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, VECTORS
from ...policies.requests import is_about_answers
from ...policies.slots import words_asked_by
from ...read.protocols import KINDS, OF_ANSWERS, ROLES
from ...text_analysis.dates import days_written
from .. import items
from ..columns import in_scopes
from ..evidence import quotes_of_each
from ..visibility import narrowed, quotable, searchable, visible
from .cache import IndexSource
from .scope_index import Row, ScopeIndex, documents_of, vectors_of

type RowQuery = Select[*tuple[Any, ...]]
_PLACES = {name: at for at, name in enumerate([*ITEMS.c.keys(), "said", "quotes", "reworded"])}
_KINDS = {str(kind): at for at, kind in enumerate(KINDS)}
_ROLES = {role.value: at for at, role in enumerate(ROLES)}
_RESTS_ON = and_(EVIDENCE.c.memory_id == ITEMS.c.memory_id, EVENTS.c.event_id == EVIDENCE.c.event_id)
_SAID_AT = select(func.max(EVENTS.c.created_at)).where(_RESTS_ON).correlate(ITEMS).scalar_subquery()
_EARLIER = ITEMS.alias().c
_EDITED = and_(_EARLIER.superseded_by == ITEMS.c.memory_id, _EARLIER.reason == EDITED)
_AS_SAID = select(_EARLIER.fact).where(_EDITED, _EARLIER.updated_at >= ITEMS.c.last_confirmed_at)
_FIRST = _AS_SAID.order_by(_EARLIER.updated_at, _EARLIER.id).limit(1).correlate(ITEMS)
_REWORDED = _FIRST.scalar_subquery() != ITEMS.c.fact
"""Whether an operator has put what its person said last into other words; NULL where nobody has."""
_E = EVENTS.c
_BY_TIME: ColumnElement[str] = literal_column("+ltm_events.created_at")
"""The `+` keeps SQLite off the time index, which would scan everybody's events to find one person's."""
_EVENT_COLUMNS = (
    *(_E.id, _E.event_id, _E.source_role, _E.sender_name, _E.created_at, _E.scope, _E.scope_id),
    *(_E.session_id, _E.conversation_id, func.json_extract(_E.content, "$.text")),
)


@dataclass(frozen=True, kw_only=True)
class ItemView(IndexSource):
    """An access narrowed to one scope, and how certain an item must be."""

    access: Access
    min_confidence: float

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        seen = visible(self.access, now=now, min_confidence=self.min_confidence)
        quotes = quotes_of_each(quotable(self.access))
        query = select(ITEMS, _SAID_AT, quotes, _REWORDED).where(seen).order_by(ITEMS.c.id)
        rows = _rows(connection, query, ITEMS, only)
        known = dict[str, str]()  # rows of a scope have many texts in common: each is kept once
        kept = [
            tuple(known.setdefault(one, one) if isinstance(one, str) else one for one in row[:-3])
            for row in rows
        ]

        def of(name: str) -> list[Any]:
            # One at a time: a garbage collection looks at each value of all columns there are.
            return [row[_PLACES[name]] for row in rows]

        facts, people, slots = of("fact"), of("person"), of("slot")
        said = [at or made for at, made in zip(of("said"), of("created_at"), strict=True)]
        days = [
            " ".join(f"{day:%Y%m%d}" for day in days_written(fact, date.fromisoformat(at[:10])))
            for fact, at in zip(facts, said, strict=True)
        ]
        texts = (
            [" ".join(each) for each in zip(facts, of("backstory"), days, strict=True)],
            [each or "" for each in of("quotes")],
            [f"{person} {what}" for person, what in zip(people, of("relationship"), strict=True)],
            [*map(words_asked_by, slots, facts)],
        )
        # The kind of scope is part of the identity: all accounts of a person count as one, but what a group
        # says of them is a different fact.
        kind = self.ref.scope
        return documents_of(
            kept,
            texts,
            row_bytes=1_000,
            id=of("id"),
            kind=[*map(_kind, of("type"), facts)],
            level=of("level"),
            own=kind is Scope.USER,
            shared=[kind in (Scope.GROUP, Scope.PROJECT) and not person for person in people],
            reworded=of("reworded"),
            importance=of("importance"),
            said=_seconds(said),
            confirmed=_seconds(of("last_confirmed_at")),
            expires=_seconds(of("expires_at")),
            identity=[hash((kind, *each)) for each in zip(of("fact_key"), people, strict=True)],
            answers=[hash((kind, who, slot)) if slot else 0 for who, slot in zip(people, slots, strict=True)],
        )


def _kind(kind: str, fact: str) -> int:
    """The place in `KINDS` of what an item is recalled as."""
    return _KINDS[OF_ANSWERS if kind == MemoryType.PREFERENCE and is_about_answers(fact) else kind]


class ItemVectors(IndexSource):
    """The vectors of the items of a scope, whoever may see these."""

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        mine = and_(VECTORS.c.memory_id == ITEMS.c.memory_id, VECTORS.c.model_id == self.model_id)
        query = select(ITEMS.c.id, VECTORS.c.vector).join_from(ITEMS, VECTORS, mine)
        return vectors_of(_rows(connection, query.where(in_scopes(ITEMS.c, [self.ref])), ITEMS, only))


class Items(Sequence[Item]):
    """The items of rows, each made when it is first asked for."""

    def __init__(self, rows: NDArray[Any]) -> None:
        self._rows = rows

    @override
    def __len__(self) -> int:
        return len(self._rows)

    @override
    def __getitem__(self, at: int) -> Item:  # pyright: ignore[reportIncompatibleMethodOverride] - no slices
        row = self._rows[at]
        if not isinstance(row, Item):
            row = self._rows[at] = items.item_in(row)
        return row


@dataclass(frozen=True, kw_only=True)
class EventView(IndexSource):
    """An access narrowed to what was said in one scope or by one person; the texts are not kept."""

    access: Access
    besides: tuple[ScopeRef, ...] = ()
    """Scopes that other views show."""
    max_rows: ClassVar = 22_000

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        seen = and_(searchable(self.access), ~in_scopes(_E, self.besides))
        query = _newest(select(*_EVENT_COLUMNS).where(seen), self, only)
        rows = _rows(connection, query, EVENTS, only)[::-1]
        nothing = [""] * len(rows)
        said = _seconds([row[4] for row in rows])
        return documents_of(
            [row[1] for row in rows],
            ([row[-1] for row in rows], nothing, [row[3] for row in rows], nothing),
            row_bytes=150,
            id=[row[0] for row in rows],
            identity=[row[0] for row in rows],
            kind=[_ROLES[row[2]] for row in rows],
            said=said,
            confirmed=said,
            expires=inf,
            # A group is one thread; in private, each conversation is one.
            thread=[hash(row[5:7] if row[5] == Scope.GROUP else row[7:9]) for row in rows],
        )


class EventVectors(IndexSource):
    """Vectors of messages said in a scope or, for a person, by that person."""

    max_rows = EventView.max_rows

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        mine = and_(EVENT_VECTORS.c.event_id == _E.event_id, EVENT_VECTORS.c.model_id == self.model_id)
        places = ("", "owner_") if self.ref.scope is Scope.USER else ("",)
        whose = or_(*(in_scopes(_E, [self.ref], place) for place in places))
        query = select(_E.id, EVENT_VECTORS.c.vector).select_from(EVENTS).where(whose)
        # With an inner join SQLite may start from everybody's vectors.
        query = query.join(EVENT_VECTORS, mine, isouter=True)
        rows = _rows(connection, _newest(query, self, only), EVENTS, only)
        return vectors_of([row for row in rows if row[1] is not None])


@lru_cache(maxsize=2_048)
def item_views(access: Access, min_confidence: float) -> tuple[ItemView, ...]:
    """One view per scope that the access reaches.

    What is seen of a person's memory depends on the chat. A group's, a project's or everybody's memory looks
    the same to all who reach it, so they share the view.
    """
    return tuple(
        ItemView(ref=ref, access=narrowed(access, ref), min_confidence=min_confidence)
        for ref in dict.fromkeys(access.readable)
    )


@lru_cache(maxsize=2_048)
def event_views(access: Access) -> tuple[EventView, ...]:
    """Views that together cover every event this access may search, each exactly once."""
    here = (access.group, *access.also_here) if access.group else ()
    plain = replace(access, umo="", also_here=(), cross_group=False)
    return tuple(
        EventView(
            ref=ref,
            access=replace(plain, owner=ref, readable=(ref,), group=None if access.private else ref),
            besides=(access.project,) if access.project and ref.scope is Scope.USER else (),
        )
        for ref in dict.fromkeys(access.own if access.private else here)
    )


def _newest(query: RowQuery, key: IndexSource, only: Collection[int] | None) -> RowQuery:
    """The newest events of a query; all of a group's, which may be a million, along its index."""
    said_at = _E.created_at if key.ref.scope is Scope.GROUP and only is None else _BY_TIME
    return query.order_by(said_at.desc(), _E.id.desc()).limit(key.max_rows * 10 // 11)  # room for later ones


def _rows(
    connection: Connection, query: RowQuery, table: Table, only: Collection[int] | None
) -> Sequence[Row]:
    """The rows as the driver gives them, or those of `only` these ids of the table."""
    cursor = connection.execute(query if only is None else query.where(table.c.id.in_(only))).cursor
    return [] if cursor is None else cursor.fetchall()


def _seconds(instants: Sequence[str | None]) -> NDArray[np.float64]:
    """Stored instants in seconds since 1970; none is infinitely far."""
    known = np.array([instant or "NaT" for instant in instants], "datetime64[us]")
    return np.where(np.isnat(known), np.inf, known.astype(np.int64) / 1e6)
