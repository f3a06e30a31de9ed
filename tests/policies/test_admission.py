from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Mode, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.writing import (
    MergeKind,
    QuotaCounts,
    Scored,
    Verdict,
)
from astrbot_plugin_ltm.long_term_memory.policies.admission import decide
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryWritePolicy
from astrbot_plugin_ltm.long_term_memory.policies.retention import (
    retention_score,
    retention_score_of_new,
    uniqueness_among,
    uniqueness_of,
)

from tests.write.fakes import START
from tests.write.made import an_item, scored

AUTO = MemoryWritePolicy(mode=Mode.AUTO, max_writes_per_session=10, max_writes_per_hour=50)
APPROVE = replace(AUTO, require_approval_types=frozenset({MemoryType.PROFILE}))
EXPLICIT = Origin.USER_EXPLICIT


def quota(chat: int = 0, hour: int = 0, live: Sequence[Item] = ()) -> QuotaCounts:
    return QuotaCounts(new_in_chat=chat, new_in_hour=hour, live_in_scope=live)


def decided(of: Scored, policy: MemoryWritePolicy = AUTO, counts: QuotaCounts | None = None) -> Verdict:
    return decide(of, policy, counts or quota(), now=START)


@pytest.mark.parametrize(
    ("of", "policy", "counts", "status", "rule"),
    [
        (scored(), AUTO, quota(), Status.ACTIVE, ""),
        (scored(), MemoryWritePolicy(mode=Mode.SHADOW), quota(), Status.SHADOW, "mode"),
        (scored(), MemoryWritePolicy(mode=Mode.MANUAL), quota(), Status.PENDING, "mode"),
        (
            scored(),
            replace(AUTO, allowed_types=frozenset({MemoryType.EPISODE})),
            quota(),
            None,
            "allowed_types",
        ),
        (scored(doubt="ungrounded"), AUTO, quota(), Status.PENDING, "ungrounded"),
        (scored(doubt="ungrounded", confidence=0.1), AUTO, quota(), None, "min_confidence"),
        (scored(confidence=0.59), AUTO, quota(), None, "min_confidence"),
        (scored(confidence=0.6), AUTO, quota(), Status.ACTIVE, ""),
        (scored(), replace(AUTO, min_evidence_count=2), quota(), Status.SHADOW, "min_evidence_count"),
        (scored(count=2), replace(AUTO, min_evidence_count=2), quota(), Status.ACTIVE, ""),
        (scored(), APPROVE, quota(), Status.PENDING, "require_approval_types"),
        (scored(), AUTO, quota(chat=9), Status.ACTIVE, ""),
        (scored(), AUTO, quota(chat=10), Status.PENDING, "max_writes_per_session"),
        (scored(), AUTO, quota(hour=50), Status.PENDING, "max_writes_per_hour"),
        (scored(), AUTO, quota(chat=10, hour=50), Status.PENDING, "max_writes_per_session"),
        (scored(), APPROVE, quota(chat=10), Status.PENDING, "require_approval_types"),
        (scored(MergeKind.REVIVE), AUTO, quota(chat=10, hour=50), Status.ACTIVE, ""),
        (scored(MergeKind.TOMBSTONE), AUTO, quota(), None, "tombstone"),
        (scored(MergeKind.KNOWN), AUTO, quota(), None, "known"),
    ],
)
def test_the_first_failing_rule_decides_and_is_named(
    of: Scored, policy: MemoryWritePolicy, counts: QuotaCounts, status: Status | None, rule: str
) -> None:
    verdict = decided(of, policy, counts)
    assert (verdict.status, verdict.rule) == (status, rule)


@pytest.mark.parametrize("mode", list(Mode))
def test_an_explicit_save_is_active_at_once_in_every_mode(mode: Mode) -> None:
    strict = replace(AUTO, mode=mode, min_confidence=1.0, min_evidence_count=9, allowed_types=frozenset())
    verdict = decided(scored(origin=EXPLICIT, confidence=0.5), strict, quota(chat=99, hour=99))
    assert (verdict.status, verdict.rule) == (Status.ACTIVE, "")


def test_an_explicit_save_of_a_type_that_needs_approval_waits() -> None:
    verdict = decided(scored(origin=EXPLICIT), APPROVE)
    assert (verdict.status, verdict.rule) == (Status.PENDING, "require_approval_types")


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.DISABLED])
def test_a_confirmation_leaves_what_is_in_use_or_switched_off_as_it_is(status: Status) -> None:
    existing = an_item(status=status, reason="mode")
    verdict = decided(scored(MergeKind.CONFIRM, existing=existing, count=9))
    assert (verdict.status, verdict.rule) == (status, "mode")


@pytest.mark.parametrize("status", [Status.SHADOW, Status.PENDING])
@pytest.mark.parametrize("reason", ["mode", "require_approval_types"])
def test_what_waits_is_judged_by_the_present_policy_when_it_is_heard_again(
    status: Status, reason: str
) -> None:
    heard = scored(MergeKind.CONFIRM, existing=an_item(status=status, reason=reason), count=9)
    assert decided(heard)[:2] == (Status.ACTIVE, "")
    assert decided(heard, replace(AUTO, mode=Mode.SHADOW))[:2] == (Status.SHADOW, "mode")


@pytest.mark.parametrize(
    ("policy", "status", "rule"),
    [
        (AUTO, Status.ACTIVE, ""),
        (MemoryWritePolicy(mode=Mode.SHADOW), Status.SHADOW, "mode"),
        (APPROVE, Status.PENDING, "require_approval_types"),
    ],
)
def test_enough_evidence_frees_what_waited_only_for_it(
    policy: MemoryWritePolicy, status: Status, rule: str
) -> None:
    existing = an_item(status=Status.SHADOW, reason="min_evidence_count")
    policy = replace(policy, min_evidence_count=2)
    verdict = decided(scored(MergeKind.CONFIRM, existing=existing, count=2), policy)
    assert (verdict.status, verdict.rule) == (status, rule)


@pytest.mark.parametrize(("count", "confidence"), [(2, 0.9), (3, 0.1)])
def test_what_waits_for_evidence_goes_on_waiting_while_anything_is_missing(
    count: int, confidence: float
) -> None:
    existing = an_item(status=Status.SHADOW, reason="min_evidence_count")
    of = scored(MergeKind.CONFIRM, existing=existing, count=count, confidence=confidence)
    verdict = decided(of, replace(AUTO, min_evidence_count=3))
    assert (verdict.status, verdict.rule) == (Status.SHADOW, "min_evidence_count")


@pytest.mark.parametrize("kind", [MergeKind.CONFIRM, MergeKind.REVIVE])
@pytest.mark.parametrize("origin", [Origin.LLM_EXTRACT, EXPLICIT])
def test_the_type_that_needs_approval_is_that_of_the_item_whatever_the_words_are_taken_for(
    kind: MergeKind, origin: Origin
) -> None:
    status = Status.SHADOW if kind is MergeKind.CONFIRM else Status.EXPIRED
    item = an_item(type=MemoryType.CONSTRAINT, status=status, reason="min_evidence_count")
    policy = replace(AUTO, require_approval_types=frozenset({MemoryType.CONSTRAINT}))
    verdict = decided(scored(kind, existing=item, count=2, origin=origin), policy)
    assert (verdict.status, verdict.rule) == (Status.PENDING, "require_approval_types")


def test_doubtful_evidence_confirms_nothing() -> None:
    verdict = decided(scored(MergeKind.CONFIRM, existing=an_item(), doubt="tool_result"))
    assert (verdict.status, verdict.rule) == (None, "tool_result")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Status.SHADOW, Status.ACTIVE),
        (Status.PENDING, Status.ACTIVE),
        (Status.ACTIVE, Status.ACTIVE),
        (Status.DISABLED, Status.DISABLED),
    ],
)
def test_an_explicit_save_frees_what_waits_but_not_what_an_operator_disabled(
    before: Status, after: Status
) -> None:
    of = scored(MergeKind.CONFIRM, existing=an_item(status=before, reason="x"), origin=EXPLICIT)
    assert decided(of).status is after


@pytest.mark.parametrize("doubt", ["ungrounded", "name_not_in_evidence: Oslo"])
def test_words_that_hold_free_what_waited_for_them(doubt: str) -> None:
    existing = an_item(status=Status.PENDING, reason=doubt)
    assert decided(scored(MergeKind.CONFIRM, existing=existing, count=2)).status is Status.ACTIVE
    again = decided(scored(MergeKind.CONFIRM, existing=existing, doubt=doubt))
    assert (again.status, again.rule) == (None, doubt)


@pytest.mark.parametrize(
    ("counts", "status", "rule"),
    [
        (quota(), Status.ACTIVE, ""),
        (quota(chat=10), Status.PENDING, "max_writes_per_session"),
        (quota(hour=50), Status.PENDING, "max_writes_per_hour"),
    ],
)
def test_what_waits_for_the_rates_is_freed_when_they_allow_it(
    counts: QuotaCounts, status: Status, rule: str
) -> None:
    existing = an_item(status=Status.PENDING, reason="max_writes_per_session")
    verdict = decided(scored(MergeKind.CONFIRM, existing=existing), counts=counts)
    assert (verdict.status, verdict.rule) == (status, rule)


def test_what_later_words_contradict_is_freed_by_nothing() -> None:
    existing = an_item(status=Status.PENDING, reason="ungrounded")
    of = scored(MergeKind.CONFIRM, existing=existing)
    verdict = decided(replace(of, newer=an_item("m2")))
    assert (verdict.status, verdict.rule) == (Status.PENDING, "ungrounded")


# one in the place of another


def succeeding(older: Item | None = None, newer: Item | None = None, **changes: Any) -> Scored:
    of = scored(**changes)
    return replace(of, older=(older,) if older else (), newer=newer)


def test_a_successor_needs_no_room_and_drives_out_nobody() -> None:
    full = [an_item("a", importance=1.0), an_item("b", importance=1.0)]
    verdict = in_full_scope(succeeding(full[0], importance=0.0), *full)
    assert (verdict.status, verdict.evicts) == (Status.ACTIVE, ())


def test_a_successor_that_has_to_wait_needs_room_of_its_own() -> None:
    full = [an_item("a", importance=1.0), an_item("b", importance=1.0)]
    verdict = in_full_scope(succeeding(full[0], doubt="ungrounded"), *full)
    assert (verdict.status, verdict.rule) == (None, "max_items_per_scope")


def test_a_successor_uses_the_rate_only_where_it_is_of_more_use_than_what_it_replaces() -> None:
    held = (Status.PENDING, "max_writes_per_session")
    for older, ruling in (
        (Status.ACTIVE, (Status.ACTIVE, "")),
        (Status.PENDING, held),
        (Status.SHADOW, held),
    ):
        verdict = decided(succeeding(an_item(status=older)), counts=quota(chat=10))
        assert (verdict.status, verdict.rule) == ruling


@pytest.mark.parametrize(
    ("of", "status", "rule"),
    [
        (succeeding(newer=an_item()), Status.SUPERSEDED, "outdated"),
        (succeeding(newer=an_item(), confidence=0.1), None, "min_confidence"),
        (succeeding(newer=an_item(), doubt="ungrounded"), Status.PENDING, "ungrounded"),
        (succeeding(newer=an_item(status=Status.PENDING)), Status.ACTIVE, ""),
    ],
)
def test_what_later_words_contradict_is_history_at_once(of: Scored, status: Status | None, rule: str) -> None:
    verdict = decided(of)
    assert (verdict.status, verdict.rule) == (status, rule)


# room in a full scope

FULL = replace(AUTO, max_items_per_scope=2)
LOW = an_item("low", importance=0.1)
HIGH = an_item("high", importance=0.9)


def in_full_scope(of: Scored, *live: Item, policy: MemoryWritePolicy = FULL) -> Verdict:
    return decided(of, policy, quota(live=live))


def test_in_a_full_scope_the_item_least_worth_keeping_makes_room() -> None:
    verdict = in_full_scope(scored(), HIGH, LOW)
    assert (verdict.status, verdict.evicts) == (Status.ACTIVE, ("low",))


def test_a_newcomer_that_is_worth_least_is_refused() -> None:
    verdict = in_full_scope(scored(importance=0.05), HIGH, an_item("low", importance=0.5))
    assert (verdict.status, verdict.rule, verdict.evicts) == (None, "max_items_per_scope", ())


@pytest.mark.parametrize("changes", [{"origin": EXPLICIT}, {"type": MemoryType.CONSTRAINT}])
def test_what_a_person_saved_and_constraints_never_give_way_to_what_was_extracted(
    changes: dict[str, object],
) -> None:
    kept = [an_item(name, importance=0.0, **changes) for name in ("a", "b")]
    assert in_full_scope(scored(importance=1.0), *kept).rule == "max_items_per_scope"
    assert in_full_scope(scored(), kept[0], LOW).evicts == ("low",)


def test_an_explicit_save_always_finds_room() -> None:
    kept = [an_item(name, importance=1.0, origin=EXPLICIT) for name in ("b", "a")]
    assert in_full_scope(scored(importance=0.0, origin=EXPLICIT), *kept).evicts == ("a",)


def test_what_will_not_be_active_drives_out_nothing_active() -> None:
    doubtful = scored(doubt="ungrounded", importance=1.0)
    assert in_full_scope(doubtful, LOW, HIGH).rule == "max_items_per_scope"
    waiting = an_item("waiting", importance=0.0, status=Status.PENDING)
    assert in_full_scope(doubtful, waiting, HIGH).evicts == ("waiting",)


def test_a_lowered_limit_is_kept_from_the_next_item_on() -> None:
    live = [an_item(str(n), importance=0.0) for n in range(4)]
    assert in_full_scope(scored(), *live).evicts == ("0", "1", "2")


def test_what_others_say_as_well_is_worth_less() -> None:
    alike = [an_item("a", fact="User likes black tea"), an_item("b", fact="User likes green tea")]
    alone = an_item("c", fact="User plays chess")
    shares = uniqueness_among([*alike, alone])
    assert shares["c"] == 1.0
    assert shares["a"] == shares["b"] == pytest.approx(1 / 3)
    assert uniqueness_among([an_item("d", fact="👍")]) == {"d": 0.0}
    assert in_full_scope(
        scored(importance=0.9), alone, alike[0], alike[1], policy=replace(FULL, max_items_per_scope=3)
    ).evicts == ("a",)


def test_a_newcomer_that_says_nothing_of_its_own_is_worth_less() -> None:
    taken = [an_item("a", fact="User likes tea"), an_item("b", fact="User plays chess")]
    assert uniqueness_of("User likes tea", taken) == 0.0
    assert uniqueness_of("User owns a bike", taken) == 1.0
    assert (
        retention_score_of_new(0.5, uniqueness=0.0)
        < retention_score_of_new(0.5)
        < retention_score_of_new(0.5, emotion=1.0)
    )


def test_age_lowers_and_use_evidence_and_emotion_raise_what_an_item_is_worth() -> None:
    plain = an_item()
    assert retention_score(plain, now=START) == pytest.approx(retention_score_of_new(plain.importance))
    assert retention_score(plain, now=START + timedelta(days=90)) < retention_score(plain, now=START)
    for better in (
        an_item(access_count=5),
        an_item(evidence_count=5),
        an_item(emotion=0.5),
        an_item(importance=0.6),
    ):
        assert retention_score(better, now=START) > retention_score(plain, now=START)
    assert retention_score(plain, now=START, uniqueness=0.0) < retention_score(plain, now=START)
