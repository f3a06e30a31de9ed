"""What tells growth from the pools of the host sees a leak of the plugin's own."""

from collections.abc import Mapping

import pytest

from tests.host.harness.people import Belongings
from tests.torture.lifecycle.growth import grown

pytestmark = pytest.mark.torture

CONNECTION, READER = "Thread-# (_connection_worker_thread)", "ltm_reader_#_#"
DATABASE = "/tmp/host#/data/data_v#.db"  # noqa: S108  only a name
LOG, MAP = f"{DATABASE}-wal", f"{DATABASE}-shm"
BEFORE: Belongings = {
    "tasks": {"EventBus.dispatch": 1, "AstrBotCoreLifecycle.start": 1},
    "threads": {CONNECTION: 6, "asyncio_#": 3, READER: 2, "ltm_writer_#": 1},
    "open files": {"socket:[#]": 12, DATABASE: 11, LOG: 8, MAP: 1},
    "connections": {"of plugins": 3},
}


def now(*more: tuple[str, str, int]) -> Belongings:
    """As before, with so many more of these."""
    seen = {kind: dict(names) for kind, names in BEFORE.items()}
    for kind, name, number in more:
        seen[kind][name] = seen[kind].get(name, 0) + number
    return seen


@pytest.mark.parametrize(
    "seen",
    [
        now(),
        now(("tasks", "EventBus._handle", 2), ("threads", "asyncio_#", 3), ("open files", "socket:[#]", 9)),
        now(("threads", CONNECTION, 4), ("open files", LOG, 4), ("open files", DATABASE, 4)),
        now(("threads", READER, 1), ("connections", "of plugins", 1), ("open files", LOG, 1)),
        now(("open files", DATABASE, 8)),
    ],
    ids=["nothing", "traffic", "the host's connections", "a reader of ours", "descriptors for later"],
)
def test_what_the_host_and_the_first_use_of_a_thing_bring_along_is_no_growth(seen: Belongings) -> None:
    assert grown(BEFORE, seen) == {}


@pytest.mark.parametrize(
    ("seen", "growth"),
    [
        (now(("tasks", "Event.wait", 1)), {"tasks: Event.wait": 1}),
        (now(("tasks", "AstrBotCoreLifecycle.start", 1)), {"tasks: AstrBotCoreLifecycle.start": 1}),
        (now(("open files", LOG, 1)), {f"open files: {LOG}": 1}),
        (now(("open files", MAP, 1)), {f"open files: {MAP}": 1}),
        (now(("open files", "/dev/zero", 1)), {"open files: /dev/zero": 1}),
        (now(("open files", DATABASE, 50)), {f"open files: {DATABASE}": 36}),
        (now(("open files", "socket:[#]", 50)), {"open files: socket:[#]": 12}),
        (now(("threads", READER, 2), ("connections", "of plugins", 2)),
         {"threads: ltm_reader_#_#": 1, "connections: of plugins": 1}),
    ],
)  # fmt: skip
def test_one_more_of_anything_else_is_growth(seen: Belongings, growth: Mapping[str, int]) -> None:
    assert grown(BEFORE, seen) == growth
