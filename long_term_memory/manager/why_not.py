"""Why a person's own memories were not used: those with some words, and what became of each."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.chat import Access, ScopeRef
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Status
from ..policies.slot_words import words_asked_by
from ..read.absence import Explanation, explain
from ..read.query_terms import query_terms
from ..text_analysis.terms import index_terms
from .parts import Parts

MAX_EXPLAINED = 5
MAX_LOOKED_AT = 200
"""Memories that are looked at for their words: as many of the nearest, of the newest, and of the answers."""


@dataclass(frozen=True, kw_only=True)
class Explained:
    """One memory and what became of it."""

    item: Item
    explanation: Explanation
    newer: Item | None
    """What took its place, when that may be shown here and is not forgotten."""


@dataclass(frozen=True, kw_only=True)
class WhyNot:
    """The answer for the memories that have the words asked about."""

    explained: Sequence[Explained]
    """Those with most of the words first; empty when no memory has any of them."""
    more: int
    """How many more there are."""
    last_at: datetime | None
    """When something was last recalled in this chat for the one who asks, as far as the log goes back."""
    logged: bool
    """Whether a log is kept at the moment: not while the store is read-only."""
    reading: bool
    """Whether memories are put into requests at all."""
    paused: bool
    """Whether the one who asks, or the group, is paused."""
    min_confidence: float
    unread: int
    """How many messages of the one who asks, in this chat, are yet to be read."""


async def why_not(
    parts: Parts, access: Access, own: Sequence[ScopeRef], words: str, *, paused: bool
) -> WhyNot:
    """Answer from what this chat may show of one's own memories and recalls, and from nothing else."""
    memories, policy, now = parts.store.memories, parts.policies.read(), parts.clock()
    logged = parts.settings.recall_log != timedelta(0) and not parts.store.read_only
    await parts.recall_log.settle()
    # Rows of a log that is kept no more say nothing about the last message.
    last = await memories.own_last_recall(own, access) if logged else None
    kept = await memories.own_kept(words, own, access, limit=MAX_LOOKED_AT)
    found = await asyncio.to_thread(with_words, words, kept.values())
    shown = found[:MAX_EXPLAINED]
    newer = await _newer(parts, access, own, shown)
    return WhyNot(
        explained=[
            Explained(
                item=item,
                explanation=explain(item, last, now=now, min_confidence=policy.min_confidence),
                newer=newer.get(item.superseded_by or ""),
            )
            for item in shown
        ],
        more=len(found) - len(shown),
        last_at=last.at if last else None,
        logged=logged,
        reading=policy.enable,
        paused=paused,
        min_confidence=policy.min_confidence,
        unread=await memories.own_unread(own, access),
    )


def with_words(words: str, kept: Iterable[tuple[Item, Sequence[str]]]) -> list[Item]:
    """Those of the items that have about as many of the words as the best: said, stated or asked for by.

    Most words first, then what is live, then what changed last.
    """
    wanted = _wanted(words)
    counted = [(len(wanted.intersection(_terms(item, quotes))), item) for item, quotes in kept]
    best = max((number for number, _ in counted), default=0)
    matching = [(number, item) for number, item in counted if number and 2 * number >= best]
    matching.sort(key=lambda each: each[1].updated_at, reverse=True)
    matching.sort(key=lambda each: (-each[0], each[1].status not in LIVE_STATUSES))
    return [item for _, item in matching]


def _wanted(words: str) -> frozenset[str]:
    """What is looked for, numbers among it; where nothing tells, as in "name", whatever there is."""
    asked = query_terms(words)
    telling = frozenset(term.text for term in asked if term.tells)
    if telling:
        return telling | {term.text for term in asked if term.text.isdecimal()}
    return frozenset(term.text for term in asked) or frozenset(index_terms(words))


def _terms(item: Item, quotes: Sequence[str]) -> Iterable[str]:
    asked_by = words_asked_by(item.slot, item.fact)
    card = (item.fact, item.person, item.relationship, item.backstory, asked_by, *item.tags)
    return index_terms(" ".join((*card, *quotes)))


async def _newer(
    parts: Parts, access: Access, own: Sequence[ScopeRef], shown: Sequence[Item]
) -> Mapping[str, Item]:
    ids = [item.superseded_by for item in shown if item.superseded_by]
    if not ids:
        return {}
    found = await parts.store.memories.own_by_id(ids, own, access)
    return {memory_id: item for memory_id, item in found.items() if item.status is not Status.DELETED}
