"""A file that comes with a request is whole or not there; one that goes with an answer does not stay.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them on their own.
"""

from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from astrbot.api.web import PluginUploadFile
from astrbot_plugin_ltm.long_term_memory.domain.errors import TooLargeError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.host.web import PassingFile, save
from starlette.datastructures import UploadFile
from starlette.types import Message


async def kept(to: Path, max_bytes: int) -> bytes:
    await save("file", PluginUploadFile(UploadFile(BytesIO(b"words"))), to, max_bytes)
    return to.read_bytes()  # noqa: ASYNC240 - a few bytes


async def test_a_file_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    assert await kept(tmp_path / "a", 5) == b"words"
    with pytest.raises(TooLargeError, match="file: must have at most 4 bytes"):
        await kept(tmp_path / "b", 4)
    assert [one.name for one in tmp_path.iterdir()] == ["a"]  # noqa: ASYNC240 - a small folder


async def test_a_disk_that_does_not_take_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="cannot be kept"):
        await kept(tmp_path / "nowhere" / "a", 5)


@pytest.mark.parametrize("hangs_up", [True, False])
async def test_a_file_goes_whether_or_not_it_could_be_sent(tmp_path: Path, *, hangs_up: bool) -> None:
    file, got = tmp_path / "export.json", BytesIO()
    file.write_bytes(b"words")

    async def send(message: Message) -> None:
        if hangs_up:
            raise BrokenPipeError
        got.write(message.get("body", b""))

    async def receive() -> Message:
        raise AssertionError("nothing is asked")

    response = PassingFile(file, filename="export.json")
    with suppress(BrokenPipeError):
        await response(
            {"type": "http", "method": "GET", "headers": [], "asgi": {"spec_version": "2.4"}}, receive, send
        )
    assert got.getvalue() == (b"" if hangs_up else b"words")
    assert not file.exists()
