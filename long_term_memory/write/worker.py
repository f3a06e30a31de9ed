"""The background loop that works off the queue of events (design 5.2).

It wakes when it is notified or when the next chat falls due, and has the due batches extracted one after the
other. Everything it knows is in the table, so a restart goes on where it ended. A batch that fails is put
off, longer each time, and given up after `MAX_ATTEMPTS`. While its provider answers nobody a batch waits too,
but that is no attempt of its own. Nothing but cancellation ends the loop.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from ..domain.errors import AnswerError, LtmError, NoProviderError, RefusedError, UnavailableError
from ..domain.time import Clock
from ..domain.writing import PendingBatch
from ..policies.back_off import LONGEST_PAUSE, MAX_ATTEMPTS, pause_after
from ..settings import ExtractionSettings
from .outages import Outages
from .protocols import ChatModel, EventQueue
from .writer import MemoryWriter

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_BATCH = 40
"""Events given to the model at once."""
MAX_BATCHES = 5
"""Batches worked off before the loop looks around again."""
NO_PROVIDER_PAUSE = timedelta(minutes=1)
"""How long a chat without a provider waits; that is no attempt."""
SHORTEST_PAUSE = timedelta(seconds=1)
SETTLE = timedelta(seconds=1)
"""How long after news the work begins: the turn that brought them ends first, and bursts count once."""
LONGEST_STORE_PAUSE = timedelta(minutes=5)
"""How long the loop leaves a broken or read-only store alone at most."""
_MAX_ERROR = 200

type Pause = Callable[[asyncio.Event, timedelta | None], Awaitable[None]]
"""Returns when the event is set or the time is over, whichever is first; None is no limit."""


async def until_set(wake: asyncio.Event, limit: timedelta | None) -> None:
    """The real `Pause`."""
    try:
        async with asyncio.timeout(None if limit is None else limit.total_seconds()):
            await wake.wait()
    except TimeoutError:
        return


class Worker:
    """Extraction as one long-lived job: give `run()` to whoever owns the tasks, call `notify()` on news."""

    def __init__(
        self,
        *,
        writer: MemoryWriter,
        queue: EventQueue,
        model: ChatModel,
        settings: Callable[[], ExtractionSettings],
        clock: Clock,
        learnt: Callable[[], None] = lambda: None,
        pause: Pause = until_set,
    ) -> None:
        """`model` is the one the writer asks; `learnt` is called whenever there may be new items."""
        self._writer = writer
        self._queue = queue
        self._model = model
        self._outages = Outages(model, clock)
        self._settings = settings
        self._clock = clock
        self._learnt = learnt
        self._pause = pause
        self._wake = asyncio.Event()
        self._broken: set[str] = set()
        self._failed = False
        self._failures = 0

    def notify(self) -> None:
        """Say that there may be something to do."""
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            self._wake.clear()
            await self._pause(self._wake, await self.work())
            await self._pause(asyncio.Event(), SETTLE)

    async def work(self) -> timedelta | None:
        """One bounded round; returns how long nothing need be done, None for until there is news."""
        self._failed = False
        extracted = await self._safely("Extraction", self._extract_due)
        rest = await self._safely("The queue of events", self._until_due)
        if self._failed:
            self._failures += 1
            return min(pause_after(self._failures), LONGEST_STORE_PAUSE)
        self._failures = 0
        return timedelta(0) if extracted else rest

    async def _safely[T](self, what: str, job: Callable[[], Awaitable[T]]) -> T | None:
        try:
            return await job()
        except Exception as error:  # noqa: BLE001  the outer edge: whatever broke, the loop goes on
            self._note(what, error)
            self._failed = True
            return None

    async def _extract_due(self) -> bool:
        """Whether there was so much to do that the next round should follow at once."""
        for _ in range(MAX_BATCHES):
            batch = await self._due()
            if batch is None or not await self._extract(batch):
                return False
        return True

    async def _due(self) -> PendingBatch | None:
        now = self._clock()
        batch = await self._due_at(now)
        if batch is None:
            due_at = await self._next_due_at()
            if due_at is not None and due_at - now > self._longest_wait():
                # No rule waits so long: the clock was set back.
                return await self._due_at(due_at)
        return batch

    async def _due_at(self, now: datetime) -> PendingBatch | None:
        settings = self._settings()
        return await self._queue.due(
            now=now, batch_turns=settings.batch_turns, idle=settings.idle, limit=MAX_BATCH
        )

    async def _next_due_at(self) -> datetime | None:
        settings = self._settings()
        return await self._queue.next_due_at(batch_turns=settings.batch_turns, idle=settings.idle)

    def _longest_wait(self) -> timedelta:
        return max(self._settings().idle, LONGEST_PAUSE)

    async def _extract(self, batch: PendingBatch) -> bool:
        """Whether the batch is off the queue, for good or for some time."""
        provider = ""
        try:
            provider = await self._model.provider_id(batch.umo)
            if outage := self._outages.resting(provider):
                await self._wait(batch, outage.until, outage.why)
                return True
            done = await self._writer.extract(batch)
        except RefusedError:
            raise
        except NoProviderError as error:
            await self._wait(batch, self._clock() + NO_PROVIDER_PAUSE, _told(error))
        except Exception as error:  # noqa: BLE001  whatever broke, this batch must not be tried again at once
            self._note("Extraction", error)
            await self._failed_for(batch, provider, error)
        else:
            self._note("Extraction", None)
            self._outages.answered(provider)
            self._learnt()
            return done
        return True

    async def _failed_for(self, batch: PendingBatch, provider: str, error: Exception) -> None:
        if isinstance(error, AnswerError):
            self._outages.answered(provider)
        elif isinstance(error, UnavailableError):
            outage = await self._outages.after_failure(provider, batch.events, _told(error))
            if outage:
                await self._wait(batch, outage.until, outage.why)
                return
        await self._put_off(batch, _told(error))

    async def _wait(self, batch: PendingBatch, until: datetime, error: str) -> None:
        """Leave the batch alone; it was not to blame."""
        ids = [event.event_id for event in batch.events]
        await self._queue.postpone(ids, until=until, error=error, attempted=False)

    async def _put_off(self, batch: PendingBatch, error: str) -> None:
        """Each event has its own number of attempts behind it: the new ones do not go with the old."""
        tired = [event.event_id for event in batch.events if event.attempts + 1 >= MAX_ATTEMPTS]
        others = [event for event in batch.events if event.event_id not in tired]
        if tired:
            await self._queue.give_up(tired, error)
        if others:
            failures = max(event.attempts for event in others) + 1
            until = self._clock() + pause_after(failures)
            await self._queue.postpone([event.event_id for event in others], until=until, error=error)

    async def _until_due(self) -> timedelta | None:
        due_at = await self._next_due_at()
        self._note("The queue of events", None)
        if due_at is None:
            return None
        return min(max(due_at - self._clock(), SHORTEST_PAUSE), self._longest_wait())

    def _note(self, what: str, error: Exception | None) -> None:
        """Log when a thing breaks and when it is back, and nothing in between."""
        if error is not None and what not in self._broken:
            self._broken.add(what)
            logger.warning("%s failed and will be tried again: %s", what, _told(error))
        elif error is None and what in self._broken:
            self._broken.remove(what)
            logger.info("%s goes on.", what)


def _told(error: Exception) -> str:
    """Our own errors say what they may; of others only the kind, for their text may quote anybody."""
    return (
        f"{type(error).__name__}: {error}"[:_MAX_ERROR]
        if isinstance(error, LtmError)
        else type(error).__name__
    )
