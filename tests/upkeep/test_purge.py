"""What was deleted long ago goes for good, in short transactions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Status
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.upkeep.purge import AT_ONCE, MAX_BATCHES, Purge
from astrbot_plugin_ltm.long_term_memory.upkeep.purge import KEPT as SPARE

from tests.running import World, private, settings
from tests.stores import ALICE, BOB, GROUP, NOW, an_item, keep
from tests.upkeep.fakes import Hands

KEPT = timedelta(days=30)
IN_USE = (Status.ACTIVE, Status.SHADOW, Status.PENDING, Status.DISABLED, Status.DELETED)


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

    async def surplus(self, *, keep: int, limit: int) -> Sequence[str]:
        assert keep == SPARE
        return ["m"] * limit

    async def purge_surplus(self, memory_ids: Sequence[str]) -> int:
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
    await Purge(endless, hands.clock, hands.breathe, keep_deleted=None).make_room()
    assert (endless.batches, hands.breaths) == ([AT_ONCE] * 2 * MAX_BATCHES, 2 * MAX_BATCHES)


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


def over(number: int, **changes: Any) -> Item:
    """An item that went out of use so many days ago, by turns in one of two ways."""
    status = (Status.EXPIRED, Status.SUPERSEDED)[number % 2]
    ended = {"status": status, "updated_at": NOW - timedelta(days=number)}
    return an_item(f"fact {number}", **(ended | changes))


async def test_of_what_is_out_of_use_each_scope_keeps_the_newest(store: Store) -> None:
    items = {owner: [over(number, owner=owner) for number in (2, 5, 1, 4, 3)] for owner in (ALICE, GROUP)}
    few = [over(number, owner=BOB) for number in (9, 8, 7)]
    others = [over(10 + n, status=status) for n, status in enumerate(IN_USE)]
    await keep(store, *items[ALICE], *items[GROUP], *few, *others)
    found = await store.sweeps.surplus(keep=3, limit=9)
    gone = [each for n in (1, 3) for each in (items[ALICE][n].memory_id, items[GROUP][n].memory_id)]
    assert found == gone
    assert await store.sweeps.surplus(keep=3, limit=1) == gone[:1]
    assert await store.sweeps.purge_surplus(found) == 4
    assert await store.sweeps.surplus(keep=3, limit=9) == []
    for memory_id in gone:
        assert (await store.item(memory_id), await store.evidence(memory_id)) == (None, [])
    (line,) = [entry for _, entry in await store.history(gone[0])]
    assert (line.action, line.before, line.after, line.reason) == ("purge", "superseded", "", "surplus")
    async with store.transaction() as tx:
        found_by_words = await tx.similar(ALICE, few[0].level, "fact", limit=99)
    assert {item.memory_id for item in found_by_words}.isdisjoint(gone)
    assert len(found_by_words) == 3 + len(others)


async def test_what_is_used_again_meanwhile_is_no_surplus(store: Store) -> None:
    item = over(1)
    await keep(store, item)
    found = await store.sweeps.surplus(keep=0, limit=9)
    async with store.transaction() as tx:
        await tx.update_item(replace(item, status=Status.ACTIVE))
    assert found == [item.memory_id]
    assert await store.sweeps.purge_surplus(found) == 0


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.DISABLED, Status.EXPIRED])
async def test_the_episodes_that_a_statement_in_use_sums_up_are_no_surplus(
    store: Store, status: Status
) -> None:
    members = [over(n, type=MemoryType.EPISODE, status=Status.SUPERSEDED) for n in (1, 2)]
    ids = tuple(one.memory_id for one in members)
    sums = an_item("sum", type=MemoryType.EPISODE, status=status, supersedes=ids, updated_at=NOW)
    await keep(store, sums, *(replace(one, superseded_by=sums.memory_id) for one in members), over(3))
    found = await store.sweeps.surplus(keep=1, limit=9)
    assert len(found) == (0 if status is not Status.EXPIRED else 3)
    assert await store.sweeps.purge_surplus(ids) == (0 if status is not Status.EXPIRED else 2)


async def test_housekeeping_keeps_a_scope_from_growing_for_ever(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with world.memory(settings({})) as memory:
        parts = memory._parts  # pyright: ignore[reportPrivateUsage] - its steps, without waits
        await keep(parts.store, *(over(number) for number in range(SPARE + AT_ONCE + 1)))
        await housekeeping(parts, world._ports()).work()  # pyright: ignore[reportPrivateUsage] - the same
        counts = await parts.store.item_counts()
        assert sum(counts.values()) == SPARE
