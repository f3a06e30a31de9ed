"""Removes for good what was deleted long ago, and what is too much of what is out of use (design 8, 9.8).

For `deleted_retention_days` a deleted item stays as a row that nobody is shown, so that it is not learnt
again by itself. What expired or was superseded stays as history, and comes back when it is heard again.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from ..domain.time import Clock
from .breath import Breathe

AT_ONCE = 100
"""Items of one transaction: each page that is freed is overwritten."""
MAX_BATCHES = 50
"""Transactions of one round."""
KEPT = 1_000
"""Items out of use that a scope keeps: five times what is in use there by default. Each merge compares with
them, which takes the longer the more there are."""


class PurgeStore(Protocol):
    """Where items are removed."""

    async def long_deleted(self, *, before: datetime, limit: int) -> Sequence[str]:
        """Memory ids of items that were deleted before, those first that were deleted first."""
        ...

    async def purge(self, memory_ids: Sequence[str], *, before: datetime) -> int:
        """Remove those of these items that still are deleted, with a line of audit for each; how many."""
        ...

    async def surplus(self, *, keep: int, limit: int) -> Sequence[str]:
        """Memory ids of items out of use beyond the newest `keep` of a scope, those that ended first."""
        ...

    async def purge_surplus(self, memory_ids: Sequence[str]) -> int:
        """Remove those of these items that still are out of use, with a line of audit for each; how many."""
        ...


class Purge:
    """Two steps of housekeeping; each goes on in the next round where it ended."""

    def __init__(
        self, store: PurgeStore, clock: Clock, breathe: Breathe, *, keep_deleted: timedelta | None
    ) -> None:
        """`keep_deleted` is how long a deleted item stays; None is for ever."""
        self._store = store
        self._clock = clock
        self._breathe = breathe
        self._keep_deleted = keep_deleted

    async def work(self) -> None:
        """Remove what is over now, in short transactions."""
        if self._keep_deleted is None:
            return
        before = self._clock() - self._keep_deleted
        for _ in range(MAX_BATCHES):
            found = await self._store.long_deleted(before=before, limit=AT_ONCE)
            if not found:
                return
            await self._store.purge(found, before=before)
            await self._breathe()

    async def make_room(self) -> None:
        """Remove what is too much of what is out of use, in short transactions."""
        for _ in range(MAX_BATCHES):
            found = await self._store.surplus(keep=KEPT, limit=AT_ONCE)
            if not found:
                return
            await self._store.purge_surplus(found)
            await self._breathe()
