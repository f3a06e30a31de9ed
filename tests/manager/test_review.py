"""What an operator approves."""

from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Status
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import World, private, settings
from tests.stores import NOW, an_item, keep, migrated, opened


@pytest.mark.parametrize("forgets", [False, True])
async def test_a_statement_that_sums_up_what_was_forgotten_is_never_approved(
    tmp_path: Path, *, forgets: bool
) -> None:
    world, alice = World(tmp_path / "host.db"), private("alice")
    episode = an_item("User hiked near Oslo", type=MemoryType.EPISODE)
    sum_of_it = an_item(
        "User often hiked",
        type=MemoryType.EPISODE,
        status=Status.PENDING,
        reason="compaction",
        supersedes=(episode.memory_id,),
    )
    async with opened(migrated(world.file)) as database:
        await keep(Store(database, lambda: NOW), episode, sum_of_it)
    own = settings({"identity": {"cross_platform_aliases": ["plat:alice=telegram:alice"]}})
    async with world.memory(own) as memory:
        if forgets:
            await memory.forget(alice, episode.memory_id)
            with pytest.raises(NotFoundError):
                await memory.review.approve_one(sum_of_it.memory_id, actor="operator:x")
        else:
            approved = await memory.review.approve_one(sum_of_it.memory_id, actor="operator:x")
            assert approved.status is Status.ACTIVE


async def test_many_decisions_after_each_other_are_all_taken_back(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    waiting = [an_item(f"User owns boat {n}", status=Status.PENDING, reason="mode") for n in range(25)]
    async with opened(migrated(world.file)) as database:
        await keep(Store(database, lambda: NOW), *waiting)
    async with world.memory(settings()) as memory:
        made = [(await memory.review.approve([item.memory_id], actor="operator:x")) for item in waiting]
        for decided in reversed(made):
            undone = await memory.review.undo(decided.decision_id, actor="operator:x")
            assert undone.done == decided.done
