"""Whether a provider is worth waiting for: after some misses in a row it is not, for a while."""

import logging
from datetime import datetime, timedelta

from ..domain.time import Clock
from ..policies.retry_after import is_over

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_MISSES = 3
"""So many in a row, and nobody waits any more."""
REST = timedelta(minutes=1)
"""How long nobody waits; then one miss more is enough."""


class Breaker:
    """Counts what did not come in time; logs once when nobody waits any more, and once when it is back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._misses = 0
        self._opened_at: datetime | None = None
        self._quiet_until: datetime | None = None
        self._is_down = False

    @property
    def is_open(self) -> bool:
        """Whether nobody is to wait."""
        if self.is_quiet:
            return True
        if self._opened_at is None:
            return False
        # A clock that was set back must not keep it open for longer.
        return timedelta(0) <= self._clock() - self._opened_at < REST

    @property
    def is_quiet(self) -> bool:
        """Whether nobody is even to ask."""
        return not is_over(self._quiet_until, self._clock())

    def leave_alone(self, pause: timedelta, why: str) -> None:
        """It asks to be left alone for so long."""
        self._quiet_until = self._clock() + pause
        self._misses = MAX_MISSES
        self.missed(why)

    def missed(self, why: str) -> None:
        """Somebody waited in vain."""
        self._misses += 1
        if self._misses < MAX_MISSES:
            return
        self._opened_at = self._clock()
        if not self._is_down:
            logger.warning(
                "The embedding provider does not answer in time (%s): recall uses words alone.", why
            )
        self._is_down = True

    def answered(self) -> None:
        """It has answered in time."""
        self.forgive()
        if self._is_down:
            logger.info("The embedding provider answers again: recall uses vectors.")
        self._is_down = False

    def forgive(self) -> None:
        """Begin anew, as with a provider nothing is known of."""
        self._misses = 0
        self._opened_at = self._quiet_until = None
