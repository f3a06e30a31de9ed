"""Stage 6, score: how sure a merged candidate is (design 5.6)."""

from collections.abc import Mapping

from ..domain.words import Origin
from ..domain.writing import Merged, Scored
from ..policies.confidence import averaged, confidence, share

SOURCE_WEIGHTS: Mapping[Origin, float] = {
    Origin.USER_EXPLICIT: 1.0,
    Origin.RULE: 0.95,
    Origin.LLM_EXTRACT: 0.8,
    Origin.CONFIRMED: 0.8,
    Origin.IMPORT: 0.8,
}
"""How far a source is believed (seed 002 3.4). A rule repeats a person's plain words, yet it may misread."""
TOOL_WEIGHT = 0.7


def score(merged: Merged) -> Scored:
    """Weigh a candidate, together with what the item it meets already has behind it."""
    candidate, existing = merged.grounded.candidate, merged.existing
    count = existing.evidence_count + 1 if existing else 1
    is_of_tool = merged.grounded.doubt == "tool_result"
    source = TOOL_WEIGHT if is_of_tool else SOURCE_WEIGHTS[candidate.origin]
    heard = confidence(base=candidate.confidence, source=source, evidence_count=count)
    return Scored(
        merged=merged,
        confidence=averaged(existing.confidence, existing.evidence_count, heard) if existing else heard,
        importance=max(share(candidate.importance), existing.importance if existing else 0.0),
        evidence_count=count,
    )
