"""Which rows are a person's, by whichever persona."""

from collections.abc import Collection, Sequence
from itertools import batched
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, and_, case, false, func, or_, select

from ..access.identity import MARK
from ..access.persons import Person
from ..domain.chat import ScopeRef
from ..domain.enums import Scope
from ..models import EVENTS, EVIDENCE, ITEMS, VECTORS
from .columns import Columns
from .connection import Connection

_ITEM = ITEMS.c
_EVENT = EVENTS.c
_OTHER = EVENTS.alias("other").c
_LONG_ENOUGH = 40
"""Characters by which a quoted message is known again."""
_AT_ONCE = 500
"""Messages of one statement."""
_quoted_sender = func.json_extract(_EVENT.content, "$.quoted_sender")
_ANSWERS = select(_EVENT.id, _EVENT.event_id, _EVENT.content).where(
    func.json_extract(_EVENT.content, "$.quoted") != ""
)
PAST = MARK[:-1] + chr(ord(MARK[-1]) + 1)
"""What comes next after all ids of personas' scopes."""


def without_persona(scope_id: ColumnElement[str]) -> ColumnElement[str]:
    """The id of the same person's or group's scope without a persona, as `access.identity` has it."""
    of_persona = and_(scope_id >= MARK, scope_id < PAST)
    return case((of_persona, func.substr(scope_id, func.instr(scope_id, ":") + 1)), else_=scope_id)


async def of_every_persona(connection: Connection, refs: Sequence[ScopeRef]) -> Sequence[ScopeRef]:
    """The scopes in which personas keep items of these people, who are named without a persona."""
    inner = func.substr(_ITEM.scope_id, func.instr(_ITEM.scope_id, ":") + 1)
    query = (
        select(_ITEM.scope_id)
        .where(_ITEM.scope == Scope.USER, _ITEM.scope_id >= MARK, _ITEM.scope_id < PAST)
        .where(inner.in_([ref.scope_id for ref in refs if ref.scope is Scope.USER]))
        .distinct()
        .order_by(_ITEM.scope_id)
    )
    return [ScopeRef(scope=Scope.USER, scope_id=own) for own in await connection.scalars(query)]


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


def kept_of(person: Person, events: ColumnElement[bool]) -> ColumnElement[bool]:
    """Items that go with these events: of their scopes, and elsewhere what rests on nothing else."""
    others = select(EVIDENCE.c.id).where(EVIDENCE.c.memory_id == _ITEM.memory_id, ~is_of(events)).exists()
    return or_(of_person(person, _ITEM.scope, _ITEM.scope_id), and_(resting_on(events), ~others))


def is_of(events: ColumnElement[bool]) -> ColumnElement[bool]:
    """Evidence among these events."""
    return EVIDENCE.c.event_id.in_(select(_EVENT.event_id).where(events).correlate(None))


async def unquote(connection: Connection, person: Person, events: ColumnElement[bool]) -> int:
    """Take the words of this person out of the answers of others; returns of how many.

    What one of their accounts is known to have said goes wherever it is quoted. Not every platform tells
    whose words they are: in the groups of `events`, which are theirs, what is attributed to one of their
    names goes, and what begins like one of their messages.
    """
    answers = (await connection.execute(_ANSWERS.where(quoting(person), ~events))).mappings().all()
    return await _silence(connection, [*answers, *await _like(connection, events)])


def quoting(person: Person) -> ColumnElement[bool]:
    """Messages that are known to quote them."""
    theirs = (and_(_EVENT.platform_id == name, _quoted_sender == sender) for name, sender in person.senders)
    return or_(false(), *theirs)


async def _like(connection: Connection, events: ColumnElement[bool]) -> list[RowMapping]:
    """Of the groups of these events the answers of others that seem to quote them."""
    mine = events & (_EVENT.scope == Scope.GROUP)
    said = (await connection.execute(select(_EVENT.sender_name, _EVENT.content).where(mine))).all()
    names = frozenset(name for name, _ in said if name)
    beginnings = frozenset(_beginning(content.get("text", "")) for _, content in said) - {""}
    here = and_(_EVENT.scope == Scope.GROUP, _EVENT.scope_id.in_(select(_EVENT.scope_id).where(mine)))
    untold = func.coalesce(_quoted_sender, "") == ""
    answers = (await connection.execute(_ANSWERS.where(here, ~events, untold))).mappings() if said else ()
    return [answer for answer in answers if _is_of(answer["content"], names, beginnings)]


async def _silence(connection: Connection, answers: Sequence[RowMapping]) -> int:
    silent = {answer["id"]: answer for answer in answers}
    for row, answer in silent.items():
        content = {**answer["content"], "quoted": "", "quoted_sender": ""}
        await connection.change(EVENTS.update().where(_EVENT.id == row).values(content=content))
    # Vectors of what rests on an answer are made of what it answers, too; there will be new ones.
    for some in batched((answer["event_id"] for answer in silent.values()), _AT_ONCE):
        resting = select(EVIDENCE.c.memory_id).where(EVIDENCE.c.event_id.in_(some))
        await connection.change(VECTORS.delete().where(VECTORS.c.memory_id.in_(resting)))
    return len(silent)


def _is_of(content: dict[str, Any], names: Collection[str], beginnings: Collection[str]) -> bool:
    name, _, words = content["quoted"].partition(": ")
    return name in names or _beginning(words) in beginnings or _beginning(content["quoted"]) in beginnings


def _beginning(text: str) -> str:
    return " ".join(text.split())[:_LONG_ENOUGH].casefold()
