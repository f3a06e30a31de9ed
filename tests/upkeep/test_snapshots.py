"""A snapshot each day, restart or not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.transfer import Snapshot
from astrbot_plugin_ltm.long_term_memory.upkeep.housekeeping import daily_snapshot

from tests.running import FakeClock

HOUR = timedelta(hours=1)


def a_snapshot(at: datetime, name: str = "one", *, good: bool = True) -> Snapshot:
    return Snapshot(name=name, at=at, bytes=1, items=1, store_id="id", good=good, why="")


@dataclass
class Files:
    """Snapshots in memory."""

    clock: FakeClock
    kept: list[Snapshot] = field(default_factory=list[Snapshot])
    asked: int = 0
    full: bool = False

    async def listed(self) -> Sequence[Snapshot]:
        return sorted(self.kept, key=lambda one: one.at, reverse=True)

    async def make(self) -> Snapshot | None:
        self.asked += 1
        if self.full:
            raise UnavailableError("the disk is full")
        self.kept.append(a_snapshot(self.clock(), f"number {self.asked}"))
        return self.kept[-1]


@dataclass
class Day:
    """The step, and the snapshots made."""

    files: Files = field(default_factory=lambda: Files(FakeClock()))
    made: list[str] = field(default_factory=list[str])

    async def _make(self) -> None:
        if made := await self.files.make():
            self.made.append(made.name)

    async def hours(self, number: int) -> None:
        for _ in range(number):
            await daily_snapshot(cast("Any", self.files), self.files.clock, self._make)
            self.files.clock.move(HOUR)


async def test_one_is_made_each_day() -> None:
    day = Day()
    await day.hours(72)
    assert day.made == ["number 1", "number 2", "number 3"]


async def test_a_damaged_one_and_one_of_the_future_count_for_nothing() -> None:
    files = Files(FakeClock())
    files.kept += [a_snapshot(files.clock(), good=False), a_snapshot(files.clock() + 48 * HOUR)]
    day = Day(files)
    await day.hours(2)
    assert day.made == ["number 1"]


async def test_after_a_full_disk_it_is_tried_again_in_the_next_round() -> None:
    day = Day()
    day.files.full = True
    with pytest.raises(UnavailableError):
        await day.hours(1)
    day.files.full = False
    await day.hours(1)
    assert day.made == ["number 2"]
