"""The daily token cap: its days are those of UTC, not of the operator's zone."""

from datetime import UTC, datetime, time, timedelta

DAILY_CAP = "daily_token_cap"
"""Reason noted on events that wait for tomorrow's tokens or are never sent to the model."""
DAY = timedelta(days=1)
ANSWER_ALLOWANCE = 600
"""Tokens reserved for an answer: some ten facts."""
PROBE_ALLOWANCE = 50
"""Tokens reserved for the answer to a probe."""


def day_of(now: datetime) -> str:
    """The day that a call counts for."""
    return now.astimezone(UTC).date().isoformat()


def next_day(now: datetime) -> datetime:
    """The start of the next day."""
    return datetime.combine(now.astimezone(UTC).date(), time(), UTC) + DAY


def is_for_tokens(at: datetime) -> bool:
    """Whether a time that something is planned for is the start of a day: only spent tokens put it there."""
    return at + DAY == next_day(at)
