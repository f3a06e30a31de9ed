"""Whatever comes between, an import has happened wholly or not at all, and a file is whole or not there."""

import asyncio
import signal
import sqlite3
import sys
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, override

import pytest
from astrbot_plugin_ltm.long_term_memory.access.identity import IdentityRules
from astrbot_plugin_ltm.long_term_memory.access.persons import person_named
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    ClosedError,
    NotFoundError,
    RefusedError,
    UnavailableError,
)
from astrbot_plugin_ltm.long_term_memory.domain.transfer import Kind
from astrbot_plugin_ltm.long_term_memory.storage.erasure import ErasedPersons
from astrbot_plugin_ltm.long_term_memory.storage.long_work import StoppedError, StopSignal, in_thread
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.transfer import importer as module
from astrbot_plugin_ltm.long_term_memory.storage.transfer.importer import Importer
from astrbot_plugin_ltm.long_term_memory.storage.transfers import ONE_AT_A_TIME, Transfers

from tests.children import Completed, run
from tests.host.harness.tables import UNTRUE
from tests.storage.transfer.files import bring_in, dump, export, multiplied, read, write
from tests.stores import ALICE, NOW, a_store, an_item, keep, migrated, opened

pytestmark = pytest.mark.torture

ROOT = Path(__file__).resolve().parents[3]
MANY = 1_200
OF_SCRIPTS = """
import os, resource, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from astrbot_plugin_ltm.long_term_memory.domain.transfer import Kind
from astrbot_plugin_ltm.long_term_memory.storage.long_work import StopSignal
from astrbot_plugin_ltm.long_term_memory.storage.transfer.importer import Importer, ImportRequest

store, file, fatal = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def die():
    os.kill(os.getpid(), signal.SIGKILL)

class Dying(StopSignal):
    writes = False
    seen = 0

    def go_on(self):
        super().go_on()
        self.seen += self.writes
        if self.seen == fatal:
            die()

def last_chance():
    if fatal == 0:
        die()

stop_signal = Dying()
importer = Importer(store, stop_signal)
importer.check(file, keep_waiting=False)
stop_signal.writes = True
request = ImportRequest(
    import_id="i", kind=Kind.IMPORT, actor="a", at=datetime(2025, 6, 1, 12, tzinfo=UTC), name=""
)
if fatal == -2:
    size = store.stat().st_size
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        importer.merge(request, see=last_chance)
    except Exception as error:
        print(type(error).__name__, error)
    os._exit(0)
importer.merge(request, see=last_chance)
die()
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with more rows than are written in one step."""
    folder = tmp_path_factory.mktemp("theirs")

    async def one() -> Path:
        async with a_store(folder) as theirs:
            await keep(theirs, an_item())
            return await export(theirs, folder / "one.json")

    return write(multiplied(read(asyncio.run(one())), MANY), folder / "many.json")


def faults(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return [row for query in UNTRUE for row in connection.execute(query)]


def killed(path: Path, file: Path, fatal: int) -> Completed:
    return run([sys.executable, "-c", OF_SCRIPTS, str(path), str(file), str(fatal)], cwd=ROOT)


@pytest.mark.parametrize("fatal", [1, 4, 9, 0])
def test_killed_before_the_commit_nothing_has_come_in(tmp_path: Path, many: Path, fatal: int) -> None:
    path = migrated(tmp_path / "data_v4.db")
    before = dump(path)
    ended = killed(path, many, fatal)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert dump(path) == before
    assert faults(path) == []


def test_killed_after_the_commit_all_has_come_in(tmp_path: Path, many: Path) -> None:
    path = migrated(tmp_path / "data_v4.db")
    assert killed(path, many, -1).returncode == -signal.SIGKILL
    assert len(dump(path)["ltm_items"]) == MANY
    assert faults(path) == []


def test_on_a_full_disk_nothing_comes_in(tmp_path: Path, many: Path) -> None:
    path = migrated(tmp_path / "data_v4.db")
    before = dump(path)
    ended = killed(path, many, -2)
    assert "OperationalError" in ended.stdout, ended
    assert dump(path) == before
    assert faults(path) == []


async def importing(
    store: Store, file: Path, *, writes: bool = False, kind: Kind = Kind.IMPORT
) -> "asyncio.Task[Any]":
    """An import whose file is read, or one that writes."""
    task = asyncio.ensure_future(bring_in(store, file, kind=kind))
    async with asyncio.timeout(20):
        while not is_under_way(store, writes=writes):
            await asyncio.sleep(0)
    return task


def is_under_way(store: Store, *, writes: bool) -> bool:
    at_work = store.transfers._stop_signal is not None  # pyright: ignore[reportPrivateUsage] - nobody else may tell
    return at_work and store._database._turn.locked() is writes  # pyright: ignore[reportPrivateUsage] - as above


async def test_cancelled_while_it_is_checked_nothing_has_come_in(
    store: Store, tmp_path: Path, many: Path
) -> None:
    before = dump(tmp_path / "data_v4.db")
    task = await importing(store, many)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert dump(tmp_path / "data_v4.db") == before
    assert (await bring_in(store, many)).added.items == MANY


async def test_cancelled_while_it_is_written_it_goes_to_its_end(
    store: Store, tmp_path: Path, many: Path
) -> None:
    task = await importing(store, many, writes=True)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(dump(tmp_path / "data_v4.db")["ltm_items"]) == MANY
    assert faults(tmp_path / "data_v4.db") == []


async def test_turned_read_only_while_it_is_written_nothing_has_come_in(
    store: Store, tmp_path: Path, many: Path
) -> None:
    before = dump(tmp_path / "data_v4.db")
    task = await importing(store, many, writes=True)
    store.read_only = True
    with pytest.raises(RefusedError, match="emergency_read_only"):
        await task
    assert dump(tmp_path / "data_v4.db") == before


async def test_a_snapshot_brings_nobody_back_who_is_erased_while_it_is_restored(
    store: Store, tmp_path: Path, many: Path
) -> None:
    snapshot = tmp_path / "snapshot.json"
    snapshot.write_bytes(many.read_bytes())  # noqa: ASYNC240 - a small file
    before = dump(tmp_path / "data_v4.db")
    task = await importing(store, snapshot, kind=Kind.RESTORE)
    snapshot.unlink()
    with pytest.raises(NotFoundError, match="gone"):
        await task
    assert dump(tmp_path / "data_v4.db") == before
    with closing(sqlite3.connect(tmp_path / "data_v4.db")) as connection, connection:
        connection.execute("INSERT INTO ltm_meta VALUES ('to_scrub', 'mark')")
    with pytest.raises(RefusedError, match="erased"):
        await bring_in(store, many, kind=Kind.RESTORE)
    assert (await bring_in(store, many)).added.items == MANY


async def test_no_file_brings_somebody_back_who_is_erased_while_it_is_imported(
    store: Store, tmp_path: Path, many: Path
) -> None:
    person = person_named(ALICE.scope_id, IdentityRules())
    assert person is not None
    await keep(store, an_item("Alice naps"))
    task = await importing(store, many)
    await store.erasure.erase(person, actor="a", action="erase", subject="s", mark="m", known=True)
    with pytest.raises(RefusedError, match="erased in the meantime"):
        await task
    assert dump(tmp_path / "data_v4.db")["ltm_items"] == []
    store.read_only = True
    with pytest.raises(RefusedError):
        await store.erasure.erase(person, actor="a", action="erase", subject="s", mark="m", known=True)
    store.read_only = False
    assert (await bring_in(store, many)).added.items == MANY


async def test_a_file_that_an_erasure_took_along_is_gone(store: Store, tmp_path: Path) -> None:
    for kind in Kind:
        with pytest.raises(NotFoundError, match="gone"):
            await bring_in(store, tmp_path / "nothing.json", kind=kind)


async def test_a_second_import_at_the_same_time_is_refused(store: Store, many: Path) -> None:
    task = await importing(store, many)
    with pytest.raises(RefusedError, match=ONE_AT_A_TIME):
        await store.transfers.check(many)
    assert (await task).added.items == MANY


async def test_while_another_program_writes_it_waits_and_then_gives_up(
    tmp_path: Path, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY", timedelta(milliseconds=50))
    path = migrated(tmp_path / "data_v4.db")
    before = dump(path)
    async with opened(path) as database:
        transfers = Transfers(database, lambda: NOW, ErasedPersons())
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(UnavailableError, match="locked"):
                await transfers.bring_in(many, import_id="i", kind=Kind.IMPORT, actor="a")
            other.execute("ROLLBACK")
        assert dump(path) == before
        arrived = await transfers.bring_in(many, import_id="i", kind=Kind.IMPORT, actor="a")
        assert arrived.added.items == MANY


async def test_after_a_store_that_could_not_be_opened_the_next_import_goes(
    tmp_path: Path, many: Path
) -> None:
    path, aside = migrated(tmp_path / "data_v4.db"), tmp_path / "aside.db"
    async with opened(path) as database:
        transfers = Transfers(database, lambda: NOW, ErasedPersons())
        path.rename(aside)
        path.mkdir()
        with pytest.raises(UnavailableError, match="cannot be opened"):
            await transfers.check(many)
        path.rmdir()
        aside.rename(path)
        assert (await transfers.check(many)).added.items == MANY
    path.unlink()
    with pytest.raises(ClosedError):
        await transfers.check(many)
    assert not path.exists()


async def test_the_log_can_be_emptied_while_a_file_is_checked(tmp_path: Path, many: Path) -> None:
    path = migrated(tmp_path / "data_v4.db")
    busy = list[int]()

    class Emptying(StopSignal):
        @override
        def go_on(self) -> None:
            super().go_on()
            with closing(sqlite3.connect(path, timeout=0)) as other:
                with other:
                    other.execute("INSERT OR REPLACE INTO ltm_meta VALUES ('said', ?)", (len(busy),))
                busy.extend(row[0] for row in other.execute("PRAGMA wal_checkpoint(TRUNCATE)"))

    async with opened(path):
        importer = Importer(path, Emptying())
        importer.check(many, keep_waiting=False)
        importer.close()
    assert busy == [0] * (6 * MANY // 100)


async def test_a_store_is_closed_once_the_import_has_let_go_of_it(
    tmp_path: Path, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = list[bool]()

    def close_late(importer: Importer) -> None:
        time.sleep(0.2)
        at_once(importer)
        closed.append(True)

    at_once = Importer.close
    monkeypatch.setattr(Importer, "close", close_late)
    async with a_store(tmp_path) as store:
        task = await importing(store, many)
    assert closed
    with pytest.raises(ClosedError):
        await task


async def test_what_is_said_meanwhile_is_kept(store: Store, many: Path) -> None:
    task = await importing(store, many)
    mine = an_item("Alice sings")
    await keep(store, mine)
    assert not task.done()
    await task
    assert await store.item(mine.memory_id)


async def test_an_export_onto_a_full_disk_leaves_no_file(store: Store, tmp_path: Path) -> None:
    await keep(store, an_item())
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "all.json.unfinished").symlink_to("/dev/full")
    with pytest.raises(UnavailableError, match="No space left"):
        await export(store, folder / "all.json")
    assert list(folder.iterdir()) == []


async def test_a_cancelled_export_leaves_no_file(store: Store, tmp_path: Path, many: Path) -> None:
    await bring_in(store, many)
    folder = tmp_path / "out"
    folder.mkdir()
    task = asyncio.ensure_future(export(store, folder / "all.json"))
    async with asyncio.timeout(20):
        while not list(folder.iterdir()):
            await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(folder.iterdir()) == []


async def test_an_export_is_of_one_moment(store: Store, tmp_path: Path, many: Path) -> None:
    await bring_in(store, many)
    task = asyncio.ensure_future(export(store, tmp_path / "all.json"))
    late = [an_item(f"late {number}") for number in range(20)]
    await keep(store, *late)
    check = await store.transfers.check(await task)
    assert check.known.items in {MANY, MANY + 20}


async def test_work_that_is_called_off_ends_before_who_waits_for_it_goes() -> None:
    stop_signal, ended = StopSignal(), list[str]()

    def work() -> None:
        try:
            while True:
                stop_signal.go_on()
        except StoppedError:
            ended.append("stopped")
            raise

    task = asyncio.ensure_future(in_thread(work, stop_signal))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["stopped"]
