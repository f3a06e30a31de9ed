"""Asks the chat model and keeps the ledger of what that costs (design 5.2)."""

from collections.abc import Awaitable, Callable

from ..domain.errors import LtmError, UnavailableError
from ..domain.time import Clock
from ..domain.writing import Booking
from ..policies.spending import ANSWER_ALLOWANCE, price
from ..prompts.extraction import SYSTEM
from .protocols import ChatModel, WriteStore, WriteTransaction


class Meter:
    """No call is made that the day's cap has no room for.

    What a call may cost is booked before it is made, so that not even a crash overspends; what it did cost
    takes its place when the provider has told. A call that the provider surely did not work on is taken back;
    what another failed call cost nobody tells: its booking stands.
    """

    def __init__(self, model: ChatModel, store: WriteStore, clock: Clock, cap: Callable[[], int]) -> None:
        """`cap` is asked at each use: tokens a day (UTC), questions and answers together."""
        self._model = model
        self._store = store
        self._clock = clock
        self._cap = cap

    @property
    def cap(self) -> int:
        """Tokens a day."""
        return self._cap()

    async def provider_id(self, umo: str) -> str:
        """See `ChatModel.provider_id`."""
        return await self._model.provider_id(umo)

    def price(self, provider_id: str, prompt: str) -> Booking:
        """What a question about a batch is taken to cost."""
        return price(provider_id, SYSTEM, prompt, now=self._clock(), allowance=ANSWER_ALLOWANCE)

    async def book(self, tx: WriteTransaction, booking: Booking) -> bool:
        """Count a call that is about to be made; False, and nothing is counted, when the cap has no room."""
        if await tx.tokens_on(booking.day) + booking.total > self._cap():
            return False
        await tx.book(booking)
        return True

    async def complete(self, booking: Booking, *, umo: str, prompt: str, system: str = SYSTEM) -> str:
        """Make the call that was booked. Raises what `ChatModel.complete` raises."""
        try:
            completion = await self._model.complete(umo=umo, system=system, prompt=prompt)
        except UnavailableError as error:
            if error.cost_nothing:
                await self._settle(lambda tx: tx.cancel(booking))
            raise
        await self._settle(
            lambda tx: tx.correct(
                booking, prompt_tokens=completion.prompt_tokens, answer_tokens=completion.answer_tokens
            )
        )
        return completion.text

    async def ask(
        self, provider_id: str, *, umo: str, prompt: str, allowance: int, system: str = SYSTEM
    ) -> str | None:
        """Book and make a call; None, and none is made, when the cap has no room for it.

        `allowance` is the tokens that the answer is taken to have. Raises what `ChatModel.complete` raises.
        """
        booking = price(provider_id, system, prompt, now=self._clock(), allowance=allowance)
        async with self._store.transaction() as tx:
            if not await self.book(tx, booking):
                return None
        return await self.complete(booking, umo=umo, prompt=prompt, system=system)

    async def _settle(self, change: Callable[[WriteTransaction], Awaitable[None]]) -> None:
        """An answer is not thrown away because the ledger cannot be written: what was booked stands."""
        try:
            async with self._store.transaction() as tx:
                await change(tx)
        except LtmError:
            return
