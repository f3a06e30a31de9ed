from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Mode, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.writing import MergeKind, Scored, Usage, Verdict
from astrbot_plugin_ltm.long_term_memory.policies.admission import decide
from astrbot_plugin_ltm.long_term_memory.policies.worth import worth, worth_of_new
from astrbot_plugin_ltm.long_term_memory.policies.write_policy import MemoryWritePolicy

from tests.write.fakes import START
from tests.write.made import an_item, scored

AUTO = MemoryWritePolicy(mode=Mode.AUTO)
APPROVE = replace(AUTO, require_approval_types=frozenset({MemoryType.PROFILE}))
EXPLICIT = Origin.USER_EXPLICIT


def usage(chat: int = 0, hour: int = 0, live: Sequence[Item] = ()) -> Usage:
    return Usage(new_in_chat=chat, new_in_hour=hour, live_in_scope=live)


def decided(of: Scored, policy: MemoryWritePolicy = AUTO, counts: Usage | None = None) -> Verdict:
    return decide(of, policy, counts or usage(), now=START)


@pytest.mark.parametrize(
    ("of", "policy", "counts", "status", "rule"),
    [
        (scored(), AUTO, usage(), Status.ACTIVE, ""),
        (scored(), MemoryWritePolicy(mode=Mode.SHADOW), usage(), Status.SHADOW, "mode"),
        (scored(), MemoryWritePolicy(mode=Mode.MANUAL), usage(), Status.PENDING, "mode"),
        (
            scored(),
            replace(AUTO, allowed_types=frozenset({MemoryType.EPISODE})),
            usage(),
            None,
            "allowed_types",
        ),
        (scored(doubt="ungrounded"), AUTO, usage(), Status.PENDING, "ungrounded"),
        (scored(doubt="ungrounded", confidence=0.1), AUTO, usage(), Status.PENDING, "ungrounded"),
        (scored(confidence=0.59), AUTO, usage(), None, "min_confidence"),
        (scored(confidence=0.6), AUTO, usage(), Status.ACTIVE, ""),
        (scored(), replace(AUTO, min_evidence_count=2), usage(), Status.SHADOW, "min_evidence_count"),
        (scored(count=2), replace(AUTO, min_evidence_count=2), usage(), Status.ACTIVE, ""),
        (scored(), APPROVE, usage(), Status.PENDING, "require_approval_types"),
        (scored(), AUTO, usage(chat=9), Status.ACTIVE, ""),
        (scored(), AUTO, usage(chat=10), Status.PENDING, "max_writes_per_session"),
        (scored(), AUTO, usage(hour=50), Status.PENDING, "max_writes_per_hour"),
        (scored(), AUTO, usage(chat=10, hour=50), Status.PENDING, "max_writes_per_session"),
        (scored(), APPROVE, usage(chat=10), Status.PENDING, "require_approval_types"),
        (scored(MergeKind.REVIVE), AUTO, usage(chat=10, hour=50), Status.ACTIVE, ""),
        (scored(MergeKind.TOMBSTONE), AUTO, usage(), None, "tombstone"),
        (scored(MergeKind.KNOWN), AUTO, usage(), None, "known"),
    ],
)
def test_the_first_failing_rule_decides_and_is_named(
    of: Scored, policy: MemoryWritePolicy, counts: Usage, status: Status | None, rule: str
) -> None:
    verdict = decided(of, policy, counts)
    assert (verdict.status, verdict.rule) == (status, rule)


@pytest.mark.parametrize("mode", list(Mode))
def test_an_explicit_save_is_active_at_once_in_every_mode(mode: Mode) -> None:
    strict = replace(AUTO, mode=mode, min_confidence=1.0, min_evidence_count=9, allowed_types=frozenset())
    verdict = decided(scored(origin=EXPLICIT, confidence=0.5), strict, usage(chat=99, hour=99))
    assert (verdict.status, verdict.rule) == (Status.ACTIVE, "")


def test_an_explicit_save_of_a_type_that_needs_approval_waits() -> None:
    verdict = decided(scored(origin=EXPLICIT), APPROVE)
    assert (verdict.status, verdict.rule) == (Status.PENDING, "require_approval_types")


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.SHADOW, Status.PENDING, Status.DISABLED])
def test_a_confirmation_leaves_the_status_as_it_is(status: Status) -> None:
    existing = an_item(status=status, reason="mode")
    verdict = decided(scored(MergeKind.CONFIRM, existing=existing, count=9))
    assert (verdict.status, verdict.rule) == (status, "mode")


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


def test_a_confirmation_without_its_item_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="needs the item"):
        decided(scored(MergeKind.CONFIRM))


# room in a full scope

FULL = replace(AUTO, max_items_per_scope=2)
LOW = an_item("low", importance=0.1)
HIGH = an_item("high", importance=0.9)


def in_full_scope(of: Scored, *live: Item, policy: MemoryWritePolicy = FULL) -> Verdict:
    return decided(of, policy, usage(live=live))


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


def test_age_lowers_and_use_evidence_and_emotion_raise_what_an_item_is_worth() -> None:
    plain = an_item()
    assert worth(plain, now=START) == pytest.approx(worth_of_new(plain.importance))
    assert worth(plain, now=START + timedelta(days=90)) < worth(plain, now=START)
    for better in (
        an_item(access_count=5),
        an_item(evidence_count=5),
        an_item(emotion=0.5),
        an_item(importance=0.6),
    ):
        assert worth(better, now=START) > worth(plain, now=START)
