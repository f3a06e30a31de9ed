"""Expiry of items, and retention scores for evictions from a full scope."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from ..domain.enums import MemoryType, Origin
from ..domain.memory import Item
from ..text_analysis.terms import content_words

TTL_RULE = "ttl"
"""Reason of an expired item."""


def expiry(ttl_days: int | None, now: datetime) -> datetime | None:
    """The expiry of an item; None for never."""
    return None if ttl_days is None or ttl_days < 0 else now + timedelta(days=ttl_days)


def is_protected(origin: Origin, kind: MemoryType) -> bool:
    """Whether no automatic item evicts it: an explicit save, or a constraint."""
    return origin is Origin.USER_EXPLICIT or kind is MemoryType.CONSTRAINT


def retention_score(item: Item, *, now: datetime, uniqueness: float = 1.0) -> float:
    """Importance first, then use, emotion, evidence, uniqueness and recency."""
    age_days = max((now - item.last_confirmed_at).total_seconds(), 0.0) / 86_400
    used = min(item.access_count, 10) / 10
    confirmed = min(item.evidence_count, 10) / 10
    counts = 0.2 * used + 0.1 * item.emotion + 0.1 * confirmed + 0.1 * uniqueness
    return item.importance + counts + 0.1 / (1 + age_days / 30)


def retention_score_of_new(importance: float, *, emotion: float = 0.0, uniqueness: float = 1.0) -> float:
    """The score of a new fact."""
    return importance + 0.1 * emotion + 0.1 * 0.1 + 0.1 * uniqueness + 0.1


def uniqueness_among(items: Sequence[Item]) -> Mapping[str, float]:
    """Memory id to the share (0..1) of words that no other item has."""
    holders = Counter(word for item in items for word in _words(item.fact))
    return {item.memory_id: _share(holders[word] == 1 for word in _words(item.fact)) for item in items}


def uniqueness_of(fact: str, items: Sequence[Item]) -> float:
    """The share (0..1) of a new fact's words that no item has."""
    taken = {word for item in items for word in _words(item.fact)}
    return _share(word not in taken for word in _words(fact))


def _share(alone: Iterable[bool]) -> float:
    marks = list(alone)
    return sum(marks) / len(marks) if marks else 0.0


_words = lru_cache(maxsize=4096)(content_words)
"""A full scope compares the same items for each new one."""
