"""What was said, as documents: found by its words and its speaker, and not kept itself."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from math import inf
from typing import ClassVar, override

from sqlalchemy import ColumnElement, Connection, and_, func, literal_column, not_, true

from ...domain.chat import Access, ScopeRef
from ...domain.words import Scope
from ...models import EVENT_VECTORS, EVENTS
from ...read.signals import ROLES
from ..visibility import searchable
from .cache import Key
from .scope_index import (
    Query,
    ScopeIndex,
    ScopeVectors,
    View,
    of_table,
    rows_of,
    scope_index,
    scope_vectors,
    seconds,
)

_INDEXED = 4_000
"""Characters of a message: what a tool fetched may be a whole page."""
_ROLES = {role.value: at for at, role in enumerate(ROLES)}
_SAID_AT: ColumnElement[str] = literal_column("+ltm_events.created_at")
"""The sign keeps the store from going through everybody's events in the order of time for those of one."""
_C = EVENTS.c
_COLUMNS = (_C.id, _C.event_id, _C.source_role, _C.sender_name, _C.created_at, _C.scope, _C.scope_id)
_MORE = (_C.session_id, _C.conversation_id, func.json_extract(_C.content, "$.text"))


@dataclass(frozen=True, kw_only=True)
class EventView(View):
    """An access narrowed to what was said in one scope or by one person."""

    access: Access
    besides: ScopeRef | None = None
    """Of this scope nothing, because another view beside this one shows it all."""
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
        seen = true() if ref is None else not_(and_(_C.scope == ref.scope, _C.scope_id == ref.scope_id))
        query = of_table(EVENTS, and_(searchable(self.access), seen), only, *columns)
        if only is not None:
            return query.order_by(_C.id.desc())
        said_at = _SAID_AT if self.access.private else _C.created_at
        return query.order_by(None).order_by(said_at.desc(), _C.id.desc()).limit(self.newest)

    @override
    def load(self, connection: Connection, now: datetime, only: Collection[int] | None) -> ScopeIndex:
        rows = [*rows_of(connection, self.query(only, *_COLUMNS, *_MORE))][::-1]
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
        query = self.view.query(only, _C.id, EVENT_VECTORS.c.vector)
        mine = and_(EVENT_VECTORS.c.event_id == _C.event_id, EVENT_VECTORS.c.model_id == self.model_id)
        return scope_vectors(connection, query.join(EVENT_VECTORS, mine, isouter=True))


@lru_cache(maxsize=2_048)
def event_views(access: Access) -> tuple[EventView, ...]:
    """What together shows an access each event it may search once."""
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
