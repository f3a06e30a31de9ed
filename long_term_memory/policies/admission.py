"""Admission of a scored fact by the rules of `MemoryWritePolicy`, naming the first that fails.

The rules of trust come first: type, confidence, doubt, evidence count, approval, mode. The limits of session,
hour and room apply to new items. An explicit save is active at once unless its type needs approval, and
others make room for it.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from ..domain.enums import WAITING, MemoryType, Mode, Origin, Status
from ..domain.memory import Item
from ..domain.writing import MergeKind, QuotaCounts, Scored, Verdict
from .memory_policies import MemoryWritePolicy
from .retention import is_protected, retention_score, retention_score_of_new, uniqueness_among, uniqueness_of
from .succession import displaced, is_outdated

RATE_WINDOW = timedelta(hours=1)
"""The window of the limits of session and hour."""
RATE_OF_CHAT = "max_writes_per_session"
ROOM_RULE = "max_items_per_scope"

_BY_MODE: Mapping[Mode, tuple[Status, str]] = {
    Mode.AUTO: (Status.ACTIVE, ""),
    Mode.SHADOW: (Status.SHADOW, "mode"),
    Mode.MANUAL: (Status.PENDING, "mode"),
}
_APPROVAL = (Status.PENDING, "require_approval_types")


def decide(scored: Scored, policy: MemoryWritePolicy, counts: QuotaCounts, *, now: datetime) -> Verdict:
    """The status of a scored fact, or its refusal."""
    if scored.kind in (MergeKind.KNOWN, MergeKind.TOMBSTONE):
        return Verdict(None, scored.kind.value)
    if scored.kind is MergeKind.CONFIRM and scored.existing:
        return _confirmed(scored.existing, scored, policy, counts)
    verdict = _trusted(scored, policy)
    status, rule, _ = verdict
    if status is not None and is_outdated(scored.newer, status, rule):
        return Verdict(Status.SUPERSEDED, "outdated")  # later words state another value
    # What takes the place of an equal adds no memory.
    placed = displaced(scored.older, status or Status.PENDING, rule)
    if scored.kind is not MergeKind.REVIVE and all(item.status is not status for item in placed):
        verdict = _held_by_rates(verdict, scored, policy, counts)
    if verdict.status is None or displaced(scored.older, verdict.status, verdict.rule):
        return verdict  # it takes the room of the item it supersedes
    return _with_room(verdict, scored, policy, counts, now=now)


def admitted(kind: MemoryType, evidence_count: int, policy: MemoryWritePolicy) -> tuple[Status, str]:
    """The status of an undoubted fact, and the rule for it."""
    if evidence_count < policy.min_evidence_count:
        return Status.SHADOW, "min_evidence_count"
    return _APPROVAL if kind in policy.require_approval_types else _BY_MODE[policy.mode]


def as_judged(item: Item, policy: MemoryWritePolicy) -> Item:
    """The item, without a reason that the policy no longer gives."""
    outlived = item.reason == _APPROVAL[1] and item.type not in policy.require_approval_types
    return replace(item, reason="mode") if outlived else item


def within_rates(counts: QuotaCounts, policy: MemoryWritePolicy) -> str:
    """The rate limit that one more memory would exceed; empty when none."""
    if counts.new_in_chat >= policy.max_writes_per_session:
        return RATE_OF_CHAT
    return "max_writes_per_hour" if counts.new_in_hour >= policy.max_writes_per_hour else ""


def _trusted(scored: Scored, policy: MemoryWritePolicy) -> Verdict:
    kind, doubt = (scored.existing or scored.grounded.candidate).type, scored.grounded.doubt
    if kind not in policy.allowed_types and not _explicit(scored):
        return Verdict(None, "allowed_types")
    if scored.confidence < policy.min_confidence and not _explicit(scored):
        return Verdict(None, "min_confidence")
    if _explicit(scored):
        return Verdict(*_APPROVAL) if kind in policy.require_approval_types else Verdict(Status.ACTIVE, "")
    if doubt:
        return Verdict(Status.PENDING, doubt)
    return Verdict(*admitted(kind, scored.evidence_count, policy))


def _confirmed(item: Item, scored: Scored, policy: MemoryWritePolicy, counts: QuotaCounts) -> Verdict:
    """An item that waits is judged by the present policy when heard again; any other keeps its status.

    Doubtful evidence confirms nothing. A disabled item stays disabled.
    """
    if doubt := scored.grounded.doubt:
        return Verdict(None, doubt)
    if item.status in WAITING and not scored.newer:
        verdict = _trusted(scored, policy)
        if verdict[:2] != (item.status, item.reason) and verdict.status is not None:
            return _held_by_rates(verdict, scored, policy, counts)
    return Verdict(item.status, item.reason)


def _held_by_rates(
    verdict: Verdict, scored: Scored, policy: MemoryWritePolicy, counts: QuotaCounts
) -> Verdict:
    if verdict.status in (None, Status.PENDING) or _explicit(scored):
        return verdict
    rate = within_rates(counts, policy)
    return Verdict(Status.PENDING, rate) if rate else verdict


def _with_room(
    verdict: Verdict, scored: Scored, policy: MemoryWritePolicy, counts: QuotaCounts, *, now: datetime
) -> Verdict:
    """The verdict with the evicted items; an explicit save always finds room."""
    live = counts.live_in_scope
    alone = uniqueness_among(live)
    valued = [(retention_score(item, now=now, uniqueness=alone[item.memory_id]), item) for item in live]
    ranked = sorted(
        (is_protected(item.origin, item.type), score, item.memory_id, item.status) for score, item in valued
    )
    leaving = ranked[: max(1, len(live) + 1 - policy.max_items_per_scope)]
    candidate = scored.grounded.candidate
    unique = uniqueness_of(candidate.fact, live)
    own = retention_score_of_new(scored.importance, emotion=candidate.emotion, uniqueness=unique)
    is_used = verdict.status is Status.ACTIVE
    # Protected, higher-ranked or more valuable items are not evicted for an automatic one.
    may_leave = (
        not is_kept and (is_used or status is not Status.ACTIVE) and score < own
        for is_kept, score, _, status in leaving
    )
    if _explicit(scored) or all(may_leave):
        return verdict._replace(evicts=tuple(memory_id for _, _, memory_id, _ in leaving))
    return Verdict(None, ROOM_RULE)


def _explicit(scored: Scored) -> bool:
    return scored.grounded.candidate.origin is Origin.USER_EXPLICIT
