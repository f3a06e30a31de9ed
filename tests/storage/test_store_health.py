"""What a database keeps in mind of how its file answered."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError, UnusableStoreError
from astrbot_plugin_ltm.long_term_memory.models import METADATA
from astrbot_plugin_ltm.long_term_memory.storage import meta
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.store_health import StoreHealth, is_damaged
from sqlalchemy import select, text

from tests.stores import NOW, an_item, keep, migrated, opened
from tests.torture.damage.spoiling import PAGE, pages_of

DAMAGED = sqlite3.DatabaseError("database disk image is malformed")
DAMAGED.sqlite_errorcode = sqlite3.SQLITE_CORRUPT  # type: ignore[misc]
OF_INDEX = sqlite3.DatabaseError("database disk image is malformed")
OF_INDEX.sqlite_errorcode = sqlite3.SQLITE_CORRUPT_VTAB  # type: ignore[misc]
FULL = sqlite3.OperationalError("database or disk is full")
FULL.sqlite_errorcode = sqlite3.SQLITE_FULL  # type: ignore[misc]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return migrated(tmp_path / "data_v4.db")


def spoil(file: Path, statement: str, values: Sequence[Any] = ()) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement, values)


async def test_why_something_could_not_be_written_is_known_until_something_is(file: Path) -> None:
    health = StoreHealth(file)
    with pytest.raises(UnavailableError, match="the disk is full; free some space"):
        async with health.noting("write"):
            raise FULL
    async with health.noting("read"):
        pass
    assert health.trouble == "the last write failed: the disk is full; free some space"
    async with health.noting("write"):
        pass
    assert (health.trouble, health.damage) == ("", "")


async def test_while_nothing_is_written_nothing_is_wrong_with_writing(file: Path) -> None:
    async with opened(file) as database:
        with pytest.raises(UnavailableError):
            async with database.health.noting("write"):
                raise FULL
        for read_only, trouble in ((False, "the last write failed"), (True, ""), (False, "the last write")):
            database.read_only = read_only
            assert database.health.trouble.startswith(trouble)
            assert bool(database.health.trouble) == bool(trouble)


async def test_what_looks_damaged_once_is_not_believed_when_all_of_it_can_be_read(file: Path) -> None:
    health = StoreHealth(file)
    with pytest.raises(UnavailableError, match="the disk reports errors"):
        async with health.noting("read"):
            raise DAMAGED
    assert health.trouble.startswith("the last read failed: the disk reports errors")
    health.refuse_damaged()


async def named(database: Database, *, then: Exception | None = None) -> None:
    async with database.write() as seat:
        await meta.name_store(seat, "id")
        if then is not None:
            raise then


async def test_a_damaged_file_is_written_to_no_more(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with opened(file) as database:
        with pytest.raises(UnusableStoreError, match="Stop AstrBot, copy the file"):
            await named(database, then=OF_INDEX)
        for _ in range(2):
            with pytest.raises(UnusableStoreError, match="the database file is damaged"):
                await named(database)
        async with database.read() as seat:
            assert await meta.store_id(seat) is None
        assert database.health.damage
    assert caplog.text.count("Paused, nothing is recorded or recalled") == 1


async def test_a_text_that_is_none_is_damage_and_is_not_repeated(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(file, "INSERT INTO ltm_meta (name, value) VALUES ('store_id', CAST(x'736563726574ff' AS TEXT))")
    async with opened(file) as database:
        with pytest.raises(UnusableStoreError, match="the database file is damaged") as raised:
            async with database.read() as seat:
                await meta.store_id(seat)
    assert raised.value.__cause__ is None
    assert "secret" not in caplog.text


async def test_json_that_the_database_itself_cannot_read_is_damage(file: Path) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item("User likes tea"))
        spoil(file, "UPDATE ltm_events SET content = '{\"te'")
        with pytest.raises(UnusableStoreError, match="the database file is damaged"):
            async with database.read() as seat:
                await seat.execute(text("SELECT json_extract(content, '$.text') FROM ltm_events"))


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("ltm_items", "last_confirmed_at", "2026-11-22 20?00:59.000000"),
        ("ltm_items", "tags", '["tea"'),
        ("ltm_items", "status", "activf"),
        ("ltm_events", "created_at", "yesterday"),
        ("ltm_events", "content", ""),
    ],
)
async def test_one_value_that_cannot_be_is_damage(file: Path, table: str, column: str, value: str) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item("User likes tea"))
        spoil(file, f"UPDATE {table} SET {column} = '{value}'")  # noqa: S608 - our own names
        with pytest.raises(UnusableStoreError, match="the database file is damaged") as raised:
            async with database.read() as seat:
                await seat.execute(select(METADATA.tables[table]))
        assert raised.value.__cause__ is None
        with pytest.raises(UnusableStoreError, match="the database file is damaged"):
            await named(database)


def half_a_file(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def pages_of_items(file: Path) -> None:
    for page in pages_of(file, "ltm_items"):
        with file.open("rb+") as content:
            content.seek((page - 1) * PAGE)
            content.write(bytes(PAGE))


def a_text(file: Path) -> None:
    file.write_bytes(b"these are the only notes I have" * 100)


async def test_an_index_without_its_rows_is_damage(file: Path) -> None:
    index = "FROM sqlite_master WHERE name = 'ltm_items_age'"
    with closing(sqlite3.connect(file)) as connection:
        columns = connection.execute(f"SELECT * {index}").fetchone()
    spoil(file, f"DELETE {index}")
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item("User likes tea"))
    spoil(file, "INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", columns)
    async with opened(file) as database:
        with pytest.raises(UnusableStoreError, match="the database file is damaged"):
            async with database.write() as seat:
                await seat.execute(text("DELETE FROM ltm_items"))
        assert database.health.damage


@pytest.mark.parametrize("damage", [half_a_file, pages_of_items, a_text])
def test_damage_is_found_and_changes_nothing(file: Path, damage: Callable[[Path], None]) -> None:
    assert not is_damaged(file)
    damage(file)
    before = file.read_bytes()
    assert is_damaged(file)
    assert file.read_bytes() == before


async def test_a_damaged_index_is_damage(file: Path) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item("User likes tea"))
        spoil(file, "DELETE FROM ltm_fts_data")
        with pytest.raises(UnusableStoreError, match="the database file is damaged"):
            async with database.read() as seat:
                await seat.execute(text("SELECT * FROM ltm_fts WHERE ltm_fts MATCH 'tea'"))


def test_a_file_that_cannot_be_looked_at_is_not_called_damaged(file: Path, tmp_path: Path) -> None:
    assert not is_damaged(tmp_path / "missing" / "data_v4.db")
    assert not is_damaged(tmp_path / "taken_away.db")
    assert not (tmp_path / "taken_away.db").exists()
    pages_of_items(file)
    assert is_damaged(file)
    file.rename(tmp_path / "aside")
    file.mkdir()
    assert not is_damaged(file)
