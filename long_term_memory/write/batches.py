"""Batch processing: `lease`, then `process` asks and keeps; or backs off, and gives up after `MAX_ATTEMPTS`.

Waiting for a provider or for the next day's tokens counts as no attempt. A call fails because the provider is
down or because it refuses these words. A probe with a harmless word tells which: if that is answered, the
words are at fault.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from ..domain.errors import AnswerError, LtmError, StoreUnavailableError, UnavailableError
from ..domain.memory import Event
from ..policies.back_off import MAX_ATTEMPTS, CircuitBreaker, FailureLog, pause_after
from ..policies.token_cap import DAILY_CAP, PROBE_ALLOWANCE
from .extract import LeasedBatch
from .token_budget import LEAST_CAP
from .writer import Extracted, MemoryWriter

NO_PROVIDER_PAUSE = timedelta(seconds=30)
"""How long a chat waits for which the host names no provider: at its start, it names none yet."""
KEEP_AGAIN = (1, 5, 15)
"""Seconds that an answer that is paid for waits for a locked store, each time."""
_MAX_ERROR = 200


def safe_message(error: Exception) -> str:
    """The text of one of our own errors; of others only the type, because their text may quote people."""
    kind = type(error).__name__
    return f"{kind}: {error}"[:_MAX_ERROR] if isinstance(error, LtmError) else kind


@dataclass(kw_only=True)
class BatchProcessor:
    """Processes batches, one extraction call each."""

    writer: MemoryWriter
    on_learnt: Callable[[], None] = lambda: None
    """Called whenever there may be new items."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def __post_init__(self) -> None:
        parts = self.writer.parts
        self.queue, self.budget, self.clock = parts.store.events, parts.budget, parts.clock
        self.providers = CircuitBreaker(self.clock)
        self._failures = dict[str, FailureLog]()

    def note(self, what: str, error: Exception | None = None) -> None:
        """Have it logged once when `what` begins to fail, and once when it works again."""
        log = FailureLog(f"{what.replace('%', '%%')} failed and will be tried again: %s", f"{what} goes on.")
        self._failures.setdefault(what, log).note(safe_message(error) if error else "")

    async def lease_due(self, batch: Sequence[Event]) -> LeasedBatch | None:
        """The leased batch with its question; None when it was passed over or has to wait."""
        if self.budget.cap <= LEAST_CAP:
            await self.writer.pass_over(batch, DAILY_CAP)
            return None
        try:
            provider = await self.budget.model.provider_id(batch[0].umo)
        except Exception as error:  # noqa: BLE001  a host's lookup may raise anything
            until, why = self.clock() + NO_PROVIDER_PAUSE, safe_message(error)
        else:
            outage = self.providers.refuse(provider)
            if not outage:
                return await self.writer.lease(batch, provider)
            until, why = outage.until, outage.why
        ids = [event.event_id for event in batch]
        await self.queue.postpone(ids, until=until, error=why, attempted=False)
        return None

    async def process(self, leased: LeasedBatch) -> None:
        """Ask and keep. Raises LtmError when the store fails; the lease then ends by itself."""
        provider = leased.reservation.provider_id
        extraction = f"Extraction by {provider}"
        extracted: Extracted | None = None
        try:
            extracted = await self.writer.ask(leased)
            self.note(extraction)
            self.providers.answered(provider)
            kept = await self._kept(leased, extracted)
        except asyncio.CancelledError:
            await self.release(leased)
            raise
        except StoreUnavailableError:
            raise
        except Exception as error:  # whatever broke, this batch must not be tried again at once
            if extracted is not None and isinstance(error, LtmError):
                raise
            self.note(extraction, error)
            await self._failed(leased, error)
            return
        if not kept:
            await self.release(leased)
        self.on_learnt()

    async def release(self, leased: LeasedBatch) -> None:
        """Free its chat. If the store fails, the lease ends by itself."""
        with suppress(LtmError):
            await self.queue.release(leased.lease)

    async def _kept(self, leased: LeasedBatch, extracted: Extracted) -> bool:
        for seconds in KEEP_AGAIN:
            with suppress(UnavailableError):
                return await self.writer.store_facts(leased, extracted)
            await self.sleep(seconds)
        return await self.writer.store_facts(leased, extracted)

    async def _failed(self, leased: LeasedBatch, error: Exception) -> None:
        provider, why = leased.reservation.provider_id, safe_message(error)
        if isinstance(error, UnavailableError) and not await self._answers(leased):
            outage = self.providers.failed(provider, why)
            await self.queue.postpone(
                leased.event_ids, until=outage.until, error=why, attempted=False, lease=leased.lease
            )
            return
        if isinstance(error, AnswerError | UnavailableError):
            self.providers.answered(provider)
        await self._put_off(leased, why)

    async def _answers(self, leased: LeasedBatch) -> bool:
        provider, umo = leased.reservation.provider_id, leased.segment.events[0].umo
        try:
            answer = await self.budget.ask(provider, umo=umo, prompt="Hello.", allowance=PROBE_ALLOWANCE)
        except StoreUnavailableError:
            raise  # that says nothing of the provider
        except Exception:  # noqa: BLE001  however it fails, it is not there
            return False
        return answer is not None

    async def _put_off(self, leased: LeasedBatch, error: str) -> None:
        """Back off. Each event counts its own attempts, so new ones are not given up with old ones."""
        failures = {event.event_id: event.attempts + 1 for event in leased.segment.events}
        others = [event_id for event_id, times in failures.items() if times < MAX_ATTEMPTS]
        if tired := [event_id for event_id in failures if event_id not in others]:
            await self.queue.give_up(tired, error=error, lease=leased.lease)
        if others:
            until = self.clock() + pause_after(max(map(failures.__getitem__, others)))
            await self.queue.postpone(others, until=until, error=error, lease=leased.lease)
