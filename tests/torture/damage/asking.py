"""What health tells of a memory while its disk fails, and when the disk is well again."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import RETRY, STORE, Report, Service, State

from tests.faults.playing import SETTLED
from tests.faults.story import SETTINGS, Outside

COMES_UP = 120.0
"""Seconds of the loop's time in which whatever a disk did to a start is over."""


class Asking:
    """Asks the service of each memory that there is in one trial."""

    def __init__(self) -> None:
        self.failing: list[Report] = []
        """What it told while the disk failed."""
        self._started: list[Report] = []
        self._well: list[Report] = []
        self._service: Service | None = None

    async def ask(self) -> None:
        """While the disk fails; nothing is asked of what is not there any more, or not yet."""
        if self._service:
            self.failing.append(await self._service.health())

    async def ask_at_last(self) -> None:
        """When the disk is well, and what was left to do is done."""
        assert self._service
        self._well.append(await self._service.health())

    @asynccontextmanager
    async def of(self, memory: LTMManager) -> AsyncGenerator[None]:
        """Let this be asked about a memory that is running."""
        async with self._asked(Service(lambda _: nullcontext(memory), version="1")):
            yield

    async def a_start_and_a_stop(self, outside: Outside) -> None:
        """Start it as the host does, once, and stop it when it has come up."""
        service = Service(lambda _: outside.memory(SETTINGS), version="1")
        async with self._asked(service):
            with suppress(TimeoutError):
                async with asyncio.timeout(COMES_UP):
                    while (await service.health()).state is not State.RUNNING:
                        await asyncio.sleep(RETRY.total_seconds())
            self._started.append(await service.health())
            await asyncio.sleep(SETTLED)

    def complaints(self, names: Collection[str]) -> Sequence[str]:
        """What is wrong with what it told; one of these it has to tell while the disk fails, if any."""
        silent = [report for report in self.failing if names and not _has(report, names)]
        down = [report for report in self._started if report.state is not State.RUNNING]
        ill = [report for report in self._well if report.state is not State.RUNNING or report.problems]
        return [
            *(f"health does not name what is wrong with the disk: {_said(report)}" for report in silent),
            *(f"it has not come up by itself: {_said(report)}" for report in down),
            *(f"health does not call it well: {_said(report)}" for report in ill),
        ]

    @asynccontextmanager
    async def _asked(self, service: Service) -> AsyncGenerator[None]:
        self._service = service
        try:
            await service.start({})
            yield
        finally:
            self._service = None
            await service.stop()


def _has(report: Report, names: Collection[str]) -> bool:
    told = [problem.why for problem in report.problems if problem.key == STORE]
    return any(name in why for name in names for why in told)


def _said(report: Report) -> str:
    return f"{report.state}, {[f'{problem.key}: {problem.why}' for problem in report.problems]}"
