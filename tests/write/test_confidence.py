import pytest
from astrbot_plugin_ltm.long_term_memory.write.stages import averaged, confidence, share
from hypothesis import given
from hypothesis import strategies as st

numbers = st.floats(allow_nan=True, allow_infinity=True)
shares = st.floats(0, 1)
counts = st.integers(-5, 10_000)


@pytest.mark.parametrize(
    ("base", "source", "count", "penalty", "expected"),
    [
        (0.9, 0.8, 1, 0.0, 0.72),
        (0.9, 0.8, 2, 0.0, 0.792),
        (0.9, 0.8, 6, 0.0, 1.0),
        (0.5, 0.8, 99, 0.0, 0.6),
        (0.9, 0.8, 1, 0.5, 0.36),
        (1.0, 1.0, 1, 0.0, 1.0),
    ],
)
def test_confidence_is_the_formula(
    base: float, source: float, count: int, penalty: float, expected: float
) -> None:
    got = confidence(base=base, source=source, evidence_count=count, penalty=penalty)
    assert got == pytest.approx(expected)


@given(numbers, numbers, counts, numbers)
def test_confidence_is_a_share_whatever_comes_in(
    base: float, source: float, count: int, penalty: float
) -> None:
    assert 0 <= confidence(base=base, source=source, evidence_count=count, penalty=penalty) <= 1


@given(shares, shares, st.integers(1, 50))
def test_more_evidence_never_lowers_confidence(base: float, source: float, count: int) -> None:
    one, more = (confidence(base=base, source=source, evidence_count=n) for n in (count, count + 1))
    assert more >= one


@given(numbers, counts, numbers, counts)
def test_an_average_is_a_share_whatever_comes_in(old: float, weight: int, new: float, other: int) -> None:
    assert 0 <= averaged(old, weight, new, other) <= 1


@given(shares, st.integers(1, 100), shares)
def test_an_average_lies_between_its_parts(old: float, weight: int, new: float) -> None:
    assert min(old, new) - 1e-9 <= averaged(old, weight, new) <= max(old, new) + 1e-9


def test_an_average_of_nothing_is_the_new_one() -> None:
    assert averaged(0.2, 0, 0.8, 0) == 0.8


def test_no_number_is_no_confidence() -> None:
    assert share(float("nan")) == 0.0
