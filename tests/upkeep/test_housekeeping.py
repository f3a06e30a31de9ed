"""The rounds of housekeeping: soon after the start, then again and again, one step at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.upkeep.housekeeping import Housekeeping
from astrbot_plugin_ltm.long_term_memory.upkeep.scheduler import breathe

from tests.faults.loop import SteppedLoop


class Steps:
    """Steps that note when they are done, and raise what they are told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.errors: dict[str, Exception] = {}
        self.read_only = False

    def named(self, *names: str) -> dict[str, Callable[[], Awaitable[None]]]:
        return {name: self._step(name) for name in names}

    def _step(self, name: str) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            self.done.append(name)
            if name in self.errors:
                raise self.errors[name]

        return work

    def housekeeping(self, *names: str) -> Housekeeping:
        return Housekeeping(self.named(*names), read_only=lambda: self.read_only)


def test_a_round_comes_soon_after_the_start_and_then_every_hour() -> None:
    steps, loop = Steps(), SteppedLoop()

    async def some_hours() -> None:
        running = asyncio.ensure_future(steps.housekeeping("sweep").run())
        with loop.passes():
            for seconds, rounds in ((59, 0), (2, 1), (3598, 1), (2, 2), (3600, 3)):
                await asyncio.sleep(seconds)
                assert len(steps.done) == rounds
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(some_hours())


async def test_a_step_that_fails_does_not_stop_the_others() -> None:
    steps = Steps()
    steps.errors["second"] = RuntimeError("secret of a person")
    await steps.housekeeping("first", "second", "third").work()
    assert steps.done == ["first", "second", "third"]


async def test_a_failure_is_logged_once_and_so_is_the_return(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    steps = Steps()
    job = steps.housekeeping("events", "tokens")
    steps.errors = {"events": RuntimeError("secret of a person"), "tokens": UnavailableError("locked")}
    await job.work()
    await job.work()
    steps.errors = {}
    await job.work()
    await job.work()
    assert [record.getMessage() for record in caplog.records] == [
        "Housekeeping could not do events and tries again: RuntimeError",
        "Housekeeping could not do tokens and tries again: locked",
        "Housekeeping does events again.",
        "Housekeeping does tokens again.",
    ]


async def test_a_step_that_is_refused_has_neither_failed_nor_succeeded(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    steps = Steps()
    job = steps.housekeeping("events")
    for error in (RuntimeError("no"), RefusedError("emergency_read_only")):
        steps.errors = {"events": error}
        await job.work()
    assert [record.getMessage() for record in caplog.records] == [
        "Housekeeping could not do events and tries again: RuntimeError"
    ]


async def test_read_only_means_nothing_at_all_from_the_next_step_on(caplog: pytest.LogCaptureFixture) -> None:
    steps = Steps()
    steps.read_only = True
    await steps.housekeeping("first").work()
    assert steps.done == []
    steps.read_only = False
    steps.errors["second"] = RefusedError("emergency_read_only")
    await steps.housekeeping("first", "second").work()
    assert (steps.done, caplog.records) == (["first", "second"], [])


async def test_a_breath_is_as_long_as_the_host_waits_between_two_looks() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    await breathe()
    assert loop.time() - began >= 0.09
