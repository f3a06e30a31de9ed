"""Which rows are a person's: conditions for erasing, the one place besides the choke point that knows."""

from sqlalchemy import ColumnElement, and_, false, func, or_, select

from ..access.persons import Person
from ..domain.words import EDITED, Scope
from ..models import EVENTS, EVIDENCE, ITEMS
from .items import sums_up
from .personas import without_persona
from .visibility import Columns

_ITEM = ITEMS.c
_EVENT = EVENTS.c
_OTHER = EVENTS.alias("other").c


def of_person(person: Person, scope: ColumnElement[str], scope_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Rows with a scope of theirs in these columns; as `Person.owns`."""
    own = without_persona(scope_id)
    in_group = (
        and_(func.substr(own, 1, len(begin)) == begin, func.substr(own, -len(end)) == end)
        for begin, end in sorted(person.in_groups)
    )
    return and_(scope == Scope.USER, or_(own.in_(sorted(person.ids)), *in_group))


def said_with(person: Person) -> ColumnElement[bool]:
    """Events that they said, that answered them, or that happened in a private chat of theirs."""
    theirs = select(_OTHER.session_id).where(_OTHER.scope != Scope.GROUP, said_by(person, _OTHER))
    in_their_chats = or_(_EVENT.session_id.in_(sorted(person.chats)), _EVENT.session_id.in_(theirs))
    return or_(
        of_person(person, _EVENT.owner_scope, _EVENT.owner_scope_id),
        of_person(person, _EVENT.scope, _EVENT.scope_id),
        and_(_EVENT.scope != Scope.GROUP, in_their_chats),
        said_by(person, _EVENT),
    )


def said_by(person: Person, of: Columns) -> ColumnElement[bool]:
    """Messages of theirs; some hosts have many private chats of one person, which only these tell of."""
    said = (and_(of.platform_id == platform, of.sender_id == sender) for platform, sender in person.senders)
    return or_(false(), *said)


def resting_on(events: ColumnElement[bool]) -> ColumnElement[bool]:
    """Items with evidence among these events."""
    return _ITEM.memory_id.in_(select(EVIDENCE.c.memory_id).where(is_of(events)))


def resting_on_others(events: ColumnElement[bool]) -> ColumnElement[bool]:
    """Items with evidence that is not among these events."""
    return select(EVIDENCE.c.id).where(EVIDENCE.c.memory_id == _ITEM.memory_id, ~is_of(events)).exists()


def kept_of(person: Person, events: ColumnElement[bool]) -> ColumnElement[bool]:
    """Items that go with these events: of their scopes, and elsewhere what rests on nothing else.

    And what sums up others, with its earlier wordings, for nobody can tell whose words it is made of.
    """
    newer = ITEMS.alias("newer").c
    sum_now = select(newer.memory_id).where(newer.memory_id == _ITEM.superseded_by, sums_up(newer)).exists()
    is_a_sum = or_(sums_up(), and_(_ITEM.reason == EDITED, sum_now))
    return or_(
        of_person(person, _ITEM.scope, _ITEM.scope_id),
        and_(resting_on(events), or_(~resting_on_others(events), is_a_sum)),
    )


def is_of(events: ColumnElement[bool]) -> ColumnElement[bool]:
    """Evidence among these events."""
    return EVIDENCE.c.event_id.in_(select(_EVENT.event_id).where(events).correlate(None))
