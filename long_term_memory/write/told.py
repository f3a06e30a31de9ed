"""What a message tells at once, by rules alone, and whether the rest of it is urgent (design 5.2)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from ..domain.memory import Event
from ..domain.words import Origin, Role
from ..domain.writing import Grounded
from ..policies.asked import asks_to_remember
from .ground import ground_all
from .rules import read


def told_plainly(events: Sequence[Event], zone: tzinfo, *, asked: bool) -> list[Grounded]:
    """What the rules find in what people said: at once, for it takes no model and hardly any time.

    Only those `asked` may be told to remember something. A fact that cannot be checked is left to the model.
    """
    facts: list[Grounded] = []
    for event in events:
        told = [each for each in read(event, 0) if asked or each.origin is not Origin.USER_EXPLICIT]
        facts += ground_all(told, [event], zone)[0]
    return facts


def in_haste(events: Sequence[Event], facts: Sequence[Grounded]) -> list[Event]:
    """What is asked to be remembered and is not kept by the rules does not wait for the chat to be idle."""
    kept = {each.event.event_id for each in facts if each.candidate.origin is Origin.USER_EXPLICIT}
    said = {event.event_id for event in events if event.role is Role.USER}
    urgent = {e.event_id for e in events if e.event_id in said - kept and asks_to_remember(e.text)}
    return [replace(event, urgent=event.event_id in urgent) for event in events]
