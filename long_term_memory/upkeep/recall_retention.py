"""Drops what the recall log has kept for long enough, and what it has no room for."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import batched
from typing import Protocol

from ..domain.time import Clock
from .breath import Breathe

MAX_RECALLS = 10_000
"""Rows the log holds at most, the newest; a row takes a few kilobytes."""
AT_ONCE = 100
"""Rows of one transaction: each page that is freed is overwritten."""
MAX_DROPPED = 10_000
"""Rows of one round."""


class OldRecalls(Protocol):
    """Where recalls are dropped."""

    async def old(self, *, before: datetime | None, keep: int, limit: int) -> Sequence[int]:
        """Row ids of what is older than that, and of all but the newest `keep` rows; the oldest first."""
        ...

    async def drop(self, rows: Sequence[int]) -> None:
        """Delete these rows."""
        ...


class RecallRetention:
    """One step of housekeeping; it goes on in the next round where it ended."""

    def __init__(
        self, store: OldRecalls, clock: Clock, breathe: Breathe, *, keep_for: timedelta | None
    ) -> None:
        """`keep_for` is how long a recall is kept; zero is not at all, None as long as there is room."""
        self._store = store
        self._clock = clock
        self._breathe = breathe
        self._keep_for = keep_for

    async def work(self) -> None:
        """Drop what is old, in short transactions."""
        before = None if self._keep_for is None else self._clock() - self._keep_for
        keep = 0 if self._keep_for == timedelta(0) else MAX_RECALLS
        rows = await self._store.old(before=before, keep=keep, limit=MAX_DROPPED)
        for part in batched(rows, AT_ONCE):
            await self._store.drop(part)
            await self._breathe()
