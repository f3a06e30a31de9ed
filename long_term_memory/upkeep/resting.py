"""Texts that a provider will not embed: they rest, ever longer, so that the others have their turn."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.time import Clock
from ..policies.back_off import LONGEST_PAUSE, pause_after

GIVEN_UP = 3
"""After so many tries in vain a text counts as one that cannot be embedded; it is tried again each hour."""
MAX_RESTING = 200
"""More than these are no fault of the texts."""


@dataclass(frozen=True, kw_only=True)
class _Rest:
    failures: int
    until: datetime
    why: str


class Resting:
    """What rests, by its id, while the provider embeds other texts well."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rests: dict[str, _Rest] = {}

    def failed(self, key: str, why: str) -> None:
        """Let one text rest, longer each time."""
        now = self._clock()
        failures = (self._rests[key].failures if key in self._rests else 0) + 1
        # What was not tried again when its time came is gone from the store.
        kept = {
            at: rest for at, rest in self._rests.items() if at != key and now < rest.until + LONGEST_PAUSE
        }
        self._rests = kept | {key: _Rest(failures=failures, until=now + pause_after(failures), why=why)}

    def done(self, keys: Collection[str]) -> None:
        """Forget these, which are embedded."""
        for key in keys:
            self._rests.pop(key, None)

    def forget(self) -> None:
        """Try all of them again: another model may take them."""
        self._rests.clear()

    @property
    def now(self) -> frozenset[str]:
        """The ids that are not to be tried at the moment."""
        now = self._clock()
        # A longer rest than the longest there is means that the clock was set back.
        return frozenset(
            key for key, rest in self._rests.items() if timedelta(0) < rest.until - now <= LONGEST_PAUSE
        )

    @property
    def full(self) -> bool:
        """Whether so many rest that something else is wrong."""
        return len(self._rests) >= MAX_RESTING

    @property
    def given_up(self) -> int:
        """How many texts cannot be embedded, as it seems."""
        return sum(rest.failures >= GIVEN_UP for rest in self._rests.values())

    @property
    def why(self) -> str:
        """What the latest of them failed with; empty when none is given up."""
        given_up = [rest.why for rest in self._rests.values() if rest.failures >= GIVEN_UP]
        return given_up[-1] if given_up else ""
