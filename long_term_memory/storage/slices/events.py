"""What was said, as documents: found by its words and its speaker, and not kept itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, literal_column, not_, select, true

from ...domain.chat import Access, ScopeRef
from ...domain.words import Scope
from ...models import EVENT_VECTORS, EVENTS
from ...read.signals import ROLES
from ..visibility import searchable
from .documents import NEVER, Documents, Field, Row, Version, Wanted
from .fetching import WANTED_ID, Query, fetched, of_each
from .rows import moments
from .together import Weighing

NEWEST = 20_000
"""So many events of a sight are searched."""
WEIGHING = Weighing(
    k1=0.9,
    weights={Field.TEXT: 1.0, Field.NAMES: 1.0},
    length_shares={Field.TEXT: 0.4},
)
"""Measured on long talks of two people: to say who spoke helps most where a question names them."""

_INDEXED = 4_000
"""Characters of a message: what a tool fetched may be a whole page."""
_ROLES = {role.value: at for at, role in enumerate(ROLES)}
_COLUMNS = (
    EVENTS.c.id,
    EVENTS.c.event_id,
    EVENTS.c.source_role,
    EVENTS.c.sender_name,
    EVENTS.c.created_at,
    EVENTS.c.scope,
    EVENTS.c.scope_id,
    EVENTS.c.session_id,
    EVENTS.c.conversation_id,
    func.json_extract(EVENTS.c.content, "$.text"),
)
_SAID_AT: ColumnElement[str] = literal_column("+ltm_events.created_at")
"""The sign keeps the store from going through everybody's events in the order of time for those of one."""
_ROW_ID, _ID, _ROLE, _NAME, _AT, _SCOPE, _SCOPE_ID, _UMO, _CONVERSATION, _TEXT = range(len(_COLUMNS))


@dataclass(frozen=True, kw_only=True)
class EventSight:
    """An access narrowed to what was said in one scope or by one person."""

    access: Access
    besides: ScopeRef | None = None
    """Of this scope nothing, because another sight beside this one shows it all."""

    @property
    def ref(self) -> ScopeRef:
        """The scope."""
        return self.access.owner


@lru_cache(maxsize=2_048)
def event_sights(access: Access) -> tuple[EventSight, ...]:
    """What together shows an access each event it may search once."""
    plain = replace(access, umo="", group=None, readable=(), also_here=(), cross_group=False)
    if not access.private:
        here = (access.group, *access.also_here) if access.group else ()
        return tuple(EventSight(access=replace(plain, owner=ref, group=ref)) for ref in dict.fromkeys(here))
    return tuple(
        EventSight(
            access=replace(plain, owner=ref, readable=(ref,)),
            besides=access.project if ref.scope is Scope.USER else None,
        )
        for ref in dict.fromkeys(access.readable)
        if ref.scope in (Scope.USER, Scope.PROJECT)
    )


class Events:
    """Implements `Source`: what was said, each event a document that holds its id alone."""

    tables = frozenset({EVENTS.name, EVENT_VECTORS.name})

    def __init__(self, newest: int = NEWEST) -> None:
        """Give so many events of a sight at once; more only when they are asked for by their ids."""
        self._newest = newest

    def load(self, connection: Connection, sight: EventSight, wanted: Wanted) -> Documents:
        """What this sight may search, oldest first."""
        rows = self._rows(connection, sight, wanted)
        said = moments([row[_AT] for row in rows])
        texts = {
            Field.TEXT: [row[_TEXT][:_INDEXED] for row in rows],
            Field.NAMES: [row[_NAME] for row in rows],
        }
        return Documents(
            ids=[row[_ROW_ID] for row in rows],
            rows=[(row[_ID],) for row in rows],
            texts=[texts.get(field, [""] * len(rows)) for field in Field],
            kinds=[_ROLES[row[_ROLE]] for row in rows],
            importance=[0.0] * len(rows),
            said=said,
            confirmed=said,
            expires=[NEVER] * len(rows),
            identities=[hash(row[_ID]) for row in rows],
            vectors=_vectors(connection, wanted.model_id, {row[_ID]: at for at, row in enumerate(rows)}),
            threads=[_thread(row) for row in rows],
        )

    def make(self, row: Row) -> str:
        """The id of the event."""
        return row[0]

    def version(self, row: Row) -> Version:
        """Nothing was said in two versions."""
        return Version(identity=row[0], precedence=())

    def _rows(self, connection: Connection, sight: EventSight, wanted: Wanted) -> list[Row]:
        seen = and_(searchable(sight.access), _not_in(sight.besides))
        if wanted.only is None:
            return fetched(connection, newest_first(sight, seen).limit(self._newest))[::-1]
        found = of_each(EVENTS, and_(EVENTS.c.id == WANTED_ID, seen), *_COLUMNS).order_by(EVENTS.c.id)
        return [row for row in fetched(connection, found, ids=wanted.only) if row[_ROW_ID] is not None]


def newest_first(sight: EventSight, seen: ColumnElement[bool]) -> Query:
    """Of a group, which may have a million events, the newest are read along its index and no more."""
    said_at = _SAID_AT if sight.access.private else EVENTS.c.created_at
    return select(*_COLUMNS).where(seen).order_by(said_at.desc(), EVENTS.c.id.desc())


def _not_in(ref: ScopeRef | None) -> ColumnElement[bool]:
    if ref is None:
        return true()
    return not_(and_(EVENTS.c.scope == ref.scope, EVENTS.c.scope_id == ref.scope_id))


def _thread(row: Row) -> int:
    """A group is one talk; in private each conversation of a chat is."""
    group = row[_SCOPE] == Scope.GROUP
    return hash((row[_SCOPE], row[_SCOPE_ID]) if group else (row[_UMO], row[_CONVERSATION]))


def _vectors(
    connection: Connection, model_id: str | None, places: Mapping[str, int]
) -> Sequence[tuple[int, bytes]]:
    if model_id is None or not places:
        return ()
    mine = and_(EVENT_VECTORS.c.event_id == WANTED_ID, EVENT_VECTORS.c.model_id == bindparam("model"))
    query = of_each(EVENT_VECTORS, mine, WANTED_ID, EVENT_VECTORS.c.vector)
    found = fetched(connection, query, ids=places, model=model_id)
    return [(places[event_id], vector) for event_id, vector in found if vector is not None]
