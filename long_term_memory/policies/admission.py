"""What becomes of a scored fact (design 5.6): the rules of `MemoryWritePolicy`, the first failing one named.

The rules of trust come first (type, doubt, confidence, evidence count, approval, mode), then, for what would
be new, the limits (session, hour, room). A fact over a rate waits for approval instead of being lost.
Automatic writing obeys all of them. What a person saves explicitly is active at once, unless its type needs
approval; only room has to be made for it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.memory import Item
from ..domain.words import Mode, Origin, Status
from ..domain.writing import MergeKind, Scored, Usage, Verdict
from .worth import is_protected, worth, worth_of_new
from .write_policy import MemoryWritePolicy

RATE_WINDOW = timedelta(hours=1)
"""How far back the limits of session and hour look."""

EVIDENCE_RULE = "min_evidence_count"


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """A status, or None for a refusal, and the rule that kept the fact from being active."""

    status: Status | None
    rule: str = ""


_ACTIVE = Ruling(status=Status.ACTIVE)
_BY_MODE = {
    Mode.AUTO: _ACTIVE,
    Mode.SHADOW: Ruling(status=Status.SHADOW, rule="mode"),
    Mode.MANUAL: Ruling(status=Status.PENDING, rule="mode"),
}


def decide(scored: Scored, policy: MemoryWritePolicy, usage: Usage, *, now: datetime) -> Verdict:
    """Decide what is stored, and as what."""
    kind = scored.merged.kind
    if kind in (MergeKind.KNOWN, MergeKind.TOMBSTONE):
        return Verdict(scored=scored, status=None, rule=kind.value)
    if kind is MergeKind.CONFIRM:
        ruling = _confirmed(scored, policy)
        return Verdict(scored=scored, status=ruling.status, rule=ruling.rule)
    ruling = _trusted(scored, policy)
    if ruling.status is not None and kind is MergeKind.NEW and not _explicit(scored):
        ruling = _within_rates(ruling, policy, usage)
    return _with_room(Verdict(scored=scored, status=ruling.status, rule=ruling.rule), policy, usage, now=now)


def _trusted(scored: Scored, policy: MemoryWritePolicy) -> Ruling:
    candidate, doubt = scored.merged.grounded.candidate, scored.merged.grounded.doubt
    approval = Ruling(status=Status.PENDING, rule="require_approval_types")
    needs_approval = candidate.type in policy.require_approval_types
    if _explicit(scored):
        return approval if needs_approval else _ACTIVE
    rules = (
        (candidate.type not in policy.allowed_types, Ruling(status=None, rule="allowed_types")),
        (bool(doubt), Ruling(status=Status.PENDING, rule=doubt)),
        (scored.confidence < policy.min_confidence, Ruling(status=None, rule="min_confidence")),
        (
            scored.evidence_count < policy.min_evidence_count,
            Ruling(status=Status.SHADOW, rule=EVIDENCE_RULE),
        ),
        (needs_approval, approval),
    )
    return next((ruling for fails, ruling in rules if fails), _BY_MODE[policy.mode])


def _confirmed(scored: Scored, policy: MemoryWritePolicy) -> Ruling:
    """An item keeps its status when heard again, unless it waited only for that.

    Doubtful evidence confirms nothing. What an operator disabled stays so, whoever says it again.
    """
    existing, doubt = scored.merged.existing, scored.merged.grounded.doubt
    if existing is None:
        raise ValueError("a confirmation needs the item it confirms")
    if doubt:
        return Ruling(status=None, rule=doubt)
    kept = Ruling(status=existing.status, rule=existing.reason)
    if _explicit(scored):
        return _trusted(scored, policy) if existing.status in (Status.SHADOW, Status.PENDING) else kept
    if existing.status is not Status.SHADOW or existing.reason != EVIDENCE_RULE:
        return kept
    ruling = _trusted(scored, policy)
    return kept if ruling.status is None else ruling


def _within_rates(ruling: Ruling, policy: MemoryWritePolicy, usage: Usage) -> Ruling:
    if ruling.status is Status.PENDING:
        return ruling
    if usage.new_in_chat >= policy.max_writes_per_session:
        return Ruling(status=Status.PENDING, rule="max_writes_per_session")
    if usage.new_in_hour >= policy.max_writes_per_hour:
        return Ruling(status=Status.PENDING, rule="max_writes_per_hour")
    return ruling


def _with_room(verdict: Verdict, policy: MemoryWritePolicy, usage: Usage, *, now: datetime) -> Verdict:
    if verdict.status is None or not usage.live_in_scope:
        return verdict
    surplus = max(1, len(usage.live_in_scope) + 1 - policy.max_items_per_scope)
    ranked = sorted(
        usage.live_in_scope,
        key=lambda item: (is_protected(item.origin, item.type), worth(item, now=now), item.memory_id),
    )
    leaving = ranked[:surplus]
    if all(_gives_way(item, verdict, now=now) for item in leaving):
        evicts = tuple(item.memory_id for item in leaving)
        return Verdict(scored=verdict.scored, status=verdict.status, rule=verdict.rule, evicts=evicts)
    return Verdict(scored=verdict.scored, status=None, rule="max_items_per_scope")


def _gives_way(item: Item, newcomer: Verdict, *, now: datetime) -> bool:
    candidate = newcomer.scored.merged.grounded.candidate
    if candidate.origin is Origin.USER_EXPLICIT:
        return True
    if item.status is Status.ACTIVE and newcomer.status is not Status.ACTIVE:
        return False
    if is_protected(item.origin, item.type):
        return False
    return worth(item, now=now) < worth_of_new(newcomer.scored.importance)


def _explicit(scored: Scored) -> bool:
    return scored.merged.grounded.candidate.origin is Origin.USER_EXPLICIT
