"""What the soak is judged by lets ordinary hours pass and sees each thing that becomes more."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.stores import migrated

from .explained import rows, unexplained
from .judging import judged
from .sampling import Sample, pages
from .soak import EVERY, PER_SECOND, Course
from .traffic import Traffic
from .trend import HOUR, Point

pytestmark = pytest.mark.torture

SECONDS = 2 * HOUR
KINDS = {"private": 300.0, "group": 300.0, "tool": 400.0, "recall": 20.0}
"""Milliseconds that each takes."""

type Spoil = Callable[[Course], None]


def course() -> Course:
    """Two hours of a host that grows a little by itself."""
    chance = random.Random("course")  # noqa: S311  the same each time
    traffic = Traffic(host=cast("Any", None), chance=chance, remembers=True)
    every = len(KINDS) / PER_SECOND
    for kind, usual in KINDS.items():
        times = (number * every for number in range(int(SECONDS / every)))
        traffic.taken[kind] = [Point(at, chance.gauss(usual, usual / 10)) for at in times]
    made = Course(traffic)
    made.samples = [sample(number * EVERY, chance) for number in range(int(SECONDS / EVERY))]
    return made


def sample(at: float, chance: random.Random) -> Sample:
    return Sample(
        at=at,
        rss=400.0,
        pss=380.0,
        anonymous=350 + 20 * at / HOUR + chance.gauss(0, 0.5),
        cpu=at / 4,
        threads=20 + int(at / HOUR),
        descriptors=30 + int(8 * at / HOUR) + chance.randrange(3),
        files=8 + (chance.random() < 0.1),
        sizes={"log": int(400 * at)},
    )


def grows(figure: str, an_hour: float) -> Spoil:
    def spoil(course: Course) -> None:
        course.samples = [
            replace(each, **{figure: getattr(each, figure) + int(an_hour * each.at / HOUR)})
            for each in course.samples
        ]

    return spoil


def slows(kind: str) -> Spoil:
    def spoil(course: Course) -> None:
        course.traffic.taken[kind] = [
            Point(each.at, each.value * (1 + 0.5 * each.at / HOUR)) for each in course.traffic.taken[kind]
        ]

    return spoil


def chatters(course: Course) -> None:
    course.samples = [replace(each, sizes={"log": 3 * each.sizes["log"]}) for each in course.samples]


def leaves_out(course: Course) -> None:
    course.left_out = course.done // 16


def holds(course: Course) -> None:
    course.samples[-5] = replace(course.samples[-5], anonymous=course.samples[-5].anonymous + 50)


def test_two_hours_like_those_of_a_host_without_the_plugin_pass() -> None:
    assert judged(course(), course()) == []


def test_a_machine_that_becomes_slower_makes_no_recall_longer() -> None:
    with_it, without = course(), course()
    for one in (with_it, without):
        for kind in KINDS:
            slows(kind)(one)
    assert judged(with_it, without) == []


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (grows("anonymous", 4), "anonymous"),
        (grows("threads", 4), "threads"),
        (grows("descriptors", 12), "descriptors"),
        (grows("files", 6), "files"),
        (slows("private"), "private takes longer"),
        (slows("tool"), "tool takes longer"),
        (slows("recall"), "recalls take longer"),
        (holds, "5"),
        (chatters, "the log grows"),
        (leaves_out, "with the plugin 675 things were left out"),
    ],
)
def test_what_becomes_more_in_one_of_them_is_told(spoil: Spoil, told: str) -> None:
    spoilt = course()
    spoil(spoilt)
    [fault] = judged(spoilt, course())
    assert fault.startswith(told)


BEFORE = {"ltm_events": 1_000, "ltm_event_vectors": 0, "ltm_items": 100, "ltm_vectors": 0, "ltm_recalls": 0}
AFTER = {
    "ltm_events": 1_300,
    "ltm_event_vectors": 1_300,
    "ltm_items": 150,
    "ltm_vectors": 300,
    "ltm_recalls": 90,
}
DONE = 200


def taken(**others: int) -> Mapping[str, int]:
    """Bytes as an ordinary store takes, but for these."""
    usual = {table: 600 * number for table, number in AFTER.items()}
    return {**usual, "ltm_recalls": 4_000 * 90, "free pages": 70_000, "not explained": 0, **others}


def files(**others: int) -> Mapping[str, int]:
    return {"snapshots": 200_000, "plugin_data": 37, **others}


def test_a_new_store_and_ordinary_files_are_explained(tmp_path: Path) -> None:
    assert unexplained(BEFORE, AFTER, taken=taken(), files=files(), done=DONE) == []
    number = rows(file := migrated(tmp_path / "data_v4.db"))
    assert {"ltm_items", "ltm_fts", "ltm_events"} <= set(number)
    assert unexplained(number, number, taken=pages(file), files=files(), done=0) == []


@pytest.mark.parametrize(
    ("after", "in_tables", "in_files", "told"),
    [
        ({}, {"ltm_events": 4_000_000}, {}, "ltm_events: 4000000 bytes for 1300 rows"),
        ({}, {"ltm_recalls": 2_000_000}, {}, "ltm_recalls: 2000000 bytes for 90 rows"),
        ({"ltm_events": 2_500}, {}, {}, "ltm_events: 2500 rows, 1000 before 200 things were done"),
        ({"ltm_items": 1_100}, {}, {}, "ltm_items: 1100 rows, 100 before"),
        ({"ltm_vectors": 301}, {}, {}, "ltm_vectors: 301 rows"),
        ({"ltm_event_vectors": 1_301}, {}, {}, "ltm_event_vectors: 1301 rows"),
        ({}, {"free pages": 2_000_000}, {}, "free pages"),
        ({}, {"not explained": 4_096}, {}, "not explained"),
        ({}, {}, {"snapshots": 2_000_000}, "snapshots"),
        ({}, {}, {"plugin_data": 200_000}, "plugin_data"),
    ],
)
def test_what_is_larger_than_it_has_to_be_is_told(
    after: Mapping[str, int], in_tables: Mapping[str, int], in_files: Mapping[str, int], told: str
) -> None:
    found = {"taken": taken(**in_tables), "files": files(**in_files)}
    [fault] = unexplained(BEFORE, {**AFTER, **after}, **found, done=DONE)
    assert fault.startswith(told)
