"""`ltm_paused`: the scopes of which nothing is learnt and nothing recalled until somebody resumes them."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import ColumnElement, String, and_, bindparam, case, exists, false, func, or_, select
from sqlalchemy.dialects.sqlite import insert

from ..domain.chat import ScopeRef
from ..domain.enums import Scope
from ..models import EVENTS, PAUSED
from .columns import Ready, in_scopes, scope_in
from .connection import Connection
from .person_rows import without_persona

_C = PAUSED.c
_OPERATOR = "operator"
"""How the actors begin that are no person's own scope."""
_BY_OPERATOR = or_(_C.actor == _OPERATOR, _C.actor.startswith(f"{_OPERATOR}:"))
_BY_THEMSELVES = or_(_C.actor == _C.scope_id, ~_BY_OPERATOR)
"""People act under their own scope, which may begin like an operator's."""


async def any_of(connection: Connection, *refs: ScopeRef) -> bool:
    """Whether at least one of these scopes is paused."""
    scopes = {f"scope{n}": ref.scope for n, ref in enumerate(refs)}
    ids = {f"id{n}": ref.scope_id for n, ref in enumerate(refs)}
    return bool((await connection.column(_any_of(len(refs)), scopes | ids))[0])


@cache
def _any_of(count: int) -> Ready:
    """Built once: it is asked of each message, and building a query takes longer than running it."""
    each = (
        and_(_C.scope == bindparam(f"scope{n}"), _C.scope_id == bindparam(f"id{n}")) for n in range(count)
    )
    return Ready(select(exists().select_from(PAUSED).where(or_(false(), *each))))


def is_of_paused() -> ColumnElement[bool]:
    """Whether the person of an event, or its group, is paused now."""
    of_person = is_paused(EVENTS.c.owner_scope, EVENTS.c.owner_scope_id)
    return or_(of_person, is_paused(EVENTS.c.scope, EVENTS.c.scope_id))


async def every(connection: Connection) -> frozenset[ScopeRef]:
    """All paused scopes."""
    rows = await connection.execute(select(_C.scope, _C.scope_id))
    return frozenset(map(scope_in, rows.mappings()))


async def any_by_operator(connection: Connection, *refs: ScopeRef) -> bool:
    """Whether an operator has paused at least one of these scopes, which only operators resume."""
    by_operator = exists().select_from(PAUSED).where(in_scopes(_C, refs), ~_BY_THEMSELVES)
    return bool((await connection.execute(select(by_operator))).scalar())


async def pause(connection: Connection, refs: Sequence[ScopeRef], *, actor: str, at: datetime) -> bool:
    """Pause these scopes; whether any of them was not paused yet, or only by its person.

    An operator's pause takes the place of the person's own, and not the other way round.
    """
    rows = [{"scope": ref.scope, "scope_id": ref.scope_id, "actor": actor, "created_at": at} for ref in refs]
    statement = insert(PAUSED).values(rows)
    key = ["scope", "scope_id"]
    if actor.partition(":")[0] == _OPERATOR and actor not in {ref.scope_id for ref in refs}:
        theirs = {name: statement.excluded[name] for name in ("actor", "created_at")}
        put = statement.on_conflict_do_update(index_elements=key, set_=theirs, where=_BY_THEMSELVES)
    else:
        put = statement.on_conflict_do_nothing(index_elements=key)
    return await connection.change(put) > 0


async def resume(connection: Connection, *refs: ScopeRef) -> bool:
    """Let these scopes learn and be recalled again; whether any of them was paused."""
    return await connection.change(PAUSED.delete().where(in_scopes(_C, refs))) > 0


async def counts(connection: Connection) -> tuple[int, int]:
    """How many people and how many groups are paused now; somebody with several joined accounts is one."""
    # An operator pauses several people, each with all joined accounts at one instant.
    who = case((_BY_OPERATOR, _C.actor + " " + _C.created_at.cast(String)), else_=_C.actor)
    person = case((_C.scope == Scope.USER, who))
    group = case((_C.scope == Scope.GROUP, 1))
    numbers = select(func.count(person.distinct()), func.count(group))
    people, groups = (await connection.execute(numbers)).one()
    return people, groups


def is_paused(scope: ColumnElement[str], scope_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether the person or group of these columns is paused now, under whatever persona."""
    return exists().where(_C.scope == scope, _C.scope_id == without_persona(scope_id))
