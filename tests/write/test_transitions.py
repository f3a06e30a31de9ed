"""An approval puts an item to use in the places it waited for; a rejection keeps it from coming back."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    MemoryType,
    Mode,
    Origin,
    Stance,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.policies.keys import waiting_key
from astrbot_plugin_ltm.long_term_memory.write.transitions import Decision, approve

from tests.write.mind import Mind, a_mind

HOME: dict[str, Any] = {"slot": "home_city"}


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncGenerator[Mind]:
    async with a_mind(tmp_path) as new:
        yield new


async def test_what_is_approved_takes_the_place_it_waited_for(mind: Mind) -> None:
    old = await mind.heard("User likes cats")
    new = await mind.heard("User hates cats", doubt="ungrounded")
    approved = await mind.approve(new.memory_id)
    assert approved
    assert approved == await mind.item(new.memory_id)
    assert (approved.status, approved.reason) == (Status.ACTIVE, "")
    left = await mind.item(old.memory_id)
    assert (left.status, left.superseded_by) == (Status.SUPERSEDED, new.memory_id)
    assert await mind.path(new.memory_id) == ["add", "approve"]
    (_, line) = [entry for _, entry in await mind.store.history(old.memory_id)]
    assert (line.actor, line.before, line.after) == ("operator:x", "active", "superseded")


async def test_what_is_approved_is_the_one_answer_even_if_it_names_nobody(mind: Mind) -> None:
    waiting = await mind.heard("User lives in Oslo", doubt="ungrounded", **HOME)
    other = await mind.heard("User lives in Rome", doubt="ungrounded", **HOME)
    await mind.change(other.memory_id, supersedes=())
    await mind.approve(other.memory_id)
    await mind.approve(waiting.memory_id)
    assert await mind.facts() == ["User lives in Oslo"]
    assert await mind.facts(Status.SUPERSEDED) == ["User lives in Rome"]


PLANNED, TASK, EPISODE = Stance.PLANNED, MemoryType.TASK_STATE, MemoryType.EPISODE


@pytest.mark.parametrize(
    ("kind", "stance", "action", "stays"),
    [
        (TASK, PLANNED, "keep", True),
        (TASK, PLANNED, "approve", True),
        (EPISODE, Stance.TEMPORARY, "release", True),
        (TASK, Stance.LASTING, "keep", False),
    ],
)
async def test_what_holds_for_a_while_takes_no_lasting_place_when_it_is_accepted(
    mind: Mind, kind: MemoryType, stance: Stance, action: str, stays: bool
) -> None:
    lasting = await mind.heard("User's brother is called Tom")
    visit = await mind.heard(
        "User's brother Tom visits next week",
        type=kind,
        stance=stance,
        doubt="unverified",
        replaces=(lasting.memory_id,),
    )
    async with mind.store.transaction() as tx:
        decision = Decision(actor="x", now=mind.now)
        await approve(tx, await mind.item(visit.memory_id), decision, action=action)
    assert ((await mind.item(lasting.memory_id)).status is Status.ACTIVE) is stays
    assert (await mind.item(visit.memory_id)).status is Status.ACTIVE


async def test_an_approval_leaves_what_waits_itself_and_what_is_disabled(mind: Mind) -> None:
    off = await mind.heard("User lives in Bonn", **HOME)
    await mind.change(off.memory_id, status=Status.DISABLED)
    first = await mind.heard("User lives in Oslo", doubt="ungrounded", **HOME)
    await mind.hear("User lives in Rome", doubt="ungrounded", **HOME)
    await mind.change(first.memory_id, supersedes=(off.memory_id, "gone"))
    await mind.approve(first.memory_id)
    assert await mind.facts(Status.DISABLED) == ["User lives in Bonn"]
    assert await mind.facts(Status.PENDING) == ["User lives in Rome"]


async def test_what_an_operator_disabled_leaves_for_an_operator_alone(mind: Mind) -> None:
    off = await mind.heard("User lives in Oslo")
    other = await mind.heard("User cycles to work")
    await mind.change(off.memory_id, fact_key="user-home", status=Status.DISABLED)
    held = waiting_key("user-home", other.fact)
    await mind.change(other.memory_id, fact_key=held, status=Status.SHADOW, reason="mode")
    for action, kept in (("keep", [off.fact]), ("approve", [])):
        await mind.change(other.memory_id, fact_key=held, status=Status.SHADOW, reason="mode")
        async with mind.store.transaction() as tx:
            item = await tx.get_item(other.memory_id)
            assert item
            assert await approve(tx, item, Decision(actor="plat:alice", now=mind.now), action=action)
        assert await mind.facts(Status.DISABLED) == kept
        assert other.fact in await mind.facts(Status.ACTIVE)


async def test_a_version_that_goes_on_waiting_keeps_the_key_it_waits_under(mind: Mind) -> None:
    used = await mind.heard("User lives in Oslo")
    other = await mind.heard("User cycles to work")
    await mind.change(used.memory_id, fact_key="user-home")
    held = waiting_key("user-home", other.fact)
    await mind.change(other.memory_id, fact_key=held, status=Status.PENDING, reason="unverified")
    decision = Decision(actor="system", now=mind.now)
    async with mind.store.transaction() as tx:
        item = await tx.get_item(other.memory_id)
        assert item
        went_on = await approve(tx, item, decision, status=(Status.SHADOW, "mode"), action="release")
    assert went_on
    assert (went_on.status, went_on.fact_key) == (Status.SHADOW, held)
    assert (await mind.item(used.memory_id)).status is Status.ACTIVE
    approved = await mind.approve(other.memory_id)
    assert approved
    assert approved.fact_key == "user-home"
    assert (await mind.item(used.memory_id)).superseded_by == other.memory_id


async def test_an_approved_item_lives_its_time_from_then(mind: Mind) -> None:
    item = await mind.heard("User likes tea", doubt="ungrounded", type=MemoryType.PREFERENCE)
    mind.now += timedelta(days=100)
    approved = await mind.approve(item.memory_id)
    assert approved
    assert approved.expires_at == mind.now + timedelta(days=90)


@pytest.mark.parametrize(
    "status", [Status.ACTIVE, Status.DISABLED, Status.SUPERSEDED, Status.EXPIRED, Status.DELETED]
)
async def test_only_what_waits_can_be_approved(mind: Mind, status: Status) -> None:
    item = await mind.heard("User likes tea")
    await mind.change(item.memory_id, status=status)
    before = await mind.item(item.memory_id)
    assert await mind.approve(item.memory_id) is None
    assert await mind.item(item.memory_id) == before


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.EXPIRED, Status.DELETED])
async def test_what_is_gone_cannot_be_rejected(mind: Mind, status: Status) -> None:
    item = await mind.heard("User likes tea")
    await mind.change(item.memory_id, status=status)
    before = await mind.item(item.memory_id)
    assert await mind.reject(item.memory_id) is None
    assert await mind.item(item.memory_id) == before


async def test_what_is_in_use_is_rejected_like_what_waits(mind: Mind) -> None:
    item = await mind.heard("Carol hates olives", person="Carol")
    gone = await mind.reject(item.memory_id)
    assert gone
    assert (gone.status, gone.reason) == (Status.DELETED, "rejected")
    again = await mind.heard("Carol hates olives", person="Carol")
    assert again.status is Status.DELETED


@pytest.mark.parametrize(
    ("fact", "again"),
    [("User likes green tea", "User loves green tea"), ("用户讨厌香菜", "用户不喜欢香菜")],
)
async def test_what_is_rejected_is_not_learnt_again_by_itself(mind: Mind, fact: str, again: str) -> None:
    item = await mind.heard(fact, doubt="ungrounded")
    gone = await mind.reject(item.memory_id)
    assert gone
    assert (gone.status, gone.reason, gone.deleted_at) == (Status.DELETED, "rejected", mind.now)
    assert await mind.path(item.memory_id) == ["add", "reject"]
    for words in (fact, again):
        await mind.hear(words)
        assert (mind.rule, await mind.facts()) == ("tombstone", [])
    await mind.hear(again, origin=Origin.USER_EXPLICIT)
    assert await mind.facts() == [again]


async def test_who_left_for_what_is_rejected_waits_again(mind: Mind) -> None:
    mind.policy = type(mind.policy)(mode=Mode.MANUAL)
    old = await mind.heard("User lives in Oslo", **HOME)
    new = await mind.heard("User lives in Rome", **HOME)
    await mind.reject(new.memory_id)
    back = await mind.item(old.memory_id)
    assert (back.status, back.reason, back.superseded_by) == (
        Status.PENDING,
        "replacement_rejected",
        None,
    )


async def test_nobody_returns_whose_place_is_taken_or_who_left_for_another(mind: Mind) -> None:
    mind.policy = type(mind.policy)(mode=Mode.MANUAL)
    keys: dict[str, Any] = {"fact_key": "home"}
    old = await mind.heard("User lives in Oslo", **keys)
    new = await mind.heard("User lives in Rome", **keys)
    await mind.hear("User lives in Bonn", doubt="ungrounded", **keys)
    await mind.change(new.memory_id, supersedes=(old.memory_id, "gone"))
    await mind.reject(new.memory_id)
    assert (await mind.item(old.memory_id)).status is Status.SUPERSEDED
