"""A chat model for housekeeping, whose every call is in the ledger and under the daily cap (design 5.2)."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from ..domain.errors import NoProviderError, RefusedError
from ..domain.time import Clock
from ..domain.writing import Booking, Completion
from ..policies.spending import DAILY_CAP, price

ALLOWANCE = 100
"""Tokens that an answer is taken to have until it is there: one sentence."""


class Model(Protocol):
    """The operator's chat provider for one chat."""

    async def provider_id(self, umo: str) -> str:
        """Which provider answers for this chat. Raises NoProviderError, UnavailableError."""
        ...

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        """One answer. Raises NoProviderError, UnavailableError."""
        ...


class LedgerTransaction(Protocol):
    """One transaction of the store: all of it happens, or nothing."""

    async def tokens_on(self, day: str) -> int:
        """What the calls of a day (UTC) have cost so far, in tokens, those under way included."""
        ...

    async def book(self, booking: Booking) -> None:
        """Count a call that is about to be made."""
        ...

    async def correct(self, booking: Booking, *, prompt_tokens: int, answer_tokens: int) -> None:
        """Put what a call did cost in place of what was booked for it."""
        ...

    async def cancel(self, booking: Booking) -> None:
        """Take back a call that was never made."""
        ...


class LedgerStore(Protocol):
    """Where calls are counted."""

    def transaction(self) -> AbstractAsyncContextManager[LedgerTransaction]:
        """Open the one writing transaction."""
        ...


class CountedModel:
    """Books a call before it is made, so that a kill in the middle of it hides nothing."""

    def __init__(self, store: LedgerStore, model: Model, *, daily_cap: int, clock: Clock) -> None:
        self._store = store
        self._model = model
        self._daily_cap = daily_cap
        self._clock = clock

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        """One answer.

        Raises NoProviderError, UnavailableError as the model does, and RefusedError when the call would go
        over the cap or the store is read-only: then the model is not asked. What a failed call is taken to
        have cost stays booked.
        """
        provider = await self._model.provider_id(umo)
        booking = price(provider, system, prompt, now=self._clock(), allowance=ALLOWANCE)
        async with self._store.transaction() as tx:
            if await tx.tokens_on(booking.day) + booking.total > self._daily_cap:
                raise RefusedError(DAILY_CAP)
            await tx.book(booking)
        try:
            answer = await self._model.complete(umo=umo, system=system, prompt=prompt)
        except NoProviderError:
            async with self._store.transaction() as tx:
                await tx.cancel(booking)
            raise
        async with self._store.transaction() as tx:
            await tx.correct(booking, prompt_tokens=answer.prompt_tokens, answer_tokens=answer.answer_tokens)
        return answer.text
