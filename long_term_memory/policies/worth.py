"""Which of a full scope's items are least worth keeping (design 5.6)."""

from datetime import datetime

from ..domain.memory import Item
from ..domain.words import MemoryType, Origin


def is_protected(origin: Origin, kind: MemoryType) -> bool:
    """Whether it never gives way to what was merely extracted: a person's own save, or a constraint."""
    return origin is Origin.USER_EXPLICIT or kind is MemoryType.CONSTRAINT


def worth(item: Item, *, now: datetime) -> float:
    """What an item is worth keeping: its importance first, then use, emotion, evidence and youth."""
    age_days = max((now - item.last_confirmed_at).total_seconds(), 0.0) / 86_400
    used = min(item.access_count, 10) / 10
    confirmed = min(item.evidence_count, 10) / 10
    return item.importance + 0.2 * used + 0.1 * item.emotion + 0.1 * confirmed + 0.1 / (1 + age_days / 30)


def worth_of_new(importance: float) -> float:
    """What the same fact is worth when it has just been heard for the first time."""
    return importance + 0.1 * 0.1 + 0.1
