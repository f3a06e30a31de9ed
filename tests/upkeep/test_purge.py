"""What was deleted long ago goes for good, in short transactions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.words import Status
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.upkeep.purge import AT_ONCE, MAX_BATCHES, Purge

from tests.running import World, private, settings
from tests.stores import NOW, an_item, keep
from tests.upkeep.fakes import Hands

KEPT = timedelta(days=30)


def deleted(fact: str, days_ago: int) -> Item:
    return an_item(fact, status=Status.DELETED, deleted_at=NOW - timedelta(days=days_ago))


@dataclass
class Endless:
    """A store in which there is always more to remove."""

    batches: list[int] = field(default_factory=list[int])

    async def long_deleted(self, *, before: datetime, limit: int) -> Sequence[str]:
        assert before == NOW - KEPT
        return ["m"] * limit

    async def purge(self, memory_ids: Sequence[str], *, before: datetime) -> int:
        assert before == NOW - KEPT
        self.batches.append(len(memory_ids))
        return len(memory_ids)


async def test_what_was_deleted_long_ago_goes_and_the_rest_stays(store: Store, hands: Hands) -> None:
    old, new = deleted("old", 31), deleted("new", 29)
    live = an_item("live", created_at=NOW - timedelta(days=99))
    follower = an_item("outdated", status=Status.SUPERSEDED, superseded_by=old.memory_id)
    await keep(store, old, new, live, follower)
    await Purge(store.sweeps, hands.clock, hands.breathe, keep_deleted=KEPT).work()
    assert await store.item(old.memory_id) is None
    assert await store.evidence(old.memory_id) == []
    for item in (new, live):
        assert await store.item(item.memory_id) == item
    assert await store.item(follower.memory_id) == replace(follower, superseded_by=None)
    (line,) = [entry for _, entry in await store.history(old.memory_id)]
    assert (line.actor, line.action, line.before, line.after) == ("system", "purge", "deleted", "")


async def test_what_is_saved_again_meanwhile_stays(store: Store) -> None:
    item = deleted("old", 31)
    await keep(store, item)
    before = NOW - KEPT
    found = await store.sweeps.long_deleted(before=before, limit=10)
    async with store.transaction() as tx:
        await tx.update_item(replace(item, status=Status.ACTIVE, deleted_at=None))
    assert found == [item.memory_id]
    assert await store.sweeps.purge(found, before=before) == 0
    assert await store.item(item.memory_id)


async def test_for_ever_is_for_ever(store: Store, hands: Hands) -> None:
    item = deleted("old", 9_999)
    await keep(store, item)
    await Purge(store.sweeps, hands.clock, hands.breathe, keep_deleted=None).work()
    assert await store.item(item.memory_id) == item


async def test_a_round_is_bounded_and_others_may_write_between_its_batches(hands: Hands) -> None:
    endless = Endless()
    await Purge(endless, hands.clock, hands.breathe, keep_deleted=KEPT).work()
    assert (endless.batches, hands.breaths) == ([AT_ONCE] * MAX_BATCHES, MAX_BATCHES)


@pytest.mark.parametrize(("days", "left"), [(3, 0), (-1, 1)])
async def test_housekeeping_removes_what_a_person_forgot(tmp_path: Path, days: int, left: int) -> None:
    world = World(tmp_path / "host.db")
    async with world.memory(settings({"deleted_retention_days": days})) as memory:
        saved = await memory.save(private(), fact="I have a cat", said="I have a cat", message_id="1")
        await memory.forget(private(), saved.item.memory_id)
        world.clock.move(timedelta(days=4))
        parts = memory._parts  # pyright: ignore[reportPrivateUsage] - its steps, without waits
        ports = world._ports()  # pyright: ignore[reportPrivateUsage] - what those are made with
        await housekeeping(parts, ports).work()
        assert sum((await parts.store.item_counts()).values()) == left
