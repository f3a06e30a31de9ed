"""Stage 4, verify: one call a batch asks whether the conversation says each fact."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from ..domain.enums import MemoryType, Origin, Role, Scope, Stance
from ..domain.errors import LtmError, StoreUnavailableError
from ..domain.log import logger
from ..domain.memory import Event, Item
from ..domain.writing import Grounded, Passage, Segment
from ..policies.slots import is_exclusive, slot_of
from ..prompts.transcript import speaker_labels
from ..prompts.verification import (
    ALL,
    MAX_SHOWN,
    SYSTEM,
    VERSION,
    Judgement,
    Ruling,
    Statement,
    parse_verdicts,
    verification_prompt,
)
from ..text_analysis.fact_words import is_plain_yes
from ..text_analysis.quotes import bounded, statements_share
from ..text_analysis.word_forms import normal_words
from .attribution import names_of
from .protocols import Verify
from .record import KEPT
from .token_budget import TokenBudget

UNVERIFIED = "unverified"
"""Doubt: the model could not be asked, or gave no usable verdict."""
NEEDS_PLAIN_YES = "needs_plain_yes"
"""Doubt: mostly the bot said it of the person, and no plain yes followed."""
_MIN_OVERLAP = 0.25
"""The share of a fact's words in a person's statements that make it theirs, though the bot adds to it."""
VERIFIED_CONFIDENCE = 0.8
"""The least confidence of a fact that is verified, or will be."""
_TERMS = re.compile(r"[$€£¥%]|\d{3}")
"""What prices, rates and limits have."""
_MOST_ENDED = 4
"""Known facts that one fact may end by verification alone, of those that are no constraint nor asked for."""
_ALLOWANCE, _ALLOWANCE_EACH = 40, 20
"""Tokens reserved for an answer, in all and for each fact."""


def verifier(budget: TokenBudget, zone: tzinfo) -> Verify:
    """Verification by the chat provider."""

    async def judge(segment: Segment, facts: Sequence[Grounded], provider: str) -> Sequence[Judgement | None]:
        if not facts:
            return ()
        statements = [_statement(fact, segment) for fact in facts]
        prompt = await asyncio.to_thread(verification_prompt, segment, statements, zone)
        allowance, umo = _ALLOWANCE + _ALLOWANCE_EACH * len(facts), segment.events[0].umo
        try:
            answer = await budget.ask(provider, umo=umo, prompt=prompt, allowance=allowance, system=SYSTEM)
        except StoreUnavailableError:
            raise  # nothing can be stored now: the batch is tried again
        except LtmError as error:
            logger.info("%d facts wait unverified: %s.", len(facts), type(error).__name__)
            answer = None
        return await asyncio.to_thread(parse_verdicts, answer or "", len(facts))

    return judge


async def verified(
    facts: Sequence[Grounded], segment: Segment, verify: Verify | None, *, provider: str
) -> list[Grounded]:
    """The facts with the model's judgements on those that grounding accepted."""
    if verify is None:
        return [replace(each, refused=each.refused or each.unagreed) for each in facts]
    asked = [each for each in facts if not (each.doubt or each.refused)]
    judgements = iter(await verify(segment, asked, provider))
    left = (each if each.doubt or each.refused else judged(each, next(judgements), segment) for each in facts)
    return await asyncio.to_thread(list, left)  # the words of long messages are compared


def judged(fact: Grounded, judgement: Judgement | None, segment: Segment) -> Grounded:
    """The fact with a judgement applied."""
    candidate = replace(fact.candidate, confidence=max(fact.candidate.confidence, VERIFIED_CONFIDENCE))
    if judgement is None:
        return replace(fact, candidate=candidate, doubt=UNVERIFIED)
    if not judgement.ruling.accepts:
        return replace(fact, refused=judgement.ruling.value)
    candidate = replace(candidate, meta={**candidate.meta, "verified": VERSION})
    asked, still = enumerate(_instead_of(fact, segment), start=1), judgement.still
    if remaining := {item.memory_id for at, item in asked if at in still or ALL in still}:
        replaces = tuple(each for each in candidate.replaces if each not in remaining)
        candidate = replace(candidate, replaces=replaces, slot="", fact_key="")
    if candidate.stance is Stance.WITHDRAWN:
        meta = {**candidate.meta, KEPT: " ".join(remaining)}
        return replace(fact, candidate=replace(candidate, meta=meta))
    shown = segment.known[:MAX_SHOWN]
    ended = [shown[at - 1] for at in judgement.ends[:_MOST_ENDED] if 0 < at <= len(shown)]
    kept = (MemoryType.CONSTRAINT, Origin.USER_EXPLICIT)
    ids = (each.memory_id for each in ended if each.type not in kept and each.origin not in kept)
    candidate = replace(candidate, replaces=(*candidate.replaces, *ids))
    if judgement.ruling is Ruling.SAID and candidate.origin is not Origin.CONFIRMED:
        return replace(fact, candidate=candidate)
    return _confirmed(replace(fact, candidate=replace(candidate, origin=Origin.CONFIRMED)), segment)


def _confirmed(fact: Grounded, segment: Segment) -> Grounded:
    """With the bot's words as evidence too; a sensitive fact that mostly the bot said needs a plain yes."""
    beside = fact.beside
    if not any(each.event.role is Role.ASSISTANT for each in beside):
        answered = _answered(fact.event, segment)
        beside += (Passage(event=answered, text=bounded(answered.text)),) if answered else ()
    yes = any(is_plain_yes(each) for each in (fact.quote, fact.event.text))
    needs_yes = fact.is_of_bot and _is_sensitive(fact, segment) and not yes and not _is_stated(fact, segment)
    return replace(fact, beside=beside, doubt=NEEDS_PLAIN_YES if needs_yes else "")


def _is_stated(fact: Grounded, segment: Segment) -> bool:
    """Whether the person's own statements say enough of it; what came before the segment is nothing new."""
    talk = [(False, each.text) for each in segment.earlier]
    talk += [(each.sender_id == fact.event.sender_id, each.text) for each in segment.events]
    return statements_share(fact.candidate.fact, talk) >= _MIN_OVERLAP


def _is_sensitive(fact: Grounded, segment: Segment) -> bool:
    """Whether it tells what somebody is, has or must heed, and not the price, rate or limit of a thing.

    What a group arranges tells nothing of anybody, unless a member is its subject.
    """
    claim = fact.candidate
    if fact.owner.scope is Scope.GROUP and not fact.person:
        names = {name for each in segment.events for name in names_of(each, segment.events)} - {""}
        told = normal_words(claim.fact)
        if not any(re.match(rf"{re.escape(name)}(?![a-z\d])", told) for name in names):
            return False
    of_somebody = fact.person or is_exclusive(slot_of(claim.slot, claim.fact_key))
    is_profile = claim.type is MemoryType.PROFILE and bool(of_somebody or not _TERMS.search(claim.fact))
    return claim.type is MemoryType.CONSTRAINT or is_profile


def _answered(event: Event, segment: Segment) -> Event | None:
    """The bot's last message before this one."""
    said = [*segment.earlier, *segment.events]
    before = said[: said.index(event)] if event in said else []
    return next((each for each in reversed(before) if each.role is Role.ASSISTANT and each.text), None)


def _statement(fact: Grounded, segment: Segment) -> Statement:
    events = {each.event.event_id for each in fact.beside} | {fact.event.event_id}
    return Statement(
        fact=fact.candidate.fact,
        speaker=speaker_labels(segment.events).get(fact.event.sender_id, "U1"),
        person=fact.person,
        stance=fact.candidate.stance,
        events=tuple(at for at, event in enumerate(segment.events) if event.event_id in events),
        instead_of=tuple(item.fact for item in _instead_of(fact, segment)),
    )


def _instead_of(fact: Grounded, segment: Segment) -> list[Item]:
    """The known facts it would supersede, by its proposer or in the same slot."""
    slot = slot_of(fact.candidate.slot, fact.candidate.fact_key)
    here = (slot, fact.person, fact.owner) if is_exclusive(slot) else None
    return [
        item
        for item in segment.known
        if item.memory_id in fact.candidate.replaces or (item.slot, item.person, item.owner) == here
    ]
