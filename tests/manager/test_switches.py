"""The switch to read-only when things are bad already."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.switches import NotKeptError

from tests.running import World, group, private, settings, until


class NoConfigFile(World):
    """The host's config cannot be written."""

    async def _save_read_only(self, on: bool) -> None:
        raise OSError(f"no space left for {on}")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings()) as memory:
        yield memory


def locked(connection: sqlite3.Connection) -> bool:
    """Whether the only write lock is this connection's now."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return False
    return True


async def test_a_database_that_is_locked_does_not_keep_the_switch_from_working(
    world: World, memory: LTMManager, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(world.file, isolation_level=None, timeout=0)) as other:
        await until(lambda: locked(other))
        assert await memory.switches.set_read_only(on=True, actor="operator:plat:root")
        assert memory.switches.read_only
        other.execute("ROLLBACK")
    assert world.kept_read_only == [True]
    assert "The switch to read-only is not in the audit: TimeoutError" in caplog.text


async def test_a_config_that_cannot_be_written_does_not_keep_the_switch_from_working(tmp_path: Path) -> None:
    async with NoConfigFile(tmp_path / "host.db").memory(settings()) as memory:
        with pytest.raises(NotKeptError, match="lost at the next restart"):
            await memory.switches.set_read_only(on=True, actor="operator:plat:root")
        assert memory.switches.read_only


async def test_what_waited_goes_on_though_the_config_cannot_be_written(tmp_path: Path) -> None:
    world = NoConfigFile(tmp_path / "host.db")
    async with world.memory(settings({"levels": {"tools": ["mail=CONFIDENTIAL"]}})) as memory:
        with pytest.raises(NotKeptError, match="lost at the next restart"):
            await memory.switches.set_read_only(on=True, actor="operator:plat:root")
        await memory.levels.used(private(), "mail")
        with pytest.raises(NotKeptError, match="lost at the next restart"):
            await memory.switches.set_read_only(on=False, actor="operator:plat:root")
        with closing(sqlite3.connect(world.file)) as other:
            await until(lambda: bool(other.execute("SELECT 1 FROM ltm_session_levels").fetchall()))
            switched = other.execute("SELECT action FROM ltm_audit ORDER BY id").fetchall()
        assert switched == [("readonly",), ("readwrite",)]


async def test_what_waited_goes_on_when_writing_does(world: World, memory: LTMManager) -> None:
    await memory.switches.set_read_only(on=True, actor="operator:plat:root")
    assert not await memory.switches.set_read_only(on=True, actor="operator:plat:root")
    await memory.switches.set_read_only(on=False, actor="operator:plat:root")
    saved = await memory.save(private(), fact="my bike is blue", said="my bike is blue", message_id="1")
    assert saved.item.fact == "my bike is blue"
    assert world.kept_read_only == [True, False]


async def test_nobody_exports_in_a_group(memory: LTMManager) -> None:
    with pytest.raises(InvalidInputError, match="private chat"):
        await memory.export_own(group("alice"))
