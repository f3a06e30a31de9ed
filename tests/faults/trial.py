"""One trial: an act with a fault at one of its awaits, a restart if that is due, and what is left to do."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError

from tests.faults.faults import Fault, Points
from tests.faults.loop import SteppedLoop
from tests.faults.stores import NAME, Says, Snapshot, copy_files, faults, says, unfinished
from tests.faults.story import CAROL, Act, Call, Front, Outside, as_it_is, saying
from tests.host.harness.tables import Row

MINUTE = 60.0
SHORTEST = 1
"""Minutes after a start when the housekeeping has had its turn."""
LONGEST = 300
"""Minutes after which what is unfinished stays so."""
SETTLED = 1.5
"""Seconds after a start when it has done what it does at once."""

PROOF_OF_LIFE = saying(CAROL, "My name is Carol")

AFTERMATH = 2.0
"""Seconds after an acknowledgement in which something may still go wrong."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a trial led to."""

    steps: Sequence[bool]
    """Of each await of the act, whether it waits for a thread."""
    struck: bool
    """Whether the fault came to pass."""
    acknowledged: bool
    """Whether each call of the act was answered before the process ended."""
    wrong: Sequence[Row]
    """What was wrong with the files after the fault and at the end."""
    end: Snapshot
    """The store at the end."""

    @property
    def says(self) -> Says:
        """What the store says at the end."""
        return says(self.end.file)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """An act on a copy of a store; `folder` must not exist yet."""

    before: Snapshot
    act: Act
    folder: Path
    fault: Fault | None = None
    finish: bool = True
    """Whether all that is left to do is done, and somebody proves that the memory is alive."""
    again: bool = True
    """Whether the host calls again what was not acknowledged."""
    front: Front = as_it_is

    def run(self) -> Outcome:
        """Play it, in no time."""
        began = self.before.at + self.act.later.total_seconds()
        with asyncio.Runner(loop_factory=partial(SteppedLoop, began)) as runner:
            return runner.run(self._play())

    async def _play(self) -> Outcome:
        copy_files(self.before.file, self.folder / "first")
        outside = Outside(self.folder / "first" / NAME)
        outside.begin(first_id=int(_loop().time()) * 1_000)
        outside.markers.places = list(self.before.places)
        left_over: list[str | None] = []

        def crash() -> None:
            copy_files(outside.file, self.folder / "crashed")
            left_over.extend(outside.markers.places)

        points = Points(self.fault, crash)
        points.watch(_loop())
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
            wrong = faults(outside.file)
            if self.finish:
                left = [call for call in self.act.calls if call not in acknowledged] if self.again else []
                with _loop().passes():
                    await asyncio.sleep(self.act.rest.total_seconds())
                    await _go_on(outside, left)
        end = Snapshot(folder=outside.file.parent, at=_loop().time() + 1, places=outside.markers.places)
        return Outcome(
            steps=points.steps,
            struck=points.struck,
            acknowledged=len(acknowledged) == len(self.act.calls),
            wrong=[*wrong, *faults(end.file)],
            end=end,
        )

    @property
    def _ends_the_run(self) -> bool:
        return self.fault is not None and self.fault.kind.ends_the_run

    @asynccontextmanager
    async def _awake(self, outside: Outside) -> AsyncGenerator[None]:
        async with outside.run(self.front):
            with _loop().passes():
                await asyncio.sleep(SETTLED)
            yield

    async def _do(self, points: Points, outside: Outside) -> Collection[Call]:
        """Play the act until it is over or the process is; returns the calls that were acknowledged."""
        acknowledged: Collection[Call] = ()
        with points.counted(), _loop().passes():
            if self.act.calls:
                acknowledged = await _called(points, outside, self.act.calls)
                await asyncio.wait({points.crashed}, timeout=AFTERMATH)
            else:
                await _finished(outside.file, lambda: points.struck and self._ends_the_run)
        return acknowledged


def _loop() -> SteppedLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SteppedLoop)
    return loop


async def _called(points: Points, outside: Outside, calls: Sequence[Call]) -> Collection[Call]:
    hooks = {asyncio.ensure_future(_call(call, outside)): call for call in calls}
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


async def _call(call: Call, outside: Outside) -> bool:
    """Whether the call was acknowledged: an error is an answer too, but nobody relies on what came of it."""
    try:
        await call(outside)
    except Exception:  # noqa: BLE001  as the host's own hooks do
        return False
    return True


async def _go_on(outside: Outside, calls: Sequence[Call]) -> None:
    for call in calls:
        with suppress(NotFoundError):  # what was done without an acknowledgement cannot be done again
            await call(outside)
    await PROOF_OF_LIFE(outside)
    await _finished(outside.file)


async def _finished(file: Path, over: Callable[[], bool] = lambda: False) -> None:
    """Let time pass until nothing is left to do, or it is over anyway."""
    for minute in range(LONGEST):
        await asyncio.sleep(MINUTE)
        if over() or (minute >= SHORTEST and not unfinished(file)):
            break
