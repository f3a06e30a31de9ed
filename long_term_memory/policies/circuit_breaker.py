"""Whether a provider is worth asking: a circuit breaker for each.

It opens after some failures in a row and stays open for a rest, longer each time. Then it is half-open: one
failure more opens it again. The first answer closes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.time import Clock
from .back_off import LONGEST_ASKED, LONGEST_REST, rest_after

_LONGEST = max(LONGEST_REST, LONGEST_ASKED)
_ASKED_BY_THEN = timedelta(minutes=5)
"""How long after its rest a provider has been asked again, if anybody asks it any more."""


@dataclass(frozen=True, kw_only=True)
class Outage:
    """A provider that does not answer."""

    provider: str
    since: datetime
    """When the first question was asked that it did not answer."""
    failures: int
    """In a row."""
    noted_at: datetime
    until: datetime
    """When it is asked again."""
    why: str
    """What it failed with last."""
    is_asked_for: bool = False
    """Whether the provider itself asks to be left alone until then."""


class CircuitBreaker:
    """What is known of each provider; it is kept in memory alone."""

    def __init__(self, clock: Clock, *, threshold: int = 1) -> None:
        """`threshold` failures in a row open it."""
        self._clock = clock
        self._threshold = threshold
        self._outages: dict[str, Outage] = {}
        self._believed = set[str]()

    def open(self, provider: str) -> Outage | None:
        """The outage of a provider that is not to be asked yet."""
        outage = self._outages.get(provider)
        if outage is None or outage.failures < self._threshold:
            return None
        # A longer rest than the longest there is means that the clock was set back.
        return outage if timedelta(0) < outage.until - self._clock() <= _LONGEST else None

    def refuse(self, provider: str) -> Outage | None:
        """As `open`; half-open it lets one caller through, and refuses the others for a while."""
        refused = self.open(provider)
        if not refused and (outage := self._outages.get(provider)):
            self._outages[provider] = replace(outage, until=self._clock() + rest_after(1))
        return refused

    def failed_since(self, provider: str, asked_at: datetime) -> Outage | None:
        """The outage that was noted after this question was asked."""
        outage = self._outages.get(provider)
        return outage if outage and outage.noted_at >= asked_at else None

    @property
    def outages(self) -> Sequence[Outage]:
        """Those that go on, as far as is known; one that nobody asks any more may be over."""
        latest = self._clock() - _ASKED_BY_THEN
        return [outage for outage in self._outages.values() if outage.until > latest]

    def answered(self, provider: str) -> bool:
        """Close it; whether it had opened."""
        outage = self._outages.pop(provider, None)
        return outage is not None and outage.failures >= self._threshold

    def failed(
        self,
        provider: str,
        why: str,
        *,
        asked_at: datetime | None = None,
        retry_after: timedelta | None = None,
    ) -> Outage:
        """Count a failure; where the provider asks to be left alone for so long, open it at once."""
        known, now = self._outages.get(provider), self._clock()
        failures = max(known.failures + 1 if known else 1, self._threshold if retry_after else 1)
        outage = Outage(
            provider=provider,
            since=known.since if known else asked_at or now,
            failures=failures,
            noted_at=now,
            until=now + max(rest_after(failures + 1 - self._threshold), retry_after or timedelta(0)),
            why=why,
            is_asked_for=retry_after is not None,
        )
        self._outages[provider] = outage
        return outage

    def believes(self, provider: str, retry_after: timedelta | None) -> bool:
        """Whether a provider that asks to be left alone is, without finding out whether it answers others.

        Some ask so only because these words are too many for them, so they are believed every other time.
        """
        if retry_after is None or provider in self._believed:
            self._believed.discard(provider)
            return False
        self._believed.add(provider)
        return True
