"""What was erased leaves the file in the end, whatever comes between; an operator can see how it stands."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.upkeep.scrubbing import TRIES, Scrubbing

NO_TIME = timedelta(0)
SOON = timedelta(milliseconds=10)
PATIENCE = timedelta(seconds=30)


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


@asynccontextmanager
async def at_work(file: File, retry: timedelta = SOON) -> AsyncGenerator[Scrubbing]:
    scrubbing = Scrubbing(cast("Any", file), moment=NO_TIME, retry=retry)
    async with asyncio.TaskGroup() as tasks:
        job = tasks.create_task(scrubbing.run())
        yield scrubbing
        job.cancel()


async def test_what_was_erased_is_overwritten_once() -> None:
    file = File()
    async with at_work(file) as scrubbing:
        assert await scrubbing.settle(PATIENCE)
        file.marks.append("one")
        assert await scrubbing.settle(PATIENCE)
        assert await scrubbing.settle(PATIENCE)
    assert (file.did, file.marks) == (["rewrite", "log"], [])


async def test_nobody_waits_for_a_job_that_has_ended() -> None:
    file = File(marks=["one"], error=RefusedError("emergency_read_only"))
    async with asyncio.timeout(PATIENCE.total_seconds() / 2):
        async with at_work(file) as scrubbing:
            waiting = asyncio.ensure_future(scrubbing.settle(PATIENCE))
            await asyncio.sleep(0)
        assert not await waiting
        assert not await scrubbing.settle(PATIENCE)


async def test_what_the_last_process_left_undone_is_done_first() -> None:
    file = File(marks=["one"])
    async with at_work(file):
        async with asyncio.timeout(30):
            while file.marks:
                await asyncio.sleep(0)
    assert file.did == ["rewrite", "log"]


async def test_what_is_erased_meanwhile_is_overwritten_too() -> None:
    file = File(marks=["one"])

    async def rewrite() -> None:
        file.did.append("rewrite")
        if "two" not in file.marks:
            file.marks[:] = ["two"]

    file.rewrite = rewrite
    await Scrubbing(cast("Any", file), moment=NO_TIME).work()
    assert (file.did, file.marks) == (["rewrite", "log", "rewrite", "log"], [])


async def test_copies_go_unless_each_erasure_has_seen_to_them() -> None:
    file = File(marks=["one"])

    async def forget() -> None:
        file.did.append("forget")

    scrubbing = Scrubbing(cast("Any", file), forget=forget, moment=NO_TIME)
    for marks, forgotten in (("one", "one"), ("one two", "two"), ("one", "")):
        file.marks, file.did = [marks], []
        await scrubbing.settle(NO_TIME, forgotten=forgotten)
        await scrubbing.work()
        assert ("forget" in file.did) == (marks != forgotten)


async def test_a_log_that_is_busy_is_asked_for_again_and_nothing_is_rewritten_for_that() -> None:
    file = File(marks=["one"], busy=TRIES + 2)
    scrubbing = Scrubbing(cast("Any", file), moment=NO_TIME)
    with pytest.raises(UnavailableError, match="busy"):
        await scrubbing.work()
    await scrubbing.work()
    assert (file.did.count("rewrite"), file.did.count("log"), file.marks) == (1, TRIES + 3, [])


async def test_whoever_waits_is_told_that_it_takes_longer_and_the_job_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    file = File(marks=["one"], error=RefusedError("emergency_read_only"))
    async with at_work(file) as scrubbing:
        assert not await scrubbing.settle(SOON * 3)
        assert scrubbing.notes() == [
            "What was erased is not overwritten in the file yet: emergency_read_only"
        ]
        file.error = None
        async with asyncio.timeout(30):
            while file.marks:
                await asyncio.sleep(0)
        assert await scrubbing.settle(PATIENCE)
        assert scrubbing.notes() == []
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_whatever_breaks_the_job_goes_on() -> None:
    file = File(marks=["one"], error=ValueError("words of somebody"))
    async with at_work(file) as scrubbing:
        assert not await scrubbing.settle(SOON)
        assert scrubbing.notes() == ["What was erased is not overwritten in the file yet: ValueError"]
        file.error = None
        assert await scrubbing.settle(PATIENCE)
