"""What the one owner of background tasks promises."""

import asyncio
import gc
import logging
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import ClosedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.upkeep.scheduler import MAX_LATE, MAX_OPTIONAL, Scheduler

from tests.running import PATIENCE


class BusyStore:
    """Refuses to write while it is busy."""

    def __init__(self) -> None:
        self.busy = True
        self.tried = 0
        self.seen: set[int] = set()
        self.again: set[int] = set()
        """What was tried more than once."""
        self.written: list[int] = []

    async def write(self, number: int) -> None:
        self.tried += 1
        await asyncio.sleep(0)
        if self.busy:
            if number in self.seen:
                self.again.add(number)
            self.seen.add(number)
            raise UnavailableError("the database is locked")
        self.written.append(number)


SOON = timedelta(milliseconds=20)
LONG = timedelta(seconds=10)


async def test_a_job_runs_until_it_is_stopped() -> None:
    scheduler, ended = Scheduler(), asyncio.Event()

    async def job() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    scheduler.start("job", job)
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

    scheduler.start("breaks", breaks)
    scheduler.start("goes_on", goes_on)
    await other.wait()
    await asyncio.sleep(0)
    assert scheduler.running == 1
    assert "The background job breaks ended." in caplog.text
    await scheduler.stop()


async def test_work_in_time_is_done_when_the_caller_goes_on() -> None:
    scheduler, done = Scheduler(), asyncio.Event()

    async def work() -> None:
        done.set()

    await scheduler.run_with_deadline("work", LONG, work)
    assert done.is_set()


async def test_work_that_fails_in_time_tells_the_caller() -> None:
    async def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await Scheduler().run_with_deadline("work", LONG, work)


async def test_late_work_keeps_nobody_waiting_and_is_still_done_before_the_stop() -> None:
    scheduler, release, done = Scheduler(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        done.set()

    await scheduler.run_with_deadline("work", SOON, work)
    assert not done.is_set()
    asyncio.get_running_loop().call_later(0.01, release.set)
    await scheduler.stop()
    assert done.is_set()


async def test_late_work_that_fails_is_counted_and_logged_once_for_each_kind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scheduler, release = Scheduler(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        raise ValueError("secret words")

    with caplog.at_level(logging.ERROR):
        await scheduler.run_with_deadline("work", SOON, work)
        await scheduler.run_with_deadline("work", SOON, work)
        assert (scheduler.late, scheduler.failures) == (2, {})
        release.set()
        await scheduler.stop()
    assert (scheduler.late, scheduler.failures) == (0, {"work": 2})
    assert caplog.text.count("Work in the background failed: work: ValueError") == 1
    assert "secret words" not in caplog.text


async def test_work_is_tried_again_until_the_store_answers(caplog: pytest.LogCaptureFixture) -> None:
    scheduler, store = Scheduler(retry=SOON), BusyStore()
    with caplog.at_level(logging.INFO):
        for number in range(3):
            await scheduler.run_with_deadline("work", timedelta(0), lambda number=number: store.write(number))
        while store.tried < 6:
            await asyncio.sleep(0)
        assert (scheduler.late, store.written) == (3, [])
        store.busy = False
        await scheduler.stop()
    assert sorted(store.written) == [0, 1, 2]
    assert scheduler.failures == {}
    assert caplog.text.count("The store does not answer") == 1
    assert caplog.text.count("The store answers again") == 1


async def test_while_the_store_is_busy_late_work_is_tried_one_at_a_time() -> None:
    scheduler, store = Scheduler(retry=timedelta(milliseconds=1)), BusyStore()
    for number in range(5):
        await scheduler.run_with_deadline("work", timedelta(0), lambda number=number: store.write(number))
    while store.tried < 20:
        await asyncio.sleep(0)
    assert store.again == {0}
    store.busy = False
    await scheduler.stop()
    assert sorted(store.written) == [0, 1, 2, 3, 4]


async def test_work_that_the_store_takes_in_time_is_done_when_the_caller_goes_on() -> None:
    scheduler, store = Scheduler(retry=SOON), BusyStore()
    asyncio.get_running_loop().call_later(0.01, lambda: setattr(store, "busy", False))
    await scheduler.run_with_deadline("work", LONG, lambda: store.write(1))
    assert store.written == [1]
    await scheduler.stop()


async def test_a_stop_waits_for_all_late_work_no_longer_than_one_deadline_and_tells_what_is_lost(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scheduler, store = Scheduler(retry=SOON, stop_deadline=timedelta(milliseconds=100)), BusyStore()
    for number in range(20):
        await scheduler.run_with_deadline(
            "record_turn", timedelta(0), lambda number=number: store.write(number)
        )
    await scheduler.run_with_deadline("record_tool_result", timedelta(0), lambda: store.write(99))
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(PATIENCE):
        await scheduler.stop()
    assert 0.1 <= loop.time() - began < 1.9  # one for each piece would be two seconds
    assert "lost for good: 1 record_tool_result, 20 record_turn" in caplog.text
    assert scheduler.failures == {"record_turn": 20, "record_tool_result": 1}
    assert scheduler.late == 0
    tried, store.busy = store.tried, False
    await asyncio.sleep(0.05)
    assert (store.tried, store.written) == (tried, [])


async def test_work_that_begins_during_a_stop_is_done_before_the_end_of_it() -> None:
    scheduler, first, second, done = Scheduler(), asyncio.Event(), asyncio.Event(), list[str]()

    async def work(name: str, may_end: asyncio.Event) -> None:
        await may_end.wait()
        done.append(name)

    await scheduler.run_with_deadline("work", timedelta(0), lambda: work("first", first))
    stopping = asyncio.ensure_future(scheduler.stop())
    await asyncio.sleep(0)
    calling = asyncio.ensure_future(scheduler.run_with_deadline("work", LONG, lambda: work("second", second)))
    asyncio.get_running_loop().call_later(0.01, second.set)
    first.set()
    await calling
    await stopping
    assert (done, scheduler.late, scheduler.failures) == (["first", "second"], 0, {})


async def test_a_caller_whose_work_a_stop_gives_up_is_told_that_the_plugin_is_closed() -> None:
    scheduler, store = Scheduler(retry=SOON, stop_deadline=timedelta(milliseconds=50)), BusyStore()
    calling = asyncio.ensure_future(scheduler.run_with_deadline("work", LONG, lambda: store.write(1)))
    await asyncio.sleep(0)
    await scheduler.stop()
    with pytest.raises(ClosedError):
        await calling
    assert scheduler.failures == {"work": 1}


async def test_after_a_stop_no_work_begins() -> None:
    scheduler, store = Scheduler(), BusyStore()
    await scheduler.stop()
    with pytest.raises(ClosedError):
        await scheduler.run_with_deadline("work", LONG, lambda: store.write(1))
    assert (store.tried, scheduler.late) == (0, 0)


async def test_a_job_that_is_stopped_before_its_first_step_is_never_begun() -> None:
    scheduler, begun = Scheduler(), False

    async def job() -> None:
        nonlocal begun
        begun = True

    scheduler.start("job", job)
    await scheduler.stop()
    assert not begun
    gc.collect()  # a coroutine nobody awaited would warn here, and a warning is an error


async def test_work_that_fails_after_its_caller_was_cancelled_is_counted() -> None:
    scheduler, release = Scheduler(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        raise ValueError("no")

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await scheduler.run_with_deadline("work", LONG, work)
    release.set()
    await scheduler.stop()
    assert scheduler.failures == {"work": 1}


async def test_work_that_fails_in_the_step_that_cancels_its_caller_is_counted_and_not_quoted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scheduler, release = Scheduler(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        raise ValueError("secret of a person")

    caller = asyncio.ensure_future(scheduler.run_with_deadline("work", LONG, work))
    await asyncio.sleep(0.01)
    release.set()
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await asyncio.sleep(0)
    gc.collect()
    assert scheduler.failures == {"work": 1}
    assert "secret" not in caplog.text


async def test_a_cancelled_caller_leaves_the_work_to_end_by_itself() -> None:
    scheduler, release, done = Scheduler(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await release.wait()
        done.set()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await scheduler.run_with_deadline("work", LONG, work)
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
        await scheduler.run_with_deadline("work", timedelta(0), work)
    with pytest.raises(TimeoutError, match="too much work is late"):
        await scheduler.run_with_deadline("work", timedelta(0), work)
    assert started == MAX_LATE
    release.set()
    await scheduler.stop()


async def test_spare_work_is_broken_off_by_a_stop_and_not_begun_after_it() -> None:
    scheduler, began, ended = Scheduler(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    assert scheduler.begin_optional("work", work)
    await began.wait()
    await scheduler.stop()
    assert ended.is_set()
    assert scheduler.failures == {}
    assert not scheduler.begin_optional("work", work)


async def test_only_so_much_spare_work_is_under_way_at_once() -> None:
    scheduler, release = Scheduler(), asyncio.Event()

    async def work() -> None:
        await release.wait()

    assert all(scheduler.begin_optional("work", work) for _ in range(MAX_OPTIONAL))
    assert not scheduler.begin_optional("work", work)
    release.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert scheduler.begin_optional("work", work)
    await scheduler.stop()


async def test_spare_work_that_fails_is_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    scheduler = Scheduler()

    async def work() -> None:
        raise ValueError("secret words")

    assert scheduler.begin_optional("prepare", work)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert scheduler.failures == {"prepare": 1}
    assert "secret words" not in caplog.text
    assert "prepare: ValueError" in caplog.text
