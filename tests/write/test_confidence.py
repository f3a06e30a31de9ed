import pytest
from astrbot_plugin_ltm.long_term_memory.write.stages import averaged, confidence
from hypothesis import given
from hypothesis import strategies as st

shares = st.floats(0, 1)
counts = st.integers(1, 10_000)


@pytest.mark.parametrize(
    ("base", "source", "count", "expected"),
    [
        (0.9, 0.8, 1, 0.72),
        (0.9, 0.8, 2, 0.792),
        (0.9, 0.8, 6, 1.0),
        (0.5, 0.8, 99, 0.6),
        (1.0, 1.0, 1, 1.0),
    ],
)
def test_confidence_is_the_formula(base: float, source: float, count: int, expected: float) -> None:
    assert confidence(base=base, source=source, evidence_count=count) == pytest.approx(expected)


@given(shares, shares, counts)
def test_confidence_is_a_share_and_more_evidence_never_lowers_it(
    base: float, source: float, count: int
) -> None:
    one, more = (confidence(base=base, source=source, evidence_count=n) for n in (count, count + 1))
    assert 0 <= one <= more <= 1


@given(shares, counts, shares, counts)
def test_an_average_lies_between_its_parts(old: float, weight: int, new: float, other: int) -> None:
    assert min(old, new) - 1e-9 <= averaged(old, weight, new, other) <= max(old, new) + 1e-9
