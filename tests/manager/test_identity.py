"""Personas, projects and old scopes, from what is said to what is recalled."""

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.errors import NotFoundError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.running import AUTO, PATIENCE, World, group, private, settings
from tests.stores import migrated

APART: Mapping[str, object] = {**AUTO, "identity": {"per_persona": True}}
AT_ONCE: Mapping[str, object] = {**AUTO, "extraction": {"batch_turns": 1, "idle_seconds": 1}}
ALICE = private("alice")
PEANUTS, EGGS, SHRIMP = (f"User is allergic to {food}" for food in ("peanuts", "eggs", "shrimp"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(migrated(tmp_path / "host.db"))


def pirate(chat: Chat) -> Chat:
    return replace(chat, persona_id="pirate")


def parrot(chat: Chat) -> Chat:
    return replace(chat, persona_id="parrot")


def web(project: str = "", person: str = "root") -> Chat:
    return replace(
        private(person),
        platform_id="webchat",
        umo=f"webchat:FriendMessage:webchat!{person}!{project}",
        project_id=project,
    )


async def items(memory: LTMManager, chat: Chat) -> dict[str, Item]:
    page = await memory.own_items(chat, kind=None, page=1, page_size=50)
    return {item.fact: item for item in page.rows}


async def learnt(memory: LTMManager, chat: Chat, fact: str) -> dict[str, Item]:
    async with asyncio.timeout(PATIENCE):
        while fact not in (found := await items(memory, chat)):
            await asyncio.sleep(0.01)
    return found


def rows(world: World, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(world.file)) as connection:
        return connection.execute(query).fetchall()


def answers(world: World, *facts: tuple[str, str, str]) -> None:
    """Type, fact and quote of what the model finds."""
    world.model.answer = json.dumps(
        [
            {
                "type": kind,
                "fact": fact,
                "fact_key": fact,
                "confidence": 0.9,
                "importance": 0.6,
                "quote": quote,
            }
            for kind, fact, quote in facts
        ]
    )


async def test_each_persona_knows_what_it_was_told_and_what_the_default_one_was(world: World) -> None:
    async with world.memory(settings(APART)) as memory:
        await world.tell(memory, pirate(ALICE), "I am allergic to peanuts")
        await world.tell(memory, parrot(ALICE), "I am allergic to eggs")
        await world.tell(memory, ALICE, "I am allergic to shrimp")
        found = await items(memory, pirate(ALICE))
        assert set(found) == {PEANUTS, SHRIMP}
        assert {fact: item.persona_id for fact, item in found.items()} == {PEANUTS: "pirate", SHRIMP: ""}
        assert set(await items(memory, parrot(ALICE))) == {EGGS, SHRIMP}
        assert set(await items(memory, ALICE)) == {SHRIMP}
        block = (await memory.recall(parrot(ALICE), "What should I cook?")).block
        assert "peanuts" not in block
        assert "eggs" in block
        assert "shrimp" in block


async def test_until_the_operator_wants_it_all_personas_are_one(world: World) -> None:
    async with world.memory(settings()) as memory:
        await world.tell(memory, pirate(ALICE), "I am allergic to peanuts")
        assert (await items(memory, parrot(ALICE)))[PEANUTS].persona_id == ""


async def test_what_was_learnt_before_personas_were_told_apart_stays_readable_in_its_group_too(
    world: World,
) -> None:
    async with world.memory(settings()) as memory:
        await world.tell(memory, pirate(group("alice")), "I am allergic to peanuts")
    async with world.memory(settings(APART)) as memory:
        assert set(await items(memory, pirate(group("alice")))) == {PEANUTS}
        assert set(await items(memory, pirate(group("alice", "cellar")))) == set()
        await world.tell(memory, pirate(group("alice")), "I am allergic to eggs")
        assert set(await items(memory, pirate(group("alice")))) == {PEANUTS, EGGS}
        assert set(await items(memory, parrot(group("alice")))) == {PEANUTS}
        assert set(await items(memory, pirate(group("alice", "cellar")))) == set()


async def test_what_is_said_of_another_in_a_group_is_the_groups_under_that_persona(world: World) -> None:
    answers(world, ("profile", "Bob keeps bees", "Bob keeps bees"))
    world.model.answer = world.model.answer.replace('"quote"', '"person": "Bob", "quote"')
    async with world.memory(settings({**APART, **AT_ONCE, "identity": {"per_persona": True}})) as memory:
        await world.tell(memory, pirate(group("alice")), "Bob keeps bees")
        async with asyncio.timeout(PATIENCE):
            while not (found := rows(world, "SELECT scope, scope_id, persona_id FROM ltm_items")):
                await asyncio.sleep(0.01)
        assert found == [("group", "!ppirate:plat:GroupMessage:kitchen", "pirate")]
        asked = "Who keeps bees?"
        assert "Bob" in (await memory.recall(pirate(group("carl")), asked)).block
        assert (await memory.recall(parrot(group("carl")), asked)).block == ""
        assert (await memory.recall(group("carl"), asked)).block == ""


async def test_pausing_forgetting_and_linking_concern_the_person_under_every_persona(world: World) -> None:
    async with world.memory(settings(APART)) as memory:
        await world.tell(memory, pirate(ALICE), "I am allergic to peanuts")
        await memory.pausing.own(parrot(ALICE), on=True)
        await world.tell(memory, pirate(ALICE), "I am allergic to eggs")
        assert (await memory.recall(pirate(ALICE), "What should I cook?")).block == ""
        await memory.pausing.own(ALICE, on=False)
        assert set(await items(memory, pirate(ALICE))) == {PEANUTS}
        offer = memory.linking.begin(parrot(ALICE))
        phone = private("phone")
        memory.linking.enter(pirate(phone), offer.code)
        await memory.linking.confirm(ALICE)
        found = await items(memory, pirate(phone))
        assert set(found) == {PEANUTS}
        with pytest.raises(NotFoundError):
            await memory.why(parrot(phone), found[PEANUTS].memory_id)
        with pytest.raises(NotFoundError):
            await memory.forget(private("eve"), found[PEANUTS].memory_id)
        await memory.forget(parrot(phone), found[PEANUTS].memory_id)
        assert await items(memory, pirate(ALICE)) == {}


async def test_a_paused_group_is_paused_whoever_answers(world: World) -> None:
    async with world.memory(settings(APART)) as memory:
        await memory.pausing.group(pirate(group("alice")), on=True, actor="operator:x")
        await world.tell(memory, parrot(group("alice")), "I am allergic to peanuts")
        assert rows(world, "SELECT * FROM ltm_events") == []


@pytest.mark.parametrize("by_whom", ["person", "group"])
async def test_what_waits_for_a_model_is_read_only_once_the_pause_is_over(world: World, by_whom: str) -> None:
    chat, pending = pirate(group("alice")), "SELECT event_id FROM ltm_events WHERE extraction = 'pending'"
    async with world.memory(settings({**APART, "extraction": {"daily_token_cap": 0}})) as memory:
        await world.tell(memory, chat, "We went to Rome")
        await (
            memory.pausing.own(chat, on=True)
            if by_whom == "person"
            else memory.pausing.group(chat, on=True, actor="operator:x")
        )
    answers(world, ("episode", "User went to Rome", "We went to Rome"))
    async with world.memory(settings({**AT_ONCE, "identity": {"per_persona": True}})) as memory:
        await world.tell(memory, pirate(private("bob")), "We went to Rome")
        await learnt(memory, pirate(private("bob")), "User went to Rome")
        waiting, found = rows(world, pending), rows(world, "SELECT * FROM ltm_items")
        assert (len(waiting) > 0, len(found)) == (True, 1)
        await (
            memory.pausing.own(chat, on=False)
            if by_whom == "person"
            else memory.pausing.group(chat, on=False, actor="operator:x")
        )
        await learnt(memory, chat, "User went to Rome")
    assert rows(world, pending) == []


async def test_an_operator_reads_in_the_group_what_is_the_groups_and_no_more(world: World) -> None:
    answers(world, ("profile", "Bob keeps bees", "Bob keeps bees"))
    world.model.answer = world.model.answer.replace('"quote"', '"person": "Bob", "quote"')
    manual = {**AT_ONCE, "write_policy": {"mode": "manual"}, "identity": {"per_persona": True}}
    async with world.memory(settings(manual)) as memory:
        await world.tell(memory, group("alice"), "Bob keeps bees")
        async with asyncio.timeout(PATIENCE):
            while not (
                page := await memory.review.waiting_for(pirate(group("root")), page=1, page_size=5)
            ).found.total:
                await asyncio.sleep(0.01)
        assert page.readable == {page.found.rows[0].item.memory_id}
        elsewhere = await memory.review.waiting_for(pirate(group("root", "cellar")), page=1, page_size=5)
        assert elsewhere.readable == set()


async def test_in_a_project_its_work_is_the_projects_and_the_rest_the_persons(world: World) -> None:
    draft, likes = "The draft is half done", "User likes green tea"
    answers(
        world,
        ("task_state", draft, "the draft is half done"),
        ("episode", "User met the printer", "I met the printer"),
        ("preference", likes, "I like green tea"),
    )
    async with world.memory(settings(AT_ONCE)) as memory:
        said = "the draft is half done, I met the printer, and I like green tea"
        await world.tell(memory, web("42"), said)
        await learnt(memory, web("42"), draft)
        kept = dict(rows(world, "SELECT fact, scope || ' ' || scope_id FROM ltm_items"))
        assert kept == {
            draft: "project webchat:42",
            "User met the printer": "project webchat:42",
            likes: "user webchat:root",
        }
        assert {likes} == set(await items(memory, web())) == set(await items(memory, web("43")))
        elsewhere = replace(web("42"), umo="webchat:FriendMessage:webchat!root!another")
        assert "half done" in (await memory.recall(elsewhere, "How far is the draft?")).block
        for outside in (web(), web("43"), replace(group("root"), project_id="42")):
            assert "half done" not in (await memory.recall(outside, "How far is the draft?")).block
        item = (await items(memory, web("42")))[draft]
        with pytest.raises(NotFoundError):
            await memory.forget(web("43"), item.memory_id)
        await memory.forget(web("42"), item.memory_id)
        assert draft not in await items(memory, web("42"))


async def test_what_somebody_asks_to_have_remembered_in_a_project_is_theirs(world: World) -> None:
    async with world.memory(settings()) as memory:
        saved = await memory.save(
            web("42"), fact="the deadline is Friday", said="/ltm add the deadline is Friday", message_id="1"
        )
        assert saved.item.owner.scope_id == "webchat:root"
        assert set(await items(memory, web())) == {saved.item.fact}


async def test_a_fact_told_in_private_and_in_a_project_is_one(world: World) -> None:
    async with world.memory(settings()) as memory:
        await world.tell(memory, web(), "I am allergic to peanuts")
        await world.tell(memory, web("42"), "By the way, I'm allergic to peanuts")
        [item] = (await items(memory, web())).values()
        assert item.evidence_count == 2


async def test_memories_by_chat_are_read_in_private_after_the_change_and_until_it_is_switched_off(
    world: World,
) -> None:
    by_umo = {**AUTO, "identity": {"user_scope_strategy": "unified_msg_origin"}}
    async with world.memory(settings(by_umo)) as memory:
        await world.tell(memory, ALICE, "I am allergic to peanuts")
        await world.tell(memory, group("alice"), "I am allergic to eggs")
    async with world.memory(settings()) as memory:
        assert set(await items(memory, ALICE)) == {PEANUTS}
        assert await items(memory, group("alice")) == {}
        assert await items(memory, private("bob")) == {}
        await world.tell(memory, ALICE, "I am allergic to shrimp")
        assert set(await items(memory, ALICE)) == {PEANUTS, SHRIMP}
    off = {**AUTO, "identity": {"include_legacy_umo_on_read": False}}
    async with world.memory(settings(off)) as memory:
        assert set(await items(memory, ALICE)) == {SHRIMP}
    async with world.memory(settings(by_umo)) as memory:
        assert set(await items(memory, ALICE)) == {PEANUTS}


async def test_a_pause_by_chat_holds_after_the_change_until_somebody_ends_it(world: World) -> None:
    by_umo = {**AUTO, "identity": {"user_scope_strategy": "unified_msg_origin"}}
    async with world.memory(settings(by_umo)) as memory:
        await world.tell(memory, ALICE, "I am allergic to peanuts")
        await memory.pausing.own(ALICE, on=True)
    async with world.memory(settings()) as memory:
        assert (await memory.recall(ALICE, "What should I cook?")).block == ""
        await world.tell(memory, ALICE, "I am allergic to eggs")
        assert await memory.pausing.own(ALICE, on=False)
        await world.tell(memory, ALICE, "I am allergic to shrimp")
        assert set(await items(memory, ALICE)) == {PEANUTS, SHRIMP}
        assert await memory.pausing.own(ALICE, on=True)
        assert await memory.pausing.own(group("alice"), on=False)
        assert not await memory.pausing.own(ALICE, on=False)
