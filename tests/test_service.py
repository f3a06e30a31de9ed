"""The plugin's life: it runs, pauses with its reasons, and never takes the host down."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    ClosedError,
    UnavailableError,
    UnusableStoreError,
)
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service, State
from astrbot_plugin_ltm.long_term_memory.settings import Settings

from tests.running import World


def service_on(world: World) -> Service:
    return Service(world.memory, version="1.2.3")


async def test_it_runs_on_an_empty_config_and_says_how_it_stands(tmp_path: Path) -> None:
    service = service_on(World(tmp_path / "host.db"))
    await service.start({})
    report = await service.health()
    assert (report.state, report.version, report.problems) == (State.RUNNING, "1.2.3", ())
    assert report.counts is not None
    assert (report.counts.mode.value, report.counts.background_jobs) == ("shadow", 3)
    await service.stop()
    await service.stop()
    assert service.active is None
    with pytest.raises(ClosedError):
        service.manager()


async def test_an_invalid_setting_pauses_it_and_names_the_key(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = service_on(World(tmp_path / "host.db"))
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
    service = service_on(World(tmp_path / "host.db"))
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
    service = service_on(World(file))
    await service.start({})
    assert (service.state, [problem.key for problem in service.problems]) == (State.PAUSED, ["store"])
    assert file.read_bytes() == before
    await service.stop()


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (UnusableStoreError("from a newer version"), "from a newer version"),
        (RuntimeError("secret"), "could not be opened, see the log"),
    ],
)
async def test_whatever_breaks_at_the_start_pauses_it(error: Exception, why: str) -> None:
    @asynccontextmanager
    async def broken(_: Settings) -> AsyncGenerator[LTMManager]:
        raise error
        yield

    service = Service(broken, version="1")
    await service.start({})
    assert [(problem.key, problem.why) for problem in service.problems] == [("store", why)]


async def test_a_failing_hook_is_counted_and_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service = service_on(World(tmp_path / "host.db"))
    with caplog.at_level(logging.ERROR):
        service.failed("recall", ValueError("first"))
        service.failed("recall", ValueError("second"))
    assert (await service.health()).failures == {"recall": 2}
    assert caplog.text.count("Memory failed in recall") == 1
