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
from ..policies.back_off import LONGEST_REST, rest_after
from ..policies.spending import PROBE_ALLOWANCE
from ..prompts.extraction import extraction_prompt
from .meter import Meter

_HARMLESS = "Hello."


@dataclass(frozen=True, kw_only=True)
class Outage:
    """One provider answers nobody."""

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
        if timedelta(0) < outage.until - now <= LONGEST_REST:
            return outage
        self._known[provider] = replace(outage, until=now + rest_after(1))
        return None

    def answered(self, provider: str) -> None:
        """Note that it has answered, whatever it said."""
        self._known.pop(provider, None)

    async def after_failure(
        self, provider: str, events: Sequence[Event], why: str, *, asked_at: datetime
    ) -> Outage | None:
        """The outage when the provider failed for these events and answers nothing else either.

        What another chat has found out since they were asked about is not found out again, and without the
        tokens to find out it is no fault of theirs.
        """
        async with self._one_at_a_time:
            known = self._known.get(provider)
            if known and known.noted_at >= asked_at:
                return known
            if await self._answers(provider, events[0]):
                self.answered(provider)
                return None
            failures, now = (known.failures + 1 if known else 1), self._clock()
            outage = Outage(failures=failures, noted_at=now, until=now + rest_after(failures), why=why)
            self._known[provider] = outage
            return outage

    async def _answers(self, provider: str, event: Event) -> bool:
        prompt = extraction_prompt([_harmless(event)])
        try:
            answer = await self._meter.ask(provider, umo=event.umo, prompt=prompt, allowance=PROBE_ALLOWANCE)
        except Exception:  # noqa: BLE001  however it fails, it is not there
            return False
        return answer is not None


def _harmless(event: Event) -> Event:
    return replace(event, role=Role.USER, text=_HARMLESS, tool="", quoted="", sender_id="", sender_name="")
