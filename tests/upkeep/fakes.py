"""What the steps of housekeeping work with in tests."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.stores import NOW


@dataclass
class Hands:
    """A clock that stands still until it is moved, ids that count, and a breath that takes no time."""

    now: datetime = NOW
    breaths: int = 0
    on_breath: Callable[[], None] = lambda: None
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def clock(self) -> datetime:
        return self.now

    def make_id(self) -> str:
        return f"made-{next(self._numbers)}"

    async def breathe(self) -> None:
        self.breaths += 1
        self.on_breath()

    def move(self, by: timedelta) -> None:
        self.now += by
