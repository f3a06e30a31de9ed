"""Stage 3, ground: the words a candidate rests on, and whose fact it is (design 5.3).

Only what people and tools said is evidence, never the bot's own words. A tool's result is untrusted: what
rests on it waits for a person. What cannot be found is not dropped but waits, with the reason as its doubt.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..domain.chat import ScopeRef
from ..domain.memory import Event
from ..domain.words import Role, Scope
from ..domain.writing import Candidate, Grounded
from ..policies.claims import is_claimed, is_of_its_time
from ..policies.keys import normal_words
from ..policies.overlap import coverage, share_a_script, unsupported
from ..policies.quotes import bounded, find, is_telling
from ..policies.stance import deny_alike
from ..prompts.extraction import speaker_labels
from .clauses import sentences
from .surroundings import Surroundings, around, is_of_another, is_plainly_said, is_said_otherwise

ENOUGH = 0.6
"""The share of a fact's content words its evidence must have when no quote was given."""
ENOUGH_QUOTED = 0.5
"""The share it must have with a quote."""
_NEARBY = 600
"""Characters before and after a quote that belong to the evidence."""
_ONESELF = frozenset(
    (
        "",
        "user",
        "the user",
        "speaker",
        "the speaker",
        "self",
        "me",
        "i",
        "myself",
        "用户",
        "我",
        "本人",
        "自己",
    )
)


@dataclass(frozen=True, kw_only=True)
class _Found:
    event: Event
    start: int
    end: int
    doubt: str = ""

    @property
    def quote(self) -> str:
        return self.event.text[self.start : self.end]

    @property
    def nearby(self) -> str:
        """The quote and what stands around it: where the fact's words are looked for."""
        return self.event.text[max(0, self.start - _NEARBY) : self.end + _NEARBY]


@dataclass(frozen=True, kw_only=True)
class _Whose:
    owner: ScopeRef
    person: str
    is_sender: bool
    """Whether the person is somebody who speaks in these events, so that the name needs no evidence."""


def ground(candidate: Candidate, events: Sequence[Event]) -> Grounded:
    """Find the evidence of a candidate among the events it was read from.

    What is not found is a doubt of the result. Raises ValueError when no person said anything in the events:
    nothing is ever to be read from such a batch.
    """
    users = [event for event in events if event.role is Role.USER]
    if not users:
        raise ValueError("a fact needs a person's words to rest on")
    found = _by_quote(candidate, events) if candidate.quote.strip() else _by_overlap(candidate, users)
    found = found or _implausible(candidate, users)
    whose = _whose(candidate, found.event, events)
    return Grounded(
        candidate=candidate,
        event=found.event,
        quote=bounded(found.quote),
        owner=whose.owner,
        person=whose.person,
        doubt=_doubt(candidate, found, whose),
    )


def _by_quote(candidate: Candidate, events: Sequence[Event]) -> _Found | None:
    for event in _in_order(candidate, events):
        span = find(candidate.quote, event.text)
        if span:
            return _Found(event=event, start=span[0], end=span[1])
    return None


def _in_order(candidate: Candidate, events: Sequence[Event]) -> Iterator[Event]:
    """People before tools, and of each what the candidate cites before the rest."""
    for role in (Role.USER, Role.TOOL):
        cited = [events[i] for i in candidate.evidence if 0 <= i < len(events) and events[i].role is role]
        yield from cited
        yield from (event for event in events if event.role is role and event not in cited)


def _by_overlap(candidate: Candidate, users: Sequence[Event]) -> _Found | None:
    event = _most_plausible(candidate, users)
    if coverage(candidate.fact, event.text) < ENOUGH:
        return None
    said = sentences(event.text)
    best = max(said, key=lambda one: coverage(candidate.fact, one.text), default=None)
    return best and _Found(event=event, start=best.start, end=best.close)


def _implausible(candidate: Candidate, users: Sequence[Event]) -> _Found:
    doubt = "quote_not_found" if candidate.quote.strip() else "ungrounded"
    event = _most_plausible(candidate, users)
    return _Found(event=event, start=0, end=len(event.text), doubt=doubt)


def _most_plausible(candidate: Candidate, users: Sequence[Event]) -> Event:
    return max(users, key=lambda event: coverage(f"{candidate.fact} {candidate.quote}", event.text))


def _doubt(candidate: Candidate, found: _Found, whose: _Whose) -> str:
    """The first reason why the words found may not carry the fact; empty when they do."""
    near = around(found.event.text, found.start, found.end)
    return (
        found.doubt
        or ("tool_result" if found.event.role is Role.TOOL else "")
        or _doubt_of_context(found, near)
        or _doubt_of_values(candidate, found, whose)
        or _doubt_of_meaning(_without_the_known(candidate.fact, found.event), found)
        or (_doubt_of_person(candidate.fact, near, whose) if near else "")
    )


def _doubt_of_context(found: _Found, near: Surroundings | None) -> str:
    if not is_telling(found.quote, found.event.text):
        return "quote_says_nothing"
    return "" if near and is_plainly_said(near) else "quote_out_of_context"


def _doubt_of_meaning(fact: str, found: _Found) -> str:
    """Whether the words say what the fact says, and as the fact says it."""
    if not _says_enough(fact, found.quote, found.nearby):
        return "quote_unrelated"
    return "" if deny_alike(fact, found.quote) else "negation_differs"


def _doubt_of_person(fact: str, near: Surroundings, whose: _Whose) -> str:
    """Whether it is the speaker's own: no plan, no past, and nobody else's word or life."""
    if not is_of_its_time(fact, near.before + near.quote) or is_said_otherwise(near, fact):
        return "quote_out_of_context"
    return "quote_unrelated" if not whose.person and is_of_another(near, fact) else ""


def _says_enough(fact: str, quote: str, text: str) -> bool:
    """Whether the evidence has half of the fact's words; across languages a name or a number has to do."""
    covered = coverage(fact, text)
    enough = covered >= ENOUGH_QUOTED if share_a_script(fact, quote) else covered > 0
    return enough and is_claimed(fact, text)


def _without_the_known(fact: str, event: Event) -> str:
    """A fact without what nobody needs to say: the speaker's name as its subject, and the day."""
    fact = fact.removeprefix(event.sender_name) if event.sender_name else fact
    return fact.replace(event.created_at.date().isoformat(), " ")


def _doubt_of_values(candidate: Candidate, found: _Found, whose: _Whose) -> str:
    """Names and numbers must have been said, or be a speaker's name or the day it was said."""
    event = found.event
    fact = candidate.fact.replace(event.created_at.date().isoformat(), " ")
    named = "" if whose.is_sender else f" ({whose.person})"
    known = event.sender_name + (f"\n{whose.person}" if whose.is_sender else "")
    missing = unsupported(fact + named, f"{found.nearby}\n{known}")
    return f"not_in_evidence:{missing[:40]}" if missing else ""


def _whose(candidate: Candidate, event: Event, events: Sequence[Event]) -> _Whose:
    """Oneself: one's own scope. Another: the group's scope, in private one's own, and the person's name."""
    person = candidate.person.strip() or candidate.about.strip()
    labels = {normal_words(label): sender for sender, label in speaker_labels(events).items()}
    sender = labels.get(normal_words(person), "")
    names = {normal_words(event.sender_name), normal_words(event.sender_id), *_ONESELF}
    if normal_words(person) in names or (sender and sender == event.sender_id):
        return _Whose(owner=event.owner, person="", is_sender=True)
    others = {e.sender_id: e.sender_name or e.sender_id for e in events if e.role is Role.USER}
    owner = event.at_scope if event.at_scope.scope is Scope.GROUP else event.owner
    return _Whose(owner=owner, person=others.get(sender, person), is_sender=sender in others)
