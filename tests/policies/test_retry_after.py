from datetime import UTC, datetime, timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.policies.retry_after import LONGEST_ASKED, asked_pause, is_over
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "pause"),
    [
        ("120", timedelta(minutes=2)),
        (" 1.5 ", timedelta(seconds=1.5)),
        ("Sun, 01 Jun 2025 12:10:00 GMT", timedelta(minutes=10)),
        ("Sun, 01 Jun 2025 12:10:00", timedelta(minutes=10)),
        ("Fri, 01 Jan 2100 00:00:00 GMT", LONGEST_ASKED),
        ("86400", LONGEST_ASKED),
        ("9" * 400, LONGEST_ASKED),
    ],
)
def test_a_pause_is_asked_for_in_seconds_or_until_a_date_and_is_an_hour_at_most(
    header: str, pause: timedelta
) -> None:
    assert asked_pause(header, NOW) == pause


@pytest.mark.parametrize(
    "header", ["", "0", "-5", "soon", "nan", "inf", "Sun, 01 Jun 2025 11:00:00 GMT", "٣"]
)
def test_nonsense_and_what_is_past_ask_for_no_pause(header: str) -> None:
    assert asked_pause(header, NOW) is None


@given(st.text())
def test_whatever_a_header_says_a_pause_is_positive_and_an_hour_at_most(header: str) -> None:
    pause = asked_pause(header, NOW)
    assert pause is None or timedelta(0) < pause <= LONGEST_ASKED


def test_a_pause_is_over_at_its_end_and_when_the_clock_was_set_back() -> None:
    until = NOW + timedelta(minutes=30)
    assert [is_over(None, NOW), is_over(until, NOW), is_over(until, until)] == [True, False, True]
    assert is_over(until, NOW - timedelta(days=1))
