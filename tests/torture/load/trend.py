"""What a row of measurements tells: how fast it grows, whatever single ones say."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

HOUR = 3_600.0
_MOST = 400


@dataclass(frozen=True)
class Point:
    """A value at a second."""

    at: float
    value: float


def per_hour(points: Sequence[Point]) -> float:
    """How much the value grows in an hour: the median of the slopes between all pairs (Theil and Sen).

    Up to 29 of 100 wild points change little. Raises ValueError for less than two points.
    """
    if len(points) < 2:
        raise ValueError("one point has no slope")
    step = -(-len(points) // _MOST)
    pairs = combinations(points[::step], 2)
    return HOUR * statistics.median((b.value - a.value) / (b.at - a.at) for a, b in pairs if b.at > a.at)


def windows(points: Sequence[Point], seconds: float) -> Iterator[Sequence[Point]]:
    """The points of each span of so many seconds, those without any left out; the points are in order."""
    if not points:
        return
    first, found = points[0].at, dict[int, list[Point]]()
    for point in points:
        found.setdefault(int((point.at - first) // seconds), []).append(point)
    yield from found.values()


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def by_window(points: Sequence[Point], seconds: float, share: float) -> list[Point]:
    """A quantile of each span, at its beginning."""
    return [
        Point(some[0].at, quantile([each.value for each in some], share)) for some in windows(points, seconds)
    ]
