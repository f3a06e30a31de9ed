"""What a message tells at once, without a model (design 5.2): plain statements, and what is to be kept.

It is provisional: when a model reads the same message, what it makes of it takes its place.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, tzinfo

from ..domain.memory import Event
from ..domain.words import MemoryType, Origin, Role
from ..domain.writing import Candidate, Grounded
from ..policies.requests import asks_to_remember, remembered
from ..text_analysis.dates import end_named
from ..text_analysis.quotes import MAX_QUOTE, bounded
from .rules import Statement, read

MAX_READ = 1_000
"""Characters of a message up to which the rules read it: longer ones are texts to work on."""
_CONFIDENCE = 0.9
_EXPLICIT_IMPORTANCE = 0.8


def provisional(events: Sequence[Event], zone: tzinfo, *, asked: bool) -> list[Grounded]:
    """What the rules find in what people said; only those `asked` may be told to remember something."""
    facts: list[Grounded] = []
    for event in events:
        if event.role is not Role.USER or len(event.text) > MAX_READ:
            continue
        request = remembered(event.text) if asked else None
        if request and _words(request.text) and "[secret:" not in request.text:
            facts.append(explicit(request.text, event, zone, quote=event.text[request.start : request.end]))
        else:
            facts += [_grounded(each, event) for each in read(event.text) if "[secret:" not in each.fact]
    return facts


def with_urgency(events: Sequence[Event]) -> list[Event]:
    """What is asked to be remembered does not wait for the chat to be idle."""
    return [
        replace(event, urgent=event.role is Role.USER and asks_to_remember(event.text)) for event in events
    ]


def explicit(text: str, event: Event, zone: tzinfo, *, quote: str = "") -> Grounded:
    """What a person asks to keep: as a plain statement where it is one, else in their words, as an episode.

    Where they name a day, the memory ends with it.
    """
    words = _words(text)
    said = read(words)
    own = Statement(fact=words, type=MemoryType.EPISODE, importance=0, slot="")
    plain = said[0] if len(said) == 1 and len(said[0].quote) >= len(words) - 2 else own
    until = end_named(words, event.created_at.astimezone(zone))
    statement = replace(plain, quote=quote or words, importance=max(plain.importance, _EXPLICIT_IMPORTANCE))
    return _grounded(statement, event, Origin.USER_EXPLICIT, until)


def _words(text: str) -> str:
    return " ".join(text.split())[:MAX_QUOTE].strip(" .。!！,，;；:：")


def _grounded(
    said: Statement, event: Event, origin: Origin = Origin.RULE, until: date | None = None
) -> Grounded:
    candidate = Candidate(
        type=said.type,
        fact=said.fact,
        confidence=_CONFIDENCE if origin is Origin.RULE else 1.0,
        importance=said.importance,
        origin=origin,
        slot=said.slot,
        until=until,
    )
    quote = bounded(said.quote)
    return Grounded(candidate=candidate, event=event, quote=quote, owner=event.owner, person="")
