"""Words of somebody who is erased, as others quoted them when they answered (design 9.6)."""

from collections.abc import Collection, Sequence
from itertools import batched
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, and_, false, func, or_, select

from ..access.persons import Person
from ..domain.words import Scope
from ..models import EVENTS, EVIDENCE, VECTORS
from .seat import Seat

_C = EVENTS.c
_LONG_ENOUGH = 40
"""Characters by which a quoted message is known again."""
_AT_ONCE = 500
"""Messages of one statement."""
_said_by = func.json_extract(_C.content, "$.quoted_sender")
_ANSWERS = select(_C.id, _C.event_id, _C.content).where(func.json_extract(_C.content, "$.quoted") != "")


async def unquote(seat: Seat, person: Person, events: ColumnElement[bool]) -> int:
    """Take the words of this person out of the answers of others; returns of how many.

    What one of their accounts is known to have said goes wherever it is quoted. Not every platform tells
    whose words they are: in the groups of `events`, which are theirs, what is attributed to one of their
    names goes, and what begins like one of their messages.
    """
    answers = (await seat.execute(_ANSWERS.where(quoting(person), ~events))).mappings().all()
    return await _silence(seat, [*answers, *await _like(seat, events)])


def quoting(person: Person) -> ColumnElement[bool]:
    """Messages that are known to quote them."""
    theirs = (and_(_C.platform_id == platform, _said_by == sender) for platform, sender in person.senders)
    return or_(false(), *theirs)


async def _like(seat: Seat, events: ColumnElement[bool]) -> list[RowMapping]:
    """Of the groups of these events the answers of others that seem to quote them."""
    mine = events & (_C.scope == Scope.GROUP)
    said = (await seat.execute(select(_C.sender_name, _C.content).where(mine))).all()
    names = frozenset(name for name, _ in said if name)
    beginnings = frozenset(_beginning(content.get("text", "")) for _, content in said) - {""}
    here = and_(_C.scope == Scope.GROUP, _C.scope_id.in_(select(_C.scope_id).where(mine)))
    untold = func.coalesce(_said_by, "") == ""
    answers = (await seat.execute(_ANSWERS.where(here, ~events, untold))).mappings() if said else ()
    return [answer for answer in answers if _is_of(answer["content"], names, beginnings)]


async def _silence(seat: Seat, answers: Sequence[RowMapping]) -> int:
    silent = {answer["id"]: answer for answer in answers}
    for row, answer in silent.items():
        content = {**answer["content"], "quoted": "", "quoted_sender": ""}
        await seat.change(EVENTS.update().where(_C.id == row).values(content=content))
    # Vectors of what rests on an answer are made of what it answers, too; there will be new ones.
    for some in batched((answer["event_id"] for answer in silent.values()), _AT_ONCE):
        resting = select(EVIDENCE.c.memory_id).where(EVIDENCE.c.event_id.in_(some))
        await seat.change(VECTORS.delete().where(VECTORS.c.memory_id.in_(resting)))
    return len(silent)


def _is_of(content: dict[str, Any], names: Collection[str], beginnings: Collection[str]) -> bool:
    name, _, words = content["quoted"].partition(": ")
    return name in names or _beginning(words) in beginnings or _beginning(content["quoted"]) in beginnings


def _beginning(text: str) -> str:
    return " ".join(text.split())[:_LONG_ENOUGH].casefold()
