"""Stage 3, ground: the words a candidate rests on, and whose fact it is (design 5.3).

Only what people and tools said is evidence, never the bot's own words. A tool's result is untrusted: what
rests on it waits for a person. What cannot be found is not dropped but waits, with the reason as its doubt.
Relative dates become absolute, counted from the instant the words were said.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from traceback import extract_tb

from ..domain.memory import Event
from ..domain.words import Origin, Role
from ..domain.writing import Candidate, Grounded
from ..policies.claims import is_claimed, is_of_its_time
from ..policies.counts import miscounted, misplaced
from ..policies.dates import absolute, is_ahead, tells_a_date, without_dates
from ..policies.fulfilment import is_as_fulfilled
from ..policies.invented import invented
from ..policies.lexicon import in_english, unrecognised
from ..policies.overlap import coverage, has_its_object, in_two_languages, unsupported
from ..policies.preferred import prefers_otherwise
from ..policies.quotes import bounded, is_telling
from ..policies.roles import roles_agree
from ..policies.stance import deny_alike
from .attribution import Whose, whose, with_names
from .clauses import MASK
from .echo import only_answers, was_told_by_a_tool
from .finding import Found, find_words
from .subjects import is_of_another, is_of_person, is_of_relative, telling
from .surroundings import Surroundings, around, is_plainly_said, is_said_otherwise

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

ENOUGH_QUOTED = 0.5
"""The share it must have with a quote."""
_BROKEN_REASON = "not_checked"
"""Of a fact on which the check itself broke."""


@dataclass(frozen=True, kw_only=True)
class _Case:
    """A candidate beside the words found for it: all that a doubt is decided from."""

    candidate: Candidate
    found: Found
    whose: Whose
    near: Surroundings | None
    events: Sequence[Event]
    fact: str
    """What the words have to say: the fact without the speaker's name as its subject and without dates."""

    @property
    def sentence(self) -> str:
        """What stands around the quote, or the quote."""
        near = self.near
        return near.before + near.quote + near.after if near else self.found.quote


def ground(candidate: Candidate, events: Sequence[Event], zone: tzinfo = UTC) -> Grounded:
    """Find the evidence of a candidate among the events it was read from; `zone` is where its days begin.

    What is not found is a doubt of the result. Raises ValueError when no person said anything in the events:
    nothing is ever to be read from such a batch.
    """
    users = [event for event in events if event.role is Role.USER]
    if not users:
        raise ValueError("a fact needs a person's words to rest on")
    found = find_words(candidate, events, users)
    at = found.event.created_at.astimezone(zone)
    candidate = _dated(replace(candidate, fact=with_names(candidate.fact, found.event, events)), at)
    case = _case(candidate, found, events, at)
    return Grounded(
        candidate=candidate,
        event=found.event,
        quote=bounded(found.quote),
        owner=case.whose.owner,
        person=case.whose.person,
        teller=case.whose.teller,
        ahead=is_ahead(candidate.fact, at.date()),
        doubt=_doubt(case),
    )


def ground_all(
    candidates: Sequence[Candidate], events: Sequence[Event], zone: tzinfo
) -> tuple[list[Grounded], list[str]]:
    """The same for each of several candidates, and a reason for each that broke it: that costs no other."""
    facts: list[Grounded] = []
    errors: list[Exception] = []
    for candidate in candidates:
        try:
            facts.append(ground(candidate, events, zone))
        except Exception as error:  # noqa: BLE001  words nobody thought of break one fact, not the batch
            errors.append(error)
    if errors:
        logger.error(
            "%d of %d facts could not be checked: %s", len(errors), len(candidates), _where(errors[0])
        )
    return facts, [_BROKEN_REASON] * len(errors)


def _where(error: Exception) -> str:
    """The kind of an error and its place in the code; its own text may quote anybody."""
    place = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {place.name}, line {place.lineno}"


def _dated(candidate: Candidate, at: datetime) -> Candidate:
    """The candidate with its dates absolute; a person's own words get them in brackets."""
    explicit = candidate.origin is Origin.USER_EXPLICIT
    fact = absolute(candidate.fact, at, keep_words=explicit)
    key = absolute(candidate.fact_key.replace("_", " "), at)
    kept = candidate.fact_key if key == candidate.fact_key.replace("_", " ") else key
    return replace(candidate, fact=fact, fact_key=kept)


def _case(candidate: Candidate, found: Found, events: Sequence[Event], at: datetime) -> _Case:
    near = around(found.event.text, found.start, found.end, found.event.sender_name)
    sentence = near.before + near.quote + near.after if near else found.quote
    told = sentence if tells_a_date(sentence, at) else found.nearby
    fact = _without_subject(candidate.fact, found.event.sender_name)
    return _Case(
        candidate=candidate,
        found=found,
        whose=whose(candidate, found.event, events),
        near=near,
        events=events,
        fact=without_dates(fact, told, at),
    )


def _without_subject(fact: str, name: str) -> str:
    """A fact without the speaker's name as its subject, which nobody needs to say.

    A name that would pass for a part of the fact ("User is allergic to") is none.
    """
    if not name or name.casefold().startswith(("user", "用户")) or len(name.split()) > 3:
        return fact
    return fact.removeprefix(name)


def _doubt(case: _Case) -> str:
    """The first reason why the words found may not carry the fact; empty when they do."""
    return (
        case.found.doubt
        or _doubt_of_source(case)
        or _doubt_of_context(case, case.near)
        or _doubt_of_values(case)
        or _doubt_of_meaning(case)
        or (_doubt_of_person(case, case.near) if case.near else "")
    )


def _doubt_of_source(case: _Case) -> str:
    event = case.found.event
    if event.role is Role.TOOL or was_told_by_a_tool(case.candidate, event, case.events):
        return "tool_result"
    return "answer_only" if only_answers(case.fact, event, case.sentence, case.events) else ""


def _doubt_of_context(case: _Case, near: Surroundings | None) -> str:
    """Whether the words stand where somebody speaks for themselves, and not in what they quote."""
    if not is_telling(case.found.quote, case.found.event.text):
        return "quote_says_nothing"
    if near and MASK in near.quote and coverage(case.fact, near.quote) < ENOUGH_QUOTED:
        return "quote_out_of_context"
    return "" if near and is_plainly_said(near) else "quote_out_of_context"


def _doubt_of_values(case: _Case) -> str:
    """Names and numbers must have been said, or be a speaker's name or follow from a date."""
    whose = case.whose
    if not whose.is_clear:
        return "person_unclear"
    named = "" if whose.is_speaker or whose.relation else f" ({whose.person})"
    known = f"\n{whose.person}" if whose.is_speaker else ""
    nearby = case.found.nearby
    if in_two_languages(case.fact, nearby):
        known += f"\n{in_english(nearby)}"
    missing = unsupported(case.fact + named, nearby + known)
    if named and not missing and not coverage(whose.person, nearby):
        missing = whose.person
    of_whom = f"{whose.person} {case.fact}" if not whose.is_speaker else case.fact
    missing = missing or miscounted(case.fact, nearby) or misplaced(of_whom, nearby)
    return f"not_in_evidence:{missing[:40]}" if missing else ""


def _doubt_of_meaning(case: _Case) -> str:
    """Whether the words say what the fact says, of the same person, and as the fact says it."""
    quote, nearby = case.found.quote, case.found.nearby
    says = any(_says_enough(fact, quote, nearby) for fact in (case.fact, case.candidate.fact))
    if not says or not is_claimed(case.candidate.fact, nearby):
        return "quote_unrelated"
    if case.whose.relation and not _is_related(case.whose.relation, nearby):
        return "quote_unrelated"
    if case.near and not _is_of_whom(case, case.near):
        return "person_differs"
    if not roles_agree(case.candidate.fact, case.sentence) or prefers_otherwise(case.fact, case.sentence):
        return "roles_differ"
    if not deny_alike(case.fact, quote):
        return "negation_differs"
    missing = invented(case.fact, nearby)
    return f"not_in_evidence:{missing[:40]}" if missing else ""


def _doubt_of_person(case: _Case, near: Surroundings) -> str:
    """Whether it is the speaker's own: no plan, no past, and nobody else's word or life."""
    fact = case.candidate.fact
    is_so = is_of_its_time(fact, _words_of(near)) and is_as_fulfilled(fact, telling(near, case.fact))
    if not is_so or is_said_otherwise(near, case.fact):
        return "quote_out_of_context"
    return "quote_unrelated" if not case.whose.person and is_of_another(near, case.fact) else ""


def _words_of(near: Surroundings) -> str:
    """The clauses of the quote: "I used to live in Rome, now I live in Oslo" has two times."""
    return " ".join(clause.text for clause in near.clauses) or near.quote


def _says_enough(fact: str, quote: str, text: str) -> bool:
    """Whether the evidence has half of the fact's words; across languages it needs to have all of them."""
    if in_two_languages(fact, quote):
        return not unrecognised(fact, text)
    return coverage(fact, text) >= ENOUGH_QUOTED and has_its_object(fact, text)


def _is_of_whom(case: _Case, near: Surroundings) -> bool:
    """Whether a fact of somebody else than the speaker is said of them, and of no third."""
    if case.whose.relation:
        return is_of_relative(near, case.whose.relation, case.fact)
    return not case.whose.person or is_of_person(near, case.whose.person, case.fact)


def _is_related(relation: str, text: str) -> bool:
    """Whether the words speak of that relative: "my mom" may be called the mother."""
    if in_two_languages(relation, text):
        return is_claimed(relation, text) and not unrecognised(relation, text)
    return is_claimed(relation, text) and coverage(relation, text) > 0
