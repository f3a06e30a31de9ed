"""What an operator approves."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.review import WaitingFilter
from astrbot_plugin_ltm.long_term_memory.storage.store import Store, StoreTransaction

from tests.running import World, group, settings
from tests.stores import NOW, an_item, keep, migrated, opened
from tests.test_commands import ALICE, talking


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


async def test_it_is_told_which_others_in_use_many_approvals_replace_and_their_undo_brings_back(
    tmp_path: Path,
) -> None:
    world = World(tmp_path / "host.db")
    old = an_item("User lives in Bonn", slot="home_city")
    waiting = [
        an_item("User lives in Bergen", slot="home_city", status=Status.PENDING, reason="mode"),
        an_item("User owns a boat", status=Status.PENDING, reason="mode"),
    ]
    async with opened(migrated(world.file)) as database:
        await keep(Store(database, lambda: NOW), old, *waiting)
    async with world.memory(settings()) as memory:
        decided = await memory.review.approve([item.memory_id for item in waiting], actor="operator:x")
        assert (len(decided.done), decided.replaced) == (2, [old.memory_id])
        [made] = await memory.review.undoable()
        assert made.replaced == [old.memory_id]
        again = await memory.review.approve([waiting[0].memory_id], actor="operator:x")
        assert (len(again.done), again.replaced) == (0, [])
        undone = await memory.review.undo(decided.decision_id, actor="operator:x")
        assert (len(undone.done), undone.replaced) == (2, [old.memory_id])


async def test_one_that_was_approved_a_moment_ago_was_not_in_use_and_none_is_told_twice(
    tmp_path: Path,
) -> None:
    world = World(tmp_path / "host.db")
    waits: Any = {"slot": "home_city", "status": Status.PENDING, "reason": "mode"}
    old = an_item("User lives in Bonn", slot="home_city", last_confirmed_at=NOW - timedelta(days=3))
    again = an_item("User lives in Bonn.", **waits, last_confirmed_at=NOW - timedelta(days=2))
    new = an_item("User lives in Bergen", **waits)
    async with opened(migrated(world.file)) as database:
        await keep(Store(database, lambda: NOW), old, again, new)
    async with world.memory(settings()) as memory:
        shown = await memory.browsing.item(again.memory_id)
        assert [one.memory_id for one in shown.replaces] == [old.memory_id]
        decided = await memory.review.approve(None, actor="operator:x")
        assert (len(decided.done), decided.replaced) == (2, [old.memory_id])


async def test_others_may_write_while_those_that_contest_what_is_approved_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, similar = list[str](), StoreTransaction.similar

    async def watched(tx: StoreTransaction, *args: Any, **kwargs: Any) -> Sequence[Item]:
        threads.append(current_thread().name)
        return await similar(tx, *args, **kwargs)

    world = World(tmp_path / "host.db")
    facts = ("User likes coffee", "User does not like coffee", "User owns a boat")
    waiting = [an_item(fact, status=Status.PENDING, reason="mode") for fact in facts]
    async with opened(migrated(world.file)) as database:
        await keep(Store(database, lambda: NOW), *waiting)
    async with world.memory(settings()) as memory:
        monkeypatch.setattr(StoreTransaction, "similar", watched)
        decided = await memory.review.approve(None, actor="operator:x")
    assert decided.done == [waiting[2].memory_id]
    assert {each.why for each in decided.left} == {"says_otherwise"}
    assert threads
    assert all("reader" in name for name in threads)


@pytest.mark.parametrize(
    ("where", "left"),
    [(group("alice", "kitchen"), ["says_otherwise"]), (ALICE, [])],
    ids=["group", "private, where the later one is used"],
)
async def test_what_comes_into_use_after_the_look_contests_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Chat, left: list[str]
) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": "shadow"}}) as talk:
        await talk.tells("I live in Oslo", group("alice", "office"))
        talk.world.clock.move(timedelta(seconds=1))
        look, looked = Store.in_snapshot, list[str]()

        async def and_then_save(self: Store, step: Any) -> Any:
            found = await look(self, step)
            if step.__class__ is partial and step.func.__name__ == "_look_for_rivals" and not looked:
                looked.append(await talk.says("ltm add I live in Bergen", where))
            return found

        monkeypatch.setattr(Store, "in_snapshot", and_then_save)
        decided = await talk.memory.review.approve(None, actor="operator:x")
        assert looked
        assert [each.why for each in decided.left] == left


@pytest.mark.parametrize("second", [group("alice", "office"), ALICE], ids=["group", "private"])
@pytest.mark.parametrize("facts", [("I live in Oslo", "I live in Bergen"), ("我不喝酒", "我喜欢喝酒")])
async def test_of_what_two_chats_were_told_otherwise_neither_is_approved_with_all(
    tmp_path: Path, second: Chat, facts: tuple[str, str]
) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": "shadow"}}) as talk:
        await talk.tells(facts[0], group("alice", "kitchen"))
        talk.world.clock.move(timedelta(seconds=1))
        await talk.tells(facts[1], second)
        rows = (await talk.memory.review.waiting(WaitingFilter())).rows
        assert [[one.then for one in row.otherwise] for row in rows] == [["waits"], ["waits"]]
        assert (await talk.root("ltm pending")).count("Says otherwise than: ") == 2
        decided = await talk.memory.review.approve(None, actor="operator:x")
        assert [each.why for each in decided.left] == ["says_otherwise"] * 2
        by_hand = [row.item.memory_id for row in rows]
        assert len((await talk.memory.review.approve(by_hand, actor="operator:x")).done) == 2


async def test_what_is_decided_about_one_by_its_id_can_be_undone_too(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    old = an_item("User lives in Bonn", slot="home_city")
    waiting = an_item("User lives in Bergen", slot="home_city", status=Status.PENDING, reason="mode")
    async with opened(migrated(world.file)) as database:
        await keep(Store(database, lambda: NOW), old, waiting)
    async with world.memory(settings()) as memory:
        review = memory.review
        await review.approve_one(waiting.memory_id, actor="operator:x")
        await review.reject_one(waiting.memory_id, actor="operator:x")
        # The approval can be undone only once the rejection after it is.
        for action, expected in (("reject", Status.SUPERSEDED), ("approve", Status.ACTIVE)):
            [made] = await review.undoable()
            assert (made.action, made.memory_id) == (action, waiting.memory_id)
            assert (await review.undo(made.decision_id, actor="operator:x")).done == [waiting.memory_id]
            assert (await memory.browsing.item(old.memory_id)).item.status is expected
        assert await review.undoable() == []
        assert (await memory.browsing.item(waiting.memory_id)).item.status is Status.PENDING
