import asyncio
import logging
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, ITEMS, PAUSED
from astrbot_plugin_ltm.long_term_memory.storage import events, evidence
from astrbot_plugin_ltm.long_term_memory.storage.changes import EVERYTHING, MOST, RowChange
from astrbot_plugin_ltm.long_term_memory.storage.connection import Connection
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.schema import recreate
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from sqlalchemy import Connection as SyncConnection
from sqlalchemy import Executable, text
from sqlalchemy.exc import IntegrityError, ProgrammingError

from tests.running import PATIENCE
from tests.stores import ALICE, GROUP, NOW, an_event, an_evidence, an_item, in_transaction, keep, opened

HERS = ("user", "telegram:alice")
IN_GROUP = (GROUP.scope, GROUP.scope_id)
UNKNOWN = ("", "")
LINK = "INSERT INTO ltm_links VALUES ('a', 'b', '2025-06-01')"


@dataclass
class Listener:
    """Keeps what it is told."""

    told: list[Sequence[RowChange]] = field(default_factory=list[Sequence[RowChange]])

    def __call__(self, changes: Sequence[RowChange]) -> None:
        self.told.append(changes)

    def rows(self) -> list[tuple[str, int, str, str]]:
        """All rows since the last call, whatever commit they came in."""
        told, self.told = self.told, []
        return [
            (change.table, change.row_id, change.scope, change.scope_id)
            for changes in told
            for change in changes
        ]


def listening(database: Database) -> Listener:
    listener = Listener()
    database.change_feed.listen(listener)
    return listener


async def run(database: Database, *statements: str) -> None:
    await change(database, *map(text, statements))


async def change(database: Database, *statements: Executable) -> None:
    async with database.write() as connection:
        for statement in statements:
            await connection.change(statement)


async def test_a_listener_hears_each_new_row_before_the_writer_goes_on(file: Path) -> None:
    async with opened(file) as database:
        listener = listening(database)
        store = Store(database, lambda: NOW)
        event, item = an_event(event_id="e"), an_item(memory_id="m")
        async with store.transaction() as transaction:
            await transaction.add_events([event])
            await transaction.insert_item(item, [an_evidence(item, event)])
            assert listener.told == []
        assert len(listener.told) == 1
        assert listener.rows() == [
            ("ltm_events", 1, *HERS),
            ("ltm_evidence", 0, *UNKNOWN),
            ("ltm_items", 1, *HERS),
        ]


async def test_a_change_of_an_item_is_told_and_the_counting_of_accesses_is_not(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        item = an_item(memory_id="m")
        await keep(store, item)
        listener = listening(database)
        await run(database, "UPDATE ltm_items SET access_count = 7, last_accessed_at = '2025-06-01'")
        assert listener.told == []
        for column, value in (
            ("fact", "x"),
            ("status", "disabled"),
            ("level", 2),
            ("audience", "everywhere"),
        ):
            await change(database, ITEMS.update().values({column: value}))
            assert listener.rows() == [("ltm_items", 1, *HERS)]
        async with store.transaction() as transaction:
            await transaction.update_item(item)
        assert listener.rows() == [("ltm_items", 1, *HERS)]


async def test_an_item_that_moves_is_told_to_both_scopes(file: Path) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item(memory_id="m"))
        listener = listening(database)
        await run(database, "UPDATE ltm_items SET scope = 'group', scope_id = 'g'")
        assert listener.rows() == [("ltm_items", 1, *HERS), ("ltm_items", 1, "group", "g")]


async def test_the_vectors_of_an_item_are_told_with_its_scope(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        item = an_item(memory_id="m")
        await keep(store, item)
        listener = listening(database)
        for vector in ([1.0, 0.0], [0.0, 1.0]):
            embedded = Embedded(key="m", fact=item.fact, vector=vector)
            await store.vectors.put("model", [embedded])
            assert listener.rows() == [("ltm_vectors", 1, *HERS)]
        await store.vectors.drop("model", limit=9)
        assert listener.rows() == [("ltm_vectors", 1, *HERS)]


async def test_a_deleted_item_is_told_with_all_that_went_with_it(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        item = an_item(memory_id="m")
        await keep(store, item)
        await store.vectors.put("model", [Embedded(key="m", fact=item.fact, vector=[1.0])])
        listener = listening(database)
        await run(database, "DELETE FROM ltm_items")
        assert sorted(listener.rows()) == [
            ("ltm_evidence", 0, *UNKNOWN),
            ("ltm_items", 1, *HERS),
            ("ltm_vectors", 1, *HERS),
        ]


async def test_evidence_that_goes_alone_is_told_with_the_scope_of_its_item(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        item, more = an_item(memory_id="m"), an_event(event_id="more")
        await keep(store, item)
        async with store.transaction() as transaction:
            await transaction.add_events([more])
            await transaction.update_item(item, [an_evidence(item, more)])
        listener = listening(database)
        await run(database, "DELETE FROM ltm_evidence WHERE event_id = 'more'")
        assert listener.rows() == [("ltm_evidence", 1, *HERS)]


async def test_an_event_is_told_when_its_words_change_and_not_when_the_queue_moves_on(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        async with store.transaction() as transaction:
            await transaction.add_events([an_event(event_id="e")])
        listener = listening(database)
        async with store.transaction() as transaction:
            assert await transaction.claim([an_event(event_id="e")], lease="l", now=NOW)
        await store.events.postpone(["e"], until=NOW, error="later", lease="l")
        await store.events.give_up(["e"], error="no", lease="")
        async with store.transaction() as transaction:
            await transaction.mark_events(["e"], Extraction.DONE)
        await run(database, "UPDATE ltm_events SET urgent = 1")
        assert listener.told == []
        for values in ({"content": {"text": ""}}, {"level": 2}, {"sender_name": ""}):
            await change(database, EVENTS.update().values(values))
            assert listener.rows() == [("ltm_events", 1, *HERS)]
        await run(database, "UPDATE ltm_events SET scope_id = 'x'")
        assert listener.rows() == [("ltm_events", 1, *HERS), ("ltm_events", 1, "user", "x")]


async def test_with_an_event_that_changes_the_items_that_rest_on_it_are_told(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        await keep(store, an_item(memory_id="other"))
        event, item = an_event(event_id="e", at_scope=GROUP), an_item("Tea", memory_id="m")
        async with store.transaction() as transaction:
            await transaction.add_events([event])
            await transaction.insert_item(item, [an_evidence(item, event)])
        listener = listening(database)
        await run(database, "UPDATE ltm_events SET level = 4 WHERE event_id = 'e'")
        assert listener.rows() == [("ltm_events", 2, *IN_GROUP), ("ltm_evidence", 2, *HERS)]


async def test_of_an_event_and_its_vectors_it_is_told_whose_words_they_are(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        listener = listening(database)
        async with store.transaction() as transaction:
            await transaction.add_events([an_event(event_id="e", at_scope=GROUP)])
        row = "VALUES ('e', 'model', 1, x'0000803f', '2025-06-01')"
        columns = "event_id, model_id, dimension, vector, created_at"
        await run(database, f"INSERT INTO ltm_event_vectors ({columns}) {row}")
        await run(database, "UPDATE ltm_events SET owner_scope_id = 'x'")
        owners = [(each.owner_scope, each.owner_scope_id) for told in listener.told for each in told]
        assert owners == [HERS, HERS, HERS, ("user", "x")]


async def test_the_vectors_of_an_event_come_and_go_with_it(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        async with store.transaction() as transaction:
            await transaction.add_events([an_event(event_id="e")])
        listener = listening(database)
        row = "VALUES ('e', 'model', 1, x'0000803f', '2025-06-01')"
        columns = "event_id, model_id, dimension, vector, created_at"
        await run(database, f"INSERT INTO ltm_event_vectors ({columns}) {row}")
        assert listener.rows() == [("ltm_event_vectors", 1, *HERS)]
        await run(database, "DELETE FROM ltm_events")
        assert sorted(listener.rows()) == [
            ("ltm_event_vectors", 0, *UNKNOWN),
            ("ltm_events", 1, *HERS),
        ]


async def test_pauses_and_links_are_told(file: Path) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        listener = listening(database)
        async with store.transaction() as transaction:
            await transaction.pause(ALICE, GROUP, actor="admin")
        assert listener.rows() == [
            ("ltm_paused", 1, *HERS),
            ("ltm_paused", 2, "group", GROUP.scope_id),
        ]
        async with store.transaction() as transaction:
            assert not await transaction.pause(ALICE, actor="again")
        assert listener.told == []
        async with store.transaction() as transaction:
            await transaction.resume(ALICE)
        assert listener.rows() == [("ltm_paused", 1, *HERS)]
        await run(database, "INSERT INTO ltm_links VALUES ('qq:bob', 'telegram:alice', '2025-06-01')")
        assert listener.rows() == [("ltm_links", 1, "user", "qq:bob")]
        await run(database, "UPDATE ltm_links SET joined_to = 'x:y'")
        assert listener.rows() == [("ltm_links", 1, "user", "qq:bob")]
        await run(database, "DELETE FROM ltm_links")
        assert listener.rows() == [("ltm_links", 1, "user", "qq:bob")]


async def test_a_row_that_one_commit_changes_twice_is_told_once(file: Path) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item(memory_id="m"), an_item("Tea", memory_id="n"))
        listener = listening(database)
        await run(database, *["UPDATE ltm_items SET importance = 1"] * 3)
        assert listener.rows() == [("ltm_items", 1, *HERS), ("ltm_items", 2, *HERS)]


async def test_what_is_rolled_back_is_not_told(file: Path) -> None:
    async def fail() -> None:
        async with database.write() as connection:
            await events.add(connection, [an_event()])
            _ = 1 / 0

    async def be_refused() -> None:
        async with database.write() as connection:
            await events.add(connection, [an_event()])
            database.read_only = True

    async def fail_to_commit() -> None:
        """The item of the evidence is not there."""
        async with database.write() as connection:
            event = an_event()
            await events.add(connection, [event])
            await evidence.add(connection, [an_evidence(an_item(), event)])

    async with opened(file) as database:
        listener = listening(database)
        with pytest.raises(ZeroDivisionError):
            await fail()
        with pytest.raises(RefusedError):
            await be_refused()
        database.read_only = False
        with pytest.raises(IntegrityError):
            await fail_to_commit()
        async with database.write() as connection:
            await connection.execute(text("SELECT 1"))
        assert listener.told == []
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id="kept")])
        assert listener.rows() == [("ltm_events", 1, *HERS)]


async def pause_many(database: Database, number: int, *more: str) -> None:
    rows = [{"scope": "user", "scope_id": str(each), "created_at": NOW} for each in range(number)]
    async with database.write() as connection:
        await connection.change(PAUSED.insert(), rows)
        for statement in more:
            await connection.change(text(statement))


@pytest.mark.parametrize("more", [0, 1])
async def test_a_commit_of_too_many_rows_is_told_as_a_change_of_everything(file: Path, more: int) -> None:
    async with opened(file) as database:
        listener = listening(database)
        await pause_many(database, MOST + more)
        rows = listener.rows()
        if more:
            assert rows == [(EVERYTHING, 0, "", "")]
        else:
            assert rows == [("ltm_paused", each + 1, "user", str(each)) for each in range(MOST)]
        await run(database, "DELETE FROM ltm_paused WHERE scope_id = '7'")
        assert listener.rows() == [("ltm_paused", 8, "user", "7")]


async def test_a_row_told_twice_does_not_make_too_many(file: Path) -> None:
    async with opened(file) as database:
        listener = listening(database)
        await pause_many(database, MOST, "UPDATE ltm_paused SET actor = 'admin'")
        assert len(listener.rows()) == MOST


async def test_a_listener_that_raises_breaks_neither_the_write_nor_the_other_listeners(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(changes: Sequence[RowChange]) -> None:
        raise ZeroDivisionError(len(changes))

    async with opened(file) as database:
        database.change_feed.listen(broken)
        listener = listening(database)
        with caplog.at_level(logging.ERROR):
            async with database.write() as connection:
                await events.add(connection, [an_event(event_id="e")])
        assert listener.rows() == [("ltm_events", 1, *HERS)]
    assert "could not be told" in caplog.text


async def test_who_no_longer_listens_hears_nothing(file: Path) -> None:
    async with opened(file) as database:
        gone, stays = Listener(), Listener()
        end = database.change_feed.listen(gone)
        database.change_feed.listen(stays)
        end()
        end()
        await run(database, LINK)
        assert gone.told == []
        assert len(stays.told) == 1


async def test_who_stops_listening_while_being_told_keeps_nobody_else_from_hearing(file: Path) -> None:
    async with opened(file) as database:
        end = database.change_feed.listen(lambda _: end())
        listener = listening(database)
        await run(database, LINK)
        assert len(listener.told) == 1


async def write_step_by_step(database: Database) -> None:
    async with database.write() as connection:
        await add_two(connection)


async def write_in_transaction(database: Database) -> None:
    await in_transaction(database, add_two)


async def add_two(connection: Connection) -> None:
    await events.add(connection, [an_event(event_id="a")])
    await events.add(connection, [an_event(event_id="b")])


@pytest.mark.parametrize("write", [write_step_by_step, write_in_transaction])
@pytest.mark.parametrize("steps", [*range(60), *range(60, 400, 20)])
async def test_when_a_writer_is_cancelled_at_any_await_exactly_what_is_in_the_file_is_told(
    file: Path, steps: int, write: Callable[[Database], Awaitable[None]]
) -> None:
    async with opened(file) as database:
        listener = listening(database)
        task = asyncio.ensure_future(write(database))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await run(database, LINK)
        told = [change.row_id for changes in listener.told for change in changes]
        assert told == [*ids(file), 1]


async def test_what_is_committed_after_its_writer_was_cancelled_is_told(file: Path) -> None:
    async def work(connection: Connection) -> None:
        await events.add(connection, [an_event(event_id="a")])
        begun.set()
        assert go_on.wait(PATIENCE)

    begun, go_on = threading.Event(), threading.Event()
    async with opened(file) as database:
        listener = listening(database)
        task = asyncio.ensure_future(in_transaction(database, work))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        await run(database, LINK)
        assert [change.row_id for changes in listener.told for change in changes] == [1, 1]


def ids(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM ltm_events ORDER BY id")]


async def test_each_of_many_writers_hears_its_own_rows_before_it_goes_on(file: Path) -> None:
    async def write(name: str) -> None:
        async with database.write() as connection:
            await events.add(connection, [an_event(event_id=name)])
            (row,) = await connection.execute(text("SELECT max(id) FROM ltm_events"))
        assert row[0] in {change.row_id for changes in listener.told for change in changes}

    async with opened(file) as database:
        listener = listening(database)
        await asyncio.gather(*(write(f"e{number}") for number in range(20)))
        assert len(listener.told) == 20


async def test_tables_that_are_made_anew_are_still_watched(file: Path) -> None:
    async with opened(file) as database:
        listener = listening(database)
        await keep(Store(database, lambda: NOW), an_item(memory_id="old"))
        await recreate(file)
        listener.rows()
        await keep(Store(database, lambda: NOW), an_item(memory_id="new"))
        assert ("ltm_items", 1, *HERS) in listener.rows()


async def test_a_connection_made_anew_is_watched_like_the_first(file: Path) -> None:
    async with opened(file) as database:
        listener = listening(database)
        with pytest.raises(ProgrammingError, match="closed database"):
            await lose_the_connection(database)
        await run(database, LINK)
        assert listener.rows() == [("ltm_links", 1, "user", "a")]


async def lose_the_connection(database: Database) -> None:
    def lose(connection: SyncConnection) -> None:
        driver = connection.connection.dbapi_connection
        assert driver is not None
        driver.close()

    async with database.write() as connection:
        await connection.change(text(LINK))
        await connection.run(lose)


def test_a_commit_after_the_end_of_the_listeners_loop_goes_through(file: Path) -> None:
    database = Database(file)
    listener = listening(database)
    asyncio.run(database.open())
    asyncio.run(run(database, LINK))
    asyncio.run(database.close())
    assert listener.told == []
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM ltm_links").fetchone() == (1,)
