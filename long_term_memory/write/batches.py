"""What becomes of a batch: leased, asked about and kept, or put off, longer each time, and given up at last.

What waits for a provider or for the next day's tokens is no failed attempt. A provider fails in two ways that
look the same: it is out, or it will not have these words. So it is asked again with a harmless word in their
place: when it answers that, the words are at fault. A bot may have no other chat to compare with.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from ..domain.errors import AnswerError, LtmError, UnavailableError
from ..domain.time import Clock
from ..domain.words import Role
from ..domain.writing import PendingBatch, Segment
from ..policies.back_off import MAX_ATTEMPTS, CircuitBreaker, Outage, pause_after
from ..policies.spending import DAILY_CAP, PROBE_ALLOWANCE
from ..prompts.extraction import extraction_prompt
from .extract import LeasedBatch
from .protocols import EventQueue
from .token_budget import LEAST_CAP, TokenBudget
from .writer import Extracted, MemoryWriter

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

KEEP_AGAIN = (timedelta(seconds=1), timedelta(seconds=5), timedelta(seconds=15))
"""How long an answer that is paid for waits for a store that does not answer, each time."""
_MAX_ERROR = 200

type Pause = Callable[[asyncio.Event, timedelta | None], Awaitable[None]]
"""Returns when the event is set or the time is over, whichever is first; None is no limit."""


class FailureLog:
    """Logs when a thing breaks and when it is back, and nothing in between."""

    def __init__(self) -> None:
        self._broken: set[tuple[str, str]] = set()

    def note(self, what: str, error: Exception | None, *, of: str = "") -> None:
        """`of` tells several of a kind apart: that one is well says nothing of the others."""
        if error is not None and (what, of) not in self._broken:
            self._broken.add((what, of))
            logger.warning("%s failed and will be tried again: %s", what, told(error))
        elif error is None and (what, of) in self._broken:
            self._broken.remove((what, of))
            logger.info("%s goes on.", what)


def told(error: Exception) -> str:
    """Our own errors say what they may; of others only the kind, for their text may quote anybody."""
    kind = type(error).__name__
    return f"{kind}: {error}"[:_MAX_ERROR] if isinstance(error, LtmError) else kind


async def until_set(wake: asyncio.Event, limit: timedelta | None) -> None:
    """The real `Pause`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(None if limit is None else limit.total_seconds()):
            await wake.wait()


@dataclass(kw_only=True)
class BatchProcessor:
    """Works batches off, one call each."""

    writer: MemoryWriter
    queue: EventQueue
    budget: TokenBudget
    """The one that the writer asks by."""
    clock: Clock
    learnt: Callable[[], None] = lambda: None
    """Called whenever there may be new items."""
    pause: Pause = until_set
    failures: FailureLog = field(default_factory=FailureLog)
    _probing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.providers = CircuitBreaker(self.clock)
        self._lookups = CircuitBreaker(self.clock)
        """Of the chats for which no provider was found, by umo."""

    async def lease(self, batch: PendingBatch) -> LeasedBatch | None:
        """The batch as it is asked about; None when it is off the queue, or waits."""
        if self.budget.cap() <= LEAST_CAP:
            self.budget.note_spent()
            await self.writer.pass_over(batch.events, DAILY_CAP)
            return None
        try:
            provider = await self.budget.model.provider_id(batch.umo)
        except Exception as error:  # noqa: BLE001  a host's lookup may raise anything
            outage = self._lookups.failed(batch.umo, told(error))
        else:
            self._lookups.answered(batch.umo)
            outage = self.providers.refuse(provider)
            if not outage:
                return await self.writer.lease(batch, provider)
        ids = [event.event_id for event in batch.events]
        await self.queue.postpone(ids, until=outage.until, error=outage.why, attempted=False)
        return None

    async def process(self, leased: LeasedBatch) -> None:
        """Work the batch off. Raises LtmError when not even a failure can be written down."""
        asked_at, provider = self.clock(), leased.booking.provider_id
        try:
            extracted = await self.writer.ask(leased)
        except asyncio.CancelledError:
            await self.release(leased)
            raise
        except Exception as error:  # noqa: BLE001  whatever broke, this batch must not be tried again at once
            self.failures.note("Extraction", error, of=provider)
            await self._failed(leased, error, asked_at)
            return
        for of in (provider, ""):
            self.failures.note("Extraction", None, of=of)
        self.providers.answered(provider)
        try:
            kept = await self._kept(leased, extracted)
        except LtmError:
            raise
        except Exception as error:  # noqa: BLE001  what breaks on this answer may not break on the next
            self.failures.note("Extraction", error)
            await self._put_off(leased, told(error))
            return
        if not kept:
            await self.release(leased)
        self.learnt()

    async def release(self, leased: LeasedBatch) -> None:
        """Free its chat. Should the store not take it, the lease ends by itself."""
        with suppress(LtmError):
            await self.queue.release(leased.lease)

    async def _kept(self, leased: LeasedBatch, extracted: Extracted) -> bool:
        """An answer is there and paid for: a store that is locked for a while does not cost another."""
        for pause in KEEP_AGAIN:
            with suppress(UnavailableError):
                return await self.writer.keep(leased, extracted)
            await self.pause(asyncio.Event(), pause)
        return await self.writer.keep(leased, extracted)

    async def _failed(self, leased: LeasedBatch, error: Exception, asked_at: datetime) -> None:
        outage = None
        if isinstance(error, AnswerError):
            self.providers.answered(leased.booking.provider_id)
        elif isinstance(error, UnavailableError):
            outage = await self._outage(leased, error, asked_at)
        if outage:
            await self.queue.postpone(
                leased.event_ids, until=outage.until, error=outage.why, attempted=False, lease=leased.lease
            )
        else:
            await self._put_off(leased, told(error))

    async def _outage(
        self, leased: LeasedBatch, error: UnavailableError, asked_at: datetime
    ) -> Outage | None:
        """The outage when the provider answers nothing else either, as far as tokens allow to find out."""
        provider, retry_after = leased.booking.provider_id, error.retry_after
        async with self._probing:
            if known := self.providers.failed_since(provider, asked_at):
                return known
            if not self.providers.believes(provider, retry_after) and await self._answers(leased):
                self.providers.answered(provider)
                return None
            return self.providers.failed(provider, told(error), asked_at=asked_at, retry_after=retry_after)

    async def _answers(self, leased: LeasedBatch) -> bool:
        harmless = replace(
            leased.events[0], role=Role.USER, text="Hello.", tool="", quoted="", sender_id="", sender_name=""
        )
        prompt = extraction_prompt(Segment(events=(harmless,)))
        try:
            answer = await self.budget.ask(
                leased.booking.provider_id, umo=harmless.umo, prompt=prompt, allowance=PROBE_ALLOWANCE
            )
        except Exception:  # noqa: BLE001  however it fails, it is not there
            return False
        return answer is not None

    async def _put_off(self, leased: LeasedBatch, error: str) -> None:
        """Each event has its own number of attempts behind it: the new ones do not go with the old."""
        failures = {event.event_id: event.attempts + 1 for event in leased.events}
        others = [event_id for event_id, times in failures.items() if times < MAX_ATTEMPTS]
        if tired := [event_id for event_id in failures if event_id not in others]:
            await self.queue.give_up(tired, error=error, lease=leased.lease)
        if others:
            until = self.clock() + pause_after(max(map(failures.__getitem__, others)))
            await self.queue.postpone(others, until=until, error=error, lease=leased.lease)
