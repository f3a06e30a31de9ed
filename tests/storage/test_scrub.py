"""Deleted text leaves the file too: its pages, its full-text index and its log."""

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.models import EVENTS, ITEMS, METADATA
from astrbot_plugin_ltm.long_term_memory.storage import meta
from astrbot_plugin_ltm.long_term_memory.storage.scrub import TEXTS, empty_the_log, rewrite
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.stores import ALICE, BOB, a_store, an_event, an_evidence, an_item

CANARY = "quokka"
_TABLES = (*METADATA.tables, "ltm_fts_content")


async def fill(store: Store, number: int, name: str = "") -> None:
    """Rows of two people side by side; one says the canary in each, those of the other grow.

    So pages overflow, and rows move to others.
    """
    for size in (40, 50, 60):
        people = [(BOB, "plain") if row % 2 else (ALICE, CANARY) for row in range(number)]
        texts = [f"{word}{name}{size} {row} " + "a" * size for row, (_, word) in enumerate(people)]
        items = [an_item(text, owner=owner) for text, (owner, _) in zip(texts, people, strict=True)]
        async with store.transaction() as tx:
            for item in items:
                event = an_event(item.fact, owner=item.owner)
                await tx.add_events([event])
                await tx.insert_item(item, [an_evidence(item, event)])
            for item in items[1::2]:
                await tx.update_item(replace(item, backstory="x" * 900))


async def delete(store: Store) -> None:
    async with store._database.write() as seat:  # pyright: ignore[reportPrivateUsage] - the rows alone
        await seat.change(ITEMS.delete().where(ITEMS.c.scope_id == ALICE.scope_id))
        await seat.change(EVENTS.delete().where(EVENTS.c.owner_scope_id == ALICE.scope_id))


def schema_and_rows(file: Path) -> Mapping[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(file)) as connection:
        found = {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608 - ours
            for table in _TABLES
        }
        schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        return {**found, "schema": connection.execute(schema).fetchall()}


def canaries(folder: Path) -> int:
    return sum(file.read_bytes().count(CANARY.encode()) for file in folder.iterdir())


async def test_what_deleted_rows_leave_in_pages_index_and_log_is_overwritten(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store, 200)
        await delete(store)
        file = tmp_path / "data_v4.db"
        assert empty_the_log(file)
        in_index_too = canaries(tmp_path)
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("INSERT INTO ltm_fts (ltm_fts) VALUES ('rebuild')")
        assert empty_the_log(file)
        # What would be left without it: copies of rows that moved, and words in the index.
        assert 0 < canaries(tmp_path) < in_index_too
        before = schema_and_rows(file)
        for table in TEXTS:
            rewrite(file, table, lambda: True)
        assert empty_the_log(file)
        assert canaries(tmp_path) == 0
        assert schema_and_rows(file) == before
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            connection.execute("INSERT INTO ltm_fts (ltm_fts) VALUES ('integrity-check')")


async def test_the_store_works_on_afterwards_and_tells_of_its_changes(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store, 5)
        told: list[str] = []
        database = store._database  # pyright: ignore[reportPrivateUsage] - whoever listens to it
        database.change_feed.listen(lambda changes: told.extend(change.table for change in changes))
        await store.scrubber.rewrite()
        assert told == []
        await fill(store, 5, "again")
        assert {"ltm_items", "ltm_events", "ltm_evidence"} <= set(told)
        async with store.transaction() as tx:
            assert await tx.similar(BOB, an_item().level, "plainagain40", limit=50)


@pytest.mark.parametrize("table", TEXTS)
async def test_it_happens_wholly_or_not_at_all(tmp_path: Path, table: str) -> None:
    async with a_store(tmp_path) as store:
        await fill(store, 5)
        file = tmp_path / "data_v4.db"
        before = schema_and_rows(file)
        with pytest.raises(RefusedError):
            rewrite(file, table, lambda: False)
        assert schema_and_rows(file) == before


async def test_others_write_between_the_tables_and_nothing_of_what_was_erased_is_left(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store, 200)
        await delete(store)
        rewriting = asyncio.ensure_future(store.scrubber.rewrite())
        for number in range(len(TEXTS) - 1):
            await asyncio.sleep(0)
            async with store.transaction() as tx:
                event = an_event(f"said meanwhile {number}")
                await tx.add_events([event])
                await tx.insert_item(item := an_item(event.text), [an_evidence(item, event)])
            assert not rewriting.done()
        await rewriting
        assert await store.scrubber.empty_the_log()
        assert canaries(tmp_path) == 0
        found = await store.browsing.items(ItemFilter(query="meanwhile"))
        assert found.total == len(TEXTS) - 1
        with closing(sqlite3.connect(tmp_path / "data_v4.db")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            connection.execute("INSERT INTO ltm_fts (ltm_fts) VALUES ('integrity-check')")


async def test_once_the_store_is_read_only_no_further_table_is_touched(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        await fill(store, 5)
        before = schema_and_rows(tmp_path / "data_v4.db")
        rewriting = asyncio.ensure_future(store.scrubber.rewrite())
        await asyncio.sleep(0)
        store.read_only = True
        with pytest.raises(RefusedError):
            await rewriting
        assert schema_and_rows(tmp_path / "data_v4.db") == before


async def test_while_nothing_may_be_written_nothing_is(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        store.scrubber._database.read_only = True  # pyright: ignore[reportPrivateUsage] - the switch
        for work in (store.scrubber.rewrite, store.scrubber.empty_the_log):
            with pytest.raises(RefusedError):
                await work()


async def test_a_reader_keeps_the_log_busy_and_nobody_after_it(tmp_path: Path) -> None:
    async with a_store(tmp_path) as store:
        file = tmp_path / "data_v4.db"
        with closing(sqlite3.connect(file, isolation_level=None)) as host:
            host.execute("BEGIN")
            host.execute("SELECT * FROM ltm_items").fetchall()
            await fill(store, 5)
            assert not await store.scrubber.empty_the_log()
            host.execute("COMMIT")
            assert await store.scrubber.empty_the_log()
        assert (tmp_path / "data_v4.db-wal").stat().st_size == 0


async def test_marks_wait_together_and_go_only_when_none_has_come_since(store: Store) -> None:
    database = store._database  # pyright: ignore[reportPrivateUsage] - what an erasure does
    assert await store.scrubber.mark() is None
    for mark in ("one", "two"):
        async with database.write() as seat:
            await meta.ask_to_scrub(seat, mark)
    await store.scrubber.done("one")
    assert await store.scrubber.mark() == "one two"
    await store.scrubber.done("one two")
    assert await store.scrubber.mark() is None
