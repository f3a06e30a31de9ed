"""The statement that stands for a group of old episodes, and whether they bear it out: pure decisions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..domain.memory import Evidence, Item
from ..domain.time import MakeId
from ..domain.words import Origin, Status
from ..policies.confidence import averaged
from ..policies.keys import key_of
from ..policies.succession import COMPACTION
from ..policies.worth import expiry
from ..text_analysis.fact_words import shared_words, unsupported
from ..text_analysis.polarity import polarity

REASON = COMPACTION
"""Why it waits."""
ENOUGH = 0.4
"""The share of the statement's words that the episodes must have: what sums up needs words of its own."""
_HABIT = re.compile(
    r"\b(?:often|usually|regularly|sometimes|frequently|repeatedly|always|every time"
    r"|(?:several|many|a few) times)\b"
    r"|经常|时常|常常?|多次|有时|总是?|每次|习惯|好几次|几次",
    re.IGNORECASE,
)
"""What only a sum of several can say."""


def doubt_of(fact: str, facts: Sequence[str]) -> str:
    """Why a statement does not stand for these facts; empty when they bear it out.

    Names, numbers and most of its words must be theirs, and it may deny or dislike only as the nearest
    of them does.
    """
    told = "\n".join(facts)
    if not fact:
        return "nothing_in_common"
    if unsupported(fact, told):
        return "not_in_evidence"
    if shared_words(_HABIT.sub(" ", fact), told) < ENOUGH:
        return "unrelated"
    nearest = max(facts, key=lambda each: shared_words(fact, each))
    return "negation_differs" if _is_against(fact) and not _is_against(nearest) else ""


def representative(
    group: Sequence[Item],
    fact: str,
    links: Sequence[Evidence],
    *,
    ttl_days: int | None,
    now: datetime,
    make_id: MakeId,
) -> tuple[Item, list[Evidence]]:
    """What stands for a group, and all the group rests on as its evidence: `links`, each event once.

    It is as sure, important and recent as its members, surfaces where they do, and waits for approval.
    """
    memory_id = make_id()
    once: dict[str, Evidence] = {}
    for link in links:
        once.setdefault(link.event_id, link)
    evidence = [replace(link, evidence_id=make_id(), memory_id=memory_id) for link in once.values()]
    item = replace(
        group[0],
        memory_id=memory_id,
        fact=fact,
        fact_key=key_of(fact),
        confidence=_confidence(group),
        importance=max(item.importance for item in group),
        emotion=max(item.emotion for item in group),
        evidence_count=len(evidence),
        ttl_days=ttl_days,
        status=Status.PENDING,
        reason=REASON,
        origin=Origin.LLM_EXTRACT,
        teller=_common(item.teller for item in group),
        relationship=_common(item.relationship for item in group),
        backstory="",
        slot="",
        superseded_by=None,
        supersedes=tuple(item.memory_id for item in group),
        tags=(),
        access_count=0,
        created_at=now,
        updated_at=now,
        last_confirmed_at=max(item.last_confirmed_at for item in group),
        last_accessed_at=None,
        expires_at=expiry(ttl_days, now),
        deleted_at=None,
    )
    return item, evidence


def _confidence(group: Sequence[Item]) -> float:
    total, weight = 0.0, 0
    for item in group:
        total = averaged(total, weight, item.confidence, item.evidence_count)
        weight += item.evidence_count
    return total


def _is_against(text: str) -> bool:
    """Whether it denies, or says that somebody dislikes something."""
    sides = polarity(text)
    return sides.is_denied or False in sides.likes


def _common(texts: Iterable[str]) -> str:
    """The text that all have, else nothing."""
    different = set(texts)
    return different.pop() if len(different) == 1 else ""
