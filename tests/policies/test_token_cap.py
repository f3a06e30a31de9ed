from datetime import UTC, datetime, timedelta, timezone

from astrbot_plugin_ltm.long_term_memory.policies.token_cap import day_of, next_day

LATE = datetime(2025, 3, 1, 23, 59, 59, tzinfo=UTC)


def test_a_day_is_that_of_utc_wherever_the_clock_stands() -> None:
    shanghai = timezone(timedelta(hours=8))
    assert day_of(LATE) == day_of(LATE.astimezone(shanghai)) == "2025-03-01"
    assert day_of(LATE + timedelta(seconds=1)) == "2025-03-02"


def test_the_next_day_begins_at_midnight() -> None:
    midnight = datetime(2025, 3, 2, tzinfo=UTC)
    assert next_day(LATE) == midnight
    assert next_day(midnight) == midnight + timedelta(days=1)
