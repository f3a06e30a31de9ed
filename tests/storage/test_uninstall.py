"""Data deleted through the host stays deleted; a folder that was moved or restored costs no memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError, UnusableStoreError
from astrbot_plugin_ltm.long_term_memory.domain.transfer import Snapshot
from astrbot_plugin_ltm.long_term_memory.storage import meta
from astrbot_plugin_ltm.long_term_memory.storage.snapshots import Snapshots, listed
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.uninstall import settle

from tests.running import FakeMarkers
from tests.stores import NOW, an_item, keep, migrated, opened


@dataclass
class Installation:
    """The file, the folder and the markers of one plugin, started again and again."""

    file: Path
    folder: Path
    markers: FakeMarkers = field(default_factory=FakeMarkers)

    async def start(self, *, new_id: str = "id", read_only: bool = False) -> None:
        async with opened(self.file) as database:
            database.read_only = read_only
            snapshots = Snapshots(database, self.folder, lambda: NOW, plugin_version="1")
            await settle(database, snapshots, self.markers, new_id=new_id)

    async def learn(self, fact: str = "Alice lives in Beijing") -> None:
        async with opened(self.file) as database:
            await keep(Store(database, lambda: NOW), an_item(fact))

    async def remembers(self) -> int:
        async with opened(self.file) as database:
            return sum((await Store(database, lambda: NOW).item_counts()).values())

    @property
    def snapshots(self) -> Sequence[Snapshot]:
        return listed(self.folder / "snapshots")

    async def store_id(self) -> str | None:
        async with opened(self.file) as database, database.read() as connection:
            return await meta.store_id(connection)


@pytest.fixture
def installed(tmp_path: Path) -> Installation:
    return Installation(migrated(tmp_path / "data_v4.db"), tmp_path / "plugin_data" / "ltm")


async def test_the_first_start_gives_the_store_an_id_that_stays(installed: Installation) -> None:
    await installed.start(new_id="first")
    await installed.start(new_id="second")
    assert (await installed.store_id(), installed.markers.places) == ("first", ["first", "first"])


async def test_of_two_first_starts_at_once_one_names_the_store_and_both_take_that_name(
    installed: Installation,
) -> None:
    await asyncio.gather(*(installed.start(new_id=name) for name in ("first", "second")))
    assert installed.markers.places == [await installed.store_id()] * 2


async def test_a_store_from_before_the_ids_gets_one_and_keeps_its_rows(installed: Installation) -> None:
    await installed.learn()
    await installed.start()
    assert (await installed.store_id(), await installed.remembers()) == ("id", 1)
    assert installed.markers.places == ["id", "id"]


async def test_data_deleted_through_the_host_goes_into_a_snapshot_and_the_store_starts_anew(
    installed: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    await installed.start(new_id="first")
    await installed.learn()
    installed.markers.places = [None, None]
    await installed.start(new_id="second")
    assert (await installed.remembers(), await installed.store_id()) == (0, "second")
    assert installed.markers.places == ["second", "second"]
    assert "deleted through the host" in caplog.text
    assert [one.items for one in installed.snapshots] == [1]


@pytest.mark.parametrize(
    "places",
    [[None, "first"], ["first", None], ["first", "other"], ["other", None], ["other", "other"], ["", None]],
)
async def test_a_missing_or_foreign_marker_is_written_again_and_no_row_is_touched(
    installed: Installation, places: list[str | None]
) -> None:
    await installed.start(new_id="first")
    await installed.learn()
    installed.markers.places = places
    await installed.start(new_id="second")
    assert (await installed.remembers(), await installed.store_id()) == (1, "first")
    assert installed.markers.places == ["first", "first"]
    assert not installed.snapshots


async def test_beside_a_restored_folder_tables_without_an_id_are_another_store(
    installed: Installation,
) -> None:
    installed.markers.places = ["restored", "restored"]
    await installed.start(new_id="new")
    assert (await installed.store_id(), installed.markers.places) == ("new", ["new", "new"])


async def test_empty_tables_leave_no_snapshot(installed: Installation) -> None:
    await installed.start()
    installed.markers.places = [None, None]
    await installed.start()
    assert installed.markers.places == ["id", "id"]
    assert not installed.snapshots


async def test_read_only_writes_no_marker_and_no_id(installed: Installation) -> None:
    await installed.start(read_only=True)
    assert (await installed.store_id(), installed.markers.places) == (None, [None, None])
    await installed.start()
    installed.markers.places = [None, "id"]
    await installed.start(read_only=True)
    assert installed.markers.places == [None, "id"]
    assert not installed.folder.exists()


async def test_read_only_removes_nothing_and_says_why_it_cannot_go_on(installed: Installation) -> None:
    await installed.start()
    await installed.learn()
    installed.markers.places = [None, None]
    with pytest.raises(UnusableStoreError, match=r"deleted through the host.*emergency_read_only"):
        await installed.start(read_only=True)
    assert (await installed.remembers(), installed.markers.places) == (1, [None, None])
    assert not installed.folder.exists()


async def test_markers_that_cannot_be_kept_leave_the_tables_without_an_id(installed: Installation) -> None:
    class Unwritable(FakeMarkers):
        async def write(self, store_id: str) -> None:
            raise UnavailableError(store_id)

    installed.markers = Unwritable()
    with pytest.raises(UnavailableError):
        await installed.start()
    assert await installed.store_id() is None


async def test_markers_that_cannot_be_read_delete_nothing(installed: Installation) -> None:
    class Unreadable(FakeMarkers):
        async def read(self) -> Sequence[str | None]:
            raise UnavailableError("the disk does not answer")

    await installed.start()
    await installed.learn()
    installed.markers = Unreadable()
    with pytest.raises(UnavailableError):
        await installed.start()
    assert await installed.remembers() == 1
