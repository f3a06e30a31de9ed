"""What becomes of one claimed batch: asked about and kept, put off or given up (design 5.2)."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.errors import AnswerError, LtmError, UnavailableError
from ..domain.time import Clock
from ..policies.back_off import MAX_ATTEMPTS, pause_after
from .breaks import Breaks, told
from .claim import Claim
from .outages import Outages
from .protocols import EventQueue
from .writer import Extracted, MemoryWriter

KEEP_AGAIN = (timedelta(seconds=1), timedelta(seconds=5), timedelta(seconds=15))
"""How long an answer that is paid for waits for a store that does not answer, each time."""

type Pause = Callable[[asyncio.Event, timedelta | None], Awaitable[None]]
"""Returns when the event is set or the time is over, whichever is first; None is no limit."""


@dataclass(frozen=True, kw_only=True)
class AskingParts:
    """What asking works with."""

    writer: MemoryWriter
    queue: EventQueue
    outages: Outages
    breaks: Breaks
    clock: Clock
    learnt: Callable[[], None]
    """Called whenever there may be new items."""
    pause: Pause


class Asking:
    """Asks about claimed batches, one call each."""

    def __init__(self, parts: AskingParts) -> None:
        self._writer = parts.writer
        self._queue = parts.queue
        self._outages = parts.outages
        self._breaks = parts.breaks
        self._clock = parts.clock
        self._learnt = parts.learnt
        self._pause = parts.pause

    async def do(self, claimed: Claim, provider: str) -> None:
        """Work the batch off. Raises LtmError when not even a failure can be written down."""
        asked_at = self._clock()
        try:
            extracted = await self._writer.ask(claimed)
        except Exception as error:  # noqa: BLE001  whatever broke, this batch must not be tried again at once
            self._breaks.note("Extraction", error, of=provider)
            await self._failed_for(claimed, provider, error, asked_at)
        else:
            for of in (provider, ""):
                self._breaks.note("Extraction", None, of=of)
            self._outages.answered(provider)
            await self._keep(claimed, extracted)

    async def _failed_for(self, claimed: Claim, provider: str, error: Exception, asked_at: datetime) -> None:
        if isinstance(error, AnswerError):
            self._outages.answered(provider)
        elif isinstance(error, UnavailableError):
            outage = await self._outages.after_failure(
                provider,
                claimed.events,
                told(error),
                asked_at=asked_at,
                retry_after=error.retry_after,
            )
            if outage:
                await self._free(claimed, outage.until, outage.why)
                return
        await self._put_off(claimed, told(error))

    async def _keep(self, claimed: Claim, extracted: Extracted) -> None:
        """An answer is there and paid for: a store that is locked for a while does not cost another."""
        try:
            kept = await self._kept(claimed, extracted)
        except LtmError:
            raise
        except Exception as error:  # noqa: BLE001  what breaks on this answer may not break on the next
            self._breaks.note("Extraction", error)
            await self._put_off(claimed, told(error))
            return
        if not kept:
            await self.release(claimed)
        self._learnt()

    async def _kept(self, claimed: Claim, extracted: Extracted) -> bool:
        for pause in KEEP_AGAIN:
            with suppress(UnavailableError):
                return await self._writer.keep(claimed, extracted)
            await self._pause(asyncio.Event(), pause)
        return await self._writer.keep(claimed, extracted)

    async def release(self, claimed: Claim) -> None:
        """Free its chat. Should the store not take it, the lease ends by itself."""
        with suppress(LtmError):
            await self._queue.release(claimed.lease)

    async def _free(self, claimed: Claim, until: datetime, error: str) -> None:
        """Leave what was claimed alone; it was not to blame."""
        await self._queue.postpone(
            claimed.event_ids, until=until, error=error, attempted=False, lease=claimed.lease
        )

    async def _put_off(self, claimed: Claim, error: str) -> None:
        """Each event has its own number of attempts behind it: the new ones do not go with the old."""
        tired = [event.event_id for event in claimed.events if event.attempts + 1 >= MAX_ATTEMPTS]
        others = [event for event in claimed.events if event.event_id not in tired]
        if tired:
            await self._queue.give_up(tired, error=error, lease=claimed.lease)
        if others:
            failures = max(event.attempts for event in others) + 1
            until, ids = self._clock() + pause_after(failures), [event.event_id for event in others]
            await self._queue.postpone(ids, until=until, error=error, lease=claimed.lease)
