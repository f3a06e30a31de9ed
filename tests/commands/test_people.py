"""What people are shown of their own memories, and what they forget."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.running import group, private
from tests.test_commands import Talk, talking

ALICE, YARD, HALL = private("alice"), group("alice", "yard"), group("alice", "hall")
EAGER = {"write_policy": {"mode": "auto"}}


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncGenerator[Talk]:
    async with talking(tmp_path, EAGER) as each:
        yield each


async def the_id(talk: Talk, fact: str) -> str:
    return next(line.split()[1] for line in (await talk.says("/ltm list")).splitlines() if fact in line)


async def test_forgetting_takes_the_shared_copy_along(talk: Talk) -> None:
    await talk.says("/ltm add I own a canoe")
    assert "canoe" in await talk.says(f"/ltm share {await the_id(talk, 'canoe')}")
    assert "(shared)" in await talk.says("/ltm list")
    await talk.says("/ltm add I own a canoe")
    assert "Forgotten" in await talk.says(f"/ltm forget {await the_id(talk, 'canoe')}")
    assert "canoe" not in await talk.says("/ltm list")
    assert "canoe" not in (await talk.memory.recall(HALL, "Who has a canoe?")).block


async def test_what_another_group_was_told_is_not_known_here(talk: Talk) -> None:
    await talk.says("/ltm add I own a violin", YARD)
    told = await talk.says("/ltm add I own a violin", HALL)
    assert "It is kept with your memories." in told
    assert told.startswith("I will remember")
    why = await talk.says(f"/ltm why {await the_id(talk, 'violin')}", HALL)
    assert "Said in this chat." in why
    assert "1 piece of evidence" in why
    talk.world.clock.now += timedelta(minutes=1)
    assert (await talk.says("/ltm add I own a violin", HALL)).startswith("I know that already")


async def test_what_took_the_place_is_named_no_more_once_it_is_forgotten(talk: Talk) -> None:
    await talk.tells("I live in Berlin")
    await talk.waits_for("Berlin", "/ltm list")
    await talk.tells("I live in Paris")
    await talk.waits_for("Paris", "/ltm list")
    assert "Paris" in await talk.says("/ltm why-not Berlin")
    await talk.says(f"/ltm forget {await the_id(talk, 'Paris')}")
    assert "Paris" not in await talk.says("/ltm why-not Berlin")


async def test_the_words_of_a_command_are_no_part_of_the_talk(talk: Talk) -> None:
    assert "about you" not in await talk.says("/ltm add My submarine is yellow")
    listed = await talk.says("/记忆 列表")
    assert "My submarine is yellow" in listed
    assert listed == await talk.says("/记忆列表")
    assert listed.replace("你的记忆", "备注") == await talk.says("记忆列表 备注")
    await talk.tells("The submarine dives")
    found = await talk.memory.search_transcript(ALICE, "submarine")
    assert [said.text for said in found if "submarine" in said.text] == ["The submarine dives"]


@pytest.mark.parametrize(
    ("command", "more"),
    [("/ltm list note", "/ltm list note 2"), ("/记忆 列表 备注", "列表 备注 2")],
)
async def test_the_next_page_is_of_the_same_kind(talk: Talk, command: str, more: str) -> None:
    for number in range(11):
        await talk.says(f"/ltm add Box {number} holds {'abcdefghijk'[number] * 5}")
    assert (await talk.says(command)).endswith(more)
    assert "2" in await talk.says(more.replace("列表", "/记忆 列表"))


async def test_modes_have_chinese_names(talk: Talk) -> None:
    for name in ("影子", "试运行"):
        await talk.root("/记忆 模式 关闭")
        assert "试运行" in await talk.root(f"/记忆 模式 {name}")
    assert str(talk.memory.mode) == "shadow"


async def test_what_made_room_is_told_apart_from_what_ended(tmp_path: Path) -> None:
    policy = {"mode": "auto", "max_items_per_scope": 2}
    async with talking(tmp_path, {"write_policy": policy}) as talk:
        for name in ("aardvark", "badger", "camel"):
            await talk.says(f"/ltm add I own a {name}")
            talk.world.clock.now += timedelta(minutes=1)
        said = [await talk.says(f"/ltm why-not {name}") for name in ("aardvark", "badger", "camel")]
    assert sum("displaced" in one for one in said) == 1


async def test_a_number_is_looked_for_beside_the_words(talk: Talk) -> None:
    for number in (3, 7, 17):
        await talk.says(f"/ltm add locker number {number} holds {'skis' * number}")
    first = (await talk.says("/ltm search locker 7")).splitlines()[1]
    assert "number 7 holds" in first


@pytest.mark.parametrize("nothing", ["\u200b", "\u2060\u202e", "\ue000"])
async def test_what_nobody_can_see_is_not_remembered(talk: Talk, nothing: str) -> None:
    assert (await talk.says(f"/ltm add {nothing}")).startswith("Usage:")
    assert await talk.says("/ltm list") == "I have no memories from you here."
