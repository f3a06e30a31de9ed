"""Every question of housekeeping is in the ledger, and none goes over the day's cap."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    NoProviderError,
    RefusedError,
    UnavailableError,
)
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.policies.spending import day_of
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.upkeep.episodes import ALLOWANCE, CountedModel
from astrbot_plugin_ltm.long_term_memory.write.token_budget import TokenBudget

from tests.stores import NOW
from tests.upkeep.fakes import Hands

PROMPT = "x" * 100
BOOKED = 30 + ALLOWANCE


@dataclass
class Model:
    """Answers, or raises what it is told to."""

    error: Exception | None = None
    no_provider: bool = False
    asked: int = 0
    meanwhile: Callable[[], None] = lambda: None

    async def provider_id(self, umo: str) -> str:
        if self.no_provider:
            raise NoProviderError("none")
        return f"provider of {umo}"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        self.asked += 1
        self.meanwhile()
        if self.error:
            raise self.error
        return Completion(text=f"{umo} {system} {len(prompt)}", prompt_tokens=20, answer_tokens=7)


async def spent(store: Store) -> int:
    async with store.transaction() as tx:
        return await tx.tokens_on(day_of(NOW))


async def ask(store: Store, model: Model, cap: int = 1_000) -> str:
    counted = CountedModel(TokenBudget(model, store, Hands().clock, lambda: cap))
    return await counted.complete(umo="chat", system="", prompt=PROMPT)


async def test_a_call_costs_what_it_cost(store: Store) -> None:
    assert await ask(store, Model()) == "chat  100"
    assert await spent(store) == 27


async def test_the_model_is_not_asked_over_the_cap(store: Store) -> None:
    model = Model()
    await ask(store, model, cap=BOOKED)
    with pytest.raises(RefusedError, match="daily_token_cap"):
        await ask(store, model, cap=BOOKED + 26)
    with pytest.raises(RefusedError, match="daily_token_cap"):
        await ask(store, model, cap=0)
    assert (model.asked, await spent(store)) == (1, 27)


async def test_a_call_that_failed_may_have_cost_its_price(store: Store) -> None:
    with pytest.raises(UnavailableError):
        await ask(store, Model(UnavailableError("down")))
    assert await spent(store) == BOOKED


@pytest.mark.parametrize(
    "model",
    [
        Model(NoProviderError("gone")),
        Model(no_provider=True),
        Model(UnavailableError("refused", cost_nothing=True)),
    ],
)
async def test_without_a_provider_that_takes_the_question_nothing_is_counted(
    store: Store, model: Model
) -> None:
    with pytest.raises(UnavailableError):
        await ask(store, model)
    assert await spent(store) == 0


async def test_the_model_is_not_asked_while_the_store_is_read_only(store: Store) -> None:
    store.read_only, model = True, Model()
    with pytest.raises(RefusedError, match="emergency_read_only"):
        await ask(store, model)
    assert model.asked == 0
