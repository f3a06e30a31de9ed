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
from ..policies.keys import normal_words
from ..policies.overlap import coverage, deny_alike, is_cjk, share_a_script, unsupported
from ..policies.quotes import bounded, find, is_telling, is_turned_round, sentences
from ..prompts.extraction import speaker_labels

ENOUGH = 0.6
"""The share of a fact's content words its evidence must have when no quote was given."""
ENOUGH_CJK = 0.5
"""The share it must have with a quote in Chinese, which has no capitals to tell names by."""

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
    quote: str
    doubt: str = ""


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
    found = _by_quote(candidate, events) if candidate.quote.strip() else _by_overlap(candidate, events)
    found = found or _implausible(candidate, users)
    whose = _whose(candidate, found.event, events)
    return Grounded(
        candidate=candidate,
        event=found.event,
        quote=found.quote,
        owner=whose.owner,
        person=whose.person,
        doubt=found.doubt or _doubt_of_source(found.event) or _doubt_of_values(candidate, found, whose),
    )


def _by_quote(candidate: Candidate, events: Sequence[Event]) -> _Found | None:
    for event in _in_order(candidate, events):
        span = find(candidate.quote, event.text)
        if span:
            quote = event.text[span[0] : span[1]]
            return _Found(
                event=event, quote=bounded(quote), doubt=_doubt_of_quote(candidate, event, quote, span[0])
            )
    return None


def _in_order(candidate: Candidate, events: Sequence[Event]) -> Iterator[Event]:
    """People before tools, and of each what the candidate cites before the rest."""
    for role in (Role.USER, Role.TOOL):
        cited = [events[i] for i in candidate.evidence if 0 <= i < len(events) and events[i].role is role]
        yield from cited
        yield from (event for event in events if event.role is role and event not in cited)


def _doubt_of_quote(candidate: Candidate, event: Event, quote: str, start: int) -> str:
    if not is_telling(quote, event.text):
        return "quote_says_nothing"
    if is_turned_round(event.text, start):
        return "quote_out_of_context"
    fact = candidate.fact
    covered = coverage(fact, event.text)
    if share_a_script(fact, event.text) and (covered < ENOUGH_CJK if is_cjk(fact) else not covered):
        return "quote_unrelated"
    return _doubt_of_denial(fact, quote)


def _doubt_of_denial(fact: str, words: str) -> str:
    return "" if deny_alike(fact, words) or not share_a_script(fact, words) else "negation_differs"


def _by_overlap(candidate: Candidate, events: Sequence[Event]) -> _Found | None:
    event = _most_plausible(candidate, [e for e in events if e.role is Role.USER])
    if coverage(candidate.fact, event.text) < ENOUGH:
        return None
    best = max(sentences(event.text), key=lambda sentence: coverage(candidate.fact, sentence))
    return _Found(event=event, quote=bounded(best), doubt=_doubt_of_denial(candidate.fact, best))


def _implausible(candidate: Candidate, users: Sequence[Event]) -> _Found:
    doubt = "quote_not_found" if candidate.quote.strip() else "ungrounded"
    event = _most_plausible(candidate, users)
    return _Found(event=event, quote=bounded(event.text), doubt=doubt)


def _most_plausible(candidate: Candidate, users: Sequence[Event]) -> Event:
    return max(users, key=lambda event: coverage(f"{candidate.fact} {candidate.quote}", event.text))


def _doubt_of_source(event: Event) -> str:
    return "tool_result" if event.role is Role.TOOL else ""


def _doubt_of_values(candidate: Candidate, found: _Found, whose: _Whose) -> str:
    """Names and numbers must have been said, or be a speaker's name or the day it was said."""
    event = found.event
    fact = candidate.fact.replace(event.created_at.date().isoformat(), " ")
    named = "" if whose.is_sender else f" ({whose.person})"
    known = event.sender_name + (f"\n{whose.person}" if whose.is_sender else "")
    missing = unsupported(fact + named, f"{event.text}\n{known}")
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
