"""What becomes of a scored fact (design 5.7): the rules of `MemoryWritePolicy`, the first failing one named.

The rules of trust come first (type, confidence, doubt, evidence count, approval, mode), then, for what would
be new, the limits (session, hour, room). A fact over a rate waits until the rate allows it. What
later words already contradict is kept as history. What takes another's place needs no room of its own.
Automatic writing obeys all of them. What a person saves explicitly is active at once, unless its type needs
approval; only room has to be made for it.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.memory import Item
from ..domain.words import Mode, Origin, Status
from ..domain.writing import MergeKind, Resident, Scored, Usage, Verdict
from .succession import RATE_RULES, displaced, is_in_doubt, is_outdated
from .worth import is_protected, uniqueness_among, uniqueness_of, worth, worth_of_new
from .write_policy import MemoryWritePolicy

RATE_WINDOW = timedelta(hours=1)
"""How far back the limits of session and hour look."""

EVIDENCE_RULE = "min_evidence_count"
ROOM_RULE = "max_items_per_scope"
OUTDATED_RULE = "outdated"
"""Words said later state another value."""


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
    merged = scored.merged
    if merged.kind in (MergeKind.KNOWN, MergeKind.TOMBSTONE):
        return Verdict(scored=scored, status=None, rule=merged.kind.value)
    if merged.grounded.refused:
        return Verdict(scored=scored, status=None, rule=merged.grounded.refused)
    if merged.kind is MergeKind.CONFIRM:
        ruling = _confirmed(scored, policy, usage)
        return Verdict(scored=scored, status=ruling.status, rule=ruling.rule)
    ruling = _trusted(scored, policy)
    if ruling.status is not None and is_outdated(merged.newer, ruling.status, ruling.rule):
        return Verdict(scored=scored, status=Status.SUPERSEDED, rule=OUTDATED_RULE)
    if merged.kind is not MergeKind.REVIVE:
        ruling = _within_rates(ruling, scored, policy, usage)
    verdict = Verdict(scored=scored, status=ruling.status, rule=ruling.rule)
    if ruling.status is not None and displaced(merged.older, ruling.status, ruling.rule):
        return verdict  # it takes the room of the one whose place it takes
    return _with_room(verdict, policy, usage, now=now)


def _trusted(scored: Scored, policy: MemoryWritePolicy) -> Ruling:
    candidate, doubt = scored.merged.grounded.candidate, scored.merged.grounded.doubt
    approval = Ruling(status=Status.PENDING, rule="require_approval_types")
    needs_approval = candidate.type in policy.require_approval_types
    if _explicit(scored):
        return approval if needs_approval else _ACTIVE
    rules = (
        (candidate.type not in policy.allowed_types, Ruling(status=None, rule="allowed_types")),
        (scored.confidence < policy.min_confidence, Ruling(status=None, rule="min_confidence")),
        (bool(doubt), Ruling(status=Status.PENDING, rule=doubt)),
        (
            scored.evidence_count < policy.min_evidence_count,
            Ruling(status=Status.SHADOW, rule=EVIDENCE_RULE),
        ),
        (needs_approval, approval),
    )
    return next((ruling for fails, ruling in rules if fails), _BY_MODE[policy.mode])


def _confirmed(scored: Scored, policy: MemoryWritePolicy, usage: Usage) -> Ruling:
    """An item keeps its status when heard again, unless it waited only for that.

    Doubtful evidence confirms nothing. What an operator disabled stays so, whoever says it again. What later
    words contradict is confirmed as it stands.
    """
    existing, doubt = scored.merged.existing, scored.merged.grounded.doubt
    if existing is None:
        raise ValueError("a confirmation needs the item it confirms")
    if doubt:
        return Ruling(status=None, rule=doubt)
    kept = Ruling(status=existing.status, rule=existing.reason)
    if not _explicit(scored) and not _waited_for_this(existing):
        return kept
    if existing.status not in (Status.SHADOW, Status.PENDING) or scored.merged.newer:
        return kept
    ruling = _within_rates(_trusted(scored, policy), scored, policy, usage)
    return kept if ruling.status is None else ruling


def _waited_for_this(item: Item) -> bool:
    """Whether an item waits for more evidence, for better evidence, or for the rates to allow it."""
    if item.status is Status.SHADOW:
        return item.reason == EVIDENCE_RULE
    return is_in_doubt(item.status, item.reason) or item.reason in RATE_RULES


def _within_rates(ruling: Ruling, scored: Scored, policy: MemoryWritePolicy, usage: Usage) -> Ruling:
    if ruling.status in (None, Status.PENDING) or _explicit(scored):
        return ruling
    rate = within_rates(usage, policy)
    return Ruling(status=Status.PENDING, rule=rate) if rate else ruling


def within_rates(usage: Usage, policy: MemoryWritePolicy) -> str:
    """The rate that one more memory would exceed now; empty when it would exceed none."""
    if usage.new_in_chat >= policy.max_writes_per_session:
        return "max_writes_per_session"
    return "max_writes_per_hour" if usage.new_in_hour >= policy.max_writes_per_hour else ""


def admitted_status(item: Item, policy: MemoryWritePolicy) -> tuple[Status, str]:
    """The status that an item gets once what held it back is over, and the rule that says so."""
    if item.evidence_count < policy.min_evidence_count:
        return Status.SHADOW, EVIDENCE_RULE
    if item.type in policy.require_approval_types:
        return Status.PENDING, "require_approval_types"
    ruling = _BY_MODE[policy.mode]
    return ruling.status or Status.PENDING, ruling.rule


def _with_room(verdict: Verdict, policy: MemoryWritePolicy, usage: Usage, *, now: datetime) -> Verdict:
    live = usage.live_in_scope
    if verdict.status is None or not live:
        return verdict
    alone = uniqueness_among(live)
    worths = {item.memory_id: worth(item, now=now, uniqueness=alone[item.memory_id]) for item in live}
    surplus = max(1, len(live) + 1 - policy.max_items_per_scope)
    ranked = sorted(
        live,
        key=lambda item: (is_protected(item.origin, item.type), worths[item.memory_id], item.memory_id),
    )
    leaving = ranked[:surplus]
    candidate = verdict.scored.merged.grounded.candidate
    own = worth_of_new(
        verdict.scored.importance,
        emotion=candidate.emotion,
        uniqueness=uniqueness_of(candidate.fact, live),
    )
    if all(
        _gives_way(item, verdict) and _is_worth_less(worths[item.memory_id], own, verdict) for item in leaving
    ):
        return replace(verdict, evicts=tuple(item.memory_id for item in leaving))
    return Verdict(scored=verdict.scored, status=None, rule=ROOM_RULE)


def _gives_way(item: Resident, newcomer: Verdict) -> bool:
    """Whether an item may leave at all; for what a person saves, any may."""
    if _explicit(newcomer.scored):
        return True
    if item.status is Status.ACTIVE and newcomer.status is not Status.ACTIVE:
        return False
    return not is_protected(item.origin, item.type)


def _is_worth_less(worth_of_item: float, worth_of_newcomer: float, newcomer: Verdict) -> bool:
    return _explicit(newcomer.scored) or worth_of_item < worth_of_newcomer


def _explicit(scored: Scored) -> bool:
    return scored.merged.grounded.candidate.origin is Origin.USER_EXPLICIT
