"""Asks the chat model within the tokens of a day, and keeps the ledger of what that costs (design 5.2)."""

import logging
from collections.abc import Awaitable, Callable

from ..domain.errors import LtmError, UnavailableError
from ..domain.time import Clock
from ..domain.writing import Booking
from ..policies.spending import ANSWER_ALLOWANCE, day_of, price
from ..prompts.extraction import SYSTEM, TASK
from ..text_analysis.tokens import tokens
from .protocols import ChatModel, WriteStore, WriteTransaction

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

LEAST_CAP = tokens(SYSTEM) + tokens(TASK) + ANSWER_ALLOWANCE
"""A daily cap that is not above this has no room for any question."""


class TokenBudget:
    """No call is made that the day's cap has no room for.

    What a call may cost is booked before it is made, so that not even a crash overspends; what it did cost
    takes its place when the provider has told. A call that the provider surely did not work on is taken back;
    what another failed call cost nobody tells: its booking stands.
    """

    def __init__(self, model: ChatModel, store: WriteStore, clock: Clock, cap: Callable[[], int]) -> None:
        """`cap` is asked at each use: tokens a day (UTC), questions and answers together."""
        self.model = model
        self.cap = cap
        self._store = store
        self._clock = clock
        self._spent_on = ""

    def price(
        self, provider_id: str, prompt: str, *, system: str = SYSTEM, allowance: int = ANSWER_ALLOWANCE
    ) -> Booking:
        """What a question is taken to cost; `allowance` is the tokens of the answer."""
        return price(provider_id, system, prompt, now=self._clock(), allowance=allowance)

    async def book(self, tx: WriteTransaction, booking: Booking) -> bool:
        """Count a call that is about to be made; False, and nothing is counted, when the cap has no room."""
        if await tx.tokens_on(booking.day) + booking.total > self.cap():
            self.note_spent()
            return False
        await tx.book(booking)
        return True

    async def complete(self, booking: Booking, *, umo: str, prompt: str, system: str = SYSTEM) -> str:
        """Make the call that was booked. Raises what `ChatModel.complete` raises."""
        try:
            completion = await self.model.complete(umo=umo, system=system, prompt=prompt)
        except UnavailableError as error:
            if error.cost_nothing:
                await self._settle(lambda tx: tx.cancel(booking))
            raise
        cost = {"prompt_tokens": completion.prompt_tokens, "answer_tokens": completion.answer_tokens}
        await self._settle(lambda tx: tx.correct(booking, **cost))
        return completion.text

    async def ask(
        self, provider_id: str, *, umo: str, prompt: str, allowance: int, system: str = SYSTEM
    ) -> str | None:
        """Book and make a call; None, and none is made, when the cap has no room. Raises as `complete`."""
        booking = self.price(provider_id, prompt, system=system, allowance=allowance)
        async with self._store.transaction() as tx:
            if not await self.book(tx, booking):
                return None
        return await self.complete(booking, umo=umo, prompt=prompt, system=system)

    def note_spent(self) -> None:
        """Log once a day that there is no room."""
        day = day_of(self._clock())
        if self._spent_on == day:
            return
        self._spent_on = day
        if self.cap() <= LEAST_CAP:
            logger.info("The daily token cap allows no question: the rules alone read messages.")
        else:
            logger.warning("The tokens of the day are spent: messages wait for the next one (UTC).")

    async def _settle(self, change: Callable[[WriteTransaction], Awaitable[None]]) -> None:
        """An answer is not thrown away because the ledger cannot be written: what was booked stands."""
        try:
            async with self._store.transaction() as tx:
                await change(tx)
        except LtmError:
            return
