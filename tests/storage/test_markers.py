"""Where the id of the store is kept so that it goes when the host deletes the plugin's data."""

from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.storage.uninstall import StoreMarkers


class KeyValues:
    """The host's, in memory; `broken` makes every call fail."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.broken = False

    async def get_kv_data(self, key: str, default: None) -> object:
        self._check()
        return self.values.get(key, default)

    async def put_kv_data(self, key: str, value: str) -> None:
        self._check()
        self.values[key] = value

    def _check(self) -> None:
        if self.broken:
            raise RuntimeError("the host's database is locked")


async def test_the_id_is_kept_in_the_folder_and_among_the_key_values(tmp_path: Path) -> None:
    key_values = KeyValues()
    markers = StoreMarkers(tmp_path / "folder", key_values)
    assert await markers.read() == (None, None)
    assert not (tmp_path / "folder").exists()
    await markers.write("first")
    await markers.write("second")
    assert await StoreMarkers(tmp_path / "folder", key_values).read() == ("second", "second")
    assert [file.name for file in (tmp_path / "folder").iterdir()] == ["store_id"]


async def test_what_is_gone_from_one_place_is_still_in_the_other(tmp_path: Path) -> None:
    key_values = KeyValues()
    markers = StoreMarkers(tmp_path, key_values)
    await markers.write("id")
    (tmp_path / "store_id").unlink()
    assert await markers.read() == (None, "id")
    await markers.write("id")
    key_values.values.clear()
    assert await markers.read() == ("id", None)


async def test_a_damaged_file_is_not_a_missing_one(tmp_path: Path) -> None:
    for damaged in (b"", b"\xff\xfe\x00"):
        (tmp_path / "store_id").write_bytes(damaged)
        kept, _ = await StoreMarkers(tmp_path, KeyValues()).read()
        assert kept is not None


async def test_a_place_that_cannot_be_read_is_not_a_missing_one(tmp_path: Path) -> None:
    key_values = KeyValues()
    key_values.broken = True
    with pytest.raises(UnavailableError, match="cannot be read"):
        await StoreMarkers(tmp_path, key_values).read()
    (tmp_path / "store_id").mkdir()
    with pytest.raises(UnavailableError, match="cannot be read"):
        await StoreMarkers(tmp_path, KeyValues()).read()


@pytest.mark.parametrize(("folder", "broken"), [("folder", True), ("file", False)])
async def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, folder: str, *, broken: bool) -> None:
    key_values = KeyValues()
    key_values.broken = broken
    (tmp_path / "file").touch()
    with pytest.raises(UnavailableError, match="cannot be written"):
        await StoreMarkers(tmp_path / folder, key_values).write("id")
