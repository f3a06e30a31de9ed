"""One trial: an act with a fault at one of its awaits, a restart if that is due, and what is left to do."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import override

from tests.faults.faults import Fault, Points
from tests.faults.loop import this_loop
from tests.faults.playing import SETTLED, Outcome, Trial, acknowledges, nothing_left, unsound
from tests.faults.stores import NAME, copy_files
from tests.faults.story import Call, Outside

AFTERMATH = 2.0
"""Seconds after an acknowledgement in which something may still go wrong."""


type Around = Callable[[Outside], AbstractAsyncContextManager[None]]
"""What goes on around a memory while an act is played."""


def nothing_around(outside: Outside) -> AbstractAsyncContextManager[None]:  # noqa: ARG001  same shape for all
    """Nothing does."""
    return nullcontext()


@dataclass(frozen=True, kw_only=True)
class FaultTrial(Trial):
    """With a fault, or with something around it."""

    fault: Fault | None = None
    around: Around = nothing_around

    @override
    async def _play(self) -> Outcome:
        outside = self._laid(Outside(self.folder / "first" / NAME))
        left_over: list[str | None] = []

        def crash() -> None:
            copy_files(outside.file, self.folder / "crashed")
            left_over.extend(outside.markers.places)

        points = Points(self.fault, crash)
        points.watch(this_loop())
        async with AsyncExitStack() as life:
            if not self.act.asleep:
                await life.enter_async_context(self._awake(outside))
            acknowledged = await self._do(points, outside)
            if points.crashed.done() or self._ends_the_run or self.act.asleep:
                await life.aclose()
                if points.crashed.done():
                    outside.file = self.folder / "crashed" / NAME
                    outside.markers.places = left_over
                await life.enter_async_context(self._awake(outside))
            wrong = unsound(outside.file)
            await self._finished(outside, acknowledged)
        return self._outcome(outside, points, acknowledged, wrong)

    @property
    def _ends_the_run(self) -> bool:
        return self.fault is not None and self.fault.kind.ends_the_run

    @asynccontextmanager
    async def _awake(self, outside: Outside) -> AsyncGenerator[None]:
        async with outside.run(self.front):
            with this_loop().passes():
                await asyncio.sleep(SETTLED)
            yield

    async def _do(self, points: Points, outside: Outside) -> Collection[Call]:
        """Play the act until it is over or the process is; returns the calls that were acknowledged."""
        acknowledged: Collection[Call] = ()
        with points.counted(), this_loop().passes():
            async with self.around(outside):
                if self.act.calls:
                    acknowledged = await _called(points, outside, self.act.calls)
                    await asyncio.wait({points.crashed}, timeout=AFTERMATH)
                else:
                    await nothing_left(outside.file, lambda: points.struck and self._ends_the_run)
        return acknowledged


async def _called(points: Points, outside: Outside, calls: Sequence[Call]) -> Collection[Call]:
    hooks = {asyncio.ensure_future(acknowledges(call, outside)): call for call in calls}
    while left := [hook for hook in hooks if not hook.done()]:
        await asyncio.wait({*left, points.crashed}, return_when=asyncio.FIRST_COMPLETED)
        if points.crashed.done():
            break
    acknowledged = [
        call for hook, call in hooks.items() if hook.done() and not hook.cancelled() and hook.result()
    ]
    for hook in hooks:
        hook.cancel()
    await asyncio.wait(hooks)
    return acknowledged
