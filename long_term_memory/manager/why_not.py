"""Why a person's own memories were not used: what they and the messages with some words came to."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.chat import Access
from ..domain.memory import Event, EvidenceInContext, Item, reworded_at
from ..domain.words import LIVE_STATUSES, Role, Status
from ..policies.slots import words_asked_by
from ..read.query_terms import query_terms
from ..read.recall_outcome import Explanation, RecallOutcome, explain
from ..text_analysis.terms import index_terms
from .components import Components
from .status import Unread, reading_times, unread

MAX_EXPLAINED = 5
MAX_SAID = 3
MAX_LOOKED_AT = 200
"""Memories that are looked at for their words: as many of the nearest, of the newest, and of the answers."""


@dataclass(frozen=True, kw_only=True)
class Unused:
    """One memory and what became of it."""

    item: Item
    explanation: Explanation
    newer: Item | None
    """What took its place, when that may be shown here and is not forgotten."""
    said_at: datetime | None
    """When its person said it last, as far as this chat may know."""
    reworded_at: datetime | None
    """When an operator put it into other words than were said."""


@dataclass(frozen=True, kw_only=True)
class WhyNot:
    """The answer for the memories and messages that have the words asked about."""

    explained: Sequence[Unused]
    """Those with most of the words first; empty when no memory has any of them."""
    more: int
    said: Sequence[tuple[Event, bool]]
    """Messages of whoever asks on which none of these rests, and whether any other memory does."""
    reading_at: Mapping[tuple[str, str], datetime]
    """When the chats are read, by origin and scope id; none while read-only."""
    last_at: datetime | None
    """When something was last recalled in this chat for the one who asks, as far as the log goes back."""
    logged: bool
    """Whether a log is kept at the moment: not while the store is read-only."""
    reading: bool
    paused: str
    """The rule by which the one who asks, or the group, is paused; empty while neither is."""
    min_confidence: float
    unread: Unread


async def why_not(components: Components, access: Access, words: str, *, paused: str) -> WhyNot:
    """Answer from what this chat may know of one's own memories, messages and recalls, and nothing else."""
    memories, policy = components.store.memories, components.policies.read()
    logged = components.settings.recall_log != timedelta(0) and not components.store.read_only
    await components.recall_log.settle()
    # Rows of a log that is kept no more say nothing about the last message.
    last = await memories.own_last_recall(access) if logged else None
    kept = await memories.own_kept(words, access, limit=MAX_LOOKED_AT)
    told = await memories.own_said(words, access, limit=MAX_LOOKED_AT)
    found, said = await asyncio.to_thread(with_words, words, kept.values(), told)
    shown = found[:MAX_EXPLAINED]
    newer = await _newer(components, access, shown)
    older = await memories.own_older([item.memory_id for item in shown], access)
    explained = [
        Unused(
            item=item,
            explanation=await _removed(components, item)
            or explain(item, last, now=components.ports.clock(), min_confidence=policy.min_confidence),
            newer=newer.get(item.superseded_by or ""),
            said_at=_said_at(kept[item.memory_id][1]),
            reworded_at=reworded_at(item, older[item.memory_id]),
        )
        for item in shown
    ]
    return WhyNot(
        explained=explained,
        more=len(found) - len(shown),
        said=said[:MAX_SAID],
        reading_at=await reading_times(components),
        last_at=last.at if last else None,
        logged=logged,
        reading=policy.enable,
        paused=paused,
        min_confidence=policy.min_confidence,
        unread=await unread(components, access),
    )


def with_words(
    words: str,
    kept: Iterable[tuple[Item, Sequence[EvidenceInContext]]],
    told: Iterable[tuple[Event, Sequence[str]]] = (),
) -> tuple[list[Item], list[tuple[Event, bool]]]:
    """Those of the items that have about as many of the words as the best: said, stated or asked for by.

    Most words first, then what is live, then what changed last. And those of the messages `told` on which
    none of these rests, the newest first, with whether anything else does.
    """
    wanted = _wanted(words)
    items = [(len(wanted.intersection(_terms(item, said))), item) for item, said in kept]
    said = [(len(wanted.intersection(index_terms(event.text))), event, resting) for event, resting in told]
    best = max((number for number, _ in items), default=0)
    matching = [(number, item) for number, item in items if number and 2 * number >= best]
    matching.sort(key=lambda each: each[1].updated_at, reverse=True)
    matching.sort(key=lambda each: (-each[0], each[1].status not in LIVE_STATUSES))
    ids = {item.memory_id for _, item in matching}
    best = max([best, *(number for number, *_ in said)])
    others = [each for each in said if each[0] and 2 * each[0] >= best and ids.isdisjoint(each[2])]
    others.sort(key=lambda each: each[1].created_at, reverse=True)
    return [item for _, item in matching], [(event, bool(resting)) for _, event, resting in others]


def _wanted(words: str) -> frozenset[str]:
    """What is looked for, numbers among it; where nothing tells, as in "name", whatever there is."""
    asked = query_terms(words)
    telling = frozenset(term.text for term in asked if term.tells)
    if telling:
        return telling | {term.text for term in asked if term.text.isdecimal()}
    return frozenset(term.text for term in asked) or frozenset(index_terms(words))


def _terms(item: Item, evidence: Sequence[EvidenceInContext]) -> Iterable[str]:
    asked_by = words_asked_by(item.slot, item.fact)
    card = (item.fact, item.person, item.relationship, item.backstory, asked_by, *item.tags)
    return index_terms(" ".join((*card, *(one.quote for one in evidence))))


def _said_at(grounds: Sequence[EvidenceInContext]) -> datetime | None:
    return max((one.said_at for one in grounds if one.role is Role.USER), default=None)


async def _removed(components: Components, item: Item) -> Explanation | None:
    """Whether an operator or its person took it away; None when it is not deleted."""
    if item.status is not Status.DELETED:
        return None
    actors = [
        entry.actor for _, entry in await components.store.history(item.memory_id) if entry.after == "deleted"
    ]
    by_operator = bool(actors) and actors[-1].startswith("operator")
    return Explanation(fate=RecallOutcome.REMOVED if by_operator else RecallOutcome.FORGOTTEN)


async def _newer(components: Components, access: Access, shown: Sequence[Item]) -> Mapping[str, Item]:
    ids = [item.superseded_by for item in shown if item.superseded_by]
    if not ids:
        return {}
    found = await components.store.memories.own_by_id(ids, access)
    return {memory_id: item for memory_id, item in found.items() if item.status is not Status.DELETED}
