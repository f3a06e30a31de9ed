"""Which chat providers answer nobody at the moment, so that no message is given up for their sake.

A provider fails in two ways that look the same: it is out, or it will not have these words. To tell them
apart it is asked the same again with a harmless word in their place. When it answers that, the words are at
fault, and theirs is a failed attempt. This needs no other chat to compare with: a bot may have only one.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.memory import Event
from ..domain.time import Clock
from ..domain.words import Role
from ..domain.writing import Segment
from ..policies.back_off import LONGEST_REST, rest_after
from ..policies.retry_after import LONGEST_ASKED
from ..policies.spending import PROBE_ALLOWANCE
from ..prompts.extraction import extraction_prompt
from .meter import Meter

_HARMLESS = "Hello."
_LONGEST = max(LONGEST_REST, LONGEST_ASKED)
_ASKED_BY_THEN = timedelta(minutes=5)
"""How long after its rest a provider has been asked again, if anybody asks it any more."""


@dataclass(frozen=True, kw_only=True)
class Outage:
    """One provider answers nobody."""

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


class Outages:
    """What is known of each provider. Its first answer ends its outage."""

    def __init__(self, meter: Meter, clock: Clock) -> None:
        self._meter = meter
        self._clock = clock
        self._known: dict[str, Outage] = {}
        self._believed = set[str]()
        self._one_at_a_time = asyncio.Lock()

    def resting(self, provider: str) -> Outage | None:
        """The outage of a provider that is not to be asked yet.

        When its rest is over one chat asks it, and the others wait a little longer for what comes of that.
        """
        outage = self._known.get(provider)
        if outage is None:
            return None
        now = self._clock()
        # A longer rest than the longest there is means that the clock was set back.
        if timedelta(0) < outage.until - now <= _LONGEST:
            return outage
        self._known[provider] = replace(outage, until=now + rest_after(1))
        return None

    @property
    def now(self) -> Sequence[Outage]:
        """Those that go on, as far as is known; one that nobody asks any more may be over."""
        latest = self._clock() - _ASKED_BY_THEN
        return [outage for outage in self._known.values() if outage.until > latest]

    def answered(self, provider: str) -> None:
        """Note that it has answered, whatever it said."""
        self._known.pop(provider, None)

    async def after_failure(
        self,
        provider: str,
        events: Sequence[Event],
        why: str,
        *,
        asked_at: datetime,
        retry_after: timedelta | None = None,
    ) -> Outage | None:
        """The outage when the provider failed for these events and answers nothing else either.

        What another chat has found out since they were asked about is not found out again, and without the
        tokens to find out it is no fault of theirs. `retry_after` is how long it asks to be left alone; then
        it is, for at least that.
        """
        async with self._one_at_a_time:
            known = self._known.get(provider)
            if known and known.noted_at >= asked_at:
                return known
            if not self._believes(provider, retry_after) and await self._answers(provider, events[0]):
                self.answered(provider)
                return None
            failures, now = (known.failures + 1 if known else 1), self._clock()
            rest = max(rest_after(failures), retry_after or timedelta(0))
            outage = Outage(
                provider=provider,
                since=known.since if known else asked_at,
                failures=failures,
                noted_at=now,
                until=now + rest,
                why=why,
            )
            self._known[provider] = outage
            return outage

    def _believes(self, provider: str, retry_after: timedelta | None) -> bool:
        """Whether it is left alone without finding out more, because it asks to be.

        Some ask so only because these words are too many for them, so they are believed every other time.
        """
        if retry_after is None or provider in self._believed:
            self._believed.discard(provider)
            return False
        self._believed.add(provider)
        return True

    async def _answers(self, provider: str, event: Event) -> bool:
        prompt = extraction_prompt(Segment(events=(_harmless(event),)))
        try:
            answer = await self._meter.ask(provider, umo=event.umo, prompt=prompt, allowance=PROBE_ALLOWANCE)
        except Exception:  # noqa: BLE001  however it fails, it is not there
            return False
        return answer is not None


def _harmless(event: Event) -> Event:
    return replace(event, role=Role.USER, text=_HARMLESS, tool="", quoted="", sender_id="", sender_name="")
