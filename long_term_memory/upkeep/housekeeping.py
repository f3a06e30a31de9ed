"""The job that tidies the store, soon after the start and then every hour, and what it drops for good."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import timedelta

from ..domain.errors import RefusedError
from ..domain.time import Clock
from ..storage.snapshots import Snapshots
from ..storage.store import Store
from .embedding import Embedding
from .scheduler import Breathe, FailureLog

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

SETTLE = timedelta(minutes=1)
"""How long after the start the first round begins: the host is busy until then."""
EVERY = timedelta(hours=1)

A_DAY = timedelta(days=1)
AT_ONCE = 100
"""Rows of one transaction: each page that is freed is overwritten."""
MAX_BATCHES = 100
"""Transactions of one round; what is left over is still there an hour later, and never recalled meanwhile."""
KEPT = 1_000
"""Items out of use that a scope keeps: five times what is in use there by default. Each merge compares with
them, which takes the longer the more there are."""
KEEP_TOKENS = timedelta(days=400)
"""How long the ledger of tokens remembers: a year, and the month it is compared with."""
MAX_RECALLS = 10_000
"""Rows that the recall log holds at most, the newest; a row takes a few kilobytes."""

type Step = Callable[[], Awaitable[None]]
"""One bounded piece of work in short transactions; doing it again at once changes nothing."""


class Housekeeping:
    """Runs its steps one after the other; one that fails is tried again in the next round."""

    def __init__(self, steps: Mapping[str, Step], *, read_only: Callable[[], bool]) -> None:
        """`steps` have names for the log; nothing at all is done while `read_only` says so."""
        self._steps = dict(steps)
        self._read_only = read_only
        self._logs = {
            name: FailureLog(
                f"Housekeeping could not do {name} and tries again: %s", f"Housekeeping does {name} again."
            )
            for name in steps
        }

    async def run(self) -> None:
        """Work until cancelled; a transaction under way then happens wholly or not at all."""
        await asyncio.sleep(SETTLE.total_seconds())
        while True:
            await self.work()
            await asyncio.sleep(EVERY.total_seconds())

    async def work(self) -> None:
        """One round."""
        for name, step in self._steps.items():
            if not self._read_only():
                with self._logs[name].outer_edge(RefusedError):  # it has turned read-only meanwhile
                    await step()


async def daily_snapshot(snapshots: Snapshots, clock: Clock, make: Callable[[], Awaitable[object]]) -> None:
    """Make a snapshot unless there is a good one of the last day, restart or not. Raises UnavailableError."""
    now = clock()
    if not any(one.good and now - A_DAY < one.at <= now for one in await snapshots.listed()):
        await make()


@dataclass(frozen=True)
class Retention:
    """Its steps; each goes on in the next round where it ended."""

    store: Store
    embedding: Embedding
    clock: Clock
    breathe: Breathe
    _: KW_ONLY
    keep_events: timedelta | None
    """How long events are kept on which nothing rests; None is for ever, as below."""
    keep_deleted: timedelta | None
    keep_recalls: timedelta | None

    async def expire(self) -> None:
        """End items whose time is over; it runs from when they were last confirmed."""
        await self._round(self.store.sweeps.expire, now=self.clock())

    async def purge_deleted(self) -> None:
        """Remove what was deleted long ago."""
        if self.keep_deleted is not None:
            await self._round(self.store.sweeps.purge_deleted, before=self.clock() - self.keep_deleted)

    async def purge_surplus(self) -> None:
        """Remove what is too much of what is out of use."""
        await self._round(self.store.sweeps.purge_surplus, keep=KEPT)

    async def drop_events(self) -> None:
        """Drop old events."""
        if self.keep_events is not None:
            log = "%d old messages on which no memory rests are dropped."
            await self._round(self.store.sweeps.drop_events, log, before=self.clock() - self.keep_events)

    async def pass_over(self) -> None:
        """Let old events wait for a model no longer."""
        if self.keep_events is not None:
            log = "%d messages that no model read in time are passed over."
            await self._round(self.store.sweeps.pass_over, log, before=self.clock() - self.keep_events)

    async def drop_tokens(self) -> None:
        """Drop old days of the token ledger."""
        before = (self.clock() - KEEP_TOKENS).date()
        await self.store.sweeps.drop_token_days(before=before, limit=AT_ONCE)

    async def drop_recalls(self) -> None:
        """Drop what the recall log has kept for long enough, and what it has no room for."""
        before = None if self.keep_recalls is None else self.clock() - self.keep_recalls
        keep = 0 if self.keep_recalls == timedelta(0) else MAX_RECALLS
        await self._round(self.store.recalls.drop_old, before=before, keep=keep)

    async def drop_vectors(self) -> None:
        """Drop vectors of other models than the one in use, if nothing waits for its own any more."""
        model_id = self.embedding.model_id
        if model_id is not None:
            progress = await self.store.vectors.progress(model_id)
            if progress.done > 0 and progress.done + self.embedding.given_up >= progress.total:
                await self._round(self.store.vectors.drop_others, model_id=model_id)

    async def _round(self, drop: Callable[..., Awaitable[int]], log: str = "", **wanted: object) -> None:
        """Call it until it finds nothing, a bounded number of times; log how many rows it was about."""
        total = 0
        try:
            for _ in range(MAX_BATCHES):
                if not (number := await drop(**wanted, limit=AT_ONCE)):
                    return
                total += number
                await self.breathe()
        finally:
            if log and total:
                logger.info(log, total)
