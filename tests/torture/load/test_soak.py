"""Hours of ordinary use: the plugin adds no memory, no time and no files that nothing explains."""

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.host.harness.host import Host
from tests.host.harness.scripted_model import ScriptedModel
from tests.host.harness.settings import OFFLINE, HostSettings, merged
from tests.host.harness.tables import Tables
from tests.torture.form import LONG, chances, either, tell

from .crowd import answer_all
from .explained import rows, unexplained
from .history import remembered
from .judging import WARM_UP, WINDOW, judged
from .sampling import pages, sizes
from .soak import Course, grown, soak
from .traffic import Traffic
from .trend import by_window

SECONDS = float(os.environ.get("LTM_SOAK", either("20", "7200")))
NOTES = Path(__file__).parents[3] / "build" / "soak"
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
# The host keeps so many turns of a conversation: one that only grows makes each request larger and slower,
# and hours would tell of that alone.
BOUNDED: Mapping[str, Any] = {"agent_runner": {"config": {"compression": {"max_turns": 30}}}}

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
    before = rows(subject.database)
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
    taken, files = pages(subject.database), sizes(subject.root)
    for name, each in courses.items():
        report(name, each)
    tell("soak: bytes by table", dict(sorted(taken.items(), key=lambda pair: -pair[1])))
    tell("soak: health at the end", json.dumps(health, ensure_ascii=False))
    tell("soak: warnings of the plugin", [line for line in said if "[WARN]" in line])
    assert [dict(each.traffic.wrong) for each in courses.values()] == [{} for _ in courses]
    assert broken == []
    assert Tables(subject.database).faults() == []
    after, done = rows(subject.database), courses["with"].done
    assert unexplained(before, after, taken=taken, files=files, done=done) == []
    assert max(each.sizes["wal"] for each in courses["with"].samples) < MOST_WAL
    if LONG and SECONDS > 2 * WARM_UP:
        assert judged(courses["with"], courses["without"]) == []


def host(root: Path, model: ScriptedModel, plugin: Mapping[str, Any] | None) -> Host:
    settings = HostSettings(
        chat=model.endpoint,
        embedding=model.endpoint,
        embedding_dimension=64,
        platforms=("plat_a",),
        overrides=merged(OFFLINE, BOUNDED),
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
