"""The background loop that works off the queue of events (design 5.2).

It wakes when it is notified or when the next chat falls due, and has the due batches extracted, a few chats
at a time and each chat by itself, so that a slow provider keeps no other chat waiting. All it must not forget
is in the table, so a restart goes on where it ended. A batch that fails is put off, longer each time, and
given up after `MAX_ATTEMPTS`. While its provider answers nobody or is not there, or the day's tokens are
spent, a batch waits too, but that is no attempt of its own. Nothing but cancellation ends the loop.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from ..domain.errors import UnavailableError
from ..domain.time import Clock
from ..domain.writing import PendingBatch
from ..policies.back_off import pause_after, rest_after
from ..policies.spending import DAILY_CAP, day_of
from ..settings import ExtractionSettings
from .asking import Asking, AskingParts, Pause
from .breaks import Breaks, told
from .claim import LEAST_CAP, Claim, NotClaimed
from .meter import Meter
from .outages import Outage, Outages
from .protocols import EventQueue
from .writer import MemoryWriter

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_BATCH = 40
"""Events given to the model at once."""
AT_ONCE = 3
"""Chats that models are asked about at the same time."""
MAX_LOOKS = 20
"""Chats looked at before the loop lets others have the store."""
SHORTEST_PAUSE = timedelta(seconds=1)
SETTLE = timedelta(seconds=1)
"""How long after news the work begins: the turn that brought them ends first, and bursts count once."""
LOOK_AGAIN = timedelta(minutes=5)
"""How often it is looked for memories that wait for a rate or for verification."""
_MOST_DOUBLINGS = 6
"""Verification that nothing comes of is asked for once in five hours at last."""
LONGEST_STORE_PAUSE = timedelta(minutes=5)
"""How long the loop leaves a broken or read-only store alone at most."""


def _shorter(rest: timedelta | None, other: timedelta | None) -> timedelta | None:
    """The shorter of two rests, where None is until there is news."""
    return min((each for each in (rest, other) if each is not None), default=None)


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
        meter: Meter,
        settings: Callable[[], ExtractionSettings],
        clock: Clock,
        learnt: Callable[[], None] = lambda: None,
        pause: Pause = until_set,
    ) -> None:
        """`meter` is the one the writer asks by; `learnt` is called whenever there may be new items."""
        self._writer = writer
        self._queue = queue
        self._meter = meter
        self._outages = Outages(meter, clock)
        self._settings = settings
        self._clock = clock
        self._breaks = Breaks()
        self._asking = Asking(
            AskingParts(
                writer=writer,
                queue=queue,
                outages=self._outages,
                breaks=self._breaks,
                clock=clock,
                learnt=learnt,
                pause=pause,
            )
        )
        self._pause = pause
        self._wake = asyncio.Event()
        self._busy = 0
        self._failures = 0
        self._capped_on = ""
        self._learnt = learnt
        self._looked_at: datetime | None = None
        self._recheck_at: datetime | None = None
        self._fruitless = 0
        self._unprovided = Counter[str]()
        """How often in a row no provider was found for a chat, by its umo."""

    @property
    def outages(self) -> Sequence[Outage]:
        """The chat providers that answer nobody at the moment."""
        return self._outages.now

    def notify(self) -> None:
        """Say that there may be something to do."""
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled; what is under way is then called off, and its chats are free again."""
        async with asyncio.TaskGroup() as chats:
            while True:
                self._wake.clear()
                await self._pause(self._wake, await self.begin(chats))
                await self._pause(asyncio.Event(), SETTLE)

    async def begin(self, chats: asyncio.TaskGroup) -> timedelta | None:
        """Begin with the chats that are due, as far as `AT_ONCE` allows.

        Returns how long nothing need be done, None for until there is news; the end of a chat is news.
        """
        try:
            rest = await self._begin_due(chats)
            rest = _shorter(rest, await self._go_on(chats))
        except Exception as error:  # noqa: BLE001  the outer edge: whatever broke, the loop goes on
            self._breaks.note("The queue of events", error)
            self._failures += 1
            return min(pause_after(self._failures), LONGEST_STORE_PAUSE)
        self._breaks.note("The queue of events", None)
        self._failures = 0
        return rest

    async def _begin_due(self, chats: asyncio.TaskGroup) -> timedelta | None:
        for _ in range(MAX_LOOKS):
            if self._busy >= AT_ONCE:
                return None
            settings, now = self._settings(), self._clock()
            due = await self._queue.due(
                now=now, batch_turns=settings.batch_turns, idle=settings.idle, limit=MAX_BATCH
            )
            if due.batch is None:
                if due.at is None:
                    self._unprovided.clear()
                return None if due.at is None else max(due.at - now, SHORTEST_PAUSE)
            if claimed := await self._claim(due.batch):
                self._busy += 1
                chats.create_task(self._work_off(*claimed))
        return SHORTEST_PAUSE

    async def _go_on(self, chats: asyncio.TaskGroup) -> timedelta | None:
        """Let go on what waits for a rate or for verification; returns when to look again, None for never.

        At most once in `LOOK_AGAIN`: neither is in haste.
        """
        now, looked_at = self._clock(), self._looked_at
        if not await self._writer.held_back():
            self._looked_at = now
            return None
        if looked_at is not None and looked_at <= now < looked_at + LOOK_AGAIN:
            return looked_at + LOOK_AGAIN - now
        self._looked_at = now
        if await self._writer.release():
            self._learnt()
        if self._meter.cap > LEAST_CAP and (self._recheck_at is None or now >= self._recheck_at):
            self._busy += 1
            chats.create_task(self._recheck())
        return LOOK_AGAIN

    async def _recheck(self) -> None:
        """Ask about one chat; the more rounds nothing comes of, the longer until the next time."""
        try:
            settled = await self._writer.recheck(self._provider_for_recheck)
            self._fruitless = 0 if settled else self._fruitless + (settled is None)
            if settled:
                self._learnt()
        except Exception as error:  # noqa: BLE001  the outer edge, as for a chat
            self._breaks.note("Verification", error)
        finally:
            self._recheck_at = self._clock() + LOOK_AGAIN * 2 ** min(self._fruitless, _MOST_DOUBLINGS)
            self._busy -= 1
            self._wake.set()

    async def _provider_for_recheck(self, umo: str) -> str:
        provider = await self._meter.provider_id(umo)
        if outage := self._outages.resting(provider):
            raise UnavailableError(outage.why)
        return provider

    async def _claim(self, batch: PendingBatch) -> tuple[Claim, str] | None:
        """The batch as it is asked about, and its provider; None when it is off the queue without asking."""
        if self._meter.cap <= LEAST_CAP:
            self._note_cap()
            await self._writer.pass_over(batch.events, DAILY_CAP)
            return None
        try:
            provider = await self._meter.provider_id(batch.umo)
        except Exception as error:  # noqa: BLE001  a host's lookup may raise anything
            self._unprovided[batch.umo] += 1
            await self._wait(batch, self._clock() + rest_after(self._unprovided[batch.umo]), told(error))
            return None
        self._unprovided.pop(batch.umo, None)
        if outage := self._outages.resting(provider):
            await self._wait(batch, outage.until, outage.why)
            return None
        claimed = await self._writer.claim(batch, provider)
        if isinstance(claimed, Claim):
            return claimed, provider
        if claimed is NotClaimed.CAPPED:
            self._note_cap()
        return None

    async def _wait(self, batch: PendingBatch, until: datetime, error: str) -> None:
        """Leave the batch alone; it was not to blame."""
        ids = [event.event_id for event in batch.events]
        await self._queue.postpone(ids, until=until, error=error, attempted=False)

    async def _work_off(self, claimed: Claim, provider: str) -> None:
        try:
            await self._asking.do(claimed, provider)
        except asyncio.CancelledError:
            await self._asking.release(claimed)
            raise
        except Exception as error:  # noqa: BLE001  the outer edge: the lease ends by itself
            self._breaks.note("Extraction", error)
        finally:
            self._busy -= 1
            self._wake.set()

    def _note_cap(self) -> None:
        """Log once a day."""
        day = day_of(self._clock())
        if self._capped_on == day:
            return
        self._capped_on = day
        if self._meter.cap <= LEAST_CAP:
            logger.info("The daily token cap allows no question: the rules alone read messages.")
        else:
            logger.warning("The tokens of the day are spent: messages wait for the next one (UTC).")
