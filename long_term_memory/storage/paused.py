"""`ltm_paused`: the scopes of which nothing is learnt and nothing recalled until somebody resumes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    and_,
    bindparam,
    case,
    delete,
    exists,
    false,
    func,
    not_,
    or_,
    select,
)
from sqlalchemy.dialects.sqlite import insert

from ..domain.chat import ScopeRef
from ..domain.words import Scope
from ..models import PAUSED
from .changes import EVERYTHING, Change
from .database import Database
from .seat import Seat

_C = PAUSED.c
_EVERY = select(_C.scope, _C.scope_id, _C.actor)
_OPERATOR = "operator"
"""How the actors begin that are no person's own scope."""

_BY_OPERATOR = or_(_C.actor == _OPERATOR, _C.actor.startswith(f"{_OPERATOR}:"))


@dataclass(frozen=True, kw_only=True)
class PausedCounts:
    """How many are paused, for the operator."""

    people: int
    """Somebody with several joined accounts is one."""
    groups: int


async def any_of(connection: Seat, *refs: ScopeRef) -> bool:
    """Whether at least one of these scopes is paused."""
    return bool((await connection.execute(_any(len(refs)), _named(refs))).scalar())


async def every(connection: Seat) -> Mapping[ScopeRef, bool]:
    """All paused scopes, and whether an operator paused them."""
    rows = (await connection.execute(_EVERY)).all()
    return {
        ScopeRef(scope=Scope(scope), scope_id=scope_id): is_operator(actor, scope_id)
        for scope, scope_id, actor in rows
    }


def is_operator(actor: str, scope_id: str) -> bool:
    """Whether it was an operator who paused this scope, and not its person: they act under their scope."""
    return actor != scope_id and actor.partition(":")[0] == _OPERATOR


async def pause(connection: Seat, refs: Sequence[ScopeRef], *, actor: str, at: datetime) -> bool:
    """Pause these scopes; whether any of them was not paused yet, or only by its person.

    An operator's pause takes the place of the person's own, and not the other way round.
    """
    rows = [{"scope": ref.scope, "scope_id": ref.scope_id, "actor": actor, "created_at": at} for ref in refs]
    statement = insert(PAUSED).values(rows)
    key = ["scope", "scope_id"]
    if not any(is_operator(actor, ref.scope_id) for ref in refs):
        return await connection.change(statement.on_conflict_do_nothing(index_elements=key)) > 0
    theirs = {"actor": statement.excluded["actor"], "created_at": statement.excluded["created_at"]}
    own = or_(_C.actor == _C.scope_id, not_(_BY_OPERATOR))
    return (
        await connection.change(statement.on_conflict_do_update(index_elements=key, set_=theirs, where=own))
        > 0
    )


async def resume(connection: Seat, *refs: ScopeRef) -> bool:
    """Let these scopes learn and be recalled again; whether any of them was paused."""
    return await connection.change(delete(PAUSED).where(_these(len(refs))), _named(refs)) > 0


async def counts(connection: Seat) -> PausedCounts:
    """How many people and how many groups are paused now."""
    # An operator pauses several people, each with all joined accounts at one instant.
    who = case((_BY_OPERATOR, _C.actor + " " + _C.created_at.cast(String)), else_=_C.actor)
    person = case((_C.scope == Scope.USER, who))
    group = case((_C.scope == Scope.GROUP, 1))
    row = (await connection.execute(select(func.count(person.distinct()), func.count(group)))).one()
    return PausedCounts(people=row[0], groups=row[1])


@lru_cache(maxsize=32)  # each message is asked about, with few accounts and one group
def _any(number: int) -> Select[Any]:
    return select(exists().select_from(PAUSED).where(_these(number)))


def _these(number: int) -> ColumnElement[bool]:
    """The rows of as many scopes; a list of pairs would be searched for in the whole table."""
    each = (and_(_C.scope == bindparam(f"s{n}"), _C.scope_id == bindparam(f"i{n}")) for n in range(number))
    return or_(false(), *each)


def _named(refs: Sequence[ScopeRef]) -> dict[str, str]:
    scopes = {f"s{n}": str(ref.scope) for n, ref in enumerate(refs)}
    return scopes | {f"i{n}": ref.scope_id for n, ref in enumerate(refs)}


class Pauses:
    """The rows of `ltm_paused`, read at first use and again once one of them has changed."""

    def __init__(self, database: Database) -> None:
        """Follow the changes of this database as long as it lives."""
        self._database = database
        self._known: Mapping[ScopeRef, bool] | None = None
        self._age = 0
        database.changes.listen(self._follow)

    async def any_of(self, refs: Sequence[ScopeRef]) -> bool:
        """Whether at least one of these scopes is paused. Raises what `Database.read` raises."""
        known = await self._all()
        return any(ref in known for ref in refs)

    async def any_by_operator(self, refs: Sequence[ScopeRef]) -> bool:
        """Whether an operator has paused at least one of these scopes; raises as `any_of`."""
        known = await self._all()
        return any(known.get(ref, False) for ref in refs)

    async def _all(self) -> Mapping[ScopeRef, bool]:
        """Each paused scope, and whether an operator paused it."""
        known = self._known
        return await self._read() if known is None else known

    async def _read(self) -> Mapping[ScopeRef, bool]:
        age = self._age
        async with self._database.read() as connection:
            known = await every(connection)
        if age == self._age:
            self._known = known
        return known

    def _follow(self, changes: Sequence[Change]) -> None:
        if any(change.table in (PAUSED.name, EVERYTHING) for change in changes):
            self._age += 1
            self._known = None
