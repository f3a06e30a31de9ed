"""What the recall log has kept for long enough goes, and the newest rows alone stay where there are many."""

from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.upkeep import recall_retention
from astrbot_plugin_ltm.long_term_memory.upkeep.recall_retention import AT_ONCE, RecallRetention

from tests.stores import NOW, a_recall
from tests.upkeep.fakes import Hands

WEEK = timedelta(days=7)
AGES = [timedelta(days=days) for days in (400, 8, 7, 1, 0)]


async def left(store: Store) -> int:
    return (await store.recalls.counts(since=NOW - timedelta(days=1_000))).total


@pytest.mark.parametrize(("keep_for", "expected"), [(WEEK, 3), (timedelta(0), 0), (None, 5)])
async def test_rows_stay_as_long_as_they_are_to_be_kept(
    store: Store, hands: Hands, keep_for: timedelta | None, expected: int
) -> None:
    await store.recalls.noted([a_recall(at=NOW - age) for age in AGES], kept=True)
    await RecallRetention(store.recalls, hands.clock, hands.breathe, keep_for=keep_for).work()
    assert await left(store) == expected


async def test_they_go_in_short_transactions_with_a_breath_after_each(store: Store, hands: Hands) -> None:
    await store.recalls.noted([a_recall(at=NOW - 2 * WEEK) for _ in range(2 * AT_ONCE + 1)], kept=True)
    await RecallRetention(store.recalls, hands.clock, hands.breathe, keep_for=WEEK).work()
    assert (await left(store), hands.breaths) == (0, 3)


async def test_where_there_are_too_many_the_newest_stay_however_long_they_may(
    store: Store, hands: Hands
) -> None:
    room = recall_retention.MAX_RECALLS
    await store.recalls.noted([a_recall(query=str(n)) for n in range(room + 3)], kept=True)
    await RecallRetention(store.recalls, hands.clock, hands.breathe, keep_for=None).work()
    assert await left(store) == room
    assert await store.recalls.old(before=None, keep=room, limit=1) == []
