"""Drops what no memory rests on any more: old events, and old days of the token ledger.

An event that is evidence stays as long as its evidence does, whatever its age. One that waits for a model
does so no longer than others are kept: then it is passed over, counted as such, and dropped a round later.
"""

import logging
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import batched
from typing import Protocol

from ..domain.time import Clock
from ..storage.sweeps import Dropped
from .breath import Breathe

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

AT_ONCE = 200
"""Events of one transaction: each page that is freed is overwritten."""
MAX_EVENTS = 10_000
"""Events of one round."""
KEEP_TOKENS = timedelta(days=400)
"""How long the ledger remembers: a year, and the month it is compared with."""
MAX_DAYS = 100


class RetentionStore(Protocol):
    """Where things are dropped."""

    async def unneeded_events(self, *, before: datetime, limit: int) -> Sequence[int]:
        """Row ids of older events on which nothing rests and that wait for nothing, oldest first."""
        ...

    async def drop_events(self, rows: Sequence[int]) -> Dropped:
        """Delete those of these events that still nobody needs."""
        ...

    async def unread_events(self, *, before: datetime, limit: int) -> Sequence[int]:
        """Row ids of older events that wait for a model, oldest first."""
        ...

    async def pass_over(self, rows: Sequence[int]) -> int:
        """Let those of these events wait no longer that still do; how many."""
        ...

    async def drop_token_days(self, *, before: date, limit: int) -> int:
        """Delete what was counted on earlier days, at most `limit` of them; returns how many rows went."""
        ...


class Retention:
    """Its steps; each goes on in the next round where it ended."""

    def __init__(
        self, store: RetentionStore, clock: Clock, breathe: Breathe, *, keep_events: timedelta | None
    ) -> None:
        """`keep_events` is how long events are kept on which nothing rests; None is for ever."""
        self._store = store
        self._clock = clock
        self._breathe = breathe
        self._keep_events = keep_events

    async def drop_events(self) -> None:
        """Drop old events, in short transactions."""
        if self._keep_events is None:
            return
        before = self._clock() - self._keep_events
        rows = await self._store.unneeded_events(before=before, limit=MAX_EVENTS)
        failed = 0
        try:
            for part in batched(rows, AT_ONCE):
                failed += (await self._store.drop_events(part)).failed
                await self._breathe()
        finally:
            if failed:
                logger.warning("%d events are dropped that could not be extracted in time.", failed)

    async def pass_over(self) -> None:
        """Let old events wait for a model no longer, in short transactions."""
        if self._keep_events is None:
            return
        before = self._clock() - self._keep_events
        rows = await self._store.unread_events(before=before, limit=MAX_EVENTS)
        passed = 0
        try:
            for part in batched(rows, AT_ONCE):
                passed += await self._store.pass_over(part)
                await self._breathe()
        finally:
            if passed:
                logger.warning(
                    "%d events are passed over that no model could be asked about in time.", passed
                )

    async def drop_tokens(self) -> None:
        """Drop old days of the token ledger."""
        before = (self._clock() - KEEP_TOKENS).date()
        await self._store.drop_token_days(before=before, limit=MAX_DAYS)
