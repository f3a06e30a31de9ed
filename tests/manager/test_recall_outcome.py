from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted
from astrbot_plugin_ltm.long_term_memory.domain.recalls import NoBlock
from astrbot_plugin_ltm.long_term_memory.domain.words import Status
from astrbot_plugin_ltm.long_term_memory.manager.why_not import RecallOutcome, explain
from astrbot_plugin_ltm.long_term_memory.upkeep.recall_log import MAX_LEFT_OUT
from hypothesis import given
from hypothesis import strategies as st

from tests.stores import NOW, a_given, a_recall, an_item

HOUR = timedelta(hours=1)
MANY = [Omitted(memory_id=f"other{n}", rule="not_relevant") for n in range(MAX_LEFT_OUT)]
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
