"""What was erased leaves the file in the end, whatever comes between."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.storage import scrub as module
from astrbot_plugin_ltm.long_term_memory.storage.scrub import TRIES, Scrubbing


@pytest.fixture(autouse=True)
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOMENT", timedelta(0))


@dataclass
class File:
    """A file with marks; its log is busy so many times."""

    marks: list[str] = field(default_factory=list[str])
    busy: int = 0
    error: Exception | None = None
    did: list[str] = field(default_factory=list[str])

    async def mark(self) -> str | None:
        if self.error:
            raise self.error
        return self.marks[-1] if self.marks else None

    async def rewrite(self) -> None:
        self.did.append("rewrite")

    async def empty_the_log(self) -> bool:
        self.busy -= 1
        self.did.append("log")
        return self.busy < 0

    async def done(self, mark: str) -> None:
        if self.marks == [mark]:
            self.marks.clear()

    async def forget(self) -> None:
        self.did.append("forget")


def scrubbing_of(file: File) -> Scrubbing:
    return Scrubbing(cast("Any", file), file.forget)


async def test_what_was_erased_is_overwritten_once_whoever_asks_for_it() -> None:
    file = File()
    scrubbing = scrubbing_of(file)
    await scrubbing.work(forgotten="one")
    file.marks.append("one")
    await asyncio.gather(scrubbing.work(forgotten="one"), scrubbing.work())
    assert (file.did, file.marks) == (["rewrite", "log"], [])


async def test_what_the_last_process_left_undone_is_done_with_all_copies() -> None:
    file = File(marks=["one"])
    await scrubbing_of(file).work()
    assert (file.did, file.marks) == (["forget", "rewrite", "log"], [])


async def test_what_is_erased_meanwhile_is_overwritten_too() -> None:
    file = File(marks=["one"])

    async def rewrite() -> None:
        file.did.append("rewrite")
        if "two" not in file.marks:
            file.marks[:] = ["two"]

    file.rewrite = rewrite
    await scrubbing_of(file).work()
    assert (file.did, file.marks) == (["forget", "rewrite", "log"] * 2, [])


@pytest.mark.parametrize(
    ("marks", "forgotten", "copies_go"), [("one", "one", False), ("one two", "two", True), ("one", "", True)]
)
async def test_copies_go_unless_each_erasure_has_seen_to_them(
    marks: str, forgotten: str, *, copies_go: bool
) -> None:
    file = File(marks=[marks])
    await scrubbing_of(file).work(forgotten=forgotten)
    assert ("forget" in file.did) == copies_go


async def test_while_the_log_stays_busy_copies_and_tables_are_left_alone() -> None:
    file = File(marks=["one"], busy=2 * TRIES)
    scrubbing = scrubbing_of(file)
    for _ in range(2):
        with pytest.raises(UnavailableError, match="busy"):
            await scrubbing.work()
    assert (file.did.count("forget"), file.did.count("rewrite")) == (1, 1)
    file.marks[:] = ["one two"]
    await scrubbing.work(forgotten="two")
    assert (file.did.count("forget"), file.did[-2:], file.marks) == (1, ["rewrite", "log"], [])


async def test_what_fails_is_left_to_the_next_time_that_somebody_asks() -> None:
    file = File(marks=["one"], busy=TRIES + 2)
    scrubbing = scrubbing_of(file)
    with pytest.raises(UnavailableError, match="busy"):
        await scrubbing.work(forgotten="one")
    assert file.marks == ["one"]
    file.error = RefusedError("emergency_read_only")
    with pytest.raises(RefusedError):
        await scrubbing.work()
    file.error = None
    await scrubbing.work()
    assert (file.did.count("log"), file.did.count("forget"), file.marks) == (TRIES + 3, 0, [])
