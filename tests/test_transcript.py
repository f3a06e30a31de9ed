"""What was said, searched by those who may: the whole memory without a host."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Role
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from tests.running import World, group, private, record, settings

ALICE, BOB = private("alice"), private("bob")
IN_PROJECT = replace(ALICE, umo="plat:FriendMessage:alice!2", project_id="boat")
SETTINGS = {"identity": {"cross_platform_aliases": ["plat:ally=plat:alice"]}}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


@pytest.fixture
async def memory(world: World) -> AsyncGenerator[LTMManager]:
    async with world.memory(settings(SETTINGS)) as manager:
        yield manager


async def found(memory: LTMManager, chat: Chat, query: str = "submarine") -> set[str]:
    return {said.text for said in await memory.search_transcript(chat, query)}


async def test_what_was_said_comes_back_with_who_said_it_and_when(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "My submarine is yellow", reply="How nice!")
    question, answer = await memory.search_transcript(ALICE, "What colour is the submarine?")
    assert (question.role, question.speaker, question.text) == (Role.USER, "Alice", "My submarine is yellow")
    assert (answer.role, answer.speaker, answer.text) == (Role.ASSISTANT, "", "How nice!")
    assert (question.said_at, question.umo) == (world.clock.now, ALICE.umo)
    assert question.score == 1.0


async def test_what_is_said_later_is_found_at_once(world: World, memory: LTMManager) -> None:
    assert await found(memory, ALICE) == set()
    await world.tell(memory, ALICE, "My submarine is yellow", reply="")
    assert await found(memory, ALICE) == {"My submarine is yellow"}


async def test_everybody_finds_what_this_chat_may_show_them(world: World, memory: LTMManager) -> None:
    kitchen, garden = group("alice"), group("alice", "garden")
    told = {
        "privately": ALICE,
        "kitchen": kitchen,
        "garden": garden,
        "bob privately": BOB,
        "bob kitchen": group("bob"),
        "project": IN_PROJECT,
        "linked": private("ally"),
    }
    for where, chat in told.items():
        await world.tell(memory, chat, f"submarine {where}", reply=f"submarine re {where}")
    own = {"submarine privately", "submarine re privately", "submarine linked", "submarine re linked"}
    elsewhere = {"submarine kitchen", "submarine garden", "submarine project"}
    in_kitchen = {
        "submarine kitchen",
        "submarine re kitchen",
        "submarine bob kitchen",
        "submarine re bob kitchen",
    }
    assert await found(memory, ALICE) == own | elsewhere
    assert await found(memory, private("ally")) == own | elsewhere
    assert await found(memory, IN_PROJECT) == own | elsewhere | {"submarine re project"}
    assert await found(memory, kitchen) == in_kitchen
    assert await found(memory, group("carol")) == in_kitchen
    assert await found(memory, garden) == {"submarine garden", "submarine re garden"}
    assert await found(memory, BOB) == {
        "submarine bob privately",
        "submarine re bob privately",
        "submarine bob kitchen",
    }
    assert await found(memory, private("carol")) == set()


async def test_what_a_tool_gave_is_found_where_it_was_given(world: World, memory: LTMManager) -> None:
    use = ToolUse(chat=ALICE, message_id="1", tool="fetch", result="A submarine dives", at=world.clock.now)
    await record(memory, use)
    (said,) = await memory.search_transcript(ALICE, "submarine")
    assert (said.role, said.speaker) == (Role.TOOL, "fetch")
    assert await found(memory, group("alice")) == set()


async def test_the_message_that_is_being_answered_is_not_found(world: World, memory: LTMManager) -> None:
    chat = group("alice")
    await world.tell(memory, group("bob"), "The submarine is yellow", reply="")
    world.clock.move(timedelta(hours=3))
    asked_at = world.clock.now
    question = Turn(chat=chat, message_id="9", user_text="Which submarine?", reply_text="", at=asked_at)
    await memory.record_heard(question, addressed=True)
    async with world.memory(settings(SETTINGS)) as again:  # what was heard is written by then
        said = await again.search_transcript(chat, "submarine", asked_at=asked_at)
    assert [one.text for one in said] == ["The submarine is yellow"]


async def test_whoever_paused_searches_nothing_and_is_told_so(world: World, memory: LTMManager) -> None:
    await world.tell(memory, group("alice"), "The submarine is yellow", reply="")
    await memory.pausing.own(ALICE, on=True)
    with pytest.raises(RefusedError, match="paused"):
        await memory.search_transcript(ALICE, "submarine")
    assert await found(memory, group("bob")) == {"The submarine is yellow"}
    await memory.pausing.group(group("bob"), on=True, actor="operator")
    with pytest.raises(RefusedError, match="paused_group"):
        await memory.search_transcript(group("bob"), "submarine")


async def test_a_read_only_memory_is_searched_as_ever(world: World, memory: LTMManager) -> None:
    await world.tell(memory, ALICE, "My submarine is yellow", reply="")
    async with world.memory(settings({"emergency_read_only": True})) as frozen:
        assert await found(frozen, ALICE) == {"My submarine is yellow"}
