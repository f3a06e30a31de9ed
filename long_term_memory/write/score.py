"""Stage 6, score: the confidence of a merged candidate."""

import math
from collections.abc import Mapping

from ..domain.words import Origin
from ..domain.writing import Merged, Scored

SOURCE_WEIGHTS: Mapping[Origin, float] = {Origin.USER_EXPLICIT: 1.0, Origin.RULE: 0.95}
"""Trust in a source, 0.8 in others. A rule repeats a person's words, but may misread them."""
TOOL_WEIGHT = 0.7


def score(merged: Merged) -> Scored:
    """Weigh a candidate together with the evidence of the item it confirms."""
    candidate, existing = merged.grounded.candidate, merged.existing
    count = existing.evidence_count + 1 if existing else 1
    doubt, trust = merged.grounded.doubt, SOURCE_WEIGHTS.get(candidate.origin, 0.8)
    source = TOOL_WEIGHT if doubt == "tool_result" else trust
    heard = confidence(base=candidate.confidence, source=source, evidence_count=count)
    return Scored(
        merged=merged,
        confidence=averaged(existing.confidence, existing.evidence_count, heard) if existing else heard,
        importance=max(share(candidate.importance), existing.importance if existing else 0.0),
        evidence_count=count,
    )


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
    """The value clamped to 0..1; NaN is 0."""
    return 0.0 if math.isnan(value) else min(1.0, max(0.0, value))
