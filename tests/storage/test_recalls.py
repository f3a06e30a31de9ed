"""The recall log in the store: rows come back as they went in, uses are counted with them, old ones go."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.reading import Given, Omitted
from astrbot_plugin_ltm.long_term_memory.domain.recalls import (
    LoggedRecall,
    NoBlock,
    RecallFilter,
)
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from sqlalchemy.exc import IntegrityError

from tests.stores import (
    BOB,
    GROUP,
    GROUP_CHAT,
    NOW,
    PRIVATE_CHAT,
    a_given,
    a_recall,
    an_access,
    an_item,
    keep,
)

HOUR = timedelta(hours=1)
WHOLE = a_recall(
    query="我该吃什么？",
    given=[
        Given(memory_id="m1", score=0.9, similarity=0.8, importance=0.1, recency=0.0, words=3.5, cosine=0.4),
        replace(a_given("m4"), type=MemoryType.PROFILE, wording="0a1b2c3d"),
    ],
    left_out=[
        Omitted(memory_id="m2", rule="max_items", score=0.3),
        Omitted(memory_id="m3", rule="duplicate"),
    ],
    level=Level.CONFIDENTIAL,
    vectors=True,
    reason="deadline",
)


async def last(store: Store, **changes: Any) -> LoggedRecall | None:
    access = an_access(**{"level": Level.RESTRICTED, **changes})
    return await store.memories.own_last_recall(access)


async def test_a_chat_hears_nothing_of_a_recall_above_its_level(store: Store) -> None:
    mine = a_recall(at=NOW - HOUR, level=Level.INTERNAL)
    await store.recalls.noted([mine, a_recall(level=Level.CONFIDENTIAL)], kept=True)
    found = await last(store, level=Level.INTERNAL)
    assert found is not None
    assert found.recall_id == mine.recall_id
    assert await last(store, level=Level.PUBLIC) is None


async def left(store: Store) -> int:
    return (await store.recalls.counts(since=NOW - timedelta(days=1_000)))[0]


async def test_a_row_comes_back_as_it_went_in(store: Store) -> None:
    await store.recalls.noted([WHOLE], kept=True)
    assert await last(store) == WHOLE


async def test_numbers_are_kept_to_four_places_and_what_is_none_is_left_out(store: Store) -> None:
    odd = replace(WHOLE.given[0], score=0.123456, cosine=float("nan"), words=float("inf"))
    await store.recalls.noted([replace(WHOLE, given=[odd])], kept=True)
    found = await last(store)
    assert found is not None
    assert (found.given[0].score, found.given[0].cosine, found.given[0].words) == (0.1235, None, None)


async def test_the_last_recall_is_that_of_the_person_in_this_chat(store: Store) -> None:
    mine = a_recall(at=NOW - HOUR)
    rows = [
        a_recall(at=NOW - 2 * HOUR),
        mine,
        a_recall(umo=GROUP_CHAT),
        a_recall(owner=BOB),
        a_recall(owner=GROUP),
    ]
    await store.recalls.noted(rows, kept=True)
    assert await last(store) == replace(mine, given=[], left_out=[])
    assert await last(store, umo="plat:FriendMessage:elsewhere") is None
    assert await store.memories.own_last_recall(an_access(readable=())) is None


async def test_of_two_recalls_at_one_instant_the_one_written_later_is_the_last(store: Store) -> None:
    await store.recalls.noted([a_recall(query="one"), a_recall(query="two")], kept=True)
    found = await last(store)
    assert found is not None
    assert found.query == "two"


async def test_each_memory_given_is_counted_once_a_recall_and_nothing_else_changes(store: Store) -> None:
    used, unused = an_item("used"), an_item("unused")
    await keep(store, used, unused)
    one = a_recall(given=[a_given(used.memory_id), a_given("gone meanwhile")], at=NOW + HOUR)
    two = a_recall(given=[a_given(used.memory_id)], left_out=[Omitted(memory_id=unused.memory_id, rule="x")])
    await store.recalls.noted([one, two], kept=True)
    assert await store.item(used.memory_id) == replace(used, access_count=2, last_accessed_at=NOW + HOUR)
    assert await store.item(unused.memory_id) == unused


async def test_without_a_log_uses_are_counted_all_the_same(store: Store) -> None:
    used = an_item("used")
    await keep(store, used)
    await store.recalls.noted([a_recall(given=[a_given(used.memory_id)])], kept=False)
    found = await store.item(used.memory_id)
    assert found is not None
    assert (found.access_count, await left(store)) == (1, 0)


async def test_of_a_batch_everything_is_written_or_nothing(store: Store) -> None:
    used = an_item("used")
    await keep(store, used)
    twice = a_recall(given=[a_given(used.memory_id)])
    with pytest.raises(IntegrityError):
        await store.recalls.noted([twice, twice], kept=True)
    assert await store.item(used.memory_id) == used
    assert await left(store) == 0


async def test_nothing_at_all_is_written_for_an_empty_batch(store: Store) -> None:
    await store.recalls.noted([], kept=True)
    assert await left(store) == 0


async def test_recalls_and_those_that_gave_nothing_are_counted_from_an_instant_on(store: Store) -> None:
    # For somebody who is paused nothing was looked for.
    paused = a_recall(at=NOW, reason=NoBlock.PAUSED)
    rows = [a_recall(at=NOW - HOUR), paused, a_recall(at=NOW, reason=""), a_recall(given=[a_given("m")])]
    await store.recalls.noted(rows, kept=True)
    assert await store.recalls.counts(since=NOW) == (3, 1)
    assert await store.recalls.counts(since=NOW - HOUR) == (4, 2)
    assert await store.recalls.counts(since=NOW + HOUR) == (0, 0)
    for empty, listed in ((True, [rows[2], rows[0]]), (False, [rows[3]]), (None, [*rows[:0:-1], rows[0]])):
        page = await store.recalls.page(RecallFilter(empty=empty, page=1, page_size=9))
        assert [row.recall_id for row in page.rows] == [row.recall_id for row in listed]


async def test_what_is_old_and_what_there_is_no_room_for_goes_oldest_first(store: Store) -> None:
    rows = [a_recall(at=NOW + hours * HOUR) for hours in range(6)]
    await store.recalls.noted(rows, kept=True)

    assert await store.recalls.drop_old(before=NOW - 9_999 * HOUR, keep=6, limit=9) == 0
    assert await store.recalls.drop_old(before=NOW + HOUR, keep=6, limit=9) == 1
    assert await store.recalls.drop_old(before=NOW + 2 * HOUR, keep=3, limit=1) == 1
    assert await store.recalls.drop_old(before=NOW - 9_999 * HOUR, keep=3, limit=9) == 1
    assert await left(store) == 3
    found = await last(store)
    assert found is not None
    assert found.recall_id == rows[-1].recall_id


async def test_a_log_holds_no_text_of_a_memory(store: Store) -> None:
    item = an_item("Alice is allergic to peanuts")
    await keep(store, item)
    await store.recalls.noted([a_recall(given=[a_given(item.memory_id)], umo=PRIVATE_CHAT)], kept=True)
    assert "peanuts" not in repr(await last(store))
