"""A chat model for housekeeping, whose every call is in the ledger and under the daily cap (design 5.2)."""

from ..domain.errors import RefusedError
from ..policies.spending import DAILY_CAP
from ..write.token_budget import TokenBudget

ALLOWANCE = 100
"""Tokens that an answer is taken to have until it is there: one sentence."""


class CountedModel:
    """Asks whichever provider answers for a chat, as far as the day's cap has room."""

    def __init__(self, budget: TokenBudget) -> None:
        self._budget = budget

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        """One answer.

        Raises NoProviderError, UnavailableError as the model does, and RefusedError when the call would go
        over the cap or the store is read-only: then the model is not asked.
        """
        provider = await self._budget.model.provider_id(umo)
        answer = await self._budget.ask(provider, umo=umo, system=system, prompt=prompt, allowance=ALLOWANCE)
        if answer is None:
            raise RefusedError(DAILY_CAP)
        return answer
