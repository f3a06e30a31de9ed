from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import EDITED, Status
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted
from astrbot_plugin_ltm.long_term_memory.domain.recalls import NoBlock
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry
from astrbot_plugin_ltm.long_term_memory.manager.why_not import RecallOutcome, explain, explain_then
from astrbot_plugin_ltm.long_term_memory.upkeep.recall_log import MAX_LEFT_OUT
from hypothesis import given
from hypothesis import strategies as st

from tests.stores import NOW, a_given, a_recall, an_item

HOUR = timedelta(hours=1)
MANY = [Omitted(memory_id=f"other{n}", rule="not_relevant") for n in range(MAX_LEFT_OUT)]
HELD = Omitted(memory_id="held", rule="pending")
OLD: dict[str, Any] = {"memory_id": "m", "created_at": NOW - HOUR, "updated_at": NOW - HOUR}


def fate(item: dict[str, Any], recall: dict[str, Any] | None) -> tuple[RecallOutcome, str]:
    last = None if recall is None else a_recall(**recall)
    return explain(an_item(**{**OLD, **item}), last, now=NOW, min_confidence=0.5)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"status": Status.SHADOW}, RecallOutcome.HELD),
        ({"status": Status.PENDING}, RecallOutcome.HELD),
        ({"status": Status.DISABLED}, RecallOutcome.DISABLED),
        ({"status": Status.SUPERSEDED}, RecallOutcome.SUPERSEDED),
        ({"status": Status.EXPIRED}, RecallOutcome.EXPIRED),
        ({"expires_at": NOW}, RecallOutcome.EXPIRED),
        ({"confidence": 0.49}, RecallOutcome.UNSURE),
        ({"status": Status.SHADOW, "confidence": 0.1}, RecallOutcome.HELD),
    ],
)
@pytest.mark.parametrize("recall", [None, {"given": [a_given("m")]}])
def test_what_keeps_it_from_use_now_is_told_first(
    item: dict[str, Any], recall: dict[str, Any] | None, expected: RecallOutcome
) -> None:
    assert fate(item, recall) == (expected, "")


@pytest.mark.parametrize(
    ("item", "recall", "expected"),
    [
        ({"expires_at": NOW + HOUR, "confidence": 0.5}, None, (RecallOutcome.NO_RECALL, "")),
        ({}, {"given": [a_given("m")]}, (RecallOutcome.GIVEN, "")),
        ({}, {"left_out": [Omitted(memory_id="m", rule="max_items")]}, (RecallOutcome.LEFT_OUT, "max_items")),
        ({"created_at": NOW + HOUR}, {"given": [a_given("x")]}, (RecallOutcome.LATER, "")),
        ({"created_at": NOW + HOUR}, {"reason": NoBlock.PAUSED}, (RecallOutcome.LATER, "")),
        ({"updated_at": NOW + HOUR}, {"reason": NoBlock.PAUSED}, (RecallOutcome.NO_BLOCK, "paused")),
        (
            {"updated_at": NOW + HOUR},
            {"reason": NoBlock.READING_OFF},
            (RecallOutcome.NO_BLOCK, "reading_off"),
        ),
        ({"updated_at": NOW + HOUR}, {"reason": NoBlock.NOTHING_REMEMBERED}, (RecallOutcome.CHANGED, "")),
        ({}, {"reason": NoBlock.NOTHING_RELEVANT}, (RecallOutcome.NO_BLOCK, "nothing_relevant")),
        ({}, {"given": [a_given("x")], "left_out": MANY, "reason": "deadline"}, (RecallOutcome.NOT_NEAR, "")),
        ({}, {"given": [a_given("x")], "left_out": MANY}, (RecallOutcome.NOT_NEAR, "")),
        ({}, {"given": [a_given("x")], "left_out": MANY[1:]}, (RecallOutcome.CHANGED, "")),
        ({}, {"given": [a_given("x")], "left_out": [*MANY[1:], HELD]}, (RecallOutcome.CHANGED, "")),
    ],
)
def test_what_may_be_used_is_explained_by_the_last_recall(
    item: dict[str, Any], recall: dict[str, Any] | None, expected: tuple[RecallOutcome, str]
) -> None:
    assert fate(item, recall) == expected


@given(st.sampled_from(sorted(Status)), st.floats(0, 1), st.booleans())
def test_every_memory_has_an_explanation(status: Status, confidence: float, recalled: bool) -> None:
    item = replace(an_item(**OLD), status=status, confidence=confidence)
    last = a_recall() if recalled else None
    assert explain(item, last, now=NOW, min_confidence=0.5)[0] in RecallOutcome


ACTIVE_TO: dict[str, Any] = {"actor": "system", "memory_id": "m", "before": "active"}
NEW: dict[str, Any] = {"actor": "system", "memory_id": "m", "after": "active"}


@pytest.mark.parametrize(
    ("item", "lines", "recall", "expected", "changed"),
    [
        # The log is asked first.
        ({}, [], {"given": [a_given("m")]}, (RecallOutcome.GIVEN, ""), False),
        ({"status": Status.DISABLED}, [], {"given": [a_given("m")]}, (RecallOutcome.GIVEN, ""), True),
        # Then the history: the status of then, whatever it is now.
        ({}, [{**NEW, "action": "approve", "before": "pending"}], {}, (RecallOutcome.HELD, ""), True),
        ({"status": Status.PENDING}, [], {}, (RecallOutcome.HELD, ""), False),
        (
            {"status": Status.SUPERSEDED},
            [{**ACTIVE_TO, "action": "supersede", "after": "superseded"}],
            {"reason": NoBlock.NOTHING_RELEVANT},
            (RecallOutcome.NO_BLOCK, "nothing_relevant"),
            True,
        ),
        ({"status": Status.SUPERSEDED}, [], {}, (RecallOutcome.SUPERSEDED, ""), False),
        ({"expires_at": NOW}, [], {}, (RecallOutcome.EXPIRED, ""), False),
        # What took the place of another has its date.
        ({}, [{**NEW, "action": "add"}], {}, (RecallOutcome.LATER, ""), False),
        ({"created_at": NOW + HOUR}, [], {"reason": NoBlock.PAUSED}, (RecallOutcome.LATER, ""), False),
        ({}, [{**NEW, "action": "import"}], {}, (RecallOutcome.IMPORTED, ""), False),
        # Lines of other things than the status say nothing of it.
        (
            {},
            [{**NEW, "action": "edit", "before": "0.5", "after": "0.9"}],
            {"given": [a_given("x")], "left_out": MANY},
            (RecallOutcome.NOT_NEAR, ""),
            False,
        ),
        ({}, [], {"given": [a_given("x")]}, (RecallOutcome.CHANGED, ""), False),
        ({"status": Status.SHADOW}, [], {"reason": NoBlock.PAUSED}, (RecallOutcome.NO_BLOCK, "paused"), True),
        # A rewording keeps the id for the new words.
        (
            {
                "memory_id": "old",
                "status": Status.SUPERSEDED,
                "reason": EDITED,
                "superseded_by": "m",
                "updated_at": NOW + HOUR,
            },
            [],
            {"given": [a_given("m")]},
            (RecallOutcome.GIVEN, ""),
            True,
        ),
    ],
)
def test_a_recall_of_the_log_is_explained_by_the_log_and_the_history(
    item: dict[str, Any],
    lines: list[dict[str, Any]],
    recall: dict[str, Any],
    expected: tuple[RecallOutcome, str],
    *,
    changed: bool,
) -> None:
    one = an_item(**{**OLD, **item})
    history = [(NOW + HOUR, AuditEntry(**line)) for line in lines]
    now = explain(one, None, now=NOW + HOUR, min_confidence=0.5)
    then = explain_then(one, history, a_recall(**recall), now=now, min_confidence=0.5)
    assert (then.fate, then.changed) == (expected, changed)


@pytest.mark.parametrize(
    ("actor", "expected"),
    [("plat:alice", RecallOutcome.FORGOTTEN), ("operator:root", RecallOutcome.REMOVED)],
)
@pytest.mark.parametrize("status", sorted({*Status} - {Status.DELETED}))
def test_what_was_gone_at_the_recall_is_told_as_gone_wherever_it_stands_now(
    status: Status, actor: str, expected: RecallOutcome
) -> None:
    gone, back = {"before": "active", "after": "deleted"}, {"before": "deleted", "after": status.value}
    lines = [(NOW - HOUR, actor, gone), (NOW + HOUR, "plat:alice", back), (NOW + 2 * HOUR, "system", gone)]
    history = [(at, AuditEntry(actor=who, action="x", memory_id="m", **move)) for at, who, move in lines]
    one = an_item(**{**OLD, "status": status})
    now = explain(one, None, now=NOW + HOUR, min_confidence=0.5)
    then = explain_then(one, history, a_recall(), now=now, min_confidence=0.5)
    assert (then.fate, then.changed) == ((expected, ""), True)


@pytest.mark.parametrize("approved", [False, True])
def test_an_earlier_wording_waited_where_its_memory_did(*, approved: bool) -> None:
    moves = [(NOW - HOUR, "active", "pending"), (NOW + HOUR, "pending", "active")][: 1 + approved]
    history = [
        (at, AuditEntry(actor="operator:root", action="x", memory_id="m", before=before, after=after))
        for at, before, after in moves
    ]
    one = an_item(status=Status.SUPERSEDED, reason=EDITED, superseded_by="m", updated_at=NOW + HOUR)
    now = (RecallOutcome.SUPERSEDED, "")
    then = explain_then(one, history, a_recall(), now=now, min_confidence=0.5)
    assert (then.fate, then.status) == ((RecallOutcome.HELD, ""), Status.PENDING)
