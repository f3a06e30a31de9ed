"""What the one owner of background tasks promises."""

import asyncio
import logging
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.upkeep.scheduler import MAX_LATE, Scheduler

SOON = timedelta(milliseconds=20)
LONG = timedelta(seconds=10)


async def test_a_job_runs_until_it_is_stopped() -> None:
    scheduler, ended = Scheduler(), asyncio.Event()

    async def job() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    scheduler.start("job", job())
    await asyncio.sleep(0)
    assert scheduler.running == 1
    await scheduler.stop()
    assert ended.is_set()
    assert scheduler.running == 0


async def test_a_job_that_breaks_is_logged_and_leaves_the_others_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scheduler, other = Scheduler(), asyncio.Event()

    async def breaks() -> None:
        raise ValueError("broken")

    async def goes_on() -> None:
        other.set()
        await asyncio.Event().wait()

    scheduler.start("breaks", breaks())
    scheduler.start("goes_on", goes_on())
    await other.wait()
    await asyncio.sleep(0)
    assert scheduler.running == 1
    assert "The background job breaks ended." in caplog.text
    await scheduler.stop()


async def test_work_in_time_is_done_when_the_caller_goes_on() -> None:
    scheduler, done = Scheduler(), asyncio.Event()

    async def work() -> None:
        done.set()

    await scheduler.within(LONG, work())
    assert done.is_set()


async def test_work_that_fails_in_time_tells_the_caller() -> None:
    async def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await Scheduler().within(LONG, work())


async def test_late_work_keeps_nobody_waiting_and_is_still_done_before_the_stop() -> None:
    scheduler, release, done = Scheduler(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        done.set()

    await scheduler.within(SOON, work())
    assert not done.is_set()
    asyncio.get_running_loop().call_later(0.01, release.set)
    await scheduler.stop()
    assert done.is_set()


async def test_late_work_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    scheduler, release = Scheduler(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        raise ValueError("secret words")

    with caplog.at_level(logging.ERROR):
        await scheduler.within(SOON, work())
        release.set()
        await scheduler.stop()
    assert "Late work failed: ValueError" in caplog.text
    assert "secret words" not in caplog.text


async def test_a_cancelled_caller_leaves_the_work_to_end_by_itself() -> None:
    scheduler, release, done = Scheduler(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        done.set()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await scheduler.within(LONG, work())
    release.set()
    await scheduler.stop()
    assert done.is_set()


async def test_too_much_late_work_is_refused_instead_of_piling_up() -> None:
    scheduler, release, started = Scheduler(), asyncio.Event(), 0

    async def work() -> None:
        nonlocal started
        started += 1
        await release.wait()

    for _ in range(MAX_LATE):
        await scheduler.within(timedelta(0), work())
    with pytest.raises(TimeoutError, match="too much work is late"):
        await scheduler.within(timedelta(0), work())
    assert started == MAX_LATE
    release.set()
    await scheduler.stop()
