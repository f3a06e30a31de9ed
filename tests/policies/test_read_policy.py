import pytest
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import (
    DEFAULT_WEIGHTS,
    MemoryReadPolicy,
    Weights,
)
from hypothesis import assume, given
from hypothesis import strategies as st

SHARES = st.floats(0, 1)


def with_weights(similarity: float, importance: float, recency: float) -> Weights:
    policy = MemoryReadPolicy(
        similarity_weight=similarity, importance_weight=importance, recency_weight=recency
    )
    return policy.weights


@given(SHARES, SHARES, SHARES)
def test_weights_have_the_sum_1(similarity: float, importance: float, recency: float) -> None:
    assume(similarity + importance + recency > 0)
    weights = with_weights(similarity, importance, recency)
    assert weights.similarity + weights.importance + weights.recency == pytest.approx(1.0)


def test_the_defaults_have_the_sum_1_already() -> None:
    assert MemoryReadPolicy().weights == DEFAULT_WEIGHTS


def test_chosen_weights_keep_their_proportions() -> None:
    assert with_weights(1.0, 0.5, 0.5) == Weights(similarity=0.5, importance=0.25, recency=0.25)
