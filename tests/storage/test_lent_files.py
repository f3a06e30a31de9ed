import asyncio
import hashlib
import os
from io import FileIO
from itertools import count
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.storage.files import Transit


@pytest.fixture
def lending(tmp_path: Path) -> Transit:
    numbers = count()
    return Transit(tmp_path / "plugin" / "to_send", lambda: f"id {next(numbers)}")


async def test_a_file_lies_there_as_long_as_it_is_lent(lending: Transit, tmp_path: Path) -> None:
    async with lending.lent(b"what I know") as path:
        assert path.is_relative_to(tmp_path / "plugin")
        assert path.read_bytes() == b"what I know"
    assert not path.exists()


async def test_its_name_tells_nothing_and_is_another_each_time(lending: Transit) -> None:
    async with lending.lent(b"one") as first, lending.lent(b"two") as second:
        assert first != second
        assert [len(path.stem) for path in (first, second)] == [64, 64]
        assert (first.read_bytes(), second.read_bytes()) == (b"one", b"two")


async def test_it_goes_also_when_the_sending_fails(lending: Transit) -> None:
    lay: list[Path] = []

    async def sending() -> None:
        async with lending.lent(b"what I know") as path:
            lay.append(path)
            raise OSError("no network")

    with pytest.raises(OSError, match="no network"):
        await sending()
    assert [path.exists() for path in lay] == [False]


async def test_what_a_killed_process_left_is_removed_at_the_start(lending: Transit, tmp_path: Path) -> None:
    lending.clear()
    left = tmp_path / "plugin" / "to_send" / "left.json"
    left.parent.mkdir(parents=True)
    left.write_text("what I know")
    other = tmp_path / "plugin" / "other"
    other.touch()
    lending.clear()
    assert (left.exists(), other.exists()) == (False, True)
    async with lending.lent(b"and so on") as path:
        assert path.exists()


async def test_a_file_that_is_gone_already_is_no_failure(lending: Transit) -> None:
    async with lending.lent(b"what I know") as path:
        path.unlink()


async def test_who_is_called_off_while_it_is_written_goes_when_that_is_over(
    lending: Transit, tmp_path: Path
) -> None:
    slow = tmp_path / "plugin" / "to_send" / f"{hashlib.sha256(b'id 0').hexdigest()}.json"
    slow.parent.mkdir(parents=True)
    os.mkfifo(slow)
    content = b"what I know" * 100_000  # more than a pipe takes while nobody reads

    async def sending() -> None:
        async with lending.lent(content):
            raise AssertionError("it is called off before")

    # Open for both: a pipe that nobody has opened to write into would be at its end at once.
    with FileIO(os.open(slow, os.O_RDWR)) as pipe:
        task = asyncio.ensure_future(sending())
        begun = await asyncio.to_thread(read, pipe, 1)
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        assert begun + await asyncio.to_thread(read, pipe, len(content) - 1) == content
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not slow.exists()


def read(pipe: FileIO, size: int) -> bytes:
    """So many bytes, however slowly they come."""
    found = bytearray()
    while len(found) < size:
        found += pipe.read(size - len(found)) or b""
    return bytes(found)
