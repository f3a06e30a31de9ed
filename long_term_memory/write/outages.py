"""Which chat providers answer nobody at the moment, so that no message is given up for their sake.

A provider fails in two ways that look the same: it is out, or it will not have these words. To tell them
apart it is asked the same again with a harmless word in their place. When it answers that, the words are at
fault, and theirs is a failed attempt. This needs no other chat to compare with: a bot may have only one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.memory import Event
from ..domain.time import Clock
from ..domain.words import Role
from ..policies.back_off import LONGEST_REST, rest_after
from ..prompts.extraction import SYSTEM, extraction_prompt
from .protocols import ChatModel

_HARMLESS = "Hello."


@dataclass(frozen=True, kw_only=True)
class Outage:
    """One provider answers nobody."""

    failures: int
    """In a row."""
    until: datetime
    """When it is asked again."""
    why: str
    """What it failed with last."""


class Outages:
    """What is known of each provider. Its first answer ends its outage."""

    def __init__(self, model: ChatModel, clock: Clock) -> None:
        self._model = model
        self._clock = clock
        self._known: dict[str, Outage] = {}

    def resting(self, provider: str) -> Outage | None:
        """The outage of a provider that is not to be asked yet."""
        outage = self._known.get(provider)
        # A longer rest than the longest there is means that the clock was set back.
        if outage and timedelta(0) < outage.until - self._clock() <= LONGEST_REST:
            return outage
        return None

    def answered(self, provider: str) -> None:
        """Note that it has answered, whatever it said."""
        self._known.pop(provider, None)

    async def after_failure(self, provider: str, events: Sequence[Event], why: str) -> Outage | None:
        """The outage when the provider failed for these events and answers nothing else either."""
        try:
            await self._model.complete(
                umo=events[0].umo, system=SYSTEM, prompt=extraction_prompt([_harmless(events[0])])
            )
        except Exception:  # noqa: BLE001  however it fails, it is not there
            known = self._known.get(provider)
            failures = known.failures + 1 if known else 1
            outage = Outage(failures=failures, until=self._clock() + rest_after(failures), why=why)
            self._known[provider] = outage
            return outage
        self.answered(provider)
        return None


def _harmless(event: Event) -> Event:
    return replace(event, role=Role.USER, text=_HARMLESS, tool="", sender_id="", sender_name="")
