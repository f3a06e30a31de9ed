"""Words of somebody who is erased, as others quoted them when they answered (design 9.6)."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, func, select

from ..domain.words import Scope
from ..models import EVENTS
from .seat import Seat

_C = EVENTS.c
_LONG_ENOUGH = 40
"""Characters by which a quoted message is known again."""


async def unquote(seat: Seat, events: ColumnElement[bool]) -> None:
    """In the groups of these events, take their words out of the answers of others.

    What is attributed to one of their speakers goes, and what begins like one of them.
    """
    mine = events & (_C.scope == Scope.GROUP)
    said = (await seat.execute(select(_C.scope_id, _C.sender_name, _C.content).where(mine))).all()
    if not said:
        return
    names = frozenset(name for _, name, _ in said if name)
    beginnings = frozenset(_beginning(content.get("text", "")) for _, _, content in said) - {""}
    answers = select(_C.id, _C.content).where(
        _C.scope == Scope.GROUP,
        _C.scope_id.in_(select(_C.scope_id).where(mine)),
        ~events,
        func.json_extract(_C.content, "$.quoted") != "",
    )
    for row, content in (await seat.execute(answers)).all():
        if _is_of(content, names, beginnings):
            silent = {**content, "quoted": ""}
            await seat.change(EVENTS.update().where(_C.id == row).values(content=silent))


def _is_of(content: dict[str, Any], names: Collection[str], beginnings: Collection[str]) -> bool:
    name, _, words = content["quoted"].partition(": ")
    return name in names or _beginning(words) in beginnings or _beginning(content["quoted"]) in beginnings


def _beginning(text: str) -> str:
    return " ".join(text.split())[:_LONG_ENOUGH].casefold()
