"""`ltm_paused`: the scopes of which nothing is learnt and nothing recalled until somebody resumes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, delete, exists, false, func, or_, select
from sqlalchemy.dialects.sqlite import insert

from ..domain.chat import ScopeRef
from ..domain.words import Scope
from ..models import PAUSED
from .seat import Seat

_C = PAUSED.c


@dataclass(frozen=True, kw_only=True)
class PausedCounts:
    """How many are paused, for the operator."""

    people: int
    """Somebody with several joined accounts is one."""
    groups: int


async def any_of(connection: Seat, refs: Sequence[ScopeRef]) -> bool:
    """Whether at least one of these scopes is paused."""
    return bool((await connection.execute(select(exists().select_from(PAUSED).where(_these(refs))))).scalar())


async def pause(connection: Seat, refs: Sequence[ScopeRef], *, actor: str, at: datetime) -> bool:
    """Pause these scopes; whether any of them was not paused yet."""
    rows = [{"scope": ref.scope, "scope_id": ref.scope_id, "actor": actor, "created_at": at} for ref in refs]
    statement = insert(PAUSED).values(rows).on_conflict_do_nothing(index_elements=["scope", "scope_id"])
    return await connection.change(statement) > 0


async def resume(connection: Seat, refs: Sequence[ScopeRef]) -> bool:
    """Let these scopes learn and be recalled again; whether any of them was paused."""
    return await connection.change(delete(PAUSED).where(_these(refs))) > 0


async def counts(connection: Seat) -> PausedCounts:
    """How many people and how many groups are paused now."""
    person = case((_C.scope == Scope.USER, _C.actor))
    group = case((_C.scope == Scope.GROUP, 1))
    row = (await connection.execute(select(func.count(person.distinct()), func.count(group)))).one()
    return PausedCounts(people=row[0], groups=row[1])


def _these(refs: Sequence[ScopeRef]) -> ColumnElement[bool]:
    return or_(false(), *(and_(_C.scope == ref.scope, _C.scope_id == ref.scope_id) for ref in refs))
