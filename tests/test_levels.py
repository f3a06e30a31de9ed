"""Levels over a memory that is at work: what is above a chat is for it as if it did not exist."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.bootstrap import housekeeping
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.running import PATIENCE, World, group, private, record
from tests.running import settings as settings_of
from tests.stores import an_item, keep, migrated
from tests.test_commands import Talk, talking

RULES: Mapping[str, Any] = {
    "write_policy": {"mode": "auto"},
    "levels": {"tools": ["hr=CONFIDENTIAL", "wiki=INTERNAL"]},
}
ALICE = private("alice")
ANEW = replace(ALICE, conversation_id="c2")
IN_GROUP = group("alice")
GROUP_ANEW = replace(IN_GROUP, conversation_id="g2")
ELSEWHERE = group("alice", "garden")


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncGenerator[Talk]:
    async with talking(tmp_path, RULES) as talk:
        yield talk


async def learnt(talk: Talk, text: str, fact: str, chat: Chat) -> str:
    """Tell something, and give the id it is kept under once this chat lists it."""
    await talk.tells(text, chat)
    async with asyncio.timeout(PATIENCE):
        while fact not in (listed := await talk.says("ltm list", chat)):
            await asyncio.sleep(0.01)
    [line] = [line for line in listed.splitlines() if fact in line]
    return line.split()[1].strip("`[]#")


async def block(memory: LTMManager, chat: Chat, text: str = "What should I cook?") -> str:
    return (await memory.recall(chat, text)).block


@pytest.mark.parametrize(
    ("said", "fact", "word"),
    [
        ("I'm allergic to shrimp", "shrimp", "shrimp"),
        ("我对花生过敏", "花生", "花生"),
    ],
)
@pytest.mark.parametrize(("here", "anew"), [(ALICE, ANEW), (IN_GROUP, GROUP_ANEW)], ids=["private", "group"])
async def test_what_is_said_after_a_tool_was_used_is_for_conversations_as_confidential(
    talk: Talk, said: str, fact: str, word: str, here: Chat, anew: Chat
) -> None:
    await talk.memory.levels.used(here, "hr")
    own_id = await learnt(talk, said, fact, here)
    assert fact in await block(talk.memory, here)
    assert fact in await talk.says(f"ltm why {own_id}", here)
    assert await block(talk.memory, anew) == ""
    for command in ("ltm list", "记忆 列表", f"ltm why-not {word}", f"记忆 为什么没有 {word}"):
        assert fact not in (await talk.says(command, anew)).replace(word, "", command.count(word)), command
    absent = "ffffffff"
    for command in ("ltm why", "ltm forget", "记忆 依据"):
        shown = await talk.says(f"{command} {own_id}", anew)
        assert shown.replace(own_id, absent) == await talk.says(f"{command} {absent}", anew)
    assert fact in await block(talk.memory, here)


async def test_what_is_said_before_stays_for_all_and_the_tools_own_words_do_not(talk: Talk) -> None:
    await learnt(talk, "I'm allergic to shrimp", "shrimp", ALICE)
    await talk.memory.levels.used(ALICE, "hr")
    await record(
        talk.memory,
        ToolUse(chat=ALICE, message_id="7", tool="hr", result="The salary is 7000", at=talk.world.clock()),
    )
    assert "shrimp" in await block(talk.memory, ANEW)
    assert [said.text for said in await talk.memory.search_transcript(ANEW, "salary")] == []
    assert [said.text for said in await talk.memory.search_transcript(ALICE, "salary")] == [
        "The salary is 7000"
    ]


async def test_a_turn_without_a_conversation_is_raised_alone(talk: Talk) -> None:
    alone = replace(ALICE, conversation_id="", raised=Level.CONFIDENTIAL)
    await talk.memory.levels.used(alone, "hr")
    await learnt(talk, "I'm allergic to shrimp", "shrimp", alone)
    assert await block(talk.memory, replace(alone, raised=Level.PUBLIC)) == ""


async def test_a_lower_tool_afterwards_changes_nothing(talk: Talk) -> None:
    for tool in ("wiki", "hr", "wiki", "unheard of"):
        await talk.memory.levels.used(ALICE, tool)
    await learnt(talk, "I'm allergic to shrimp", "shrimp", ALICE)
    assert await block(talk.memory, ANEW) == ""


async def test_the_higher_version_of_a_fact_counts_where_it_may_be_seen(talk: Talk) -> None:
    parts = talk.memory._components  # pyright: ignore[reportPrivateUsage] - a key of one's own choosing
    owner = parts.resolver.access(ALICE).owner
    of = {"owner": owner, "origin_umo": ALICE.umo, "fact_key": "home"}
    await keep(
        parts.store,
        an_item("User lives in Leeds", level=Level.INTERNAL, **of),
        an_item("User lives in York", level=Level.CONFIDENTIAL, **of),
    )
    await talk.memory.levels.used(ALICE, "hr")
    for chat, shown, hidden in ((ALICE, "York", "Leeds"), (ANEW, "Leeds", "York")):
        for told in (await block(talk.memory, chat, "Where do I live?"), await talk.says("ltm list", chat)):
            assert shown in told
            assert hidden not in told


async def test_why_not_says_nothing_of_recalls_above_its_level(talk: Talk) -> None:
    await learnt(talk, "I'm allergic to shrimp", "shrimp", ANEW)
    before = await talk.says("ltm why-not shrimp", ANEW)
    await talk.memory.levels.used(ALICE, "hr")
    recall = await talk.memory.recall(ALICE, "What should I cook?")
    talk.memory.log_recall(ALICE, "What should I cook?", recall, sent=True)
    assert "included in the request" in await talk.says("ltm why-not shrimp", ALICE)
    assert await talk.says("ltm why-not shrimp", ANEW) == before


async def test_a_conversation_is_as_confidential_after_a_restart(tmp_path: Path) -> None:
    world, settings = World(file=migrated(tmp_path / "data.db")), settings_of(RULES)
    async with world.memory(settings) as memory:
        await memory.levels.used(ALICE, "hr")
        await world.tell(memory, ALICE, "I'm allergic to shrimp")
    async with world.memory(settings) as memory:
        assert "shrimp" in await block(memory, ALICE)
        assert await block(memory, ANEW) == ""
        await world.tell(memory, ALICE, "I'm allergic to eggs")
        assert "eggs" in await block(memory, ALICE)
        assert await block(memory, ANEW) == ""


async def test_while_read_only_a_conversation_rises_in_memory_alone(tmp_path: Path) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    async with world.memory(settings_of({**RULES, "emergency_read_only": True})) as memory:
        await memory.levels.used(ALICE, "hr")
        assert memory.levels.of(ALICE) is Level.CONFIDENTIAL
    async with world.memory(settings_of(RULES)) as memory:
        assert memory.levels.of(ALICE) is Level.PUBLIC


async def test_what_rose_while_read_only_is_kept_once_that_is_over(tmp_path: Path) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    async with world.memory(settings_of(RULES)) as memory:
        await memory.switches.set_read_only(on=True, actor="operator:root")
        await memory.levels.used(ALICE, "hr")
        await memory.switches.set_read_only(on=False, actor="operator:root")
        parts = memory._components  # pyright: ignore[reportPrivateUsage] - what is written, without waits
        async with asyncio.timeout(PATIENCE):
            while not await parts.store.session_levels.every():
                await asyncio.sleep(0.005)
    async with world.memory(settings_of(RULES)) as memory:
        assert memory.levels.of(ALICE) is Level.CONFIDENTIAL


async def test_a_level_ends_with_its_conversation_however_old_and_not_before(tmp_path: Path) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    async with world.memory(settings_of(RULES)) as memory:
        for chat in (ALICE, IN_GROUP):
            await memory.levels.used(chat, "hr")
        world.clock.move(timedelta(days=4_000))
        parts = memory._components  # pyright: ignore[reportPrivateUsage] - its steps, without waits
        ports = world._ports()  # pyright: ignore[reportPrivateUsage] - what those are made with

        async def gone(conversation_ids: object) -> list[str]:  # noqa: ARG001 - the port's signature
            return [ALICE.conversation_id]

        await housekeeping(parts, ports).work()
        assert {memory.levels.of(chat) for chat in (ALICE, IN_GROUP)} == {Level.CONFIDENTIAL}
        await housekeeping(parts, replace(ports, gone=gone)).work()
        assert memory.levels.of(ALICE) is Level.PUBLIC
    async with world.memory(settings_of(RULES)) as memory:
        assert (memory.levels.of(ALICE), memory.levels.of(IN_GROUP)) == (Level.PUBLIC, Level.CONFIDENTIAL)


@pytest.mark.parametrize("switched_on", [False, True])
async def test_what_is_said_in_one_group_surfaces_in_ones_others_only_where_the_operator_says_so(
    tmp_path: Path, *, switched_on: bool
) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    rules = {**RULES, "levels": {"cross_group": switched_on, "private": "PUBLIC"}}
    async with world.memory(settings_of(rules)) as memory:
        await world.tell(memory, IN_GROUP, "I'm allergic to shrimp")
        await world.tell(memory, ALICE, "I'm allergic to eggs")
        assert "shrimp" in await block(memory, IN_GROUP)
        assert ("shrimp" in await block(memory, ELSEWHERE)) is switched_on
        assert "eggs" not in await block(memory, ELSEWHERE)
        assert "eggs" not in await block(memory, IN_GROUP)
        assert await block(memory, group("bob", "garden")) == ""
        both = await block(memory, ALICE)
        assert "shrimp" in both
        assert "eggs" in both


async def test_other_groups_are_as_good_as_their_levels(tmp_path: Path) -> None:
    world = World(file=migrated(tmp_path / "data.db"))
    rules = {"write_policy": {"mode": "auto"}, "levels": {"cross_group": True, "tools": ["hr=CONFIDENTIAL"]}}
    async with world.memory(settings_of(rules)) as memory:
        await memory.levels.used(IN_GROUP, "hr")
        await world.tell(memory, IN_GROUP, "I'm allergic to shrimp")
        assert await block(memory, ELSEWHERE) == ""
        await memory.levels.used(ELSEWHERE, "hr")
        assert "shrimp" in await block(memory, ELSEWHERE)
