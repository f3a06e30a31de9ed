"""What hours of use are judged by: beside a host without the plugin nothing may become more."""

import statistics
from collections.abc import Mapping, Sequence
from operator import attrgetter

from tests.torture.form import tell

from .soak import Course
from .trend import Point, by_window, per_hour

WARM_UP = 1_200.0
WINDOW = 300.0
MOST_GROWTH: Mapping[str, float] = {
    # Megabytes.
    "anonymous": 1.0,
    # Pools of the host grow in steps of one.
    "threads": 2.0,
    # Of lines and connections the host keeps what it once had. A leak of the rarest things that people do
    # here, the export every five minutes, is twelve.
    "descriptors": 10.0,
    # Neither lines nor connections: of these the host keeps none, and the rarest thing, a snapshot, is six.
    "files": 1.0,
}
"""By how much more the host with the plugin may grow in an hour than the other one."""
MOST_HELD = 40.0
"""Megabytes between the most and the least in some minutes: what is free, but not given back yet."""
MOST_LEFT_OUT = 0.05
MOST_SLOWER: Mapping[float, float] = {0.5: 0.1, 0.95: 0.25}
"""Of each quantile of a time, by what part of it an hour may add to what the plugin adds."""
MOST_LOG = 2.0
"""How many times as much as without it the host may log."""


def judged(subject: Course, control: Course) -> list[str]:
    """Tell what became more; returns what should not have."""
    faults = [fault for figure in MOST_GROWTH for fault in _growing(subject, control, figure)]
    faults += [fault for kind in ("private", "group", "tool") for fault in _slower(subject, control, kind)]
    faults += _holding(subject)
    recalls = _recalls(subject, control)
    tell("soak: growth an hour of the milliseconds of a recall", per_hour(recalls))
    if per_hour(recalls) > 0.25 * subject.traffic.median("recall", WARM_UP):
        faults.append(f"recalls take longer and longer: {recalls}")
    logs = [
        per_hour(course.lows(lambda sample: sample.sizes["log"], after=WARM_UP, span=WINDOW))
        for course in (subject, control)
    ]
    tell("soak: bytes an hour in the log, with, without", logs)
    if logs[0] > MOST_LOG * logs[1]:
        faults.append(f"the log grows by {logs} bytes an hour")
    for name, course in (("with", subject), ("without", control)):
        if course.left_out > MOST_LEFT_OUT * course.done:
            faults.append(f"{name} the plugin {course.left_out} things were left out, {course.done} done")
    return faults


def _growing(subject: Course, control: Course, figure: str) -> list[str]:
    lows = [each.lows(attrgetter(figure), after=WARM_UP, span=WINDOW) for each in (subject, control)]
    grows, grows_anyway, added = (per_hour(each) for each in (*lows, _apart(*lows)))
    tell(f"soak: growth of {figure} an hour, with, without, added", (grows, grows_anyway, added))
    return (
        [f"{figure}: {added:.2f} more an hour than without the plugin"] if added > MOST_GROWTH[figure] else []
    )


def _holding(subject: Course) -> list[str]:
    points = [Point(each.at, each.anonymous) for each in subject.samples if each.at >= WARM_UP]
    most, least = (by_window(points, WINDOW, share) for share in (1.0, 0.0))
    held = [round(a.value - b.value, 1) for a, b in zip(most, least, strict=True)]
    tell("soak: megabytes between the most and the least of every 5 minutes", held)
    return [f"{max(held)} MB are held at times"] if max(held) > MOST_HELD else []


def _slower(subject: Course, control: Course, kind: str) -> list[str]:
    longer = dict[float, float]()
    for share, most in MOST_SLOWER.items():
        spans = [by_window(each.traffic.later(kind, WARM_UP), WINDOW, share) for each in (subject, control)]
        added = _apart(*spans)
        later = per_hour(added)
        tell(
            f"soak: growth an hour of the milliseconds that the plugin adds, {kind}, quantile {share}", later
        )
        if later > most * statistics.median(each.value for each in spans[0]):
            longer[share] = later
    return [f"{kind} takes longer and longer, milliseconds an hour by quantile: {longer}"] if longer else []


def _recalls(subject: Course, control: Course) -> list[Point]:
    """How long a recall took, span by span, were the machine always as fast as it was in the median.

    The other host has no recalls: by its turns is told how fast the machine was.
    """
    private, recalls = (
        by_window(course.traffic.later(kind, WARM_UP), WINDOW, 0.5)
        for course, kind in ((control, "private"), (subject, "recall"))
    )
    turns = {each.at // WINDOW: each.value for each in private}
    usual = statistics.median(turns.values())
    return [
        Point(each.at, each.value * usual / turns[span])
        for each in recalls
        if (span := each.at // WINDOW) in turns
    ]


def _apart(some: Sequence[Point], others: Sequence[Point]) -> list[Point]:
    """By how much they differ, span by span: what the machine does to both is in neither."""
    beside = {each.at // WINDOW: each.value for each in others}
    return [
        Point(each.at, each.value - beside[span]) for each in some if (span := each.at // WINDOW) in beside
    ]
