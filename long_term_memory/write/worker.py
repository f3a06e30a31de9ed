"""Background loop that processes the queue of events, a few chats at a time; its state is in the table."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from ..domain.errors import UnavailableError
from ..policies.back_off import LONGEST_PAUSE
from ..settings import ExtractionSettings
from .batches import BatchProcessor
from .retry_queue import RetryQueue
from .token_budget import LEAST_CAP

MAX_BATCH = 40
"""Events given to the model at once."""
MAX_CONCURRENT = 3
"""Chats that models are asked about at the same time."""
MAX_LOOKS = 20
"""Chats looked at before others get the store."""
SHORTEST_PAUSE = timedelta(seconds=1)
SETTLE = timedelta(seconds=1)
"""Debounce: the turn ends first, and a burst of messages counts once."""
LOOK_AGAIN = timedelta(minutes=5)
"""How often the retry queue is looked at, and a store that is broken or read-only."""
_QUEUE = "The queue of events"
STORE_PAUSE = timedelta(seconds=30)
"""How long it waits for a locked store."""

type Pause = Callable[[asyncio.Event, timedelta | None], Awaitable[None]]
"""Returns when the event is set or the time is over; None is no limit."""


async def until_set(wake: asyncio.Event, limit: timedelta | None) -> None:
    """The real `Pause`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(None if limit is None else limit.total_seconds()):
            await wake.wait()


class Worker:
    """The job `run()`, and `notify()` to wake it."""

    def __init__(
        self, batches: BatchProcessor, settings: ExtractionSettings, pause: Pause = until_set
    ) -> None:
        self._batches = batches
        self.providers = batches.providers
        self._pause = pause
        self._waiting = RetryQueue(batches.writer.parts)
        self._settings = settings
        self._clock = batches.clock
        self._wake = asyncio.Event()
        self._busy = 0
        self._look_at = self._recheck_at = datetime.min.replace(tzinfo=UTC)
        """When to release and when to verify what waits."""

    def notify(self) -> None:
        """Wake the loop: there may be something to do."""
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled; cancellation frees the chats under way."""
        async with asyncio.TaskGroup() as chats:
            while True:
                self._wake.clear()
                await self._pause(self._wake, await self.begin(chats))
                await self._pause(asyncio.Event(), SETTLE)

    async def begin(self, chats: asyncio.TaskGroup) -> timedelta | None:
        """Start on the chats that are due, as far as `MAX_CONCURRENT` allows.

        Returns how long to wait, None for until `notify()` or the end of a chat.
        """
        try:
            rests = [await self._begin_due(chats), await self._retry(chats)]
        except Exception as error:  # noqa: BLE001  the outer edge: whatever broke, the loop goes on
            self._batches.note(_QUEUE, error)
            return STORE_PAUSE if isinstance(error, UnavailableError) else LOOK_AGAIN
        self._batches.note(_QUEUE)
        return min((rest for rest in rests if rest is not None), default=None)

    async def _begin_due(self, chats: asyncio.TaskGroup) -> timedelta | None:
        for _ in range(MAX_LOOKS):
            if self._busy >= MAX_CONCURRENT:
                return None
            now = self._clock()
            due = await self._batches.queue.due(settings=self._settings, now=now, limit=MAX_BATCH)
            if not due.batch:
                return None if due.at is None else max(due.at - now, SHORTEST_PAUSE)
            if leased := await self._batches.lease_due(due.batch):
                self._begin(chats, partial(self._batches.process, leased), "Saving what a model found")
        return SHORTEST_PAUSE

    async def _retry(self, chats: asyncio.TaskGroup) -> timedelta | None:
        """Process the retry queue; returns when to look again, None when it is empty."""
        now = self._clock()
        any_waits = await self._waiting.any_waits()
        if any_waits and now < self._look_at:
            return self._look_at - now
        self._look_at = now + LOOK_AGAIN
        if not any_waits:
            return None
        if await self._waiting.release():
            self._batches.on_learnt()
        if self._batches.budget.cap > LEAST_CAP and now >= self._recheck_at:
            self._begin(chats, self._recheck, "Verification")
        return LOOK_AGAIN

    def _begin(self, chats: asyncio.TaskGroup, work: Callable[[], Awaitable[None]], what: str) -> None:
        async def guarded() -> None:
            try:
                await work()
                self._batches.note(what)
            except Exception as error:  # noqa: BLE001  the outer edge: a lease ends by itself
                self._batches.note(what, error)
            finally:
                self._busy -= 1
                self._wake.set()

        self._busy += 1
        chats.create_task(guarded())

    async def _recheck(self) -> None:
        """Verify the unverified facts of one chat; where that settles none, go on in an hour."""
        self._recheck_at = self._clock() + LONGEST_PAUSE
        with suppress(UnavailableError):  # the outage is known already
            if await self._waiting.recheck(self._provider_for_recheck):
                self._recheck_at = self._look_at
                self._batches.on_learnt()

    async def _provider_for_recheck(self, umo: str) -> str:
        provider = await self._batches.budget.model.provider_id(umo)
        if outage := self._batches.providers.refuse(provider):
            raise UnavailableError(outage.why)
        return provider
