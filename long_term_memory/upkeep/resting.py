"""Texts that a provider will not embed: they rest, ever longer, so that the others have their turn."""

from collections.abc import Collection, Sequence

from ..domain.time import Clock
from ..policies.back_off import LONGEST_PAUSE, CircuitBreaker, Outage

GIVEN_UP = 3
"""After so many tries in vain a text counts as one that cannot be embedded; it is tried again each hour."""
MAX_RESTING = 200
"""More than these are no fault of the texts."""


class Resting:
    """What rests, by its id, while the provider embeds other texts well."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.forget()

    def forget(self) -> None:
        """Try all of them again: another model may take them."""
        self._texts = CircuitBreaker(self._clock, longest=LONGEST_PAUSE)

    def failed(self, key: str, why: str) -> None:
        """Let one text rest, longer each time."""
        self._texts.failed(key, why)

    def done(self, keys: Collection[str]) -> None:
        """Forget these, which are embedded."""
        for key in keys:
            self._texts.answered(key)

    @property
    def now(self) -> frozenset[str]:
        """The ids that are not to be tried at the moment."""
        return frozenset(text.provider for text in self._texts.outages if self._texts.open(text.provider))

    @property
    def full(self) -> bool:
        """Whether so many rest that something else is wrong."""
        return len(self._texts.outages) >= MAX_RESTING

    @property
    def given_up(self) -> int:
        """How many texts cannot be embedded, as it seems."""
        return len(self._given_up())

    @property
    def why(self) -> str:
        """What the latest of them failed with; empty when none is given up."""
        given_up = self._given_up()
        return given_up[-1].why if given_up else ""

    def _given_up(self) -> Sequence[Outage]:
        return [text for text in self._texts.outages if text.failures >= GIVEN_UP]
