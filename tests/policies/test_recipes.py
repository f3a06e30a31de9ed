import pytest
from astrbot_plugin_ltm.long_term_memory.policies.read_policy import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.policies.recipes import (
    CLASSIC,
    DEFAULT,
    RECIPES,
    Recipe,
    Weights,
    weights_of,
)
from hypothesis import given
from hypothesis import strategies as st

SHARES = st.floats(0, 1)


def test_the_classic_weights_are_those_of_the_first_design() -> None:
    assert CLASSIC.weights == Weights(similarity=0.3, importance=0.4, recency=0.3)


def test_weights_that_stand_as_they_come_follow_the_recipe() -> None:
    untouched = MemoryReadPolicy().weights
    assert weights_of(DEFAULT, untouched) == DEFAULT.weights
    assert weights_of(CLASSIC, untouched) == CLASSIC.weights


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_weights_that_were_changed_are_the_operators_in_every_recipe(recipe: Recipe) -> None:
    chosen = Weights(similarity=1.0, importance=0.5, recency=0.5)
    assert weights_of(recipe, chosen) == Weights(similarity=0.5, importance=0.25, recency=0.25)


@given(SHARES, SHARES, SHARES)
def test_weights_have_the_sum_1(similarity: float, importance: float, recency: float) -> None:
    weights = weights_of(DEFAULT, Weights(similarity=similarity, importance=importance, recency=recency))
    assert weights.similarity + weights.importance + weights.recency == pytest.approx(1.0)
