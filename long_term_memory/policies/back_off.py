"""How long a batch whose extraction failed is left alone (design 5.2)."""

from datetime import timedelta

MAX_ATTEMPTS = 10
"""After so many failures an event is given up, where an operator sees it."""

_FIRST = timedelta(seconds=30)
_LONGEST = timedelta(hours=1)


def pause_after(failures: int) -> timedelta:
    """30 seconds after the first failure, doubling up to an hour."""
    doublings = min(max(failures - 1, 0), 16)
    return min(_FIRST * 2**doublings, _LONGEST)
