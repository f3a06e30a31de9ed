"""A snapshot each day, restart or not: how old the newest file is decides (design 3)."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from ..domain.time import Clock
from ..domain.transfer import Snapshot

EVERY = timedelta(days=1)


class SnapshotStore(Protocol):
    """Where snapshots are made."""

    async def listed(self) -> Sequence[Snapshot]:
        """All of them, the newest first."""
        ...

    async def make(self) -> Snapshot | None:
        """Write one, unless the newest holds just that; None when there is nothing to keep."""
        ...


class DailySnapshot:
    """One step of housekeeping."""

    def __init__(
        self, snapshots: SnapshotStore, clock: Clock, made: Callable[[Snapshot], Awaitable[None]]
    ) -> None:
        """`made` hears of each new one."""
        self._snapshots = snapshots
        self._clock = clock
        self._made = made
        self._looked_at: datetime | None = None

    async def work(self) -> None:
        """Make one if the last is a day old. Raises UnavailableError; it is tried again in the next round."""
        now = self._clock()
        before = await self._snapshots.listed()
        latest = max((one.at for one in before if one.good), default=None)
        if not (_is_due(latest, now) and _is_due(self._looked_at, now)):
            return
        snapshot = await self._snapshots.make()
        self._looked_at = now
        if snapshot is not None and snapshot.name not in {one.name for one in before}:
            await self._made(snapshot)


def _is_due(last: datetime | None, now: datetime) -> bool:
    """A time that is yet to come was set by a clock that was wrong."""
    return last is None or not last <= now < last + EVERY
