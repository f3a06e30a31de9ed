from datetime import timedelta

from astrbot_plugin_ltm.long_term_memory.policies.back_off import LONGEST_REST, pause_after
from hypothesis import given
from hypothesis import strategies as st


def test_the_pause_doubles_from_half_a_minute_up_to_an_hour() -> None:
    minutes = [pause_after(failures) / timedelta(minutes=1) for failures in range(1, 10)]
    assert minutes == [0.5, 1, 2, 4, 8, 16, 32, 60, 60]


@given(st.integers(-10, 10**9))
def test_a_pause_is_never_shorter_than_half_a_minute_nor_longer_than_an_hour(failures: int) -> None:
    assert timedelta(seconds=30) <= pause_after(failures) <= timedelta(hours=1)


def test_a_provider_rests_from_half_a_minute_up_to_a_quarter_of_an_hour() -> None:
    minutes = [pause_after(failures, LONGEST_REST) / timedelta(minutes=1) for failures in range(1, 9)]
    assert minutes == [0.5, 1, 2, 4, 8, 15, 15, 15]
