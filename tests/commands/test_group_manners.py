"""In a group: what the group may see, and that it is only that."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level

from tests.running import AUTO, group, private
from tests.test_commands import Talk, talking

KITCHEN, OFFICE = group("alice"), group("alice", "office")
IN_PART = "I show only what this group may see. Ask me in a private chat for everything."


async def added(talk: Talk, fact: str) -> str:
    saved = await talk.says(f"ltm add {fact}", KITCHEN)
    return saved.partition("(")[2].partition(")")[0]


@pytest.mark.parametrize("command", ["list", "search bike", "why {id}", "why-not bike", "forget {id}"])
async def test_what_is_about_oneself_says_in_a_group_that_it_is_a_part(talk: Talk, command: str) -> None:
    short_id = await added(talk, "my bike is blue")
    said = await talk.says(f"ltm {command.format(id=short_id)}", KITCHEN)
    assert "my bike is blue" in said
    assert said.splitlines()[-1] == IN_PART
    assert said.count(IN_PART) == 1


@pytest.mark.parametrize("command", ["list", "search bike", "why {id}", "why-not bike", "forget {id}"])
async def test_in_private_nothing_is_a_part(talk: Talk, command: str) -> None:
    short_id = await added(talk, "my bike is blue")
    assert IN_PART not in await talk.says(f"ltm {command.format(id=short_id)}")


async def test_a_long_memory_has_one_short_line_in_a_group(talk: Talk) -> None:
    await added(talk, fact := f"my bike has a basket {'and a basket ' * 9}".strip())
    [_, line, _] = (await talk.says("ltm list", KITCHEN)).splitlines()
    assert line.endswith("a basket an…")
    assert len(line) < 100
    assert fact in await talk.says("ltm why 1", KITCHEN)


async def test_it_is_said_in_the_language_of_the_command(talk: Talk) -> None:
    said = await talk.says("记忆 列表", KITCHEN)
    assert said.splitlines()[-1] == "这里只展示本群可以看到的内容；完整内容请私聊我查看。"


@pytest.mark.parametrize("command", ["why", "forget", "correct"])
async def test_what_is_hidden_in_a_group_is_answered_as_what_there_is_not(talk: Talk, command: str) -> None:
    short_id = await added(talk, "my bike is blue")
    hidden = await talk.says(f"ltm {command} {short_id}", OFFICE)
    absent = await talk.says(f"ltm {command} ffffffff", OFFICE)
    assert hidden == absent.replace("ffffffff", short_id)
    assert hidden.splitlines() == [
        (
            f"In this group there is no memory {short_id} that you can see (any more); "
            "it may be visible only in a private chat. The ids are in /ltm list"
        ),
        IN_PART,
    ]


async def test_what_is_no_answer_about_memories_is_no_part(talk: Talk) -> None:
    for command in ("pause", "resume", "add my car is red", "why", "link", "forget all", "dance", ""):
        assert IN_PART not in await talk.says(f"ltm {command}", KITCHEN)


async def test_who_alone_told_a_group_something_of_it_lists_and_forgets_it_there(tmp_path: Path) -> None:
    bob, fact = group("bob"), "The club meets in Mill Lane"
    answer = {"type": "profile", "fact": fact, "about": "group", "quote": "Mill Lane", "confidence": 0.9}
    raw = {**AUTO, "extraction": {"batch_turns": 1, "idle_seconds": 1}}
    async with talking(tmp_path, raw) as talk:
        talk.world.model.answer = json.dumps([answer])
        await talk.tells("We all meet in Mill Lane now", KITCHEN)
        await talk.waits_for(fact, "ltm list", KITCHEN)
        told_by_alice = await talk.says("ltm list", KITCHEN)
        assert f"{fact} (this group's)" in told_by_alice
        for chat in (bob, OFFICE, private("alice")):
            assert fact not in await talk.says("ltm list", chat)
        await talk.says("ltm forget 1", KITCHEN)
        assert fact not in (await talk.memory.recall(bob, "where do we meet?")).block
        await talk.undoes(KITCHEN)
        raised = replace(bob, raised=Level.INTERNAL)
        await talk.tells("Yes, all in Mill Lane", raised)
        await talk.waits_for(fact, "ltm list", raised)
        await talk.says("ltm forget Mill Lane", raised)
        assert fact in (await talk.memory.recall(KITCHEN, "where do we meet?")).block
        await talk.tells("Yes, Mill Lane", bob)
        await talk.waits_for("no memories", "ltm list", KITCHEN)
        assert fact in (await talk.memory.recall(bob, "where do we meet?")).block
