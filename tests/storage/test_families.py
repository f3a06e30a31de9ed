"""Which items might be one: found by words and by vectors."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Audience,
    Level,
    MemoryType,
    Scope,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded

from tests.stores import ALICE, BOB, GROUP_CHAT, NOW, an_event, an_evidence, an_item, keep

DAY = timedelta(days=1)
FORTNIGHT = NOW - 14 * DAY


async def embed(store: Store, item: Item, *numbers: float, model: str = "model") -> None:
    await store.vectors.put(model, [Embedded(key=item.memory_id, fact=item.fact, vector=numbers)])


async def near(
    store: Store, item: Item, model: str | None = "model", limit: int = 9
) -> Sequence[tuple[Item, float | None]]:
    return await store.near_items(item, model, cosine=0.85, limit=limit)


async def test_neighbours_are_found_by_words_without_any_vector(store: Store) -> None:
    one, alike, other = an_item("likes green tea"), an_item("green tea is liked"), an_item("has a dog")
    await keep(store, one, alike, other)
    assert await near(store, one, None) == [(alike, None)]


async def test_neighbours_are_found_by_vectors_without_any_common_word(store: Store) -> None:
    one, alike, far = an_item("likes tea"), an_item("用户爱喝茶"), an_item("has a dog")
    await keep(store, one, alike, far)
    for item, numbers in ((one, (1, 0)), (alike, (0.9, 0.1)), (far, (0, 1))):
        await embed(store, item, *numbers)
    (found,) = await near(store, one)
    assert found[0] == alike
    assert found[1] == pytest.approx(0.9939, abs=1e-4)


async def test_vectors_of_another_model_tell_nothing(store: Store) -> None:
    one, alike = an_item("likes tea"), an_item("用户爱喝茶")
    await keep(store, one, alike)
    await embed(store, one, 1, 0)
    await embed(store, alike, 1, 0, model="older")
    assert await near(store, one) == []
    assert await near(store, an_item("unknown to the store")) == []


async def test_the_nearest_are_taken_and_all_come_in_one_order(store: Store) -> None:
    items = [an_item(f"fact {word}") for word in ("one", "two", "three", "four")]
    mine = an_item("mine")
    await keep(store, mine, *items)
    await embed(store, mine, 1, 0)
    for item, up in zip(items, (0.3, 0.1, 0.2, 0.4), strict=True):
        await embed(store, item, 1, up)
    assert [item for item, _ in await near(store, mine, limit=2)] == [items[1], items[2]]


@pytest.mark.parametrize(
    "changes",
    [
        {"owner": BOB},
        {"owner": ScopeRef(scope=Scope.GROUP, scope_id=ALICE.scope_id)},
        {"level": Level.PUBLIC},
        {"person": "Bob"},
        {"audience": Audience.EVERYWHERE},
        {"type": MemoryType.PREFERENCE},
        {"persona_id": "p"},
        {"status": Status.DISABLED},
        {"status": Status.PENDING},
    ],
)
async def test_a_neighbour_is_of_the_same_family(store: Store, changes: dict[str, Any]) -> None:
    one, other = an_item("likes green tea"), an_item("green tea is liked", **changes)
    await keep(store, one, other)
    await embed(store, one, 1, 0)
    await embed(store, other, 1, 0)
    assert await near(store, one) == []


async def test_active_items_come_in_the_order_they_changed_and_from_a_mark_on(store: Store) -> None:
    days = {"3": 3, "1": 1, "2": 2, "1 too": 1}
    items = [an_item(fact, updated_at=NOW + day * DAY) for fact, day in days.items()]
    await keep(store, *items, an_item("pending", status=Status.PENDING))
    changed = await store.changed_items(None, after=None, limit=9)
    assert [item.fact for item, _ in changed] == ["1", "1 too", "2", "3"]
    for place in range(4):
        later = await store.changed_items(None, after=changed[place][1], limit=2)
        assert later == changed[place + 1 : place + 3]


async def test_an_item_that_gets_its_vector_later_is_looked_at_once_more(store: Store) -> None:
    item, other = an_item("old", updated_at=NOW - 9 * DAY), an_item("new", updated_at=NOW - DAY)
    await keep(store, item, other)
    changed = await store.changed_items("model", after=None, limit=9)
    assert [item for item, _ in changed] == [item, other]
    await embed(store, item, 1, 0)
    assert [one for one, _ in await store.changed_items("model", after=changed[1][1], limit=9)] == [item]
    assert await store.changed_items("another", after=changed[1][1], limit=9) == []


async def test_where_an_item_was_said_are_the_groups_of_its_evidence(store: Store) -> None:
    item, group = an_item(), ScopeRef(scope=Scope.GROUP, scope_id=GROUP_CHAT)
    await keep(store, item)
    async with store.transaction() as tx:
        assert await tx.said_in(item.memory_id) == frozenset()
        events = [an_event(umo=GROUP_CHAT) for _ in range(2)]
        await tx.add_events(events)
        await tx.update_item(item, [an_evidence(item, event) for event in events])
        assert await tx.said_in(item.memory_id) == {group}
        assert [link.event_id for link in await tx.links_of(item.memory_id)][1:] == [
            event.event_id for event in events
        ]
