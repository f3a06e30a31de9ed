"""Calls to the chat model within a daily token cap, with a ledger."""

from contextlib import suppress

from ..domain.errors import LtmError, UnavailableError
from ..domain.log import logger
from ..domain.time import Clock
from ..domain.writing import TokenReservation
from ..policies.token_cap import ANSWER_ALLOWANCE, day_of
from ..prompts.extraction import SYSTEM, TASK
from ..text_analysis.tokens import tokens
from .protocols import ChatModel, WriteStore, WriteTransaction

LEAST_CAP = tokens(SYSTEM) + tokens(TASK) + ANSWER_ALLOWANCE
"""A daily cap up to this allows no question."""


class TokenBudget:
    """A daily cap on tokens.

    A reservation is booked before each call, so that not even a crash overspends. The actual cost replaces it
    afterwards. A failed call that cost nothing is cancelled; any other keeps its reservation.
    """

    def __init__(self, model: ChatModel, store: WriteStore, clock: Clock, cap: int) -> None:
        """`cap`: tokens a day (UTC), questions and answers together."""
        self.model = model
        self.cap = cap
        self._store = store
        self._clock = clock

    def price(
        self, provider_id: str, prompt: str, *, system: str = SYSTEM, allowance: int = ANSWER_ALLOWANCE
    ) -> TokenReservation:
        """The reservation for a question; `allowance` is the tokens of the answer."""
        return TokenReservation(
            day=day_of(self._clock()),
            provider_id=provider_id,
            prompt_tokens=tokens(system) + tokens(prompt),
            answer_tokens=allowance,
        )

    async def book(self, tx: WriteTransaction, reservation: TokenReservation) -> bool:
        """Reserve the tokens of a call; False, and nothing is reserved, when the cap has no room."""
        _, spent = await tx.spent(reservation.day)
        if spent + reservation.total > self.cap:
            logger.warning("The tokens of the day are spent: messages wait for the next one (UTC).")
            return False
        await tx.book(reservation)
        return True

    async def complete(
        self, reservation: TokenReservation, *, umo: str, prompt: str, system: str = SYSTEM
    ) -> str:
        """Make the reserved call. Raises what `ChatModel.complete` raises."""
        try:
            completion = await self.model.complete(umo=umo, system=system, prompt=prompt)
        except UnavailableError as error:
            if error.cost_nothing:
                await self._correct(reservation)
            raise
        cost = {"prompt_tokens": completion.prompt_tokens, "answer_tokens": completion.answer_tokens}
        await self._correct(reservation, **cost)
        return completion.text

    async def ask(
        self, provider_id: str, *, umo: str, prompt: str, allowance: int, system: str = SYSTEM
    ) -> str | None:
        """Reserve and call; None without a call when the cap has no room.

        Raises as `complete`, and StoreUnavailableError when nothing can be reserved.
        """
        reservation = self.price(provider_id, prompt, system=system, allowance=allowance)
        async with self._store.transaction() as tx:
            if not await self.book(tx, reservation):
                return None
        return await self.complete(reservation, umo=umo, prompt=prompt, system=system)

    async def _correct(self, reservation: TokenReservation, **cost: int) -> None:
        """Update the ledger; where that fails, the reservation stands and the answer still counts."""
        with suppress(LtmError):
            async with self._store.transaction() as tx:
                await tx.correct(reservation, **cost)
