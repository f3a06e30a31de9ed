"""Items that say the same become one that rests on all their words."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.models import ITEMS
from astrbot_plugin_ltm.long_term_memory.storage.items import Mark
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from astrbot_plugin_ltm.long_term_memory.upkeep.duplicates import BATCH_SIZE, MAX_BATCHES, Duplicates

from tests.stores import (
    GROUP,
    GROUP_CHAT,
    NOW,
    PRIVATE_CHAT,
    an_event,
    an_evidence,
    an_item,
    evidence_of,
    keep,
)
from tests.upkeep.fakes import Hands


def duplicates(store: Any, hands: Hands, model: str | None = "model") -> Duplicates:
    return Duplicates(
        store, model_id=lambda: model, clock=hands.clock, make_id=hands.make_id, breathe=hands.breathe
    )


async def embed(store: Store, *items: Item) -> None:
    """All of them point the same way."""
    embedded = [Embedded(key=item.memory_id, fact=item.fact, vector=(1.0, 0.0)) for item in items]
    await store.vectors.put("model", embedded)


async def quotes(store: Store, item: Item) -> list[str]:
    return [one.quote for one in await evidence_of(store, item.memory_id)]


async def state(store: Store, *items: Item) -> list[Any]:
    """All there is to know of these items."""
    return [
        [
            await store.item(item.memory_id),
            await evidence_of(store, item.memory_id),
            await store.history(item.memory_id),
        ]
        for item in items
    ]


@pytest.mark.parametrize(
    ("fact", "other"),
    [
        ("User is a software engineer", "User develops software for a living"),
        ("用户是软件工程师", "用户的工作是开发软件"),
    ],
)
async def test_two_that_are_near_become_one_with_all_their_words(
    store: Store, hands: Hands, fact: str, other: str
) -> None:
    keeper, gone = an_item(fact, importance=0.9, confidence=0.9), an_item(other, confidence=0.7)
    await keep(store, keeper, gone)
    await embed(store, keeper, gone)
    hands.move(timedelta(hours=1))
    await duplicates(store, hands).work()
    one, old = await store.item(keeper.memory_id), await store.item(gone.memory_id)
    assert one
    assert old
    assert (one.status, one.fact, one.evidence_count) == (Status.ACTIVE, fact, 2)
    assert (one.confidence, one.updated_at) == (pytest.approx(0.8), hands.now)
    assert (old.status, old.superseded_by, old.reason) == (Status.SUPERSEDED, one.memory_id, "duplicate")
    assert await quotes(store, keeper) == [fact, other]
    assert await quotes(store, gone) == [other]
    lines = [(await store.history(item.memory_id))[-1][1] for item in (keeper, gone)]
    assert [(line.actor, line.action, line.before, line.after, line.reason) for line in lines] == [
        ("system", "join", "active", "active", "duplicate"),
        ("system", "join", "active", "superseded", "duplicate"),
    ]


async def test_doing_it_again_changes_nothing(store: Store, hands: Hands) -> None:
    items = [
        an_item(fact) for fact in ("likes green tea", "likes green tea!", "Likes green  tea", "has 2 cats")
    ]
    items = [replace(item, fact_key=f"key {n}") for n, item in enumerate(items)]
    await keep(store, *items)
    job = duplicates(store, hands, None)
    await job.work()
    after = await state(store, *items)
    assert [one[0].status for one in after].count(Status.ACTIVE) == 2
    hands.move(timedelta(hours=1))
    await job.work()
    await duplicates(store, hands, None).work()
    assert await state(store, *items) == after


async def test_after_the_clock_was_set_back_what_changes_is_looked_at_all_the_same(
    store: Store, hands: Hands
) -> None:
    ahead = an_item("has a dog", updated_at=NOW + timedelta(days=900))
    await keep(store, ahead)
    hands.move(timedelta(days=901))
    job = duplicates(store, hands, None)
    await job.work()
    hands.now = NOW
    await keep(store, *(an_item("likes tea", fact_key=key) for key in ("a", "b")))
    await job.work()
    assert (await store.item_counts())[Status.SUPERSEDED, ahead.type] == 1


async def test_words_that_both_rest_on_count_once(store: Store, hands: Hands) -> None:
    one, other = an_item("likes tea", fact_key="a"), an_item("Likes tea", fact_key="b")
    await keep(store, one, other)
    shared = an_event("I like tea")
    async with store.transaction() as tx:
        await tx.add_events([shared])
        for item in (one, other):
            await tx.update_item(replace(item, evidence_count=2), [an_evidence(item, shared)])
    await duplicates(store, hands, None).work()
    (kept,) = [
        item
        for item in [await store.item(i.memory_id) for i in (one, other)]
        if item and item.status is Status.ACTIVE
    ]
    assert kept.evidence_count == len(await evidence_of(store, kept.memory_id)) == 3


async def test_what_a_person_saved_stays_as_it_is_worded(store: Store, hands: Hands) -> None:
    saved = an_item("Likes Tea!", fact_key="a", origin=Origin.USER_EXPLICIT, importance=0.0)
    learnt = an_item("likes tea", fact_key="b", importance=1.0)
    await keep(store, saved, learnt)
    await duplicates(store, hands, None).work()
    one = await store.item(saved.memory_id)
    assert one
    assert (one.fact, one.status, one.origin) == ("Likes Tea!", Status.ACTIVE, Origin.USER_EXPLICIT)


GARDEN = "qq:GroupMessage:garden"


@pytest.mark.parametrize(
    ("umos", "changes", "become_one"),
    [
        ((PRIVATE_CHAT, PRIVATE_CHAT), {}, True),
        ((GROUP_CHAT, GROUP_CHAT), {}, True),
        ((PRIVATE_CHAT, GROUP_CHAT), {}, False),
        ((GROUP_CHAT, GARDEN), {}, False),
        ((PRIVATE_CHAT, GROUP_CHAT), {"audience": Audience.EVERYWHERE}, False),
        ((GROUP_CHAT, GARDEN), {"owner": GROUP, "person": "Bob"}, True),
    ],
)
async def test_what_a_person_said_in_one_place_comes_to_light_nowhere_else(
    store: Store, hands: Hands, umos: tuple[str, str], changes: dict[str, Any], *, become_one: bool
) -> None:
    facts = ("User is a software engineer", "User develops software for a living")
    items = [an_item(fact, origin_umo=umo, **changes) for fact, umo in zip(facts, umos, strict=True)]
    await keep(store, *items)
    await embed(store, *items)
    await duplicates(store, hands).work()
    left = [item and item.status for item in [await store.item(item.memory_id) for item in items]]
    assert (left.count(Status.ACTIVE) == 1) is become_one


async def test_the_words_of_the_one_that_gave_way_find_the_one_that_stays(store: Store, hands: Hands) -> None:
    keeper, gone = (
        an_item("User is a software engineer", importance=1.0),
        an_item("User builds software for a living"),
    )
    await keep(store, keeper, gone)
    await embed(store, keeper, gone)
    await duplicates(store, hands).work()
    async with store.transaction() as tx:
        found = await tx.similar(keeper.owner, keeper.level, "living", limit=9)
    assert keeper.memory_id in {item.memory_id for item in found}


@dataclass
class Hall:
    """A store in which every item has changed, has one neighbour like it, and no pair can be joined."""

    items: list[Item]
    looked_at: list[str] = field(default_factory=list[str])
    breaks_at: str = ""

    async def changed_items(
        self, model_id: str | None, *, after: Mark | None, limit: int
    ) -> Sequence[tuple[Item, Mark]]:
        assert model_id is None
        start = 0 if after is None else after[1] + 1
        rows = range(start, min(start + limit, len(self.items)))
        return [(self.items[row], (NOW, row)) for row in rows]

    async def near_items(
        self, item: Item, model_id: str | None, *, cosine: float, limit: int
    ) -> Sequence[tuple[Item, float | None]]:
        assert (model_id, cosine, limit) == (None, 0.85, 20)
        self.looked_at.append(item.fact)
        if item.fact == self.breaks_at:
            raise RuntimeError("a bug")
        return []


async def test_a_round_is_bounded_and_the_next_goes_on(hands: Hands) -> None:
    number = BATCH_SIZE * MAX_BATCHES + 3
    hall = Hall([an_item(str(n)) for n in range(number)])
    job = duplicates(hall, hands, None)
    await job.work()
    assert (len(hall.looked_at), hands.breaths) == (BATCH_SIZE * MAX_BATCHES, MAX_BATCHES)
    await job.work()
    assert hall.looked_at == [str(n) for n in range(number)]


async def test_one_that_cannot_be_looked_at_does_not_keep_the_others_waiting(hands: Hands) -> None:
    hall = Hall([an_item(str(n)) for n in range(3)], breaks_at="1")
    job = duplicates(hall, hands, None)
    with pytest.raises(RuntimeError):
        await job.work()
    await job.work()
    assert hall.looked_at == ["0", "1", "2"]


class Late:
    """Shows the neighbours as they were before something happened."""

    def __init__(self, store: Store, then: Callable[[], Awaitable[None]]) -> None:
        self._store = store
        self._then = then
        self.transaction = store.transaction

    async def changed_items(
        self, model_id: str | None, *, after: Mark | None, limit: int
    ) -> Sequence[tuple[Item, Mark]]:
        return (await self._store.changed_items(model_id, after=after, limit=limit))[:1]

    async def near_items(
        self, item: Item, model_id: str | None, *, cosine: float, limit: int
    ) -> Sequence[tuple[Item, float | None]]:
        found = await self._store.near_items(item, model_id, cosine=cosine, limit=limit)
        assert found
        await self._then()
        return found


@pytest.mark.parametrize(
    "changes",
    [
        {"fact": "likes coffee"},
        {"status": Status.DELETED},
        {"status": Status.DISABLED},
        {"person": "Bob"},
        {"expires_at": NOW},
    ],
)
@pytest.mark.parametrize("which", [0, 1])
async def test_items_that_changed_since_they_were_compared_are_left_alone(
    store: Store, hands: Hands, changes: dict[str, Any], which: int
) -> None:
    items = [an_item("likes tea", fact_key="a"), an_item("Likes tea", fact_key="b")]
    await keep(store, *items)
    items[which] = replace(items[which], **changes)

    async def change() -> None:
        async with store.transaction() as tx:
            await tx.update_item(items[which])

    await duplicates(Late(store, change), hands, None).work()
    assert [await store.item(item.memory_id) for item in items] == items
    assert [await store.history(item.memory_id) for item in items] == [[], []]


async def test_an_item_that_is_gone_since_is_left_alone(store: Store, hands: Hands) -> None:
    items = [an_item("likes tea", fact_key="a"), an_item("Likes tea", fact_key="b")]
    await keep(store, *items)

    async def erase() -> None:
        async with store._database.write() as connection:  # pyright: ignore[reportPrivateUsage] - no verb erases yet
            await connection.change(ITEMS.delete().where(ITEMS.c.memory_id == items[1].memory_id))

    await duplicates(Late(store, erase), hands, None).work()
    assert await store.item(items[0].memory_id) == items[0]
