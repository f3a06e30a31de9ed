"""Playing an act on a copy of a store: its calls as the host makes them, and what is left to do after it."""

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError

from tests.faults.faults import Points
from tests.faults.loop import SteppedLoop, this_loop
from tests.faults.stores import Says, Snapshot, copy_files, faults, says, unfinished
from tests.faults.story import CAROL, Act, Call, Front, Outside, as_it_is, saying

MINUTE = 60.0
SHORTEST = 1
"""Minutes after a start when the housekeeping has had its turn."""
LONGEST = 300
"""Minutes after which what is unfinished stays so."""
SETTLED = 1.5
"""Seconds after a start when it has done what it does at once."""

PROOF_OF_LIFE = saying(CAROL, "My name is Carol")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a trial led to."""

    steps: Sequence[bool]
    """Of each await of the act, whether it waits for a thread."""
    struck: bool
    """Whether what was to disturb the act came to pass."""
    acknowledged: bool
    """Whether each call of the act was answered without an error."""
    wrong: Sequence[str]
    """What was wrong with the files, and whatever else there is to complain of."""
    end: Snapshot
    """The store at the end."""

    @property
    def says(self) -> Says:
        """What the store says at the end."""
        return says(self.end.file)


@dataclass(frozen=True, kw_only=True)
class Trial(ABC):
    """An act on a copy of a store; `folder` must not exist yet."""

    before: Snapshot
    act: Act
    folder: Path
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

    @abstractmethod
    async def _play(self) -> Outcome: ...

    def _laid[O: Outside](self, outside: O) -> O:
        """An outside that finds the store as it was before the act."""
        copy_files(self.before.file, outside.file.parent)
        outside.begin(first_id=int(this_loop().time()) * 1_000)
        outside.markers.places = list(self.before.places)
        return outside

    async def _finished(self, outside: Outside, acknowledged: Collection[Call]) -> None:
        """Do what is left, if that is wanted; what happens asleep is over with the next start."""
        if not self.finish:
            return
        again = self.again and not self.act.asleep
        with this_loop().passes():
            await asyncio.sleep(self.act.rest.total_seconds())
            for call in self.act.calls if again else ():
                if call not in acknowledged:
                    with suppress(NotFoundError):  # what was done unacknowledged cannot be done again
                        await call(outside)
            await PROOF_OF_LIFE(outside)
            await nothing_left(outside.file)

    def _outcome(
        self, outside: Outside, points: Points, acknowledged: Collection[Call], wrong: Sequence[str]
    ) -> Outcome:
        """What it led to, once no memory is running."""
        end = Snapshot(folder=outside.file.parent, at=this_loop().time() + 1, places=outside.markers.places)
        return Outcome(
            steps=points.steps,
            struck=points.struck,
            acknowledged=len(acknowledged) == len(self.act.calls),
            wrong=[*wrong, *unsound(end.file)],
            end=end,
        )


async def acknowledges(call: Call, outside: Outside) -> bool:
    """Whether the call is acknowledged: an error is an answer too, but nobody relies on what came of it."""
    try:
        await call(outside)
    except Exception:  # noqa: BLE001  as the host's own hooks do
        return False
    return True


async def nothing_left(file: Path, over: Callable[[], bool] = lambda: False) -> None:
    """Let time pass until nothing is left to do, or it is over anyway."""
    for minute in range(LONGEST):
        await asyncio.sleep(MINUTE)
        with suppress(sqlite3.Error):  # it may be the disk that goes wrong
            if over() or (minute >= SHORTEST and not unfinished(file)):
                break


def unsound(file: Path) -> Sequence[str]:
    """What is wrong with a store as it lies there."""
    return [f"unsound: {row}" for row in faults(file)]
