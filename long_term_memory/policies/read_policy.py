"""MemoryReadPolicy (seed 002 4.2)."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Weights:
    """How much each signal counts in a score (seed 002 4.3)."""

    similarity: float
    importance: float
    recency: float


# In real talk importance tells what matters; recency at .05 already costs recall.
DEFAULT_WEIGHTS = Weights(similarity=0.77, importance=0.2, recency=0.03)
_FORMER_WEIGHTS = Weights(similarity=0.94, importance=0.03, recency=0.03)
"""The former defaults, which the host wrote into settings files: nobody chose them."""


@dataclass(frozen=True, kw_only=True)
class MemoryReadPolicy:
    """What one request may carry."""

    enable: bool = True
    max_items: int = 30
    """Facts are short: fewer would fill less than the tokens that are granted."""
    max_tokens: int = 800
    max_per_type: int = 15
    min_confidence: float = 0.5
    similarity_weight: float = DEFAULT_WEIGHTS.similarity
    importance_weight: float = DEFAULT_WEIGHTS.importance
    recency_weight: float = DEFAULT_WEIGHTS.recency

    @property
    def weights(self) -> Weights:
        """The three weights, brought to sum 1; similarity alone where all are 0."""
        given = Weights(
            similarity=self.similarity_weight, importance=self.importance_weight, recency=self.recency_weight
        )
        if given == _FORMER_WEIGHTS:
            return DEFAULT_WEIGHTS
        total = given.similarity + given.importance + given.recency
        if total <= 0:
            return Weights(similarity=1.0, importance=0.0, recency=0.0)
        return Weights(**{name: weight / total for name, weight in vars(given).items()})
