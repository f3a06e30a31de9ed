"""Hours of ordinary use: the plugin adds no memory, no time and no files that nothing explains."""

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from tests.host.harness.host import Host
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import OFFLINE, HostSettings
from tests.host.harness.tables import Tables
from tests.torture.form import LONG, chances, either, tell

from .crowd import answer_all
from .history import remembered
from .sampling import pages
from .soak import Course, grown, soak
from .traffic import Traffic
from .trend import Point, by_window, per_hour

SECONDS = float(os.environ.get("LTM_SOAK", either("20", "7200")))
WARM_UP = 1_200.0
NOTES = Path(__file__).parents[3] / "build" / "soak"
WINDOW = 300.0
MOST_GROWTH = 1.0
"""Megabytes an hour."""
MOST_WAL = 64 * 2**20
SETTINGS: Mapping[str, Any] = {
    "write_policy": {
        "mode": "auto",
        "max_items_per_scope": 50,
        "max_writes_per_session": 10_000,
        "max_writes_per_hour": 100_000,
    },
    "extraction": {"batch_turns": 4, "idle_seconds": 20, "daily_token_cap": 1_000_000_000},
    "groups": {"passive_capture": True},
}

pytestmark = [pytest.mark.host, pytest.mark.torture]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        yield server


def test_hours_of_use_add_no_memory_no_time_and_no_files_that_nothing_explains(
    model: ScriptedModel, tmp_path: Path
) -> None:
    answer_all(model)
    subject, control = host(tmp_path / "with", model, SETTINGS), host(tmp_path / "without", model, None)
    events, items = either((20, 5), (1_200, 50))
    asyncio.run(remembered(subject.database, items=items, events=events, chance=chances("history")))
    courses = {"with": course(subject, remembers=True)}
    with ExitStack() as stack:
        stack.enter_context(subject.running())
        if LONG:
            stack.enter_context(control.running())
            courses["without"] = course(control, remembers=False)
        soak(courses, model, SECONDS, either(tmp_path, NOTES))
        health = subject.plugin.get("health").json()
        said = [line for line in subject.log().splitlines() if "ltm" in line or "Traceback" in line]
    broken = [line for line in said if "[ERRO]" in line or "Traceback" in line]
    explained = pages(subject.database)
    for name, each in courses.items():
        report(name, each)
    tell("soak: bytes by table", dict(sorted(explained.items(), key=lambda pair: -pair[1])))
    tell("soak: health at the end", json.dumps(health, ensure_ascii=False))
    tell("soak: warnings of the plugin", [line for line in said if "[WARN]" in line])
    if LONG and SECONDS > 2 * WARM_UP:
        judge(courses["with"], courses["without"])
    assert courses["with"].traffic.wrong == {}
    assert broken == []
    assert Tables(subject.database).faults() == []
    assert explained["not explained"] == 0
    assert max(each.sizes["wal"] for each in courses["with"].samples) < MOST_WAL


def judge(subject: Course, control: Course) -> None:
    growths = {
        figure: [each.growth(attrgetter(figure), after=WARM_UP) for each in (subject, control)]
        for figure in ("anonymous", "rss", "threads", "descriptors")
    }
    for figure, (with_plugin, without) in growths.items():
        tell(f"soak: growth of {figure} an hour, with, without, added", (with_plugin, without))
    added = {kind: added_latency(subject, control, kind) for kind in ("private", "group", "tool")}
    later = {kind: per_hour(points) for kind, points in added.items()}
    tell("soak: growth an hour of the milliseconds that the plugin adds to a turn", later)
    recalls = by_window(subject.traffic.later("recall", WARM_UP), WINDOW, 0.5)
    later["recall"] = per_hour(recalls)
    tell("soak: growth an hour of the milliseconds of a recall", later["recall"])
    grows, grows_anyway = growths["anonymous"]
    assert grows - max(grows_anyway, 0) <= MOST_GROWTH
    for kind, points in added.items():
        assert later[kind] <= 0.1 * subject.traffic.median(kind, WARM_UP), (kind, points)
    # Nothing is beside it that would tell by how much the machine alone became slower.
    assert later["recall"] <= 0.25 * subject.traffic.median("recall", WARM_UP), recalls


def added_latency(subject: Course, control: Course, kind: str) -> list[Point]:
    """By how many milliseconds the medians of the two differ, span by span."""
    medians = [by_window(each.traffic.later(kind, WARM_UP), WINDOW, 0.5) for each in (subject, control)]
    return [Point(a.at, a.value - b.value) for a, b in zip(*medians, strict=False)]


def host(root: Path, model: ScriptedModel, plugin: Mapping[str, Any] | None) -> Host:
    settings = HostSettings(
        chat=model.endpoint,
        embedding=model.endpoint,
        embedding_dimension=64,
        platforms=("plat_a",),
        overrides=OFFLINE,
    )
    return Host(root, settings, plugin_config=plugin)


def course(host: Host, *, remembers: bool) -> Course:
    return Course(Traffic(host=host, chance=chances("traffic"), remembers=remembers))


def report(name: str, course: Course) -> None:
    traffic = course.traffic
    tell(f"soak {name}: things done", {kind: len(taken) for kind, taken in traffic.taken.items()})
    tell(f"soak {name}: left out as too much was under way", course.left_out)
    tell(f"soak {name}: gone wrong", dict(traffic.wrong))
    for kind in ("private", "group", "tool", "recall"):
        for share in (0.5, 0.95):
            found = [round(each.value, 1) for each in by_window(traffic.later(kind, 0), WINDOW, share)]
            tell(f"soak {name}: {kind}, milliseconds, quantile {share} of every 5 minutes", found)
    tell(f"soak {name}: first sample", asdict(course.samples[0]))
    tell(f"soak {name}: last sample", asdict(course.samples[-1]))
    tell(f"soak {name}: objects there are more of", grown(course.objects))
