from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Origin, Role
from astrbot_plugin_ltm.long_term_memory.domain.writing import Grounded, Merged, MergeKind
from astrbot_plugin_ltm.long_term_memory.write.stages import score
from hypothesis import given
from hypothesis import strategies as st

from tests.write.fakes import ALICE, event
from tests.write.made import a_candidate, a_grounded, an_item

shares = st.floats(0, 1)


def merged(grounded: Grounded, **existing: Any) -> Merged:
    item = an_item(**existing) if existing else None
    kind = MergeKind.CONFIRM if item else MergeKind.NEW
    return Merged(grounded=grounded, kind=kind, fact_key="k", existing=item)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (Origin.USER_EXPLICIT, 1.0),
        (Origin.RULE, 0.95),
        (Origin.LLM_EXTRACT, 0.8),
        (Origin.IMPORT, 0.8),
    ],
)
def test_a_source_is_believed_as_far_as_it_deserves(origin: Origin, expected: float) -> None:
    result = score(merged(a_grounded(origin=origin, confidence=1.0)))
    assert result.confidence == pytest.approx(expected)
    assert result.evidence_count == 1


def test_a_tools_result_is_believed_least() -> None:
    grounded = Grounded(
        candidate=a_candidate(confidence=1.0),
        event=event("tea", Role.TOOL),
        quote="tea",
        owner=ALICE,
        person="",
        doubt="tool_result",
    )
    assert score(merged(grounded)).confidence == pytest.approx(0.7)


def test_a_confirmation_averages_by_evidence_and_rewards_repetition() -> None:
    result = score(merged(a_grounded(confidence=1.0), confidence=0.6, evidence_count=2))
    assert result.confidence == pytest.approx((0.6 * 2 + 0.8 * 1.2) / 3)
    assert result.evidence_count == 3


def test_importance_is_the_higher_of_the_two() -> None:
    assert score(merged(a_grounded(importance=0.2), importance=0.7)).importance == 0.7
    assert score(merged(a_grounded(importance=0.9), importance=0.7)).importance == 0.9


@given(shares, shares, shares, st.integers(1, 10**6))
def test_scores_of_shares_are_shares(base: float, importance: float, old: float, count: int) -> None:
    grounded = a_grounded(confidence=base, importance=importance)
    for result in (score(merged(grounded)), score(merged(grounded, confidence=old, evidence_count=count))):
        assert 0 <= result.confidence <= 1
        assert 0 <= result.importance <= 1
