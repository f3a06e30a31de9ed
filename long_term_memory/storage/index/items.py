"""What is remembered: the query with the choke point inside says which items a view shows."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import ClassVar, overload, override

from sqlalchemy import Connection, ScalarSelect, and_, case, func, select

from ...domain.chat import Access, ScopeRef
from ...domain.memory import Item
from ...domain.words import Scope
from ...models import EVENTS, EVIDENCE, ITEMS, VECTORS
from ...policies.slots import words_asked_by
from ...read.signals import KINDS
from .. import items
from ..columns import Instant
from ..visibility import quotable, visible
from .cache import Key
from .scope_index import (
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
"""An item confirmed a hundred times is found by its newest words as well as by all."""
_SHARED = ("scope", "scope_id", "type", "status", "audience", "origin", "origin_umo", "supersedes", "tags")
"""Texts that most rows of a scope have in common: each is kept once."""
_COLUMNS = (*(ITEMS.c[name] for name in _SHARED), *(each for each in ITEMS.c if each.name not in _SHARED))
_AT = {column.name: at for at, column in enumerate(_COLUMNS)}
_INSTANTS = {column.name for column in _COLUMNS if isinstance(column.type, Instant)}
_KINDS = {kind.value: at for at, kind in enumerate(KINDS)}
_RESTS_ON = and_(EVIDENCE.c.memory_id == ITEMS.c.memory_id, EVENTS.c.event_id == EVIDENCE.c.event_id)
_SAID_AT = select(func.max(EVENTS.c.created_at)).where(_RESTS_ON).correlate(ITEMS).scalar_subquery()


@dataclass(frozen=True, kw_only=True)
class ItemView(View):
    """An access narrowed to one scope, and how sure an item must be."""

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
        of = {name: [row[at] for row in rows] for name, at in _AT.items()}
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
    """The items of rows, each made when it is taken."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._made: dict[int, Item] = {}

    @override
    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Item]: ...
    @override
    def __getitem__(self, at: int | slice) -> Item | Sequence[Item]:
        if isinstance(at, slice):
            return Items(self._rows[at])
        if at not in self._made:
            row = self._rows[at]
            self._made[at] = items.item_of({name: _read(name, row[place]) for name, place in _AT.items()})
        return self._made[at]


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
