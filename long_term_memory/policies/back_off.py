"""Backoff after failures, a circuit breaker for providers, and what the log is told of both."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.errors import LtmError
from ..domain.log import logger
from ..domain.time import Clock

MAX_ATTEMPTS = 10
"""Failures after which an event is given up; the status shows it."""
LEASE = timedelta(minutes=5)
"""How long a batch is leased: longer than a model's answer and its commit take."""
LONGEST_PAUSE = timedelta(hours=1)
LONGEST_REST = timedelta(minutes=15)
"""The longest pauses of a batch and of a provider."""
_FIRST = timedelta(seconds=30)


def pause_after(failures: int, longest: timedelta = LONGEST_PAUSE) -> timedelta:
    """30 seconds after the first failure, doubling up to the longest pause."""
    return min(_FIRST * 2 ** min(max(failures - 1, 0), 16), longest)


@dataclass(frozen=True, kw_only=True)
class Outage:
    """A provider that does not answer."""

    provider: str
    since: datetime
    """When the first failure was noted."""
    failures: int
    """In a row."""
    until: datetime
    """When it is asked again."""
    why: str


class CircuitBreaker:
    """Circuit breakers by provider, kept in memory alone.

    A breaker opens after some failures in a row, longer each time. Then it is half-open: one more failure
    opens it again. The first answer closes it.
    """

    def __init__(self, clock: Clock, *, threshold: int = 1, longest: timedelta = LONGEST_REST) -> None:
        """`threshold` failures in a row open a breaker, for the `longest` rest at most."""
        self._clock = clock
        self._threshold = threshold
        self._longest = longest
        self._outages: dict[str, Outage] = {}

    def open(self, provider: str) -> Outage | None:
        """The outage of a provider that is not to be asked yet, else None."""
        outage = self._outages.get(provider)
        rest = outage.until - self._clock() if outage and outage.failures >= self._threshold else timedelta()
        return outage if timedelta() < rest <= LONGEST_PAUSE else None  # a longer one: the clock was set back

    def refuse(self, provider: str) -> Outage | None:
        """As `open`; half-open, it lets one caller through and refuses the others for a while."""
        refused = self.open(provider)
        if not refused and (outage := self._outages.get(provider)):
            self._outages[provider] = replace(outage, until=self._clock() + _FIRST)
        return refused

    @property
    def outages(self) -> Sequence[Outage]:
        """The known outages; one that nobody has asked about for five minutes after its rest is dropped."""
        latest = self._clock() - timedelta(minutes=5)
        return [outage for outage in self._outages.values() if outage.until > latest]

    def answered(self, provider: str) -> Outage | None:
        """Close the breaker; returns the outage that has ended."""
        return self._outages.pop(provider, None)

    def failed(self, provider: str, why: str) -> Outage:
        """Count a failure."""
        known, now = self._outages.get(provider), self._clock()
        failures = known.failures + 1 if known else 1
        rest = pause_after(failures + 1 - self._threshold, self._longest)
        outage = Outage(
            provider=provider,
            since=known.since if known else now,
            failures=failures,
            until=now + rest,
            why=why,
        )
        # Old outages are forgotten.
        kept = {name: each for name, each in self._outages.items() if now < each.until + LONGEST_PAUSE}
        self._outages = kept | {provider: outage}
        return outage


class FailureLog:
    """Logs once when something begins to fail, and once when it works again."""

    def __init__(self, failing: str, again: str) -> None:
        """`failing` has a place for the reason."""
        self._failing = failing
        self._again = again
        self.why = ""
        """What it fails with now; empty while it works."""

    def note(self, why: str) -> None:
        """It failed for this reason, or it worked: then there is none."""
        if why and not self.why:
            logger.warning(self._failing, why)
        elif self.why and not why:
            logger.info(self._again)
        self.why = why

    @contextmanager
    def outer_edge(self, *neither: type[Exception]) -> Generator[None]:
        """Whatever breaks in the block is noted, as is that nothing did; then its caller goes on.

        Of a foreign error only the kind is kept: its text may be somebody's. An error of a kind that is
        `neither` a failure nor a success is not noted.
        """
        try:
            yield
        except neither:
            return
        except Exception as error:  # noqa: BLE001  see above
            self.note(str(error) if isinstance(error, LtmError) else type(error).__name__)
        else:
            self.note("")
