"""MemoryReadPolicy (seed 002 4.2)."""

from dataclasses import dataclass

from .recipes import DEFAULT, RecipeName, Weights


@dataclass(frozen=True, kw_only=True)
class MemoryReadPolicy:
    """What one request may carry. The weights are brought to sum 1 before use."""

    enable: bool = True
    recipe: RecipeName = "default"
    max_items: int = 30
    """Facts are short: fewer would fill less than the tokens that are granted."""
    max_tokens: int = 800
    max_per_type: int = 15
    min_confidence: float = 0.5
    similarity_weight: float = DEFAULT.weights.similarity
    importance_weight: float = DEFAULT.weights.importance
    recency_weight: float = DEFAULT.weights.recency

    @property
    def weights(self) -> Weights:
        """The three weights as they stand."""
        return Weights(
            similarity=self.similarity_weight,
            importance=self.importance_weight,
            recency=self.recency_weight,
        )
