"""The one job that tidies the store, soon after the start and then every hour, and its small steps."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta

from ..domain.errors import RefusedError
from ..domain.time import Clock
from ..storage.snapshots import Snapshots
from .scheduler import FailureLog

SETTLE = timedelta(minutes=1)
"""How long after the start the first round begins: the host is busy until then."""
EVERY = timedelta(hours=1)

BREATH = timedelta(milliseconds=100)
"""Between two transactions others may write; the host looks as often whether the file is free."""
A_DAY = timedelta(days=1)

type Breathe = Callable[[], Awaitable[None]]
type Step = Callable[[], Awaitable[None]]
"""One bounded piece of work in short transactions; doing it again at once changes nothing."""
type Pause = Callable[[float], Awaitable[None]]


async def breathe() -> None:
    """The real `Breathe`."""
    await asyncio.sleep(BREATH.total_seconds())


class Housekeeping:
    """Runs its steps one after the other; one that fails is tried again in the next round."""

    def __init__(
        self,
        steps: Mapping[str, Step],
        *,
        read_only: Callable[[], bool],
        settle: timedelta = SETTLE,
        every: timedelta = EVERY,
        pause: Pause = asyncio.sleep,
    ) -> None:
        """`steps` have names for the log; nothing at all is done while `read_only` says so."""
        self._steps = dict(steps)
        self._read_only = read_only
        self._settle = settle.total_seconds()
        self._every = every.total_seconds()
        self._pause = pause
        self._logs = {
            name: FailureLog(
                f"Housekeeping could not do {name} and tries again: %s", f"Housekeeping does {name} again."
            )
            for name in steps
        }

    async def run(self) -> None:
        """Work until cancelled; a transaction under way then happens wholly or not at all."""
        await self._pause(self._settle)
        while True:
            await self.work()
            await self._pause(self._every)

    async def work(self) -> None:
        """One round."""
        for name, step in self._steps.items():
            if not self._read_only():
                await self._try(name, step)

    async def _try(self, name: str, step: Step) -> None:
        try:
            await step()
        except RefusedError:
            return  # it turned read-only meanwhile
        except Exception as error:  # noqa: BLE001  the outer edge: whatever broke, the next step has its turn
            self._logs[name].note(error)
        else:
            self._logs[name].note(None)


class DailySnapshot:
    """A snapshot each day, restart or not: how old the newest file is decides (design 3)."""

    def __init__(self, snapshots: Snapshots, clock: Clock, make: Callable[[], Awaitable[object]]) -> None:
        self._snapshots = snapshots
        self._clock = clock
        self._make = make
        self._looked_at: datetime | None = None

    async def work(self) -> None:
        """Make one if the last is a day old. Raises UnavailableError; it is tried again in the next round."""
        now = self._clock()
        latest = max((one.at for one in await self._snapshots.listed() if one.good), default=None)
        if _is_due(latest, now) and _is_due(self._looked_at, now):
            await self._make()
            self._looked_at = now


def _is_due(last: datetime | None, now: datetime) -> bool:
    """A time that is yet to come was set by a clock that was wrong."""
    return last is None or not last <= now < last + A_DAY
