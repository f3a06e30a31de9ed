"""What a database keeps in mind of how its file answered."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError, UnusableStoreError
from astrbot_plugin_ltm.long_term_memory.storage import meta
from astrbot_plugin_ltm.long_term_memory.storage.condition import Condition, Doing, damage_in
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy import text

from tests.stores import NOW, an_item, keep, migrated, opened
from tests.torture.damage.spoiling import PAGE, pages_of

DOINGS: tuple[Doing, ...] = ("read", "write")
DAMAGED = sqlite3.DatabaseError("database disk image is malformed")
DAMAGED.sqlite_errorcode = sqlite3.SQLITE_CORRUPT  # type: ignore[misc]
FULL = sqlite3.OperationalError("database or disk is full")
FULL.sqlite_errorcode = sqlite3.SQLITE_FULL  # type: ignore[misc]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return migrated(tmp_path / "data_v4.db")


def spoil(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement)


async def test_why_something_could_not_be_written_is_known_until_something_is(file: Path) -> None:
    condition = Condition(file)
    with pytest.raises(UnavailableError, match="the disk is full; free some space"):
        async with condition.noting("write"):
            raise FULL
    async with condition.noting("read"):
        pass
    assert condition.trouble == "the last write failed: the disk is full; free some space"
    async with condition.noting("write"):
        pass
    assert (condition.trouble, condition.damage) == ("", "")


async def test_while_nothing_is_written_nothing_can_go_wrong_with_writing(file: Path) -> None:
    read_only = False
    condition = Condition(file, read_only=lambda: read_only)
    for doing in DOINGS:
        with pytest.raises(UnavailableError):
            async with condition.noting(doing):
                raise FULL
    assert condition.trouble.count("the disk is full") == 2
    read_only = True
    assert condition.trouble == "the last read failed: the disk is full; free some space"


async def test_what_looks_damaged_once_is_not_believed_when_all_of_it_can_be_read(file: Path) -> None:
    condition = Condition(file)
    with pytest.raises(UnavailableError, match="the disk reports errors"):
        async with condition.noting("read"):
            raise DAMAGED
    assert condition.trouble.startswith("the last read failed: the disk reports errors")
    condition.refuse_damaged()


async def named(database: Database, *, then: Exception | None = None) -> None:
    async with database.write() as seat:
        await meta.name_store(seat, "id")
        if then is not None:
            raise then


async def test_a_damaged_file_is_written_to_no_more(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    spoil(file, "DELETE FROM ltm_fts_data")
    async with opened(file) as database:
        with pytest.raises(UnusableStoreError, match="Stop AstrBot, copy the file"):
            await named(database, then=DAMAGED)
        for _ in range(2):
            with pytest.raises(UnusableStoreError, match="the database file is damaged"):
                await named(database)
        async with database.read() as seat:
            assert await meta.store_id(seat) is None
        assert database.condition.damage
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
        with pytest.raises(UnusableStoreError, match="the table ltm_events"):
            async with database.read() as seat:
                await seat.execute(text("SELECT json_extract(content, '$.text') FROM ltm_events"))


@pytest.mark.parametrize(("damaged", "error"), [(True, UnusableStoreError), (False, ValueError)])
async def test_a_value_that_cannot_have_been_stored_has_the_file_looked_at(
    file: Path, *, damaged: bool, error: type[Exception]
) -> None:
    if damaged:
        spoil(file, "DELETE FROM ltm_fts_data")
    condition = Condition(file)
    with pytest.raises(error):
        async with condition.noting("read"):
            raise ValueError("no such level")
    assert bool(condition.damage) is damaged


async def noted(condition: Condition, error: Exception) -> None:
    async with condition.noting("read"):
        raise error


async def test_one_bad_row_does_not_have_the_file_read_at_every_use(file: Path) -> None:
    condition = Condition(file)
    with pytest.raises(ValueError, match="no such level"):
        await noted(condition, ValueError("no such level"))
    spoil(file, "DELETE FROM ltm_fts_data")
    with pytest.raises(ValueError, match="no such level"):
        await noted(condition, ValueError("no such level"))
    assert not condition.damage
    with pytest.raises(UnusableStoreError):
        await noted(condition, DAMAGED)
    with pytest.raises(UnusableStoreError):
        condition.refuse_damaged()


async def test_what_was_found_sound_a_minute_ago_is_looked_at_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    condition = Condition(file)
    with pytest.raises(ValueError, match="no such level"):
        await noted(condition, ValueError("no such level"))
    spoil(file, "DELETE FROM ltm_fts_data")
    later = monotonic() + 61
    monkeypatch.setattr("astrbot_plugin_ltm.long_term_memory.storage.condition.monotonic", lambda: later)
    with pytest.raises(UnusableStoreError):
        await noted(condition, ValueError("no such level"))


async def test_a_look_that_could_not_be_made_has_found_nothing_sound(file: Path) -> None:
    spoil(file, "DELETE FROM ltm_fts_data")
    condition = Condition(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ValueError, match="no such level"):
            await noted(condition, ValueError("no such level"))
    with pytest.raises(UnusableStoreError):
        await noted(condition, ValueError("no such level"))


async def test_who_is_called_off_leaves_no_look_behind(file: Path) -> None:
    spoil(file, "DELETE FROM ltm_fts_data")
    condition = Condition(file)
    looking = asyncio.ensure_future(noted(condition, DAMAGED))
    await asyncio.sleep(0)
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    assert condition.damage


@pytest.mark.parametrize(("damaged", "error"), [(True, UnusableStoreError), (False, UnavailableError)])
async def test_what_many_find_at_once_is_looked_at_once_for_all(
    file: Path, monkeypatch: pytest.MonkeyPatch, *, damaged: bool, error: type[Exception]
) -> None:
    looks = list[Path]()

    def looked(path: Path) -> str | None:
        looks.append(path)
        return damage_in(path)

    monkeypatch.setattr("astrbot_plugin_ltm.long_term_memory.storage.condition.damage_in", looked)
    if damaged:
        spoil(file, "DELETE FROM ltm_fts_data")
    condition = Condition(file)
    found = await asyncio.gather(*(noted(condition, DAMAGED) for _ in range(5)), return_exceptions=True)
    assert [type(one) for one in found] == [error] * 5
    assert looks == [file]


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
async def test_one_value_that_cannot_be_is_damage_and_its_table_is_named(
    file: Path, table: str, column: str, value: str
) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item("User likes tea"))
    spoil(file, f"UPDATE {table} SET {column} = '{value}'")  # noqa: S608 - our own names
    assert damage_in(file) == f"the table {table}"
    with pytest.raises(
        UnusableStoreError, match=f"the database file is damaged.*What is damaged: the table {table}"
    ):
        await noted(Condition(file), ValueError("a value that cannot have been stored"))


async def test_a_text_that_has_become_bytes_is_damage_and_named(file: Path) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item("User likes tea"))
    assert damage_in(file) == ""
    spoil(file, "UPDATE ltm_items SET fact = CAST(fact AS BLOB)")
    assert damage_in(file) == "the table ltm_items"


def half_a_file(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def an_index_without_its_content(file: Path) -> None:
    spoil(file, "DELETE FROM ltm_fts_data")


def a_text(file: Path) -> None:
    file.write_bytes(b"these are the only notes I have" * 100)


@pytest.mark.parametrize("damage", [half_a_file, an_index_without_its_content, a_text])
def test_damage_is_found_and_changes_nothing(file: Path, damage: Callable[[Path], None]) -> None:
    assert not damage_in(file)
    damage(file)
    before = file.read_bytes()
    assert damage_in(file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("table", ["ltm_items", "ltm_evidence", "ltm_audit"])
async def test_the_table_whose_pages_are_damaged_is_named(file: Path, table: str) -> None:
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), an_item("User likes tea"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for page in pages_of(file, table):
        with file.open("rb+") as content:
            content.seek((page - 1) * PAGE)
            content.write(bytes(PAGE))
    assert damage_in(file) == f"the table {table}"


def test_a_file_that_cannot_be_looked_at_is_not_called_damaged(file: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert damage_in(file) is None
    assert damage_in(tmp_path / "missing" / "data_v4.db") is None
    assert damage_in(tmp_path / "taken_away.db") is None
    assert not (tmp_path / "taken_away.db").exists()
