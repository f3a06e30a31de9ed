"""The rules of the policy on the real store: nothing is lost, and every refusal is named."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType, Origin, Scope, Stance, Status
from astrbot_plugin_ltm.long_term_memory.policies.admission import RATE_WINDOW

from tests.stores import ALICE, BOB, GROUP, GROUP_CHAT
from tests.write.mind import Mind, a_mind


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncGenerator[Mind]:
    async with a_mind(tmp_path) as new:
        yield new


@pytest.mark.parametrize(
    ("paused", "rule"),
    [(ALICE, "paused"), (GROUP, "paused_group"), (BOB, ""), (ScopeRef(scope=Scope.USER, scope_id="x"), "")],
)
async def test_nothing_is_learnt_of_who_is_paused(mind: Mind, paused: ScopeRef, rule: str) -> None:
    await mind.hear("User likes tea")
    async with mind.store.transaction() as tx:
        await tx.pause(paused, actor="x")
    for origin in (Origin.RULE, Origin.USER_EXPLICIT):
        item = await mind.hear(f"User plays {origin}", event=mind.event(umo=GROUP_CHAT), origin=origin)
        assert (mind.rule, item is None) == (rule, rule != "")
    again = await mind.heard("User likes tea", event=mind.event(umo=GROUP_CHAT))
    assert again.evidence_count == (1 if rule else 2)


async def test_fifteen_facts_in_two_hours_are_all_stored_or_seen_to_wait(mind: Mind) -> None:
    mind.policy = replace(mind.policy, max_writes_per_session=10)
    for number in range(15):
        await mind.hear(f"User owns book number {number + 100}")
        mind.now += timedelta(minutes=7)
    assert len(await mind.facts()) == 15


async def test_a_burst_waits_and_the_next_hour_is_open_again_however_much_waits(mind: Mind) -> None:
    mind.policy = replace(mind.policy, max_writes_per_session=10)
    for number in range(15):
        await mind.hear(f"User owns book number {number + 100}")
    assert (len(await mind.facts()), len(await mind.facts(Status.PENDING))) == (10, 5)
    waiting = {item.reason for item in await mind.all() if item.status is Status.PENDING}
    assert waiting == {"max_writes_per_session"}
    mind.now += RATE_WINDOW
    for number in range(12):
        await mind.hear(f"User owns film number {number + 500}")
    assert (len(await mind.facts()), len(await mind.facts(Status.PENDING))) == (20, 7)
    mind.now += RATE_WINDOW
    await mind.hear("User owns book number 112")
    assert (len(await mind.facts()), len(await mind.facts(Status.PENDING))) == (21, 6)


async def test_what_waits_for_the_rates_does_not_use_them_up(mind: Mind) -> None:
    mind.policy = replace(mind.policy, max_writes_per_session=2)
    for number in range(60):
        mind.now += timedelta(minutes=9)
        await mind.hear(f"User owns book number {number + 100}")
    assert len(await mind.facts()) >= 18


async def test_a_scope_never_holds_more_than_it_may(mind: Mind) -> None:
    mind.policy = replace(mind.policy, max_items_per_scope=5)
    kept = await mind.heard("User must not eat nuts", type=MemoryType.CONSTRAINT, importance=0.0)
    saved = await mind.heard("User's bike is blue", origin=Origin.USER_EXPLICIT, importance=0.0)
    for number in range(12):
        await mind.hear(f"User owns book number {number + 100}", importance=0.5 + number / 100)
        live = await mind.facts()
        assert len(live) <= 5
        assert {kept.fact, saved.fact} <= set(live)
    assert len(await mind.facts(Status.EXPIRED)) == 9


async def test_in_a_full_scope_another_value_still_takes_the_place_of_the_old(mind: Mind) -> None:
    mind.policy = replace(mind.policy, max_items_per_scope=2)
    await mind.hear("User lives in Oslo", importance=1.0)
    await mind.hear("User likes tea", importance=1.0)
    await mind.hear("User lives in Rome", importance=0.0)
    await mind.hear("User lives in Oslo", importance=0.0)
    assert await mind.facts() == ["User lives in Oslo", "User likes tea"]
    assert await mind.facts(Status.EXPIRED) == []


async def test_what_needs_more_evidence_is_used_once_it_is_there(mind: Mind) -> None:
    mind.policy = replace(mind.policy, min_evidence_count=2)
    event = mind.event()
    for _ in range(3):
        await mind.hear("用户喜欢茶", event=event)
    assert await mind.facts(Status.SHADOW) == ["用户喜欢茶"]
    await mind.hear("用户爱喝茶")
    assert await mind.facts() == ["用户喜欢茶"]


async def test_a_confirmation_prolongs_what_expires(mind: Mind) -> None:
    first = await mind.heard("User likes tea", type=MemoryType.PREFERENCE)
    mind.now += timedelta(days=80)
    again = await mind.heard("User loves tea", type=MemoryType.PREFERENCE)
    assert first.expires_at
    assert again.expires_at == mind.now + timedelta(days=90)


async def test_what_names_its_end_ends_then_however_often_it_is_told_and_whenever_it_is_approved(
    mind: Mind,
) -> None:
    task = MemoryType.TASK_STATE
    day = mind.now.date() + timedelta(days=60)
    for n, (kind, stance, doubt, after) in enumerate(
        (
            (task, Stance.LASTING, "", 7),
            (MemoryType.PREFERENCE, Stance.PLANNED, "", 90),
            (MemoryType.PREFERENCE, Stance.TEMPORARY, "", 1),
            (MemoryType.PREFERENCE, Stance.PLANNED, "not_found", 90),
        )
    ):
        fact, told = f"User's exam {n} is on {day}", dict[str, Any](type=kind, stance=stance, doubt=doubt)
        first = await mind.heard(fact, **told)
        mind.now += timedelta(days=10)
        await (mind.approve(first.memory_id) if doubt else mind.hear(fact, **told))
        again = await mind.item(first.memory_id)
        assert again.last_confirmed_at > first.last_confirmed_at or doubt
        assert again.expires_at == first.expires_at, fact
        assert again.expires_at
        assert again.expires_at.date() == day + timedelta(days=after)


async def test_a_plan_without_a_day_lives_at_least_as_long_as_an_episode(mind: Mind) -> None:
    for n, (kind, stance, days) in enumerate(
        (
            (MemoryType.TASK_STATE, Stance.PLANNED, 30),
            (MemoryType.TASK_STATE, Stance.LASTING, 7),
            (MemoryType.PREFERENCE, Stance.PLANNED, 90),
            (MemoryType.PROFILE, Stance.PLANNED, None),
        )
    ):
        plan = await mind.heard(f"User wants to learn song {n}", type=kind, stance=stance)
        assert plan.ttl_days == days, kind


async def test_an_explicit_save_of_a_known_fact_lasts_as_long_as_one_of_a_new_fact(mind: Mind) -> None:
    for fact, until in (("User keeps bees", None), ("User is in Rome", mind.now.date() + timedelta(days=9))):
        known = await mind.heard(fact, type=MemoryType.PREFERENCE)
        saved = await mind.heard(fact, type=MemoryType.EPISODE, origin=Origin.USER_EXPLICIT, until=until)
        assert (saved.memory_id, saved.ttl_days) == (known.memory_id, until and 10)
