"""What a start does before anything is asked of memory."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping

from tests.running import PATIENCE, World, private, settings
from tests.stores import migrated


def leases(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {row[0] for row in connection.execute("SELECT lease FROM ltm_events")}


def lease_all(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE ltm_events SET lease = 'dead', leased_until = '2025-06-01 12:04:00'")


async def test_a_start_frees_what_an_earlier_process_was_asking_about(tmp_path: Path) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    async with world.memory(settings()) as memory:
        await world.tell(memory, private(), "I drink tea daily")
    lease_all(world.file)
    assert leases(world.file) == {"dead"}
    async with asyncio.timeout(PATIENCE), world.memory(settings()):
        while leases(world.file) != {""}:
            await asyncio.sleep(0.01)


async def test_a_read_only_start_frees_nothing(tmp_path: Path) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    async with world.memory(settings()) as memory:
        await world.tell(memory, private(), "I drink tea daily")
    lease_all(world.file)
    async with world.memory(settings({"emergency_read_only": True})):
        await asyncio.sleep(0.1)
    assert leases(world.file) == {"dead"}


async def test_what_was_recalled_just_before_a_stop_is_logged(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with world.memory(settings({})) as memory:
        memory.log_recall(private(), "Hello", await memory.recall(private(), "Hello"), sent=False)
    async with world.memory(settings({})) as memory:
        assert (await memory.status.counts()).recalls == 1


async def test_a_round_of_housekeeping_drops_the_recalls_that_are_not_to_be_kept(tmp_path: Path) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    for days, left in ((7, 1), (0, 0)):
        async with world.memory(settings({"recall_log_days": days})) as memory:
            parts = memory._components  # pyright: ignore[reportPrivateUsage] - its steps, without waits
            ports = world._ports()  # pyright: ignore[reportPrivateUsage] - what those are made with
            memory.log_recall(private(), "Hello", await memory.recall(private(), "Hello"), sent=False)
            await parts.recall_log.settle()
            await housekeeping(parts, ports).work()
            recalls = await parts.store.recalls.counts(since=world.clock.now - timedelta(days=99))
            assert recalls[0] == left
        world.clock.move(timedelta(days=1))
