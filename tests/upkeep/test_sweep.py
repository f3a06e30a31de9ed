"""Items end when their time is over, in short transactions, and come back when they are heard again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.domain.words import Status
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.upkeep.sweep import AT_ONCE, MAX_BATCHES, Sweep

from tests.running import World, private, settings
from tests.stores import NOW, an_item, keep, opened
from tests.upkeep.fakes import Hands


@dataclass
class Endless:
    """A store in which there is always more to end."""

    batches: list[int] = field(default_factory=list[int])

    async def outlived(self, *, now: datetime, limit: int) -> Sequence[str]:
        assert now == NOW
        return ["m"] * limit

    async def expire(self, memory_ids: Sequence[str], *, now: datetime) -> int:
        assert now == NOW
        self.batches.append(len(memory_ids))
        return len(memory_ids)


async def test_all_that_is_over_ends_and_doing_it_again_changes_nothing(store: Store, hands: Hands) -> None:
    items = [an_item(str(n), expires_at=NOW - timedelta(days=n)) for n in (1, 2)]
    await keep(store, *items, an_item("lives on"))
    sweep = Sweep(store.sweeps, hands.clock, hands.breathe)
    await sweep.work()
    counts = await store.item_counts()
    assert {status: number for (status, _), number in counts.items()} == {
        Status.EXPIRED: 2,
        Status.ACTIVE: 1,
    }
    histories = [await store.history(item.memory_id) for item in items]
    await sweep.work()
    assert [await store.history(item.memory_id) for item in items] == histories


async def test_a_round_is_bounded_and_others_may_write_between_its_batches(hands: Hands) -> None:
    endless = Endless()
    await Sweep(endless, hands.clock, hands.breathe).work()
    assert (endless.batches, hands.breaths) == ([AT_ONCE] * MAX_BATCHES, MAX_BATCHES)


async def items_by_fact(memory: LTMManager) -> dict[str, tuple[Status, int]]:
    page = await memory.browsing.items(ItemFilter())
    return {item.fact: (item.status, item.evidence_count) for item in page.items}


@pytest.mark.parametrize(
    ("said", "again", "fact"),
    [
        ("I like green tea", "I like green tea!", "User likes green tea"),
        ("我喜欢绿茶", "我喜欢绿茶。", "用户喜欢绿茶"),
    ],
)
async def test_a_preference_not_heard_for_ninety_days_ends_and_comes_back_when_it_is_said_again(
    tmp_path: Path, said: str, again: str, fact: str
) -> None:
    world, alice = World(tmp_path / "host.db"), private("alice")
    async with world.memory(settings()) as memory, opened(world.file) as database:
        sweep = Sweep(Store(database, world.clock).sweeps, world.clock, Hands().breathe)
        await world.tell(memory, alice, said)
        world.clock.move(timedelta(days=60))
        await world.tell(memory, alice, again)
        world.clock.move(timedelta(days=89))
        await sweep.work()
        assert await items_by_fact(memory) == {fact: (Status.ACTIVE, 2)}
        world.clock.move(timedelta(days=1))
        await sweep.work()
        assert await items_by_fact(memory) == {fact: (Status.EXPIRED, 2)}
        assert fact not in (await memory.recall(alice, said)).block
        await world.tell(memory, alice, again)
        assert await items_by_fact(memory) == {fact: (Status.ACTIVE, 3)}
        assert fact in (await memory.recall(alice, said)).block
