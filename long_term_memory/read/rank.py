"""Stage 3, rank: signals on one scale, one score, and nothing unrelated (design 6.3, seed 002 4.3)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from ..domain.reading import Hit, Omitted, Ranked, Sifted
from ..domain.words import MemoryType
from ..policies.read_policy import MemoryReadPolicy
from ..policies.relevance import is_relevant

STANDING = frozenset({MemoryType.PROFILE, MemoryType.CONSTRAINT})
"""Types that matter whatever the talk is about; the others must have to do with the question."""

WORDS_SHARE = 0.5
"""How much words count beside vectors, where an item has both."""

_HALF_LIFE = timedelta(days=30)
_NO_TIME = timedelta(0)


def rank(hits: Sequence[Hit], policy: MemoryReadPolicy, *, now: datetime) -> Sifted:
    """Score what stands or is relevant, best first.

    The order does not depend on the scale of the word scores. Equal scores go by the last confirmation, the
    newer first, then by id.
    """
    weights = _weights(policy)
    scale = _Scale(hits)
    kept: list[Ranked] = []
    omitted: list[Omitted] = []
    for hit in hits:
        if hit.item.type in STANDING or is_relevant(hit.words, hit.cosine):
            kept.append(_scored(hit, scale.similarity(hit), weights, now))
        else:
            omitted.append(Omitted(memory_id=hit.item.memory_id, rule="not_relevant"))
    kept.sort(key=lambda each: (-each.score, now - each.item.last_confirmed_at, each.item.memory_id))
    return Sifted(kept=kept, omitted=omitted)


class _Scale:
    """Brings both signals to 0..1 over all candidates: words by their maximum, cosines by their range."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        cosines = [hit.cosine for hit in hits if hit.cosine is not None]
        self._most_words = max((hit.words for hit in hits), default=0.0)
        self._lowest = min(cosines, default=0.0)
        self._range = max(cosines, default=0.0) - self._lowest

    def similarity(self, hit: Hit) -> float:
        words = _unit(hit.words / self._most_words) if self._most_words > 0 else 0.0
        if hit.cosine is None:
            return words
        # A single candidate has no range to be placed in.
        cosine = (hit.cosine - self._lowest) / self._range if self._range > 0 else hit.cosine
        return WORDS_SHARE * words + (1 - WORDS_SHARE) * _unit(cosine)


def _scored(hit: Hit, similarity: float, weights: tuple[float, float, float], now: datetime) -> Ranked:
    shares = (
        weights[0] * similarity,
        weights[1] * _unit(hit.item.importance),
        weights[2] * time_decay(now - hit.item.last_confirmed_at),
    )
    return Ranked(
        item=hit.item, score=sum(shares), similarity=shares[0], importance=shares[1], recency=shares[2]
    )


def time_decay(age: timedelta) -> float:
    """Return 1 / (1 + days / 30), which is 1 for what was just confirmed (seed 002 4.3)."""
    return 1.0 / (1.0 + max(age, _NO_TIME) / _HALF_LIFE)


def _weights(policy: MemoryReadPolicy) -> tuple[float, float, float]:
    given = (policy.similarity_weight, policy.importance_weight, policy.recency_weight)
    total = sum(given)
    return (given[0] / total, given[1] / total, given[2] / total) if total > 0 else (1.0, 0.0, 0.0)


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
