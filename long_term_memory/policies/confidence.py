"""How sure a fact is (design 5.6, seed 002 3.3 and 3.4)."""

import math


def confidence(*, base: float, source: float, evidence_count: int, penalty: float = 0.0) -> float:
    """`base x source x min(1.5, 1 + 0.1 (n - 1)) x (1 - penalty)`, clamped to 0..1; never NaN."""
    bonus = min(1.5, 1 + 0.1 * (max(evidence_count, 1) - 1))
    return share(share(base) * share(source) * bonus * (1 - share(penalty)))


def averaged(old: float, old_weight: int, new: float, new_weight: int = 1) -> float:
    """The average of two confidences, weighted with the evidence behind each; within 0..1, never NaN."""
    weights = max(old_weight, 0) + max(new_weight, 0)
    if not weights:
        return share(new)
    return share((share(old) * max(old_weight, 0) + share(new) * max(new_weight, 0)) / weights)


def share(value: float) -> float:
    """The value clamped to 0..1; what is no number is 0."""
    return 0.0 if math.isnan(value) else min(1.0, max(0.0, value))
