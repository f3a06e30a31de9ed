"""How long a provider asks to be left alone: the header `Retry-After` (RFC 9110, 10.2.3)."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

LONGEST_ASKED = timedelta(hours=1)
"""More than this is not believed: the provider is asked again then."""

_SECONDS = re.compile(r"(\d+)(\.\d+)?", re.ASCII)
_MAX_DIGITS = 9


def asked_pause(header: str, now: datetime) -> timedelta | None:
    """The pause that a header asks for, in seconds or until a date; None for none and for nonsense."""
    text = header.strip()
    if number := _SECONDS.fullmatch(text):
        long = len(number[1]) > _MAX_DIGITS
        pause = LONGEST_ASKED if long else timedelta(seconds=float(text))
    else:
        try:
            until = parsedate_to_datetime(text)
            pause = until.replace(tzinfo=until.tzinfo or UTC) - now
        except (ValueError, TypeError, OverflowError):
            return None
    return min(pause, LONGEST_ASKED) if pause > timedelta(0) else None


def is_over(until: datetime | None, now: datetime) -> bool:
    """Whether such a pause is over; one longer than the longest means that the clock was set back."""
    return until is None or not timedelta(0) < until - now <= LONGEST_ASKED
