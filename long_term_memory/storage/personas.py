"""The scopes that personas keep of their own, beside those without one."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, case, func, select

from ..access.personas import MARK
from ..domain.chat import ScopeRef
from ..domain.words import Scope
from ..models import ITEMS
from .seat import Seat

_C = ITEMS.c
PAST = MARK[:-1] + chr(ord(MARK[-1]) + 1)
"""What comes next after all ids of personas' scopes."""


def without_persona(scope_id: ColumnElement[str]) -> ColumnElement[str]:
    """The id of the same person's or group's scope without a persona, as `access.personas` has it."""
    of_persona = and_(scope_id >= MARK, scope_id < PAST)
    return case((of_persona, func.substr(scope_id, func.instr(scope_id, ":") + 1)), else_=scope_id)


async def of_every_persona(connection: Seat, refs: Sequence[ScopeRef]) -> Sequence[ScopeRef]:
    """The scopes in which personas keep items of these people, who are named without a persona."""
    inner = func.substr(_C.scope_id, func.instr(_C.scope_id, ":") + 1)
    query = (
        select(_C.scope_id)
        .where(_C.scope == Scope.USER, _C.scope_id >= MARK, _C.scope_id < PAST)
        .where(inner.in_([ref.scope_id for ref in refs if ref.scope is Scope.USER]))
        .distinct()
        .order_by(_C.scope_id)
    )
    found = (await connection.execute(query)).scalars()
    return [ScopeRef(scope=Scope.USER, scope_id=scope_id) for scope_id in found]
