"""MemoryReadPolicy (seed 002 4.2)."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class MemoryReadPolicy:
    """What one request may carry. The weights are brought to sum 1 before use."""

    enable: bool = True
    max_items: int = 15
    max_tokens: int = 800
    max_per_type: int = 5
    min_confidence: float = 0.5
    similarity_weight: float = 0.8
    importance_weight: float = 0.1
    recency_weight: float = 0.1
