"""The plugin's life: it runs, pauses with its reasons, and never takes the host down."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    ClosedError,
    LtmError,
    NewerStoreError,
    UnavailableError,
    UnusableStoreError,
)
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service, State
from astrbot_plugin_ltm.long_term_memory.settings import Settings

from tests.running import A_MINUTE, PATIENCE, World, private, settings, until

SOON = timedelta(milliseconds=20)
LOCK_WAIT = 5
"""Seconds that SQLite itself waits for a lock."""


def service_on(world: World, *, patience: timedelta = A_MINUTE) -> Service:
    return Service(world.memory, version="1.2.3", patience=patience, retry=SOON)


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Another program writes, and does not end."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


class Unavailable:
    """A memory over a store that does not answer at first; each try takes so long."""

    def __init__(self, world: World, *, takes: float = 0.0, error: type[LtmError] = UnavailableError) -> None:
        self.answers = False
        self._error = error
        self.tries = 0
        self.ended = 0
        self._world = world
        self._takes = takes

    @asynccontextmanager
    async def memory(self, settings: Settings) -> AsyncGenerator[LTMManager]:
        self.tries += 1
        try:
            await asyncio.sleep(self._takes)
            if not self.answers:
                raise self._error("the database is locked")
            async with self._world.memory(settings) as manager:
                yield manager
        finally:
            self.ended += 1


async def test_it_runs_on_an_empty_config_and_says_how_it_stands(tmp_path: Path) -> None:
    service = service_on(World(tmp_path / "host.db", ready_made=False))
    await service.start({})
    report = await service.health()
    assert (report.state, report.version, report.problems) == (State.RUNNING, "1.2.3", ())
    assert report.counts is not None
    assert (report.counts.mode.value, report.counts.background_jobs) == ("shadow", 4)
    await service.stop()
    await service.stop()
    assert service.active is None
    with pytest.raises(ClosedError):
        service.manager()


@pytest.mark.parametrize(
    ("zone", "named"),
    [(ZoneInfo("Asia/Shanghai"), "Asia/Shanghai"), (timezone(timedelta(hours=-3, minutes=-30)), "-03:30")],
)
async def test_it_names_the_zone_of_the_chat(tmp_path: Path, zone: tzinfo, named: str) -> None:
    service = service_on(World(tmp_path / "host.db", zone=zone))
    assert (await service.health()).timezone == ""
    await service.start({})
    assert (await service.health()).timezone == named
    await service.stop()


async def test_an_invalid_setting_pauses_it_and_names_the_key(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = service_on(World(tmp_path / "host.db", ready_made=False))
    await service.start({"write_policy": {"mode": "wild"}})
    report = await service.health()
    assert (report.state, [problem.key for problem in report.problems]) == (
        State.PAUSED,
        ["write_policy.mode"],
    )
    assert "write_policy.mode" in caplog.text
    assert service.active is None
    with pytest.raises(UnavailableError, match=r"paused: write_policy\.mode"):
        service.manager()
    assert not (tmp_path / "host.db").exists()
    await service.stop()


async def test_switched_off_it_touches_nothing(tmp_path: Path) -> None:
    service = service_on(World(tmp_path / "host.db", ready_made=False))
    await service.start({"enable": False})
    assert service.state is State.DISABLED
    with pytest.raises(UnavailableError, match="switched off"):
        service.manager()
    assert not (tmp_path / "host.db").exists()
    await service.stop()


async def test_a_store_that_cannot_be_used_pauses_it_and_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "host.db"
    file.write_bytes(b"this is no database" * 100)
    before = file.read_bytes()
    service = service_on(World(file, ready_made=False))
    await service.start({})
    assert (service.state, [problem.key for problem in service.problems]) == (State.PAUSED, ["store"])
    assert file.read_bytes() == before
    await service.stop()


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (UnusableStoreError("no database"), "no database; the plugin retries automatically"),
        (NewerStoreError("from a newer version"), "from a newer version"),
        (RuntimeError("secret"), "could not be opened, see the log"),
    ],
)
async def test_whatever_breaks_at_the_start_pauses_it(error: Exception, why: str) -> None:
    @asynccontextmanager
    async def broken(_: Settings) -> AsyncGenerator[LTMManager]:
        tries.append(error)
        raise error
        yield

    tries = list[Exception]()
    service = Service(broken, version="1", retry=SOON)
    await service.start({})
    await asyncio.sleep(5 * SOON.total_seconds())
    assert [(problem.key, problem.why) for problem in service.problems] == [("store", why)]
    assert (len(tries) > 1) == ("retries" in why)
    await service.stop()


async def test_a_failing_hook_is_counted_and_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = service_on(World(tmp_path / "host.db", ready_made=False))
    with caplog.at_level(logging.ERROR):
        service.failed("recall", ValueError("first"))
        service.failed("recall", ValueError("second"))
    assert (await service.health()).failures == {"recall": 2}
    assert caplog.text.count("Memory failed in recall") == 1


async def test_a_hook_that_a_stop_overtakes_has_not_failed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = service_on(World(tmp_path / "host.db", ready_made=False))
    await service.start({})
    memory = service.active
    assert memory is not None
    await service.stop()
    with caplog.at_level(logging.INFO):
        with pytest.raises(ClosedError) as caught:
            await memory.tool_memories.withheld(private())
        service.failed("tools", caught.value)
    assert (await service.health()).failures == {}
    assert caplog.records == []


@pytest.mark.parametrize("error", [UnavailableError, UnusableStoreError])
async def test_while_the_store_does_not_answer_it_is_paused_and_then_comes_up_by_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, error: type[LtmError]
) -> None:
    store = Unavailable(World(tmp_path / "host.db", ready_made=False), error=error)
    service = Service(store.memory, version="1", retry=SOON)
    with caplog.at_level(logging.INFO):
        await service.start({})
        assert (service.state, service.active) == (State.PAUSED, None)
        (problem,) = service.problems
        assert (problem.key, problem.why) == (
            "store",
            "the database is locked; the plugin retries automatically",
        )
        with pytest.raises(UnavailableError, match="retries automatically"):
            service.manager()
        await until(lambda: store.tries > 3)
        store.answers = True
        await until(lambda: service.state is State.RUNNING)
    assert (service.problems, (await service.health()).state) == ((), State.RUNNING)
    assert caplog.text.count("Paused, nothing is recorded or recalled") == 1
    assert caplog.text.count("The store answers") == 1
    await service.stop()
    assert store.ended == store.tries


async def test_a_start_waits_a_moment_for_the_store_and_not_longer(tmp_path: Path) -> None:
    store = Unavailable(World(tmp_path / "host.db", ready_made=False), takes=0.2)
    store.answers = True
    service = Service(store.memory, version="1", patience=SOON)
    await service.start({})
    assert (service.state, [problem.key for problem in service.problems]) == (State.PAUSED, ["store"])
    await until(lambda: service.state is State.RUNNING)
    await service.stop()


@pytest.mark.parametrize("takes", [0.0, 60.0], ids=["between two tries", "in the middle of one"])
async def test_a_stop_ends_the_trying(tmp_path: Path, takes: float) -> None:
    store = Unavailable(World(tmp_path / "host.db", ready_made=False), takes=takes)
    service = Service(store.memory, version="1", patience=SOON, retry=SOON)
    await service.start({})
    async with asyncio.timeout(PATIENCE):
        await service.stop()
    tries, store.answers = store.tries, True
    await asyncio.sleep(0.1)
    assert (service.state, service.active) == (State.CLOSED, None)
    assert (store.tries, store.ended) == (tries, tries)


async def test_a_start_that_is_ended_while_it_waits_for_the_store_ends_and_stays_closed(
    tmp_path: Path,
) -> None:
    store = Unavailable(World(tmp_path / "host.db", ready_made=False), takes=60.0)
    service = Service(store.memory, version="1", patience=timedelta(minutes=5))
    starting = asyncio.ensure_future(service.start({}))
    await until(lambda: store.tries == 1)
    async with asyncio.timeout(PATIENCE):
        await service.stop()
        await starting
    assert (service.state, service.problems) == (State.CLOSED, ())


async def test_a_first_start_on_a_locked_file_ends_soon_and_is_made_good(tmp_path: Path) -> None:
    file = tmp_path / "host.db"
    service = service_on(World(file, ready_made=False), patience=timedelta(seconds=1))
    loop = asyncio.get_running_loop()
    with locked(file):
        began = loop.time()
        await service.start({})
        assert loop.time() - began < LOCK_WAIT
        assert (service.state, [problem.key for problem in service.problems]) == (State.PAUSED, ["store"])
    await until(lambda: service.state is State.RUNNING)
    await service.stop()


async def test_once_a_stop_has_called_off_the_first_start_no_table_is_made(tmp_path: Path) -> None:
    file = tmp_path / "host.db"
    service = service_on(World(file, ready_made=False), patience=SOON)
    with locked(file):
        await service.start({})
        await service.stop()
    await asyncio.sleep(0.1)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []


async def test_a_locked_file_does_not_keep_a_later_start_from_recalling(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db", ready_made=False)
    async with world.memory(settings()) as memory:
        await world.tell(memory, private(), "My name is Alice")
    service = service_on(world)
    loop = asyncio.get_running_loop()
    with locked(world.file):
        began = loop.time()
        await service.start({})
        assert loop.time() - began < LOCK_WAIT
        assert service.state is State.RUNNING
        assert "Alice" in (await service.manager().recall(private(), "Hello")).block
    await service.stop()
    assert (await service.health()).failures == {}


def change(file: Path, statement: str) -> None:
    """What no program should do to the tables."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as other:
        other.execute(statement)


async def test_damage_while_it_runs_pauses_it_and_health_says_what_to_do(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db", ready_made=False)
    service = service_on(world)
    await service.start({})
    manager = service.manager()
    await asyncio.to_thread(change, world.file, "DELETE FROM ltm_fts_data")
    with pytest.raises(UnusableStoreError, match="the database file is damaged"):
        await manager.save(private(), fact="my bike is blue", said="my bike is blue", message_id="1")
    report = await service.health()
    assert (report.state, service.state, service.active) == (State.PAUSED, State.PAUSED, None)
    assert [problem.key for problem in report.problems] == ["store"]
    assert "restore a backup of AstrBot" in report.problems[0].why
    with pytest.raises(UnavailableError, match="paused: store: the database file is damaged"):
        service.manager()
    status = await world.commands(service).answer(private(), "/ltm status", admin=True, message_id="2")
    assert report.problems[0].why in status.text
    told = await world.commands(service).answer(private(), "/ltm list", admin=False, message_id="3")
    assert "The memory is paused" in told.text
    await service.stop()
    assert (await service.health()).state is State.CLOSED


async def test_health_answers_although_the_store_does_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(tmp_path / "host.db", ready_made=False)
    service = service_on(world)
    await service.start({})
    await asyncio.to_thread(change, world.file, "DROP TABLE ltm_recalls")
    report = await service.health()
    assert (report.state, report.counts) == (State.PAUSED, None)
    assert [problem.why for problem in report.problems] == [
        "it cannot be read, see the log; the plugin retries automatically"
    ]
    assert (await service.health()).failures["health"] == 2
    assert caplog.text.count("Memory failed in health") == 1
    await service.stop()


async def test_who_asks_for_health_while_it_stops_hears_that_it_is_closed(tmp_path: Path) -> None:
    service = service_on(World(tmp_path / "host.db", ready_made=False))
    await service.start({})
    asked = asyncio.ensure_future(service.health())
    await asyncio.sleep(0)
    await service.stop()
    report = await asked
    assert (report.state, report.problems) == (State.CLOSED, ())


async def test_read_only_makes_no_table_and_says_why_it_is_paused(tmp_path: Path) -> None:
    service = service_on(World(tmp_path / "host.db", ready_made=False))
    await service.start({"emergency_read_only": True})
    assert service.state is State.PAUSED
    assert "emergency_read_only" in service.problems[0].why
    assert not (tmp_path / "host.db").exists()
    await service.stop()


async def test_after_its_data_was_deleted_it_runs_and_a_snapshot_is_offered(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db", ready_made=False)
    service = service_on(world)
    await service.start({})
    await service.manager().save(private(), fact="my bike is blue", said="my bike is blue", message_id="1")
    assert list((await service.health()).notes) == []
    await service.stop()
    world.markers.places = [None, None]
    await service.start({})
    report = await service.health()
    assert (report.state, report.problems, list(report.notes)) == (State.RUNNING, (), [])
    assert (await service.manager().transferring.snapshots()).offer
    assert report.counts is not None
    assert report.counts.items == {}
    await service.stop()


async def test_read_only_it_pauses_on_what_was_deleted(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db", ready_made=False)
    service = service_on(world)
    await service.start({})
    await service.stop()
    world.markers.places = [None, None]
    await service.start({"emergency_read_only": True})
    (problem,) = service.problems
    assert (service.state, "deleted through the host" in problem.why) == (State.PAUSED, True)
    assert world.markers.places == [None, None]
    await service.stop()
