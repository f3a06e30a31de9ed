"""Where in a batch the words of a candidate stand: its quote, or what overlaps with it most (design 5.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..domain.memory import Event
from ..domain.words import Role
from ..domain.writing import Candidate
from ..policies.lexicon import unrecognised
from ..policies.overlap import coverage, in_two_languages
from ..policies.quotes import find
from .clauses import sentences
from .echo import doubt_of_source

ENOUGH = 0.6
"""The share of a fact's content words its evidence must have when no quote was given."""
_NEARBY = 600
"""Characters before and after a quote that belong to the evidence."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """A place in an event, and why it may be none."""

    event: Event
    start: int
    end: int
    doubt: str = ""

    @property
    def quote(self) -> str:
        """The words there, verbatim."""
        return self.event.text[self.start : self.end]

    @property
    def nearby(self) -> str:
        """The quote and what stands around it: where the fact's words are looked for."""
        return self.event.text[max(0, self.start - _NEARBY) : self.end + _NEARBY]


def find_words(candidate: Candidate, events: Sequence[Event], users: Sequence[Event]) -> Found:
    """The evidence of a candidate; where there is none, the likeliest message with the reason as its doubt.

    `users` are those of the events that people said, at least one.
    """
    found = _by_quote(candidate, events) if candidate.quote.strip() else _by_overlap(candidate, users)
    return found or _implausible(candidate, users)


def _by_quote(candidate: Candidate, events: Sequence[Event]) -> Found | None:
    for event in _in_order(candidate, events):
        span = find(candidate.quote, event.text)
        if span:
            return Found(event=event, start=span[0], end=span[1])
    return None


def _in_order(candidate: Candidate, events: Sequence[Event]) -> Iterator[Event]:
    """People before tools, and of each what the candidate cites before the rest."""
    for role in (Role.USER, Role.TOOL):
        cited = [events[i] for i in candidate.evidence if 0 <= i < len(events) and events[i].role is role]
        yield from cited
        yield from (event for event in events if event.role is role and event not in cited)


def _by_overlap(candidate: Candidate, users: Sequence[Event]) -> Found | None:
    event = _most_plausible(candidate, users)
    if coverage(candidate.fact, event.text) < ENOUGH:
        return _by_translation(candidate, users)
    said = sentences(event.text)
    best = max(said, key=lambda one: coverage(candidate.fact, one.text), default=None)
    return best and Found(event=event, start=best.start, end=best.close)


def _by_translation(candidate: Candidate, users: Sequence[Event]) -> Found | None:
    """The sentence in the other language that has all the words of the fact."""
    said = ((event, one) for event in users for one in sentences(event.text))
    for event, one in said:
        if in_two_languages(candidate.fact, one.text) and not unrecognised(candidate.fact, one.text):
            return Found(event=event, start=one.start, end=one.close)
    return None


def _implausible(candidate: Candidate, users: Sequence[Event]) -> Found:
    untold = "quote_not_found" if candidate.quote.strip() else "ungrounded"
    event = _most_plausible(candidate, users)
    doubt = doubt_of_source(candidate, users) or untold
    return Found(event=event, start=0, end=len(event.text), doubt=doubt)


def _most_plausible(candidate: Candidate, users: Sequence[Event]) -> Event:
    return max(users, key=lambda event: coverage(f"{candidate.fact} {candidate.quote}", event.text))
