"""Data deleted through the host leaves the tables once a snapshot holds it, whatever happens meanwhile."""

import asyncio
import shutil
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.models import METADATA
from astrbot_plugin_ltm.long_term_memory.storage.snapshots import UNFINISHED, Snapshots, listed
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.uninstall import settle

from tests.children import output
from tests.running import FakeMarkers
from tests.stores import NOW, an_item, blank, keep, migrated, opened
from tests.torture.form import chances, either

ROOT = Path(__file__).resolve().parents[2]
HOST = "CREATE TABLE preferences (key TEXT, value JSON); INSERT INTO preferences VALUES ('a', 'Beijing')"
TABLES = [*METADATA.tables, "ltm_alembic_version"]
KILLED_AT_EVERY_STEP = """
import asyncio, functools, os, shutil, signal, sqlite3, sys
from datetime import UTC, datetime
from pathlib import Path
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.uninstall import settle
from astrbot_plugin_ltm.long_term_memory.storage.snapshots import Snapshots
from tests.running import FakeMarkers

source, work, first, apart = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
left = None

def step(*_):
    global left
    if left is not None:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

def watch(event, _):
    if event in ("sqlite3.connect", "os.rename", "open", "os.remove", "os.mkdir"):
        step()

class Watched(sqlite3.Connection):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.set_trace_callback(step)

async def start(folder):
    global left
    database = Database(folder / "data_v4.db")
    await database.open()
    left = int(folder.name)
    at = datetime(2025, 6, 1, 12, tzinfo=UTC)
    snapshots = Snapshots(database, folder / "data", lambda: at, plugin_version="1")
    await settle(database, snapshots, FakeMarkers(), new_id="new")
    left = None
    await database.close()

sys.addaudithook(watch)
sqlite3.connect = sqlite3.dbapi2.connect = functools.partial(sqlite3.connect, factory=Watched)
number, killed = first - apart, True
while killed:
    number += apart
    folder = work / str(number)
    folder.mkdir()
    shutil.copyfile(source, folder / "data_v4.db")
    child = os.fork()
    if child == 0:
        asyncio.run(start(folder))
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL)
    killed = ended != 0
print(number)
"""


def contents(path: Path) -> Mapping[str, Sequence[Any]]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}  # noqa: S608


def schema(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE name LIKE 'ltm%' ORDER BY name"
        ).fetchall()


@pytest.fixture
async def filled(tmp_path: Path) -> Path:
    """A file of the host's in which something is remembered, at rest."""
    file = migrated(tmp_path / "data_v4.db")
    with closing(sqlite3.connect(file)) as host:
        host.executescript(HOST)
    await start(file, tmp_path / "never", FakeMarkers())
    async with opened(file) as database:
        store = Store(database, lambda: NOW)
        tea = an_item("爱喝绿茶")
        await keep(store, an_item("Alice lives in Beijing"), tea)
        await store.policies.record({"mode": "auto"}, actor="system")
    return file


async def start(file: Path, folder: Path, markers: FakeMarkers) -> None:
    async with opened(file) as database:
        snapshots = Snapshots(database, folder, lambda: NOW, plugin_version="1")
        await settle(database, snapshots, markers, new_id="old")


async def deleted(file: Path, folder: Path) -> None:
    """A start after the host has deleted the data."""
    await start(file, folder, FakeMarkers())


def remembered(folder: Path) -> list[int]:
    """How many memories each good snapshot holds."""
    return [one.items for one in listed(folder / "snapshots") if one.good]


async def test_a_snapshot_has_what_was_remembered_and_the_tables_are_as_after_an_installation(
    filled: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "deep" / "folder"
    await deleted(filled, folder)
    assert remembered(folder) == [2]
    new = tmp_path / "new.db"
    new.write_bytes(blank())
    await start(new, tmp_path / "never", FakeMarkers(["old", "old"]))
    assert (contents(filled), schema(filled)) == (contents(new), schema(new))


async def test_no_table_of_the_hosts_is_touched(filled: Path, tmp_path: Path) -> None:
    await deleted(filled, tmp_path / "folder")
    with closing(sqlite3.connect(filled)) as host:
        assert host.execute("SELECT * FROM preferences").fetchall() == [("a", "Beijing")]


async def test_what_was_deleted_cannot_be_read_in_the_hosts_files_any_more(
    filled: Path, tmp_path: Path
) -> None:
    files = (filled, filled.with_name(f"{filled.name}-wal"))
    with closing(sqlite3.connect(filled)) as host:
        host.execute("SELECT * FROM preferences").fetchall()
        await deleted(filled, tmp_path / "folder")
        assert [file.read_bytes().count("绿茶".encode()) for file in files] == [0, 0]
        assert [file.read_bytes().count(b"Alice") for file in files] == [0, 0]


async def test_while_somebody_reads_the_log_is_left_for_later(filled: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as host:
        host.execute("BEGIN")
        host.execute("SELECT * FROM ltm_items").fetchall()
        await deleted(filled, tmp_path / "folder")
    assert remembered(tmp_path / "folder") == [2]
    assert contents(filled)["ltm_items"] == []


async def test_a_folder_that_cannot_be_written_leaves_everything_as_it_is(
    filled: Path, tmp_path: Path
) -> None:
    before = contents(filled)
    (tmp_path / "folder").write_text("a file in its place")
    with pytest.raises(UnavailableError, match="the file cannot be written"):
        await deleted(filled, tmp_path / "folder")
    assert contents(filled) == before


@pytest.mark.torture
def test_killed_at_any_step_what_was_remembered_is_in_the_tables_or_in_a_snapshot(
    filled: Path, tmp_path: Path
) -> None:
    before = contents(filled)
    work = tmp_path / "killed"
    work.mkdir()
    apart = either(5, 1)
    first = 1 + chances("deleted data").randrange(apart)
    command = [sys.executable, "-c", KILLED_AT_EVERY_STEP, str(filled), str(work), str(first), str(apart)]
    steps = int(output(command, within=either(600.0, 3_600.0), cwd=ROOT))
    assert steps > 60
    for number in range(first, steps + 1, apart):
        file, folder = work / str(number) / "data_v4.db", work / str(number) / "data"
        left = contents(file)
        assert left == before if left["ltm_items"] else remembered(folder) == [2]
        asyncio.run(deleted(file, folder))
        assert contents(file)["ltm_items"] == []
        assert set(remembered(folder)) == {2}
        assert not (folder / "snapshots" / UNFINISHED).exists()
        shutil.rmtree(file.parent)
