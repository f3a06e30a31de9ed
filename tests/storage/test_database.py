import asyncio
import os
import sqlite3
import sys
import threading
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    ClosedError,
    RefusedError,
    UnavailableError,
    UnusableStoreError,
)
from astrbot_plugin_ltm.long_term_memory.storage import events, evidence
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.database import READERS, Database
from astrbot_plugin_ltm.long_term_memory.storage.store_health import translated
from sqlalchemy import Connection as SyncConnection
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from tests.children import child
from tests.running import PATIENCE
from tests.stores import an_event, an_evidence, an_item, in_transaction, opened

WRITER = """
import asyncio, sys
from pathlib import Path
from tests.stores import an_event, an_evidence, an_item, opened, NOW
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

async def main():
    async with opened(Path(sys.argv[1])) as database:
        store = Store(database, lambda: NOW)
        for number in range(10_000):
            async with store.transaction() as transaction:
                event = an_event(f"fact {number}", event_id=f"e{number}")
                item = an_item(f"fact {number}", memory_id=f"m{number}")
                await transaction.add_events([event])
                await transaction.insert_item(item, [an_evidence(item, event)])
                if number == int(sys.argv[2]):
                    print("in the middle", flush=True)
                    await asyncio.sleep(60)
            print(number, flush=True)

asyncio.run(main())
"""
ROOT = Path(__file__).resolve().parents[2]


def ids(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("SELECT event_id FROM ltm_events ORDER BY id")]


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("ltm_")]


def files() -> list[str]:
    found = list[str]()
    for descriptor in os.listdir("/proc/self/fd"):  # noqa: PTH208 - numbers, not paths
        with suppress(OSError):
            found.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
    return found


async def pragma(connection: Connection, name: str) -> object:
    return (await connection.execute(text(f"PRAGMA {name}"))).scalar()


async def test_a_write_is_kept_when_its_block_ends(file: Path) -> None:
    async with opened(file) as database:
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id="one")])
        assert ids(file) == ["one"]


async def test_a_write_is_undone_when_its_block_raises(file: Path) -> None:
    async with opened(file) as database:
        with suppress(ZeroDivisionError):
            async with database.write() as connection:
                await events.add(connection, [an_event()])
                _ = 1 / 0
        assert ids(file) == []


async def test_the_writer_is_careful_and_readers_cannot_write(file: Path) -> None:
    async with opened(file, busy=timedelta(seconds=3)) as database:
        async with database.write() as connection:
            found = [
                await pragma(connection, name) for name in ("foreign_keys", "secure_delete", "synchronous")
            ]
            assert found == [1, 1, 2]
            assert await pragma(connection, "busy_timeout") == 3000
            assert await pragma(connection, "journal_mode") == "wal"
        async with database.read() as connection:
            assert await pragma(connection, "busy_timeout") == 3000
            with pytest.raises(UnavailableError, match="cannot be written"), translated():
                await events.add(connection, [an_event()])
        assert ids(file) == []


async def test_a_read_sees_one_moment_while_others_write(file: Path) -> None:
    async with opened(file) as database, database.read() as connection:
        before = await events.counts(connection)
        async with database.write() as writing:
            await events.add(writing, [an_event()])
        assert await events.counts(connection) == before
    assert len(ids(file)) == 1


async def test_a_read_that_ended_leaves_its_connection_no_old_moment(file: Path) -> None:
    async with opened(file) as database:
        async with database.read() as connection:
            assert not (await connection.execute(text("SELECT * FROM ltm_events"))).all()
        async with database.write() as writer:
            await events.add(writer, [an_event(event_id="later")])
        async with database.read() as again:
            assert again is connection
            assert await again.scalars(text("SELECT event_id FROM ltm_events")) == ["later"]


async def test_more_readers_than_connections_wait_for_each_other(file: Path) -> None:
    async def read(database: Database) -> int:
        async with database.read() as connection:
            await asyncio.sleep(0)
            return sum((await events.counts(connection)).events.values())

    async with opened(file) as database:
        assert await asyncio.gather(*(read(database) for _ in range(READERS * 7))) == [0] * READERS * 7


async def test_the_writes_of_one_process_queue_up_in_order(file: Path) -> None:
    async def write(database: Database, name: str) -> None:
        async with database.write() as connection:
            await asyncio.sleep(0)
            await events.add(connection, [an_event(event_id=name)])

    names = [f"e{number:02}" for number in range(30)]
    async with opened(file) as database:
        await asyncio.gather(*(write(database, name) for name in names))
    assert ids(file) == names


async def test_two_databases_that_read_and_write_at_once_lose_nothing(file: Path) -> None:
    async def count_up(database: Database, name: str) -> None:
        for number in range(25):
            async with database.write() as connection:
                await events.counts(connection)
                await events.add(connection, [an_event(event_id=f"{name}{number}")])

    async with opened(file) as one, opened(file) as other:
        await asyncio.gather(count_up(one, "a"), count_up(other, "b"))
    assert len(ids(file)) == 50


async def test_a_locked_database_is_unavailable_and_works_again_later(file: Path) -> None:
    async with opened(file, busy=timedelta(milliseconds=20)) as database:
        with closing(sqlite3.connect(file, isolation_level=None)) as somebody:
            somebody.execute("BEGIN IMMEDIATE")
            with pytest.raises(UnavailableError, match="locked"):
                async with database.write():
                    pytest.fail("nothing may be written")
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id="later")])
    assert ids(file) == ["later"]


async def test_a_full_disk_is_unavailable_and_undoes_the_transaction(file: Path) -> None:
    async with opened(file) as database:
        async with database.write() as connection:
            await connection.execute(
                text(f"PRAGMA max_page_count = {await pragma(connection, 'page_count')}")
            )
        with pytest.raises(UnavailableError, match="disk is full"):
            async with database.write() as connection:
                await events.add(connection, [an_event(), an_event("x" * 1_000_000)])
    assert ids(file) == []


async def test_a_broken_rule_of_the_schema_is_our_own_fault_and_says_so(file: Path) -> None:
    async with opened(file) as database:
        with pytest.raises(IntegrityError):
            async with database.write() as connection:
                await connection.execute(text("INSERT INTO ltm_events (event_id) VALUES ('x')"))
        with pytest.raises(OperationalError, match="no such table"):
            async with database.read() as connection:
                await connection.execute(text("SELECT * FROM unicorns"))


async def test_a_commit_that_the_schema_refuses_keeps_nobody_from_writing(file: Path) -> None:
    async def write_evidence_of_nothing(database: Database) -> None:
        async with database.write() as connection:
            event = an_event()
            await events.add(connection, [event])
            await evidence.add(connection, [an_evidence(an_item(), event)])

    async with opened(file) as database:
        with pytest.raises(IntegrityError, match="FOREIGN KEY"):
            await write_evidence_of_nothing(database)
        with closing(sqlite3.connect(file, timeout=0)) as somebody, somebody:
            somebody.execute("DELETE FROM ltm_events WHERE event_id = 'never'")
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id="next")])
    assert ids(file) == ["next"]


async def test_read_only_refuses_before_anything_happens(file: Path) -> None:
    async with opened(file) as database:
        database.read_only = True
        with closing(sqlite3.connect(file, isolation_level=None)) as somebody:
            somebody.execute("BEGIN IMMEDIATE")  # to reach for the lock would take five seconds
            with pytest.raises(RefusedError, match="emergency_read_only"):
                async with database.write():
                    pytest.fail("nothing may be written")
        async with database.read() as connection:
            assert sum((await events.counts(connection)).events.values()) == 0


async def test_switching_to_read_only_undoes_what_is_under_way_and_what_waits(file: Path) -> None:
    async def write(database: Database, inside: asyncio.Event, go_on: asyncio.Event) -> None:
        async with database.write() as connection:
            await events.add(connection, [an_event()])
            inside.set()
            await go_on.wait()

    async with opened(file) as database:
        inside, go_on = asyncio.Event(), asyncio.Event()
        writes = [asyncio.ensure_future(write(database, inside, go_on)) for _ in range(2)]
        await inside.wait()
        database.read_only = True
        go_on.set()
        refused = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(error) for error in refused] == [RefusedError, RefusedError]
        assert ids(file) == []
        database.read_only = False
        async with database.write() as connection:
            await events.add(connection, [an_event()])
    assert len(ids(file)) == 1


@pytest.mark.parametrize("steps", [*range(0, 90, 3), *range(100, 700, 60)])
async def test_a_write_cancelled_at_any_await_leaves_no_transaction_open(file: Path, steps: int) -> None:
    async def write(database: Database) -> None:
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id="a")])
            await events.add(connection, [an_event(event_id="b")])

    async with opened(file, busy=timedelta(seconds=1)) as database:
        task = asyncio.ensure_future(write(database))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        with closing(sqlite3.connect(file, timeout=PATIENCE)) as somebody, somebody:
            somebody.execute("DELETE FROM ltm_events WHERE event_id = 'never'")
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id="c")])
        assert ids(file) in (["c"], ["a", "b", "c"])
    assert_nothing_runs()


@pytest.mark.parametrize("steps", range(0, 40, 3))
async def test_a_read_cancelled_at_any_await_gives_its_connection_back(file: Path, steps: int) -> None:
    async def read(database: Database) -> None:
        async with database.read() as connection:
            await events.counts(connection)

    async with opened(file) as database:
        for _ in range(READERS + 1):
            task = asyncio.ensure_future(read(database))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await asyncio.wait_for(read(database), PATIENCE)
    assert_nothing_runs()


async def test_a_read_that_was_called_off_keeps_no_other_reader_waiting(file: Path) -> None:
    began, may_end = threading.Event(), threading.Event()

    def long(_connection: SyncConnection) -> None:
        began.set()
        assert may_end.wait(2 * PATIENCE)

    async def read(database: Database) -> None:
        async with database.read() as connection:
            await connection.run(long)

    async with opened(file) as database:
        task = asyncio.ensure_future(read(database))
        while not began.is_set():
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        try:
            async with asyncio.timeout(PATIENCE), database.read() as connection:
                await events.counts(connection)
        finally:
            may_end.set()
    assert_nothing_runs()


async def test_a_write_cancelled_while_it_waits_for_the_lock_lets_the_next_one_in(file: Path) -> None:
    async def write(database: Database, name: str) -> None:
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id=name)])

    async with opened(file) as database:
        with closing(sqlite3.connect(file, isolation_level=None)) as somebody:
            somebody.execute("BEGIN IMMEDIATE")
            waiting = asyncio.ensure_future(write(database, "cancelled"))
            done, _ = await asyncio.wait([waiting], timeout=0.05)
            assert not done
            waiting.cancel()
            next_one = asyncio.ensure_future(write(database, "next"))
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await next_one
    assert ids(file) == ["next"]


async def add(database: Database, *names: str) -> None:
    async def work(connection: Connection) -> None:
        for name in names:
            await events.add(connection, [an_event(event_id=name)])
            await asyncio.sleep(0)

    await in_transaction(database, work)


async def test_what_is_written_at_once_is_kept_and_its_result_comes_back(file: Path) -> None:
    async def work(connection: Connection) -> int:
        await events.add(connection, [an_event(event_id="one")])
        return sum((await events.counts(connection)).events.values())

    async with opened(file) as database:
        assert await in_transaction(database, work) == 1
        assert ids(file) == ["one"]


async def test_all_that_is_written_at_once_happens_in_the_thread_that_writes(file: Path) -> None:
    async def work(connection: Connection) -> set[str]:
        seen = {threading.current_thread().name}
        await connection.run(lambda _: seen.add(threading.current_thread().name))
        return seen

    async with opened(file) as database:
        (name,) = await in_transaction(database, work)
        assert name.startswith("ltm_writer")


async def test_what_is_written_at_once_is_undone_when_it_raises(file: Path) -> None:
    async def work(connection: Connection) -> None:
        await events.add(connection, [an_event()])
        _ = 1 / 0

    async def break_the_schema(connection: Connection) -> None:
        await connection.execute(text("INSERT INTO ltm_events (event_id) VALUES ('x')"))

    async with opened(file) as database:
        with pytest.raises(ZeroDivisionError):
            await in_transaction(database, work)
        with pytest.raises(IntegrityError):
            await in_transaction(database, break_the_schema)
        await add(database, "next")
    assert ids(file) == ["next"]


async def test_who_waits_for_something_else_while_writing_at_once_is_stopped(file: Path) -> None:
    async def work(connection: Connection) -> None:
        await events.add(connection, [an_event()])
        await never

    async with opened(file) as database:
        never = asyncio.get_running_loop().create_future()
        with pytest.raises(RuntimeError, match="waits for Future"):
            await in_transaction(database, work)
        await add(database, "next")
    assert ids(file) == ["next"]


async def test_writing_at_once_is_refused_as_any_writing(file: Path) -> None:
    async def switch(connection: Connection) -> None:
        await events.add(connection, [an_event()])
        database.read_only = True

    async with opened(file, busy=timedelta(milliseconds=20)) as database:
        with pytest.raises(RefusedError):
            await in_transaction(database, switch)
        with pytest.raises(RefusedError):
            await add(database, "refused")
        database.read_only = False
        with closing(sqlite3.connect(file, isolation_level=None)) as somebody:
            somebody.execute("BEGIN IMMEDIATE")
            with pytest.raises(UnavailableError, match="locked"):
                await add(database, "locked")
    with pytest.raises(ClosedError):
        await add(database, "closed")
    assert ids(file) == []


async def test_both_ways_of_writing_queue_up_in_order(file: Path) -> None:
    async def slowly(database: Database, name: str) -> None:
        async with database.write() as connection:
            await asyncio.sleep(0)
            await events.add(connection, [an_event(event_id=name)])

    names = [f"e{number:02}" for number in range(20)]
    async with opened(file) as database:
        await asyncio.gather(
            *(add(database, name) if n % 2 else slowly(database, name) for n, name in enumerate(names))
        )
    assert ids(file) == names


@pytest.mark.parametrize("steps", range(20))
async def test_writing_at_once_cancelled_at_any_await_does_all_or_nothing(file: Path, steps: int) -> None:
    async with opened(file, busy=timedelta(seconds=1)) as database:
        task = asyncio.ensure_future(add(database, "a", "b"))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await add(database, "c")
        assert ids(file) in (["c"], ["a", "b", "c"])
    assert_nothing_runs()


async def test_closing_waits_for_what_is_written_at_once_although_its_caller_is_gone(file: Path) -> None:
    async def work(connection: Connection) -> None:
        await events.add(connection, [an_event(event_id="a")])
        begun.set()
        assert go_on.wait(PATIENCE)

    begun, go_on = threading.Event(), threading.Event()
    database = Database(file)
    await database.open()
    task = asyncio.ensure_future(in_transaction(database, work))
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    closing_down = asyncio.ensure_future(database.close())
    done, _ = await asyncio.wait([closing_down], timeout=0.05)
    assert not done
    go_on.set()
    await closing_down
    assert ids(file) == ["a"]
    assert_nothing_runs()


def assert_nothing_runs() -> None:
    for thread in threads():
        thread.join(PATIENCE)
    assert threads() == []


@pytest.mark.parametrize("steps", [*range(1, 30, 2), *range(40, 400, 40)])
async def test_a_close_cancelled_at_any_await_ends_every_thread(file: Path, steps: int) -> None:
    database = Database(file)
    await database.open()
    async with database.read() as one, database.read() as two, database.read() as three:
        for each in (one, two, three):
            await events.counts(each)
    closing_down = asyncio.ensure_future(database.close())
    for _ in range(steps):
        await asyncio.sleep(0)
    closing_down.cancel()
    await asyncio.gather(closing_down, return_exceptions=True)
    assert_nothing_runs()


@pytest.mark.parametrize("steps", range(1, 30, 2))
async def test_a_loop_that_ends_while_the_database_closes_ends_every_thread(file: Path, steps: int) -> None:
    database = Database(file)
    await database.open()
    async with database.read() as one, database.read() as two:
        for each in (one, two):
            await events.counts(each)
        closing_down = asyncio.ensure_future(database.close())
        for _ in range(steps):
            await asyncio.sleep(0)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:  # as `asyncio.run` does at its end
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        assert closing_down.cancelled()
    assert_nothing_runs()


async def test_closing_ends_every_thread_and_lets_go_of_every_file(file: Path) -> None:
    before = sorted(files())
    for _ in range(3):
        database = Database(file)
        await database.open()
        async with database.write() as connection, database.read() as one, database.read() as two:
            for each in (connection, one, two):
                await events.counts(each)
        assert len(threads()) == 3
        await database.close()
        assert_nothing_runs()
    assert sorted(files()) == before


async def test_closing_waits_for_those_inside_and_refuses_the_others(file: Path) -> None:
    database = Database(file)
    await database.open()
    async with database.write() as writing, database.read() as reading:
        waiting = asyncio.ensure_future(enter(database))
        await asyncio.sleep(0)
        closing_down = asyncio.ensure_future(database.close())
        await asyncio.sleep(0)
        await events.add(writing, [an_event(event_id="in time")])
        await events.counts(reading)
        assert not closing_down.done()
    await closing_down
    with pytest.raises(ClosedError):
        await waiting
    with pytest.raises(ClosedError):
        await enter(database)
    with pytest.raises(ClosedError):
        async with database.read():
            pytest.fail("it is closed")
    await database.close()
    assert ids(file) == ["in time"]
    assert_nothing_runs()


async def enter(database: Database) -> None:
    async with database.write():
        pytest.fail("it is closed")


async def test_a_reader_that_waits_for_a_seat_is_refused_when_the_database_closes(file: Path) -> None:
    async def hold(database: Database, go_on: asyncio.Event) -> None:
        async with database.read():
            await go_on.wait()

    database = Database(file)
    await database.open()
    go_on = asyncio.Event()
    readers = [asyncio.ensure_future(hold(database, go_on)) for _ in range(READERS + 1)]
    await asyncio.sleep(0)
    closed = asyncio.ensure_future(database.close())
    await asyncio.sleep(0)
    go_on.set()
    outcomes = await asyncio.gather(*readers, return_exceptions=True)
    await closed
    assert [type(outcome) for outcome in outcomes] == [type(None)] * READERS + [ClosedError]
    assert_nothing_runs()


def test_a_file_that_is_no_database_is_refused_and_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "data_v4.db"
    path.write_bytes(b"these are the only notes I have" * 100)
    with pytest.raises(UnusableStoreError, match="not a database"):
        asyncio.run(Database(path).open())
    assert path.read_bytes() == b"these are the only notes I have" * 100
    assert_nothing_runs()


def test_a_damaged_file_is_unusable_and_keeps_its_bytes(file: Path) -> None:
    content = file.read_bytes()
    damaged = content[:4096] + b"\xff" * (len(content) - 4096)
    file.write_bytes(damaged)

    async def read() -> None:
        async with opened(file) as database, database.read() as connection:
            await events.counts(connection)

    with pytest.raises(UnusableStoreError, match="damaged"):
        asyncio.run(read())
    assert file.read_bytes()[4096:] == damaged[4096:]
    assert_nothing_runs()


async def test_a_file_in_a_missing_folder_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="cannot be opened"):
        await Database(tmp_path / "missing" / "data_v4.db").open()


def test_failures_of_the_bare_driver_are_named_too() -> None:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY_SNAPSHOT  # type: ignore[misc]
    with pytest.raises(UnavailableError, match="locked"), translated():
        raise error
    with pytest.raises(sqlite3.ProgrammingError), translated():
        raise sqlite3.ProgrammingError("no code of SQLite's")


@pytest.mark.parametrize("middle", [0, 5, 30])
def test_kill_9_in_the_middle_of_a_write_leaves_whole_rows_and_all_that_was_acknowledged(
    file: Path, middle: int
) -> None:
    command = [sys.executable, "-c", WRITER, str(file), str(middle)]
    with child(command, cwd=ROOT) as writer:
        said = [writer.line() for _ in range(middle + 1)]
        writer.kill()
    assert said == [*map(str, range(middle)), "in the middle"]
    with closing(sqlite3.connect(file)) as connection:
        for query in (
            "SELECT memory_id FROM ltm_items ORDER BY id",
            "SELECT memory_id FROM ltm_evidence ORDER BY id",
            "SELECT memory_id FROM ltm_items, ltm_fts f WHERE ltm_fts MATCH 'fact' AND id = f.rowid",
        ):
            assert [row[0] for row in connection.execute(query)] == [f"m{number}" for number in range(middle)]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert ids(file) == [f"e{number}" for number in range(middle)]
