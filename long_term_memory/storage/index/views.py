"""Which documents an access sees of each scope, by queries that pass the choke point (`visibility.py`)."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from typing import ClassVar, override

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    and_,
    case,
    func,
    literal_column,
    not_,
    select,
    true,
)

from ...domain.chat import Access, ScopeRef
from ...domain.memory import Item
from ...domain.words import Scope
from ...models import EVENT_VECTORS, EVENTS, EVIDENCE, ITEMS, VECTORS
from ...policies.slots import words_asked_by
from ...read.protocols import KINDS, ROLES
from .. import items
from ..columns import Instant
from ..visibility import quotable, searchable, visible
from .cache import Key
from .scope_index import (
    Query,
    Row,
    ScopeIndex,
    ScopeVectors,
    View,
    of_table,
    rows_of,
    scope_index,
    scope_vectors,
    seconds,
)

_QUOTES_INDEXED = 8
"""The newest quotes of an item; it may rest on a hundred."""
_INDEXED = 4_000
"""Characters of a message: what a tool fetched may be a whole page."""
_SHARED = ("scope", "scope_id", "type", "status", "audience", "origin", "origin_umo", "supersedes", "tags")
"""Texts that most rows of a scope have in common: each is kept once."""
_COLUMNS = (*(ITEMS.c[name] for name in _SHARED), *(each for each in ITEMS.c if each.name not in _SHARED))
_PLACES = {column.name: at for at, column in enumerate(_COLUMNS)}
_INSTANTS = {column.name for column in _COLUMNS if isinstance(column.type, Instant)}
_KINDS = {kind.value: at for at, kind in enumerate(KINDS)}
_ROLES = {role.value: at for at, role in enumerate(ROLES)}
_RESTS_ON = and_(EVIDENCE.c.memory_id == ITEMS.c.memory_id, EVENTS.c.event_id == EVIDENCE.c.event_id)
_SAID_AT = select(func.max(EVENTS.c.created_at)).where(_RESTS_ON).correlate(ITEMS).scalar_subquery()
_E = EVENTS.c
_BY_TIME: ColumnElement[str] = literal_column("+ltm_events.created_at")
"""The sign keeps the store from going through everybody's events in the order of time for those of one."""
_EVENT_COLUMNS = (
    *(_E.id, _E.event_id, _E.source_role, _E.sender_name, _E.created_at, _E.scope, _E.scope_id),
    *(_E.session_id, _E.conversation_id, func.json_extract(_E.content, "$.text")),
)


@dataclass(frozen=True, kw_only=True)
class ItemView(View):
    """An access narrowed to one scope, and how certain an item must be."""

    access: Access
    min_confidence: float
    tables: ClassVar = frozenset({ITEMS.name, EVIDENCE.name})
    row_bytes: ClassVar = 1_000
    weights: ClassVar = (1.0, 0.4, 0.5, 0.5)
    length_shares: ClassVar = (0.4, 0.4, 0.4, 0.0)  # to be asked for in many words makes none say less

    def __hash__(self) -> int:
        """Of the scope: of each there are few views."""
        return hash(self.ref)

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        seen = visible(self.access, now=now, min_confidence=self.min_confidence)
        query = of_table(ITEMS, seen, only, *_COLUMNS, _SAID_AT, _quotes(self.access))
        known: dict[str, str] = {}
        until = len(_SHARED)
        rows, said_at, quotes = list[Row](), list[str | None](), list[str]()
        for *row, said, quoted in rows_of(connection, query):
            rows.append((*map(known.setdefault, row[:until], row[:until]), *row[until:]))
            said_at.append(said)
            quotes.append(quoted or "")
        of = {name: [row[at] for row in rows] for name, at in _PLACES.items()}
        facts, people, slots = of["fact"], of["person"], of["slot"]
        texts = (
            [f"{fact} {story}" for fact, story in zip(facts, of["backstory"], strict=True)],
            quotes,
            [f"{person} {what}" for person, what in zip(people, of["relationship"], strict=True)],
            [*map(words_asked_by, slots, facts)],
        )
        # By the kind of scope: a person's accounts are one person; what a group says of them is another fact.
        kind = self.ref.scope
        return scope_index(
            self,
            rows,
            texts,
            id=of["id"],
            kind=[_KINDS[each] for each in of["type"]],
            level=of["level"],
            own=kind is Scope.USER,
            importance=of["importance"],
            said=seconds([at or made for at, made in zip(said_at, of["created_at"], strict=True)]),
            confirmed=seconds(of["last_confirmed_at"]),
            expires=seconds(of["expires_at"]),
            identity=[hash((kind, *each)) for each in zip(of["fact_key"], people, strict=True)],
            answers=[hash((kind, who, slot)) if slot else 0 for who, slot in zip(people, slots, strict=True)],
        )

    @override
    def taken(self, rows: Sequence[Row]) -> "Items":
        return Items(rows)

    @override
    def vectors(self, model_id: str) -> "ItemVectors":
        return ItemVectors(ref=self.ref, model_id=model_id)


@dataclass(frozen=True, kw_only=True)
class ItemVectors(Key):
    """The vectors of a scope under one tag, whoever may see what they are of."""

    model_id: str
    tables: ClassVar = frozenset({ITEMS.name, VECTORS.name})

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeVectors:
        query = of_table(ITEMS, items.of_scope(self.ref), only, ITEMS.c.id, VECTORS.c.vector)
        mine = and_(VECTORS.c.memory_id == ITEMS.c.memory_id, VECTORS.c.model_id == self.model_id)
        return scope_vectors(connection, query.join(VECTORS, mine, isouter=True))


class Items(Sequence[Item]):
    """The items of rows, each made when it is first asked for."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._made: dict[int, Item] = {}

    @override
    def __len__(self) -> int:
        return len(self._rows)

    @override
    def __getitem__(self, at: int) -> Item:  # pyright: ignore[reportIncompatibleMethodOverride] - no slices
        if at not in self._made:
            row = self._rows[at]
            self._made[at] = items.item_of({name: _read(name, row[place]) for name, place in _PLACES.items()})
        return self._made[at]


@dataclass(frozen=True, kw_only=True)
class EventView(View):
    """An access narrowed to what was said in one scope or by one person; the texts are not kept."""

    access: Access
    besides: ScopeRef | None = None
    """A scope that another view shows."""
    newest: ClassVar = 20_000
    """So many are searched."""
    max_rows: ClassVar = 22_000
    tables: ClassVar = frozenset({EVENTS.name})
    row_bytes: ClassVar = 150
    # Measured on long talks of two people: to say who spoke helps most where a question names them.
    weights: ClassVar = (1.0, 0.0, 1.0, 0.0)
    length_shares: ClassVar = (0.4, 0.0, 0.0, 0.0)

    def query(self, only: Collection[int] | None, *columns: ColumnElement[object]) -> Query:
        """The newest of what may be searched; of a group, which may have a million, along its index."""
        ref = self.besides
        seen = true() if ref is None else not_(and_(_E.scope == ref.scope, _E.scope_id == ref.scope_id))
        query = of_table(EVENTS, and_(searchable(self.access), seen), only, *columns)
        if only is not None:
            return query.order_by(_E.id.desc())
        said_at = _BY_TIME if self.access.private else _E.created_at
        return query.order_by(None).order_by(said_at.desc(), _E.id.desc()).limit(self.newest)

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        rows = [*rows_of(connection, self.query(only, *_EVENT_COLUMNS))][::-1]
        nothing = [""] * len(rows)
        said = seconds([row[4] for row in rows])
        return scope_index(
            self,
            [row[1] for row in rows],
            ([row[-1][:_INDEXED] for row in rows], nothing, [row[3] for row in rows], nothing),
            id=[row[0] for row in rows],
            identity=[row[0] for row in rows],
            kind=[_ROLES[row[2]] for row in rows],
            said=said,
            confirmed=said,
            expires=inf,
            # A group is one talk; in private each conversation of a chat is.
            thread=[hash(row[5:7] if row[5] == Scope.GROUP else row[7:9]) for row in rows],
        )

    @override
    def vectors(self, model_id: str) -> "EventVectors":
        return EventVectors(ref=self.ref, view=self, model_id=model_id)


@dataclass(frozen=True, kw_only=True)
class EventVectors(Key):
    """The vectors of what a view shows."""

    view: EventView
    model_id: str
    tables: ClassVar = frozenset({EVENTS.name, EVENT_VECTORS.name})
    max_rows: ClassVar = EventView.max_rows

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeVectors:
        query = self.view.query(only, _E.id, EVENT_VECTORS.c.vector)
        mine = and_(EVENT_VECTORS.c.event_id == _E.event_id, EVENT_VECTORS.c.model_id == self.model_id)
        return scope_vectors(connection, query.join(EVENT_VECTORS, mine, isouter=True))


@lru_cache(maxsize=2_048)
def item_views(access: Access, min_confidence: float) -> tuple[ItemView, ...]:
    """One view for each scope that the access reaches; accesses that see the same of a scope share it.

    Where the chat is decides what is seen of a person's memory. What is a group's, a project's or everybody's
    is the same for all who reach it, and so are the words it is found by: those said in that group itself.
    """
    return tuple(
        ItemView(ref=ref, access=_narrowed(access, ref), min_confidence=min_confidence)
        for ref in dict.fromkeys(access.readable)
    )


def _narrowed(access: Access, ref: ScopeRef) -> Access:
    """The access as far as it makes a difference to what is seen of this scope."""
    mine = replace(access, umo="", owner=ref, readable=(ref,))
    if ref.scope is Scope.USER:
        return replace(mine, group=None, also_here=(), cross_group=False) if access.private else mine
    mine = replace(mine, private=False, cross_group=False)
    if ref.scope is Scope.GROUP and ref in (access.group, *access.also_here):
        return mine
    return replace(mine, group=ref if ref.scope is Scope.GROUP else None, also_here=())


@lru_cache(maxsize=2_048)
def event_views(access: Access) -> tuple[EventView, ...]:
    """Views that together show an access each event it may search once."""
    plain = replace(access, umo="", group=None, readable=(), also_here=(), cross_group=False)
    if not access.private:
        here = dict.fromkeys((access.group, *access.also_here) if access.group else ())
        return tuple(EventView(ref=ref, access=replace(plain, owner=ref, group=ref)) for ref in here)
    return tuple(
        EventView(
            ref=ref,
            access=replace(plain, owner=ref, readable=(ref,)),
            besides=access.project if ref.scope is Scope.USER else None,
        )
        for ref in dict.fromkeys(access.readable)
        if ref.scope in (Scope.USER, Scope.PROJECT)
    )


def _quotes(access: Access) -> ScalarSelect[str]:
    """The newest words that an item rests on, as far as they may be shown."""
    # Decided after an outer join, so that nobody goes through all events of a group for those of an item.
    newest = func.max(case((quotable(access), EVIDENCE.c.id)))
    quotes = (
        select(EVIDENCE.c.quote)
        .join(EVENTS, EVENTS.c.event_id == EVIDENCE.c.event_id, isouter=True)
        .where(EVIDENCE.c.memory_id == ITEMS.c.memory_id)
        .group_by(EVIDENCE.c.quote)
        .having(newest.is_not(None))
        .order_by(newest.desc())
        .limit(_QUOTES_INDEXED)
        .correlate(ITEMS)
        .subquery()
    )
    return select(func.group_concat(quotes.c.quote, " ")).scalar_subquery()


def _read(name: str, value: object) -> object:
    if name in _INSTANTS and isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return json.loads(value) if name in ("supersedes", "tags") and isinstance(value, str) else value
