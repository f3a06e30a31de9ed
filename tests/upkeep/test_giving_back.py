import asyncio
import ctypes
import resource
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.upkeep import giving_back
from astrbot_plugin_ltm.long_term_memory.upkeep.giving_back import EVERY, GivingBack, trim

MEGABYTE = 2**20


class Enough(Exception):  # noqa: N818  it is none
    """Ends an endless job."""


async def test_memory_is_given_back_every_few_minutes_in_a_thread() -> None:
    pauses: list[float] = []
    done: list[str] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) > 2:
            raise Enough

    def given_back() -> None:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        done.append("given back")

    with pytest.raises(Enough):
        await GivingBack(given_back, pause=pause).run()
    assert pauses == [EVERY.total_seconds()] * 3
    assert done == ["given back"] * 2


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc keeps it, and has the call"
)
def test_what_the_c_library_keeps_goes_back_to_the_system() -> None:
    pieces = [bytearray(b"x" * 100_000) for _ in range(1_000)]
    full = resident()
    pieces = pieces[::100]  # what is free between those that are left is not given back by itself
    kept = resident()
    trim()
    assert len(pieces) == 10
    assert kept > full - 50 * MEGABYTE
    assert resident() < kept - 50 * MEGABYTE


@pytest.mark.parametrize("found", [object(), OSError("no such library"), TypeError("not on Windows")])
def test_where_there_is_no_such_call_nothing_happens(monkeypatch: pytest.MonkeyPatch, found: object) -> None:
    def load(_: None) -> object:
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(giving_back.ctypes, "CDLL", load)
    trim()


def resident() -> int:
    """Bytes of memory of this process."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize()
