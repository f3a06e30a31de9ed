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
        if event.role is Role.USER and len(event.text) <= MAX_READ:
            facts += _of_message(event, zone, asked=asked)
    return facts


def with_urgency(events: Sequence[Event]) -> list[Event]:
    """What is asked to be remembered does not wait for the chat to be idle."""
    return [
        replace(event, urgent=event.role is Role.USER and asks_to_remember(event.text)) for event in events
    ]


def explicit(text: str, event: Event, zone: tzinfo, *, quote: str = "") -> Grounded:
    """What a person asks to keep: as a plain statement where it is one, else in their own words.

    Their own words are an episode until a model has put them into a plain statement. Where they name a day,
    the memory ends with it.
    """
    words = _plain_words(text)
    said = read(words)
    plain = said[0] if len(said) == 1 and len(said[0].quote) >= len(words) - 2 else None
    statement = plain or Statement(
        fact=words, type=MemoryType.EPISODE, importance=0, slot="", quote=words, start=0, end=len(words)
    )
    until = end_named(words, event.created_at.astimezone(zone))
    candidate = _candidate(statement, Origin.USER_EXPLICIT, until=until)
    return _grounded(candidate, event, bounded(quote or words))


def _plain_words(text: str) -> str:
    return " ".join(text.split())[:MAX_QUOTE].strip(" .。!！,，;；:：")


def _of_message(event: Event, zone: tzinfo, *, asked: bool) -> list[Grounded]:
    request = remembered(event.text) if asked else None
    statements = read(event.text)
    if request and _plain_words(request.text) and "[secret:" not in request.text:
        quote = event.text[request.start : request.end]
        return [explicit(request.text, event, zone, quote=quote)]
    facts = (each for each in statements if "[secret:" not in each.fact)
    return [_grounded(_candidate(each, Origin.RULE), event, bounded(each.quote)) for each in facts]


def _candidate(statement: Statement, origin: Origin, *, until: date | None = None) -> Candidate:
    explicit_save = origin is Origin.USER_EXPLICIT
    return Candidate(
        type=statement.type,
        fact=statement.fact,
        confidence=1.0 if explicit_save else _CONFIDENCE,
        importance=max(statement.importance, _EXPLICIT_IMPORTANCE if explicit_save else 0.0),
        origin=origin,
        slot=statement.slot,
        until=until,
    )


def _grounded(candidate: Candidate, event: Event, quote: str) -> Grounded:
    return Grounded(candidate=candidate, event=event, quote=quote, owner=event.owner, person="")
