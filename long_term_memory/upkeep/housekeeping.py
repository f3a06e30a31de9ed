"""The job that tidies the store, soon after the start and then every hour, and what it drops for good."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

from ..domain.errors import RefusedError
from ..domain.log import logger
from ..domain.time import Clock
from ..policies.back_off import FailureLog
from ..settings import Settings
from ..storage.snapshots import Snapshots
from ..storage.store import Store
from .embedding import Embedding
from .scheduler import Breathe

SETTLE = timedelta(minutes=1)
"""How long after the start the first round begins: the host is busy until then."""
EVERY = timedelta(hours=1)

A_DAY = timedelta(days=1)
BATCH_SIZE = 100
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


def retention(
    store: Store, embedding: Embedding, settings: Settings, clock: Clock, breathe: Breathe
) -> Mapping[str, Step]:
    """What ends and goes by its age; each step goes on in the next round where it ended."""
    sweeps = store.sweeps

    def ago(kept: timedelta | None) -> datetime:
        return datetime.min.replace(tzinfo=UTC) if kept is None else clock() - kept

    async def each(drop: Callable[..., Awaitable[int]], log: str = "", **wanted: object) -> None:
        """Call it until it finds nothing, a bounded number of times; log how many rows it was about."""
        total = 0
        try:
            for _ in range(MAX_BATCHES):
                if not (number := await drop(**wanted, limit=BATCH_SIZE)):
                    return
                total += number
                await breathe()
        finally:
            if log and total:
                logger.info(log, total)

    dropped = "%d old messages on which no memory rests are dropped."
    passed = "%d messages that no model read in time are passed over."
    of_deleted, of_events = settings.deleted_retention, settings.event_retention
    most = 0 if settings.recall_log == timedelta(0) else MAX_RECALLS
    return {
        "the sweep of what is over": lambda: each(sweeps.expire, now=clock()),
        "the purge of what was deleted": lambda: each(sweeps.purge_deleted, before=ago(of_deleted)),
        "the purge of too much that is out of use": lambda: each(sweeps.purge_surplus, keep=KEPT),
        "the dropping of old events": lambda: each(sweeps.drop_events, dropped, before=ago(of_events)),
        "the passing over of what waited too long": lambda: each(
            sweeps.pass_over, passed, before=ago(of_events)
        ),
        "the dropping of old counts": lambda: each(sweeps.drop_token_days, before=ago(KEEP_TOKENS).date()),
        "the dropping of old recalls": lambda: each(
            store.recalls.drop_old, before=ago(settings.recall_log), keep=most
        ),
        "the dropping of old vectors": lambda: _drop_vectors(store, embedding, each),
    }


async def _drop_vectors(store: Store, embedding: Embedding, each: Callable[..., Awaitable[None]]) -> None:
    """Drop vectors of other models than the one in use, if nothing waits for its own any more."""
    model_id = embedding.model_id
    if model_id is not None:
        done, total = await store.vectors.progress(model_id)
        if done > 0 and done + len(embedding.given_up) >= total:
            await each(store.vectors.drop, model_id=model_id, others=True)
