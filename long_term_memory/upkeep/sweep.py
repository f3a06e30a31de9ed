"""Ends the items whose time is over (design 5.6). Whoever says such a fact again brings it back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from ..domain.time import Clock
from .breath import Breathe

AT_ONCE = 200
"""Items of one transaction."""
MAX_BATCHES = 50
"""Transactions of one round: what is left over is still there an hour later, and never recalled meanwhile."""


class ExpiryStore(Protocol):
    """Where items end."""

    async def outlived(self, *, now: datetime, limit: int) -> Sequence[str]:
        """Memory ids of items whose time is over, those first that ended first."""
        ...

    async def expire(self, memory_ids: Sequence[str], *, now: datetime) -> int:
        """End those of these items whose time is still over, with a line of audit for each; how many."""
        ...


class Sweep:
    """The time of an item runs from when it was last confirmed; `persist` sets it, this step ends it."""

    def __init__(self, store: ExpiryStore, clock: Clock, breathe: Breathe) -> None:
        self._store = store
        self._clock = clock
        self._breathe = breathe

    async def work(self) -> None:
        """End what is over now, in short transactions."""
        now = self._clock()
        for _ in range(MAX_BATCHES):
            over = await self._store.outlived(now=now, limit=AT_ONCE)
            if not over:
                return
            await self._store.expire(over, now=now)
            await self._breathe()
