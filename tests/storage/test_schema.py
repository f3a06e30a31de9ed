import asyncio
import re
import shutil
import signal
import sqlite3
import sys
from contextlib import AbstractContextManager, closing
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from astrbot_plugin_ltm.long_term_memory.domain.enums import LIVE_STATUSES
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    NewerStoreError,
    UnavailableError,
    UnusableStoreError,
)
from astrbot_plugin_ltm.long_term_memory.models import METADATA
from astrbot_plugin_ltm.long_term_memory.storage import schema
from astrbot_plugin_ltm.long_term_memory.storage.schema import is_current, upgrade
from sqlalchemy import Inspector, NullPool, create_engine, inspect

from tests.children import Child, child, output
from tests.torture.migrations.releases import HEAD, RELEASES, to_release
from tests.torture.migrations.rows import GONE, ITEMS, fill

ROOT = Path(__file__).resolve().parents[2]
BESIDE = "SELECT name, sql FROM sqlite_master WHERE type != 'table' ORDER BY name"
HOST = """
    CREATE TABLE conversations (id INTEGER PRIMARY KEY AUTOINCREMENT, content JSON);
    CREATE INDEX conversations_content ON conversations (content);
    INSERT INTO conversations (content) VALUES ('[1, 2]');
    CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
    INSERT INTO alembic_version VALUES ('of the host');
"""
KILLED_AT = """
import asyncio, os, signal, sys
from pathlib import Path
from sqlalchemy import event
from sqlalchemy.engine import Engine
from astrbot_plugin_ltm.long_term_memory.storage.schema import upgrade

seen = 0

@event.listens_for(Engine, "before_cursor_execute")
def count(*_):
    global seen
    seen += 1
    if seen == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(upgrade(Path(sys.argv[1])))
"""


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(query).fetchall()


def everything(path: Path) -> list[Any]:
    return rows(path, "SELECT name, sql FROM sqlite_master ORDER BY name")


def test_the_migrations_create_the_columns_that_the_models_name(tmp_path: Path) -> None:
    asyncio.run(upgrade(tmp_path / "migrated.db"))
    by_models = create_engine(f"sqlite:///{tmp_path / 'models.db'}")
    METADATA.create_all(by_models)
    by_migrations = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    for name in METADATA.tables:
        assert described(inspect(by_migrations), name) == described(inspect(by_models), name)
    by_models.dispose()
    by_migrations.dispose()


def described(inspector: Inspector, table: str) -> dict[str, Any]:
    return {
        "columns": [
            (column["name"], str(column["type"]), column["nullable"], column["default"])
            for column in inspector.get_columns(table)
        ],
        "key": inspector.get_pk_constraint(table)["constrained_columns"],
    }


def test_the_tables_take_just_the_words_of_the_domain(tmp_path: Path) -> None:
    asyncio.run(upgrade(tmp_path / "migrated.db"))
    of_tables = dict(rows(tmp_path / "migrated.db", "SELECT name, sql FROM sqlite_master"))
    unchecked: list[str] = []
    for name, table in METADATA.tables.items():
        for column in table.columns:
            kind = getattr(column.type, "kind", None)
            if isinstance(kind, type) and issubclass(kind, StrEnum):
                check = re.search(rf"CHECK \(\s*{column.name} IN \(([^)]*)\)", of_tables[name])
                if check is None:
                    unchecked.append(f"{name}.{column.name}")
                else:
                    assert quoted(check[1]) == set(kind), f"{name}.{column.name}"
    assert unchecked == []
    assert quoted(of_tables["ltm_items_live"].partition(" WHERE ")[2]) == LIVE_STATUSES


def quoted(sql: str) -> set[str]:
    return set(re.findall(r"'(\w+)'", sql))


def test_every_column_that_must_be_unique_or_searched_refuses_null() -> None:
    allowed = {
        "ltm_events.retry_at",
        "ltm_events.leased_until",
        "ltm_items.ttl_days",
        "ltm_items.superseded_by",
        "ltm_items.last_accessed_at",
        "ltm_items.expires_at",
        "ltm_items.deleted_at",
        "ltm_imports.undone_at",
    }
    nullable = {f"{t}.{c.name}" for t, table in METADATA.tables.items() for c in table.columns if c.nullable}
    assert nullable == allowed


async def test_the_hosts_tables_in_the_same_file_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "data_v4.db"
    with closing(sqlite3.connect(path)) as host:
        host.executescript(HOST)
    before = everything(path)
    await upgrade(path)
    assert [
        row for row in everything(path) if not row[0].startswith(("ltm_", "sqlite_autoindex_ltm_"))
    ] == before
    assert rows(path, "SELECT * FROM conversations") == [(1, "[1, 2]")]
    assert rows(path, "SELECT * FROM alembic_version") == [("of the host",)]
    assert rows(path, "SELECT * FROM ltm_alembic_version") == [(HEAD,)]


async def test_tables_are_made_anew_beside_a_broken_view_of_the_hosts(tmp_path: Path) -> None:
    path = tmp_path / "data_v4.db"
    await asyncio.to_thread(to_release, path, "0004")
    rows(path, "CREATE VIEW stale AS SELECT missing FROM gone")
    before = rows(path, BESIDE)
    await upgrade(path)
    assert rows(path, BESIDE) == [row for row in before if "ltm_namespaces" not in str(row)]
    assert rows(path, "SELECT name FROM sqlite_master WHERE name LIKE '%0005%'") == []


async def test_a_table_made_anew_leaves_no_second_copy_of_a_fact(tmp_path: Path) -> None:
    path = tmp_path / "data_v4.db"
    await asyncio.to_thread(to_release, path, "0004")
    with closing(sqlite3.connect(path)) as connection:
        fill(connection, "0004")
    await upgrade(path)
    assert path.read_bytes().count("用户 told number ".encode()) == ITEMS - len(GONE)


async def test_what_took_the_place_of_a_removed_item_is_forgotten_with_it(tmp_path: Path) -> None:
    path = tmp_path / "data_v4.db"
    await asyncio.to_thread(to_release, path, "0005")
    with closing(sqlite3.connect(path)) as connection:
        fill(connection, "0005")
        connection.execute("UPDATE ltm_items SET superseded_by = 'memory-20' WHERE memory_id = 'memory-4'")
        connection.commit()
    await upgrade(path)
    left = "SELECT superseded_by FROM ltm_items WHERE memory_id IN ('memory-4', 'memory-11') ORDER BY id"
    assert rows(path, left) == [(None,), ("memory-0",)]
    assert rows(path, "PRAGMA foreign_key_check") == []
    assert rows(path, "SELECT name FROM ltm_meta WHERE name = 'dropped'") == [("dropped",)]


def test_tables_are_not_made_anew_with_foreign_keys_on(tmp_path: Path) -> None:
    path = tmp_path / "data_v4.db"
    to_release(path, "0004")
    before = everything(path)
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool, connect_args={"isolation_level": None})
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        with pytest.raises(RuntimeError, match="would delete what refers to it"):
            command.upgrade(schema._config(connection), "head")  # pyright: ignore[reportPrivateUsage] - not as the plugin does
    assert everything(path) == before


async def test_a_second_upgrade_changes_nothing(file: Path) -> None:
    before = everything(file)
    await upgrade(file)
    assert everything(file) == before


async def test_two_starts_at_once_both_end_well(tmp_path: Path) -> None:
    await asyncio.gather(upgrade(tmp_path / "one.db"), upgrade(tmp_path / "one.db"))
    assert rows(tmp_path / "one.db", "SELECT * FROM ltm_alembic_version") == [(HEAD,)]


def test_two_processes_at_once_both_end_well(tmp_path: Path) -> None:
    with start(tmp_path / "one.db", killed_at=0) as one, start(tmp_path / "one.db", killed_at=0) as other:
        assert (one.end(), other.end()) == (0, 0)
    assert rows(tmp_path / "one.db", "SELECT * FROM ltm_alembic_version") == [(HEAD,)]


@pytest.mark.parametrize("statement", [2, 12, 40])
async def test_a_start_that_is_killed_half_way_leaves_nothing_behind(tmp_path: Path, statement: int) -> None:
    path = tmp_path / "data_v4.db"
    with start(path, statement) as upgrading:
        assert upgrading.end() == -signal.SIGKILL
    assert everything(path) == []
    await upgrade(path)
    assert rows(path, "SELECT * FROM ltm_alembic_version") == [(HEAD,)]


def start(path: Path, killed_at: int) -> AbstractContextManager[Child]:
    return child([sys.executable, "-c", KILLED_AT, str(path), str(killed_at)])


def test_a_database_of_a_newer_version_is_refused_and_not_changed(file: Path) -> None:
    rows(file, "UPDATE ltm_alembic_version SET version_num = '0999' RETURNING *")
    before = file.read_bytes()
    with pytest.raises(NewerStoreError, match=r"newer version .* \(revision 0999\)"):
        asyncio.run(upgrade(file))
    assert file.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "data_v4.db"
    path.write_bytes(b"these are the only notes I have" * 100)
    with pytest.raises(UnusableStoreError, match="not a database"):
        asyncio.run(upgrade(path))
    assert path.read_bytes() == b"these are the only notes I have" * 100


async def test_a_file_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="cannot be opened"):
        await upgrade(tmp_path / "missing" / "data_v4.db")


def test_the_plugin_folder_may_lie_anywhere_off_the_path_and_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "100% mine, 插件" / "data" / "plugins" / "astrbot_plugin_ltm"
    ignored = shutil.ignore_patterns("__pycache__")
    for part in ("migrations", "long_term_memory"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    script = (
        "import asyncio, sys; from pathlib import Path\n"
        "from data.plugins.astrbot_plugin_ltm.long_term_memory.storage.schema import upgrade\n"
        "asyncio.run(upgrade(Path(sys.argv[1])))"
    )
    path = tmp_path / "data_v4.db"
    output([sys.executable, "-c", script, str(path)], cwd=folder.parents[2])
    assert rows(path, "SELECT * FROM ltm_alembic_version") == [(HEAD,)]


@pytest.mark.parametrize("name", RELEASES)
def test_no_revision_can_be_undone(name: str) -> None:
    revision = ScriptDirectory(str(ROOT / "migrations")).get_revision(name)
    with pytest.raises(NotImplementedError):
        revision.module.downgrade()


async def test_whether_the_tables_are_current_is_found_out_without_a_change(tmp_path: Path) -> None:
    path = tmp_path / "a folder of 100% #1" / "data_v4.db"
    path.parent.mkdir()
    assert not await is_current(path)
    assert not path.exists()
    with closing(sqlite3.connect(path)) as host:
        host.executescript(HOST)
    before = path.read_bytes()
    assert not await is_current(path)
    assert path.read_bytes() == before
    await upgrade(path)
    before = path.read_bytes()
    assert await is_current(path)
    assert path.read_bytes() == before


async def test_tables_are_found_current_while_another_program_writes(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN IMMEDIATE")
        assert await is_current(file)


async def test_what_a_killed_writer_left_half_done_is_undone_when_the_tables_are_looked_at(
    file: Path, tmp_path: Path
) -> None:
    left = tmp_path / "left.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as killed:
        killed.execute("PRAGMA journal_mode = DELETE")
        killed.execute("PRAGMA cache_size = 1")
        killed.execute("BEGIN IMMEDIATE")
        killed.execute("CREATE TABLE half_done AS SELECT randomblob(500000)")
        for suffix in ("", "-journal"):
            shutil.copyfile(f"{file}{suffix}", f"{left}{suffix}")
    assert await is_current(left)
    assert rows(left, "SELECT * FROM sqlite_master WHERE name = 'half_done'") == []


async def test_tables_that_cannot_be_used_are_not_just_out_of_date(file: Path, tmp_path: Path) -> None:
    rows(file, "UPDATE ltm_alembic_version SET version_num = '0999' RETURNING *")
    with pytest.raises(UnusableStoreError, match="newer version"):
        await is_current(file)
    (tmp_path / "notes").write_bytes(b"these are the only notes I have" * 100)
    with pytest.raises(UnusableStoreError, match="not a database"):
        await is_current(tmp_path / "notes")
