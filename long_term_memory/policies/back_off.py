"""How long work that failed is left alone (design 5.2)."""

from datetime import timedelta

MAX_ATTEMPTS = 10
"""After so many failures an event is given up, where an operator sees it."""
LEASE = timedelta(minutes=5)
"""How long a batch is nobody else's: longer than a model's answer and its commit take."""
LONGEST_PAUSE = timedelta(hours=1)
LONGEST_REST = timedelta(minutes=15)
LONGEST_ASKED = timedelta(hours=1)
"""A provider that asks to be left alone for longer is not believed."""
_FIRST = timedelta(seconds=30)


def pause_after(failures: int) -> timedelta:
    """For a batch that failed by itself: 30 seconds after the first failure, doubling up to an hour."""
    return _doubled(failures, LONGEST_PAUSE)


def rest_after(failures: int) -> timedelta:
    """For a provider that answers nobody or is not there: 30 seconds at first, doubling up to 15 minutes."""
    return _doubled(failures, LONGEST_REST)


def _doubled(failures: int, longest: timedelta) -> timedelta:
    doublings = min(max(failures - 1, 0), 16)
    return min(_FIRST * 2**doublings, longest)
