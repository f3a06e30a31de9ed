"""Who is paused, from memory: each message asks."""

from collections.abc import Sequence

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
        self._known: frozenset[ScopeRef] | None = None
        self._age = 0
        database.changes.listen(self._follow)

    async def any_of(self, refs: Sequence[ScopeRef]) -> bool:
        """Whether at least one of these scopes is paused. Raises what `Database.read` raises."""
        known = self._known
        if known is None:
            known = await self._read()
        return not known.isdisjoint(refs)

    async def _read(self) -> frozenset[ScopeRef]:
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
