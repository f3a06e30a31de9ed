"""Stage 3, ground: the words a candidate rests on, its values, and whose fact it is (design 5.3).

Code decides what it can in any language: the words were said, by whom, and every number, date and address
was said. Whether a sentence means the fact is for verification. What the bot alone said is no evidence unless
the person agreed to it next; words of a tool, a quoted message or a name wait for a person.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from itertools import product

from ..domain.memory import Event
from ..domain.words import Origin, Role, Status
from ..domain.writing import Candidate, Grounded, Passage, Segment
from ..policies.agreement import is_plain_yes
from ..policies.dates import with_days
from ..policies.quotes import bounded, find, shared_terms
from ..policies.values import missing_value
from .attribution import Attribution, attribute, with_names

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

ENOUGH_SHARED = 0.5
"""The share of a fact's terms that its message must have where no quote was given."""
BOT_ALONE = "assistant_words"
"""Nobody but the bot said it, and nobody agreed."""
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？؟]*")
_QUESTION_MARKS = ("?", "？", "؟")
_BROKEN = "not_checked"
_SAID_BY = (Role.USER, Role.ASSISTANT, Role.TOOL)
"""In whose words a quote is looked for, the best evidence first."""
_MARK = "[secret:"
"""How what stands in a secret's place begins (`policies.secrets`)."""


@dataclass(frozen=True, kw_only=True)
class _Evidence:
    """What was found of a candidate's quotes."""

    own: Sequence[Passage] = ()
    """In messages of one person of the segment."""
    bot: Sequence[Passage] = ()
    doubt: str = ""


def ground(candidate: Candidate, segment: Segment, zone: tzinfo = UTC) -> Grounded:
    """Find the evidence of a candidate; what speaks against it is a doubt or a refusal of the result.

    `zone` is where days begin. Raises ValueError when no person said anything in the segment.
    """
    users = [event for event in segment.events if event.role is Role.USER]
    if not users:
        raise ValueError("a fact needs a person's words to rest on")
    found = _evidence(candidate, segment, users)
    own, refused, is_of_bot = list(found.own), "", _is_of_bot(candidate, found)
    if not own and found.bot:
        own, refused = _agreement(found.bot[0], segment)
        candidate = replace(candidate, origin=Origin.CONFIRMED)
    main = own[0] if own else Passage(event=users[0], text=bounded(users[0].text) or "…")
    said_at = main.event.created_at.astimezone(zone)
    named = with_names(candidate.fact, main.event, segment.events)
    fact = with_days(named, said_at)
    whose = attribute(candidate, main.event, segment.events)
    if _MARK in fact:
        refused = refused or "secret"
    beside = (*own[1:], *found.bot)
    return Grounded(
        candidate=replace(candidate, fact=fact),
        event=main.event,
        quote=main.text,
        owner=whose.owner,
        person=whose.person,
        teller=whose.teller,
        beside=tuple(_once(main, beside)),
        doubt=found.doubt or _doubt_of(named, whose, _texts(main, beside, segment), said_at),
        refused=refused,
        is_of_bot=is_of_bot,
        unagreed=(is_of_bot and not is_plain_yes(main.event.text)) or _only_asked(candidate, found.own),
    )


def ground_all(
    candidates: Sequence[Candidate], segment: Segment, zone: tzinfo
) -> tuple[list[Grounded], list[str]]:
    """The same for each of several candidates, and a reason for each that broke it: that costs no other."""
    facts: list[Grounded] = []
    broken: list[str] = []
    for candidate in candidates:
        try:
            facts.append(ground(candidate, segment, zone))
        except Exception as error:  # noqa: BLE001  words nobody thought of break one fact, not the batch
            logger.error("A fact could not be checked: %s", type(error).__name__)  # noqa: TRY400  its text may quote
            broken.append(_BROKEN)
    return facts, broken


def _evidence(candidate: Candidate, segment: Segment, users: Sequence[Event]) -> _Evidence:
    if not candidate.quotes:
        return _without_quote(candidate, users)
    passages = [found for quote in candidate.quotes if (found := _find(quote, candidate, segment))]
    own = [each for each in passages if each.event.role is Role.USER and each.event in segment.events]
    bot = [each for each in passages if each.event.role is Role.ASSISTANT]
    if own:
        sender = own[0].event.sender_id
        return _Evidence(own=[each for each in own if each.event.sender_id == sender], bot=bot)
    if bot:
        return _Evidence(bot=bot)
    if any(each.event.role is Role.TOOL for each in passages):
        return _Evidence(doubt="tool_result")
    return _Evidence(own=_cited(candidate, segment, users), doubt=_elsewhere(candidate, segment.events))


def _without_quote(candidate: Candidate, users: Sequence[Event]) -> _Evidence:
    """The message with most of the fact's terms, as a plain answer names no quote (seed 002 3.2)."""
    best = max(users, key=lambda event: shared_terms(candidate.fact, event.text))
    doubt = "" if shared_terms(candidate.fact, best.text) >= ENOUGH_SHARED else "no_quote"
    return _Evidence(own=[Passage(event=best, text=bounded(best.text) or "…")], doubt=doubt)


def _find(quote: str, candidate: Candidate, segment: Segment) -> Passage | None:
    """The passage in the best of the messages: one speaker may say nearly what another says."""
    for role, nearly in product((*_SAID_BY, None), (False, True)):
        for event in _in_order(candidate, segment, role):
            span = find(quote, event.text, nearly=nearly)
            if span:
                return Passage(event=event, text=bounded(event.text[span[0] : span[1]]))
    return None


def _in_order(candidate: Candidate, segment: Segment, role: Role | None) -> Iterator[Event]:
    """The messages of a role, what is cited first; what was said earlier for None."""
    if role is None:
        yield from (event for event in segment.earlier if event.role is not Role.TOOL)
        return
    cited = [segment.events[i] for i in candidate.evidence if 0 <= i < len(segment.events)]
    yield from (event for event in cited if event.role is role)
    yield from (event for event in segment.events if event.role is role and event not in cited)


def _cited(candidate: Candidate, segment: Segment, users: Sequence[Event]) -> list[Passage]:
    """The likeliest message, for whoever looks at what waits."""
    cited = [segment.events[i] for i in candidate.evidence if 0 <= i < len(segment.events)]
    event = next((each for each in cited if each.role is Role.USER), users[0])
    return [Passage(event=event, text=bounded(event.text) or "…")]


def _elsewhere(candidate: Candidate, events: Sequence[Event]) -> str:
    """Why a quote is none: it stands in a quoted message or a name, or nowhere."""
    for quote in candidate.quotes:
        if any(find(quote, event.quoted) for event in events):
            return "quoted_message"
        if any(find(quote, event.sender_name) for event in events):
            return "nickname"
    return "quote_not_found"


def _agreement(said: Passage, segment: Segment) -> tuple[list[Passage], str]:
    """The next message of the person to whom the bot said it; a refusal when there is none."""
    follows = [*segment.earlier, *segment.events]
    at = follows.index(said.event) + 1
    before = [event.sender_id for event in follows[:at] if event.role is Role.USER]
    told = before[-1:] or [event.sender_id for event in follows[at:]]
    answers = (event for event in follows[at:] if event.role is Role.USER and event.sender_id in told)
    answer = next(answers, None)
    if answer is None or answer not in segment.events:
        return [], BOT_ALONE
    return [Passage(event=answer, text=bounded(answer.text))], ""


def _is_of_bot(candidate: Candidate, found: _Evidence) -> bool:
    """Whether the bot alone says it: the person's words have nothing of the fact."""
    return bool(found.bot) and not any(shared_terms(candidate.fact, each.text) for each in found.own)


def _texts(main: Passage, beside: Sequence[Passage], segment: Segment) -> list[str]:
    """Where a value may come from: the speaker's messages, the bot's that they answer, known facts."""
    said = [*segment.earlier, *segment.events]
    quoted = [each.event for each in (main, *beside)]
    texts: list[str] = []
    for index, event in enumerate(said):
        answered = event.role is Role.ASSISTANT and any(
            other in quoted for other in said[index + 1 : index + 3]
        )
        if event in quoted or answered or event.sender_id == main.event.sender_id:
            texts.append(event.text)
    return [*texts, *(item.fact for item in segment.known if item.status is Status.ACTIVE)]


def _doubt_of(fact: str, whose: Attribution, said: Sequence[str], at: datetime) -> str:
    if not whose.is_clear:
        return "person_unclear"
    missing = missing_value(fact, said, at)
    return f"not_in_evidence:{missing[:40]}" if missing else ""


def _only_asked(candidate: Candidate, own: Sequence[Passage]) -> bool:
    """Whether all words are questions, and no message is named in which they are answered."""
    sentences = [each for passage in own for each in _SENTENCE.findall(passage.text) if each.strip()]
    asked = bool(sentences) and all(each.rstrip().endswith(_QUESTION_MARKS) for each in sentences)
    return asked and len(own) == 1 and len(candidate.evidence) < 2


def _once(main: Passage, beside: Sequence[Passage]) -> Iterator[Passage]:
    """Each event is evidence of an item once."""
    seen = {main.event.event_id}
    for each in beside:
        if each.event.event_id not in seen:
            seen.add(each.event.event_id)
            yield each
