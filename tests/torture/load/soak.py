"""Hours of ordinary use of a real host, and beside it the same use of a host without the plugin.

Both hosts are looked at every half minute. A host grows by itself: what counts is by how much more the one
with the plugin grows, once everything that keeps something for later has as much as it ever keeps:

- indexes of memories: 88 MB at most; here of some 2,000 memories, as nobody may have more than 50
- indexes of what was said: 48 MB; there is more from the beginning, and everybody searches at once
- stems 32,768, words compared 4,096: fewer words are ever said
- conversations: 30 turns, see `test_soak.BOUNDED`
- the log of recalls: 200 that wait; embedded questions and referents: of the last minutes
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.host.harness.scripted_model import ScriptedModel

from .sampling import Sample, sampled
from .traffic import Traffic
from .trend import Point, by_window

PER_SECOND = 1.5
EVERY = 30.0
"""Seconds between two looks."""
COUNT_EVERY = 600.0
ERRAND_EVERY = {"export": 300.0, "snapshot": 600.0}
LONG_ENOUGH = 60.0
"""Seconds of a soak in which it matters that caches are full."""
_AT_ONCE = 8
"""What is still under way; what would come then is left out."""


@dataclass
class Course:
    """One host in use, and what was seen of it."""

    traffic: Traffic
    samples: list[Sample] = field(default_factory=list[Sample])
    objects: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    left_out: int = 0
    """Things that were due while too much was under way."""
    _under_way: set[Future[None]] = field(default_factory=set[Future[None]])

    def begin(self, pool: ThreadPoolExecutor, kind: str | None = None) -> None:
        """Have one thing done, unless too much is under way."""
        self._under_way = {each for each in self._under_way if not each.done()}
        if len(self._under_way) >= _AT_ONCE:
            self.left_out += 1
            return
        work: Callable[[], None] = self.traffic.act if kind is None else lambda: self.traffic.do(kind)
        self._under_way.add(pool.submit(work))

    def look(self, log: Path) -> None:
        """Take a sample, and write it down for whoever watches."""
        host = self.traffic.host
        sample = sampled(host.process_id, host.root, time.monotonic() - self.traffic.began)
        self.samples.append(sample)
        host.forget_turns()
        taken = {kind: [each.value for each in some] for kind, some in self._news().items()}
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**asdict(sample), "taken": taken, "left_out": self.left_out}) + "\n")

    def _news(self) -> Mapping[str, Sequence[Point]]:
        """What was done since the last look."""
        since = self.samples[-2].at if len(self.samples) > 1 else 0.0
        taken = {kind: list(some) for kind, some in self.traffic.taken.items()}
        return {kind: [each for each in some if each.at >= since] for kind, some in taken.items()}

    def count(self, log: Path) -> None:
        """Count the objects of the process."""
        found = {"at": time.monotonic() - self.traffic.began, **self.traffic.host.objects()}
        self.objects.append(found)
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")

    @property
    def done(self) -> int:
        """How many things were done."""
        return sum(map(len, self.traffic.taken.values()))

    def lows(self, figure: Callable[[Sample], float], *, after: float, span: float) -> list[Point]:
        """The lowest of each span of seconds, once so many are over: what comes and goes is not in it."""
        return by_window(
            [Point(each.at, figure(each)) for each in self.samples if each.at >= after], span, 0.0
        )


def soak(courses: Mapping[str, Course], model: ScriptedModel, seconds: float, notes: Path) -> None:
    """Use the hosts for so many seconds, each as much as the others; `notes` is a folder for what is seen."""
    _make_room(notes, courses)
    with ThreadPoolExecutor(_AT_ONCE * len(courses)) as pool:
        began = time.monotonic()
        for course in courses.values():
            course.traffic.began = began
        first: list[Future[None]] = []
        if seconds > LONG_ENOUGH:
            first += [pool.submit(course.traffic.first_round) for course in courses.values()]
        due = _Due(began, seconds)
        while (now := time.monotonic()) < began + seconds:
            for what in due.by(now):
                for name, course in courses.items():
                    _do(what, course, pool, notes / name)
            model.forget()
            time.sleep(max(0.0, due.next - time.monotonic()))
        for each in first:
            each.result()


def _make_room(notes: Path, courses: Collection[str]) -> None:
    """Have the folder, without what another run left in it."""
    notes.mkdir(parents=True, exist_ok=True)
    for name in courses:
        for kind in (".samples", ".objects"):
            (notes / name).with_suffix(kind).unlink(missing_ok=True)


def _do(what: str, course: Course, pool: ThreadPoolExecutor, notes: Path) -> None:
    match what:
        case "act":
            course.begin(pool)
        case "look":
            course.look(notes.with_suffix(".samples"))
        case "count":
            course.count(notes.with_suffix(".objects"))
        case _:
            course.begin(pool, what)


class _Due:
    """When what is to be done next."""

    def __init__(self, began: float, seconds: float) -> None:
        least = seconds / 4
        self._every = {
            "act": 1 / PER_SECOND,
            "look": min(EVERY, least),
            "count": min(COUNT_EVERY, least),
            **{kind: min(span, least) for kind, span in ERRAND_EVERY.items()},
        }
        self._at = {
            what: began + (0 if what in ("act", "look") else span) for what, span in self._every.items()
        }

    @property
    def next(self) -> float:
        """The moment of what comes first."""
        return min(self._at.values())

    def by(self, now: float) -> Sequence[str]:
        """What is due; what was missed altogether does not come twice."""
        found = [what for what, at in self._at.items() if at <= now]
        for what in found:
            self._at[what] = max(self._at[what] + self._every[what], now)
        return found


def grown(objects: Sequence[Mapping[str, Any]]) -> Mapping[str, int]:
    """Of which types there are more at the last count than at the first after a third of the time."""
    if len(objects) < 3:
        return {}
    early, late = Counter[str](objects[len(objects) // 3]["types"]), Counter[str](objects[-1]["types"])
    return dict((late - early).most_common(15))
