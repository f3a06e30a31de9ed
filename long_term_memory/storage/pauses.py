"""Who is paused, from memory: each message asks."""

from collections.abc import Mapping, Sequence

from ..domain.chat import ScopeRef
from ..models import PAUSED
from . import paused
from .changes import EVERYTHING, Change
from .database import Database


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
            known = await paused.every(connection)
        if age == self._age:
            self._known = known
        return known

    def _follow(self, changes: Sequence[Change]) -> None:
        if any(change.table in (PAUSED.name, EVERYTHING) for change in changes):
            self._age += 1
            self._known = None
