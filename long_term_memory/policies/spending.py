"""What the calls of a day (UTC) may cost, and what one of them is taken to cost beforehand (design 5.2)."""

from datetime import UTC, datetime, time, timedelta

from ..domain.writing import Booking
from ..text_analysis.tokens import tokens

DAILY_CAP = "daily_token_cap"
"""The rule's name: why a batch waits for the next day, or is never asked about."""
DAY = timedelta(days=1)
ANSWER_ALLOWANCE = 600
"""Tokens that an answer is taken to have until it is there: some ten facts."""
PROBE_ALLOWANCE = 50
"""The same for an answer to a harmless word."""


def price(provider_id: str, *prompt: str, now: datetime, allowance: int) -> Booking:
    """What a call with these parts of a prompt is taken to cost."""
    return Booking(
        day=day_of(now),
        provider_id=provider_id,
        prompt_tokens=sum(map(tokens, prompt)),
        answer_tokens=allowance,
    )


def day_of(now: datetime) -> str:
    """The day a call counts for."""
    return now.astimezone(UTC).date().isoformat()


def next_day(now: datetime) -> datetime:
    """When the next day begins and its calls count anew."""
    return datetime.combine(now.astimezone(UTC).date(), time(), UTC) + DAY
