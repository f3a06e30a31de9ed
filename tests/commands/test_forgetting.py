"""`/ltm forget` by id, by number or by words, and `/ltm undo`."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import override

import pytest
from astrbot_plugin_ltm.long_term_memory.commands.command import list_numbers
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ScopeRef, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, Scope, Status
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditFilter
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.cpu_limit import cpu_limit
from tests.running import AUTO, FakeClock, World, group, private, record
from tests.stores import an_event, an_evidence, an_item, opened
from tests.test_commands import LLAMAS, Talk, at_work, talking

KITCHEN, BOB = group("alice"), private("bob")
NOTHING = "Nothing left to undo"
NOT_BROUGHT_BACK = (
    "What you asked me not to keep cannot be brought back. "
    "To have it kept after all, tell me again or send /ltm add <fact>"
)
BIKE, BOAT, CAR = "my bike is blue", "my boat is green", "my car is red"


class RunningClock(FakeClock):
    """Which shows no moment twice."""

    @override
    def __call__(self) -> datetime:
        self.move(timedelta(milliseconds=1))
        return self.now


async def stored(talk: Talk) -> dict[str, Item]:
    """Each memory by its fact, whatever became of it."""
    return {item.fact: item for item in (await talk.memory.browsing.items(ItemFilter())).rows}


async def gone(talk: Talk) -> list[str]:
    return [fact for fact, item in (await stored(talk)).items() if item.status is Status.DELETED]


async def have(talk: Talk, *facts: str) -> None:
    for fact in facts:
        await talk.says(f"ltm add {fact}")
        talk.world.clock.move(timedelta(seconds=1))


@pytest.mark.parametrize("mode", ["auto", "shadow"])
async def test_one_is_forgotten_at_once_and_comes_back_as_it_was(tmp_path: Path, mode: str) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": mode}}) as talk:
        await talk.tells("I'm allergic to peanuts")
        [before] = (await stored(talk)).values()
        said = await talk.says(f"ltm forget {before.memory_id[:6]}")
        assert said == f"Forgotten: {before.fact}. To restore it, send /ltm undo within 10 minutes."
        await talk.tells("I'm allergic to peanuts")
        assert await gone(talk) == [before.fact]
        for chat in (BOB, KITCHEN):
            assert (await talk.undoes(chat)).startswith(NOTHING)
        assert await talk.undoes() == f"Restored: {before.fact}"
        assert (await stored(talk))[before.fact] == before
        assert (await talk.undoes()).startswith(NOTHING)
        audit = await talk.memory.browsing.audit(AuditFilter(memory_id=before.memory_id))
        assert [(line.action, line.actor) for line in audit.rows] == [
            ("undo", "plat:alice"),
            ("refuse", "system"),
            ("forget", "plat:alice"),
            ("add", "system"),
        ]
        assert bool((await talk.memory.recall(private(), "What should I cook?")).block) == (mode == "auto")


@pytest.mark.parametrize("said_in", [private(), KITCHEN])
async def test_what_was_shared_or_said_in_a_group_is_learnt_again_nowhere(talk: Talk, said_in: Chat) -> None:
    await talk.tells("I live in Oslo", said_in)
    if said_in.private:
        await talk.says("ltm share Oslo")
    await talk.says("ltm forget Oslo")
    for chat in (private(), KITCHEN):
        await talk.tells("I live in Oslo", chat)
        turn = Turn(
            chat=chat, message_id="7", user_text="I live in Oslo", reply_text="", at=talk.world.clock()
        )
        with suppress(RefusedError):
            await talk.memory.tool_memories.save(turn, "home", "User lives in Oslo")
    assert [item.status for item in (await talk.memory.browsing.items(ItemFilter())).rows] == [Status.DELETED]
    await talk.says("ltm add I live in Oslo")
    assert "Oslo" in (await talk.memory.recall(private(), "Where do I live?")).block


@pytest.mark.parametrize(("minutes", "back"), [(9, True), (11, False)])
async def test_undo_works_for_ten_minutes_the_last_first(talk: Talk, minutes: int, *, back: bool) -> None:
    await have(talk, BIKE, BOAT)
    await talk.says("ltm forget bike")
    await talk.says("记忆 忘记 boat")
    talk.world.clock.move(timedelta(minutes=minutes))
    said = [await talk.undoes(command="记忆 撤销"), await talk.undoes(command="ltm restore")]
    assert said == [f"已恢复：{BOAT}", f"Restored: {BIKE}"] if back else NOTHING in said[1]
    assert sorted(await gone(talk)) == ([] if back else [BIKE, BOAT])


async def test_by_its_number_in_the_last_list_here(talk: Talk) -> None:
    await have(talk, *(f"shelf {number} holds jam" for number in range(101, 113)))
    number = "The last list I showed here has no number {}. See /ltm list"
    none = "I have shown you no list here since I was started, so there are no numbers yet. See /ltm list"
    assert await talk.says("ltm forget 2") == none
    second = (await talk.says("ltm list 2")).splitlines()[2]
    assert second.startswith("12. ")
    assert await talk.says("ltm forget 2") == number.format("2, only 11-12")
    assert await talk.says("ltm forget 12", BOB) == none
    assert (await talk.says("ltm why 12")).startswith(second.partition(" ")[2].partition(" ")[2])
    assert (await talk.says("记忆 删除 第12条")).startswith("已忘记：shelf 101 holds jam")
    await talk.says("ltm search 105")
    assert "shelf 105" in await talk.says("ltm forget #1")
    assert sorted(await gone(talk)) == ["shelf 101 holds jam", "shelf 105 holds jam"]


async def test_numbers_of_earlier_pages_of_the_same_list_stay_valid(talk: Talk) -> None:
    await have(talk, *(f"shelf {number} holds jam" for number in range(101, 113)))
    await talk.says("ltm list")
    await talk.says("ltm list 2")
    assert (await talk.says("ltm forget 1")).startswith("Forgotten: shelf 112")
    await talk.says("ltm search jam")
    await talk.says("ltm list 2")
    assert "has no number 2" in await talk.says("ltm forget 2")


async def test_a_restart_ends_lists_and_undoing(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with at_work(world, AUTO) as talk:
        await have(talk, BIKE, BOAT)
        await talk.says("ltm forget boat")
        await talk.says("ltm list")
    async with at_work(world, AUTO) as talk:
        assert "shown you no list" in await talk.says("ltm forget 1")
        assert (await talk.undoes()).startswith(NOTHING)
        assert await gone(talk) == [BOAT]


async def test_of_several_with_the_words_one_is_asked_for(talk: Talk) -> None:
    await have(talk, BIKE, "my bike has a basket", BOAT)
    lines = (await talk.says("ltm forget my bike")).splitlines()
    assert lines[0].startswith("2 memories contain these words. Which one?")
    assert [line.partition("] ")[2] for line in lines[1:]] == ["my bike has a basket", BIKE]
    assert await gone(talk) == []
    await talk.says("ltm forget 2")
    assert await gone(talk) == [BIKE]
    assert await talk.says("ltm forget submarine") == (
        "I have no memories from you here with these words: submarine. For all of them: /ltm list"
    )
    assert (await talk.says("ltm forget ?!")).startswith("Usage: /ltm forget")


async def test_a_question_leaves_the_numbers_of_the_list_as_they_are(talk: Talk) -> None:
    await have(talk, BIKE, "my bike has a basket", BOAT, CAR)
    await talk.says("ltm list")
    await talk.says("ltm add my bike is old")
    which, *lines = (await talk.says("ltm forget my bike")).splitlines()
    assert which.endswith("such as: /ltm forget 5")
    assert [line.partition(".")[0] for line in lines] == ["5", "3", "4"]
    assert f"{CAR}; {BOAT}" in await talk.says("ltm forget 1 2")
    assert "my bike is old" in await talk.says("ltm forget 5")


async def test_what_begins_with_all_is_not_everything(talk: Talk) -> None:
    await have(talk, BIKE)
    assert (await talk.says("ltm forget all about my bike")).startswith(f"Forgotten: {BIKE}")


async def test_nothing_comes_back_into_the_place_of_another(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    await talk.says("ltm forget Oslo")
    await talk.tells("I live in Berlin")
    said = "Not undone for: User lives in Oslo - because by now I remember: User lives in Berlin"
    assert await talk.undoes() == said
    assert await gone(talk) == ["User lives in Oslo"]


async def test_an_undo_steps_over_what_cannot_come_back(talk: Talk) -> None:
    await have(talk, BIKE, "I live in Oslo", BOAT)
    await talk.says("ltm forget bike")
    await talk.says("ltm list")
    assert "Oslo" in await talk.says("ltm forget 1 2")
    await talk.tells("I live in Berlin")
    restored, left = (await talk.undoes(command="记忆 撤销")).splitlines()
    assert restored == f"已恢复：{BOAT}"
    assert left == "未撤销：User lives in Oslo。因为现在记的是：User lives in Berlin"
    assert await talk.undoes() == f"Restored: {BIKE}"


async def test_a_group_is_not_told_what_is_in_the_way_of_an_undo(talk: Talk) -> None:
    await talk.tells("I live in Oslo", KITCHEN)
    await talk.says("ltm forget Oslo", KITCHEN)
    await talk.tells("I live in Berlin", group("alice", "office"))
    said = await talk.undoes(KITCHEN)
    assert said == "Not undone for: User lives in Oslo - because another memory has replaced it."


async def test_what_was_erased_or_saved_again_since_does_not_come_back(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm forget bike")
    await have(talk, BIKE)
    assert (await talk.undoes()).startswith(f"Forgotten: {BIKE}")
    await talk.says("ltm pause")
    await talk.says("ltm resume")
    await talk.confirms("ltm forget all")
    assert (await talk.undoes()).startswith(NOTHING)
    assert await stored(talk) == {}


async def test_the_undo_of_a_correction_restores_what_another_chat_had_said(tmp_path: Path) -> None:
    settings = {"write_policy": {"mode": "auto"}, "levels": {"group": "INTERNAL"}}
    async with talking(tmp_path, settings) as talk:
        await talk.tells("I live in Oslo", KITCHEN)
        await talk.says("ltm list")
        await talk.says("ltm correct 1 I live in Bergen")
        assert "Not undone" not in await talk.undoes()
        assert "User lives in Oslo" in await talk.says("ltm list")


async def test_a_group_hears_nothing_of_what_it_may_not_see(talk: Talk) -> None:
    await have(talk, BIKE)
    hidden = await talk.says("ltm forget bike", KITCHEN)
    assert hidden.replace("bike", "sled") == await talk.says("ltm forget sled", KITCHEN)
    await talk.says("ltm add my kite is red", KITCHEN)
    assert (await talk.says("ltm forget kite", KITCHEN)).startswith("Forgotten: my kite is red")
    assert await talk.undoes(KITCHEN) == "Restored: my kite is red"


async def test_what_a_tool_has_raised_is_not_named_in_a_conversation_that_begins_anew(talk: Talk) -> None:
    raised = replace(private(), raised=Level.CONFIDENTIAL)
    await talk.says(f"ltm add {BIKE}", raised)
    await talk.says("ltm forget bike", raised)
    assert (await talk.undoes()).startswith(NOTHING)


async def test_in_a_group_the_help_is_short(talk: Talk) -> None:
    for command in ("ltm", "记忆 帮助"):
        lines = (await talk.says(command, KITCHEN, admin=True)).splitlines()
        assert len(lines) == 8
        assert any("resume" in line or "恢复" in line for line in lines)
        assert any("keep" in line or "接受" in line for line in lines)
        assert "private chat" in lines[-1] or "私聊" in lines[-1]


@pytest.mark.parametrize("mode", ["auto", "shadow"])
@pytest.mark.parametrize("way", ["ltm add I live in Berlin", "I live in Berlin"])
async def test_what_was_replaced_comes_back_as_it_was(tmp_path: Path, mode: str, way: str) -> None:
    raw = {"write_policy": {"mode": mode}, "notify_learned": True}
    async with at_work(World(tmp_path / "host.db", clock=RunningClock()), raw) as talk:
        await talk.tells("I live in Oslo")
        [before] = (await stored(talk)).values()
        await talk.memory.learnt_notice(private(), "ok")
        if way.startswith("ltm"):
            assert f"It replaces: {before.fact}" in await talk.says(way)
        else:
            await talk.tells(way)
            assert "lives in Berlin" in await talk.memory.learnt_notice(private(), "ok")
        assert await talk.undoes() == f"Forgotten: User lives in Berlin\nRestored: {before.fact}"
        back = (await stored(talk))[before.fact]
        assert replace(back, updated_at=before.updated_at) == before


async def test_what_was_taken_back_is_not_in_use_again_beside_what_came_back(talk: Talk) -> None:
    await have(talk, "I like tea")
    assert "It replaces: User likes tea" in await talk.says("ltm add I no longer like tea")
    assert (await talk.undoes()).endswith("Restored: User likes tea")
    assert "no longer" not in (await talk.memory.recall(private(), "Do I like tea?")).block


async def test_what_a_forgotten_memory_had_replaced_is_named(talk: Talk) -> None:
    await have(talk, "I live in Oslo", "I live in Berlin")
    _, replaced = (await talk.says("ltm forget Berlin")).splitlines()
    assert replaced.startswith("This does not bring back what it had replaced: User lives in Oslo - ")
    assert (await talk.memory.recall(private(), "Where do I live?")).block == ""
    assert await talk.undoes() == "Restored: User lives in Berlin"


async def test_a_forgotten_memory_had_not_replaced_another_reading_of_its_own_words(tmp_path: Path) -> None:
    async with talking(tmp_path, {**AUTO, "extraction": {"batch_turns": 1}}) as talk:
        talk.world.model.answer = LLAMAS.replace("owns 42 llamas", "keeps 42 llamas behind the barn")
        await talk.tells("Remember that there are 42 llamas behind the barn")
        await talk.waits_for("User keeps 42 llamas", "ltm list")
        assert len((await talk.says("ltm forget llamas")).splitlines()) == 1


async def test_what_was_noted_on_request_is_taken_back(talk: Talk) -> None:
    await have(talk, "I live in Oslo", "I live in Berlin")
    assert await talk.undoes() == "Forgotten: User lives in Berlin\nRestored: User lives in Oslo"
    assert "Oslo" in (await talk.memory.recall(private(), "Where do I live?")).block
    asked = "remember that I have a dog named Biscuit"
    turn = Turn(chat=private(), message_id="7", user_text=asked, reply_text="", at=talk.world.clock())
    await talk.memory.tool_memories.save(turn, "pet", "User owns a tortoise")
    await record(talk.memory, replace(turn, reply_text="Noted."))
    await talk.memory.tool_memories.delete(private(), "pet")
    assert await talk.undoes(command="ltm restore") == "Restored: User owns a tortoise"
    said = await talk.undoes()
    assert said.startswith("Forgotten: User owns a tortoise; User's dog is called Biscuit")
    assert "1 memory from you" in await talk.says("ltm list")


async def test_what_a_model_has_reworded_since_is_taken_back_too(tmp_path: Path) -> None:
    async with talking(tmp_path, {**AUTO, "extraction": {"batch_turns": 1}}) as talk:
        talk.world.model.answer = LLAMAS.replace("owns 42 llamas", "keeps 42 llamas behind the barn")
        await talk.tells("Remember that there are 42 llamas behind the barn")
        await talk.waits_for("User keeps 42 llamas", "ltm list")
        said = await talk.undoes()
        assert said.startswith("Forgotten: User keeps 42 llamas behind the barn")
        assert "llamas" not in (await talk.says("ltm list"))


@pytest.mark.parametrize("command", ["why", "keep", "share", "why-not", "forget"])
async def test_each_takes_words_or_a_number_and_asks_which_of_several(talk: Talk, command: str) -> None:
    await have(talk, BIKE, "my bike has a basket", BOAT)
    if command != "why-not":
        lines = (await talk.says(f"ltm {command} my bike")).splitlines()
        assert lines[0].endswith(f"Send /ltm {command} and its number, such as: /ltm {command} 1")
        assert [line.partition("] ")[2] for line in lines[1:]] == ["my bike has a basket", BIKE]
        assert await gone(talk) == []
        assert BOAT in await talk.says(f"ltm {command} boat")
    await talk.says("ltm search my bike")
    said = await talk.says(f"ltm {command} 2")
    assert BIKE in said
    assert "basket" not in said
    assert (await talk.says("ltm why not boat")) == await talk.says("ltm why-not boat")
    assert BOAT in await talk.says("记忆 为什么 没有 boat") or command == "forget"


async def test_several_numbers_are_several_memories(talk: Talk) -> None:
    await have(talk, BIKE, BOAT, CAR)
    await talk.says("ltm list")
    assert (await talk.says("ltm why 1 2")).startswith("Usage: /ltm why")
    assert (await talk.says("记忆 忘记 1, 第3条")).startswith(f"已忘记：{CAR}；{BIKE}。")
    assert await talk.undoes() == f"Restored: {CAR}; {BIKE}"
    assert "no number 8" in await talk.says("ltm forget 8-9")
    assert "no number 9" in await talk.says("ltm why 1 9")
    for command, none in (("forget 9 1-3 5", "5、9"), ("forget 1-7", "4-7")):
        assert (await talk.says(f"记忆 {command}")).endswith(f"上一次列表里没有第 {none} 条。见 /记忆 列表")
        assert await talk.undoes() == f"Restored: {CAR}; {BOAT}; {BIKE}"
    for command in ("ltm forget 1-3", "记忆 忘记 1到3", "记忆 忘记 第一条 和 2～3", "记忆 忘记 1号 2 号 3号"):
        assert CAR in await talk.says(command)
        assert await talk.undoes() == f"Restored: {CAR}; {BOAT}; {BIKE}"


async def test_what_a_memory_only_answers_is_asked_about_before_it_is_forgotten(talk: Talk) -> None:
    await have(talk, "I live in Lyon")
    first, line = (await talk.says("ltm forget my home")).splitlines()
    assert first.startswith("No memory has all of these words. Did you mean this one? Send /ltm forget and")
    assert line.endswith("User lives in Lyon")
    assert "User lives in Lyon" in await talk.says("ltm search my home")
    assert (await talk.says("ltm forget lyon")).startswith("Forgotten: User lives in Lyon")


async def test_what_has_only_some_of_the_words_is_asked_about_and_particles_find_nothing(talk: Talk) -> None:
    await talk.tells("我叫小林")
    assert await talk.says("记忆 忘记 没有这样的") == "没有找到含“没有这样的”的记忆。查看全部：/记忆 列表"
    await have(talk, BIKE)
    lines = (await talk.says("ltm forget blue helmet")).splitlines()
    assert lines[0].startswith(
        "No memory has all of these words. Did you mean this one? Send /ltm forget and"
    )
    assert lines[1].endswith(BIKE)
    assert await gone(talk) == []
    assert "green" not in await talk.says("ltm why blue helmet")


async def test_numbers_may_be_wide_and_those_without_a_memory_are_named(talk: Talk) -> None:
    await have(talk, BIKE, BOAT, CAR)
    await talk.says("ltm list")
    assert "has no number 0" in await talk.says("ltm forget 0")
    assert (await talk.says("记忆 忘记 １")).startswith(f"已忘记：{CAR}")
    said = (await talk.says("ltm forget 1 2")).splitlines()
    assert said[0].startswith(f"Forgotten: {BOAT}.")
    assert said[1] == "No longer visible here: 1"
    assert await talk.says("ltm forget 2") == "Nothing was changed; no longer visible here: 2. See /ltm list"
    assert await talk.says("ltm why 2") == "No longer visible here: 2"


async def test_a_number_is_named_by_its_id_where_it_would_mean_another(talk: Talk) -> None:
    await talk.says("ltm add my kite is red", KITCHEN)
    short_id = (await talk.says("ltm list", KITCHEN)).splitlines()[1].split()[1]
    assert (await talk.says("ltm share 1", KITCHEN)).endswith(f": /ltm share {short_id}")


@pytest.mark.parametrize(
    "text",
    [
        "correct 1" + " " * 80_000,
        "correct 1" + "，" * 80_000,
        "correct 1 " + "x " * 40_000,
        "correct " + "x " * 40_000 + "I live in",
        "correct " + "x," * 40_000,
        "keep all" + "," * 80_000,
        "forget all" + " " * 80_000,
    ],
)
async def test_no_command_takes_more_than_its_length_deserves(talk: Talk, text: str) -> None:
    with cpu_limit():
        await talk.says(f"ltm {text}x")


async def test_a_correction_that_says_what_is_true_now_is_saved(talk: Talk) -> None:
    await have(talk, "I live in Oslo")
    for command in (
        "ltm correct 1 I live in Munich",
        "ltm edit 1 to: I live in Rome",
        "记忆 修改 1 改成 我住在上海",
    ):
        await have(talk)
        await talk.says("ltm list")
        assert "\nIt replaces: " in (said := await talk.says(command)) or "\n它取代了：" in said
    for no_number in ("1, 2 my kite is blue", "2 years ago I moved to Rome", "oslo I live in Rome"):
        assert "by its number or id in /ltm list" in await talk.says(f"ltm correct {no_number}"), no_number
    assert "序号或编号指明" in await talk.says("记忆 更正 杭州 我住在北京")
    assert "<whole sentence>" in await talk.says("ltm correct")
    for no_sentence in ("1", "1 to Berlin", "1 everything"):
        said = await talk.says(f"ltm correct {no_sentence}")
        assert said.startswith("This memory was not changed: 用户住在上海 - Put behind its number"), (
            no_sentence
        )
    for no_sentence in ("1 北京", "1 不是的"):
        said = await talk.says(f"记忆 更正 {no_sentence}")
        assert said.startswith("这条记忆没有改动：用户住在上海。请在序号"), no_sentence
    assert "has no number 9" in await talk.says("ltm correct 9 Berlin")
    said = await talk.says("ltm correct ffffffff I moved")
    assert said == "There is no memory ffffffff that you can see (any more). The ids are in /ltm list"


@pytest.mark.parametrize(
    ("old", "correction", "now"),
    [
        ("I am 29 years old", "ltm correct 1 I'm 30", "User is 30 years old"),
        ("我叫小明", "记忆 更正 1 我叫小美", "用户的名字是小美"),
        ("我叫小明", "记忆 更正 第1条 名字叫小美", "名字叫小美"),
        ("我叫小明", "记忆 更正 1 叫我小美", "叫我小美"),
        ("my kite is red", "ltm correct 1 my kite broke", "my kite broke"),
        ("我二十九岁", "记忆 更正 1 我三十岁", "用户30岁"),
    ],
)
async def test_a_short_sentence_corrects(talk: Talk, old: str, correction: str, now: str) -> None:
    await have(talk, old)
    await talk.says("ltm list")
    await talk.says(correction)
    live = [fact for fact, item in (await stored(talk)).items() if item.status is Status.ACTIVE]
    assert live == [now]


async def test_a_number_follows_its_corrections_but_those_taken_back(talk: Talk) -> None:
    await have(talk, "I work at a bakery", BOAT)
    await talk.says("ltm list")
    for fact, corrected in (("library", "at a bakery"), ("school", "in a library")):
        said = await talk.says(f"ltm correct 2 I work in a {fact}")
        assert f"Forgotten: I work {corrected}" in said
    await talk.undoes()
    await talk.undoes()
    assert "Forgotten: I work at a bakery" in await talk.says("ltm correct 2 I work in a zoo")
    await talk.says("ltm forget zoo")
    said = await talk.says("ltm correct 2 I work in a mine")
    assert said == "Nothing was changed; no longer visible here: 2. See /ltm list"
    assert "mine" not in await talk.says("ltm list")


async def test_a_number_follows_what_has_replaced_its_memory(talk: Talk) -> None:
    await have(talk, "I live in Oslo")
    await talk.says("ltm list")
    await have(talk, "I live in Berlin")
    assert "Forgotten: User lives in Berlin" in await talk.says("ltm correct 1 I no longer live in any city")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Rome", "I moved to Milan last month"),
        ("my name is Anna", "it's Anne, not Anna"),
        ("I like jazz", "I no longer like jazz"),
        ("I like jazz", "I work as a nurse"),
        ("my sister lives in Oslo", "lives in Bergen now"),
        ("I am allergic to nuts", "I am allergic to milk"),
        ("I am allergic to nuts", "please never mention nuts to me"),
        ("I am vegan", "I am a vegetarian"),
        ("我喜欢爵士乐", "我对花生过敏"),
        ("我对花生过敏", "我对花生和虾都过敏"),
        ("我女儿叫小雨", "我女儿的名字是小语"),
    ],
)
async def test_a_correction_forgets_what_it_names(talk: Talk, old: str, new: str) -> None:
    await have(talk, old)
    [before] = await stored(talk)
    await talk.says("ltm list")
    said = await talk.says(f"ltm correct 1 {new}")
    assert not any(line.startswith(("Kept: ", "保留了这条：")) for line in said.splitlines())
    assert (await stored(talk))[before].status in (Status.DELETED, Status.SUPERSEDED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I am allergic to cats", "I have a cat"),
        ("I am allergic to nuts", "I run a bakery"),
        ("my son is allergic to nuts", "I run a bakery"),
        ("I am allergic to nuts", "I am allergic to peanuts only, other nuts are fine"),
        ("我对猫过敏", "我养了一只猫"),
        ("我对猫毛过敏", "我的名字是小美"),
        ("我吃全素", "在无锡开面包店"),
    ],
)
async def test_a_correction_forgets_no_constraint_for_what_is_none(talk: Talk, old: str, new: str) -> None:
    await have(talk, old)
    [before] = await stored(talk)
    await talk.says("ltm list")
    _, other = (await talk.says(f"ltm correct 1 {new}")).splitlines()
    assert other.startswith(("Kept: ", "保留了这条："))
    assert (await stored(talk))[before].status is Status.ACTIVE


async def test_a_correction_forgets_no_memory_of_the_group(talk: Talk) -> None:
    place = ScopeRef(scope=Scope.GROUP, scope_id="plat:GroupMessage:kitchen")
    alice = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
    item = an_item("The bikes stand in the yard", owner=place, level=Level.PUBLIC, origin_umo=KITCHEN.umo)
    said = an_event("The bikes stand in the yard", owner=alice, at_scope=place, level=Level.PUBLIC)
    async with opened(talk.world.file) as database, Store(database, talk.world.clock).transaction() as tx:
        await tx.add_events([said])
        await tx.insert_item(item, [an_evidence(item, said)])
    assert "1. " in await talk.says("ltm list", KITCHEN)
    _, other, *_ = (await talk.says("ltm correct 1 my bike stands in the hall", KITCHEN)).splitlines()
    assert other.startswith("Kept: The bikes stand")
    assert (await stored(talk))[item.fact].status is Status.ACTIVE


@pytest.mark.parametrize(
    ("old", "new", "later", "now"),
    [
        ("I live in Lyon", "User lives in Nice", "I live in Lille", "User lives in Lille"),
        ("我住在上海", "用户住在杭州", "我住在无锡", "用户住在无锡"),
        ("my name is Anna", "User's name is Anne", "my name is Maria", "User's name is Maria"),
    ],
)
async def test_a_correction_in_the_words_of_the_list_answers_what_the_old_one_did(
    talk: Talk, old: str, new: str, later: str, now: str
) -> None:
    await have(talk, old)
    await talk.says("ltm list")
    said = await talk.says(f"ltm correct 1 {new}")
    assert said.splitlines()[1].startswith(("It replaces: ", "它取代了："))
    talk.world.clock.move(timedelta(hours=1))
    await talk.tells(later)
    assert [fact for fact, item in (await stored(talk)).items() if item.status is Status.ACTIVE] == [now]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("三到五", [3, 4, 5]),
        ("1、3、5", [1, 3, 5]),
        ("1-3,5", [1, 2, 3, 5]),
        ("1 3 5", [1, 3, 5]),
        ("前三条", [1, 2, 3]),
        ("the first two", [1, 2]),
        ("the second", [2]),
        ("the first", [1]),
        ("first", [1]),
        ("The 3rd one", [3]),
        ("third memory", [3]),
        ("first and third", [1, 3]),
        ("the first, the second and the fourth", [1, 2, 4]),
        ("2nd and 3rd", [2, 3]),
        ("second to fourth memories", [2, 3, 4]),
        ("the second and third ones", [2, 3]),
        ("1 and the third", [1, 3]),
        ("the second and 4", [2, 4]),
        ("number two", [2]),
        ("items one and 3", []),
        ("item one and three", [1, 3]),
        ("number plate", []),
        ("number a", []),
        ("two and three", []),
        ("250", [250]),
        ("two hundred and fifty", []),
        ("the first and the last", []),
        ("first and third floor", []),
        ("the third floor", []),
        ("the last", []),
        ("1 to 3", [1, 2, 3]),
        ("1 - 3", [1, 2, 3]),
        ("1 & 2", [1, 2]),
        ("三、五", [3, 5]),
        ("第二个和第三个", [2, 3]),
        ("no. 2", [2]),
        ("number 2 and No.3", [2, 3]),
        ("第十一、十二条", [11, 12]),
        ("十一到十三", [11, 12, 13]),
        ("三", []),
        ("五一 十一", []),
        ("五一。", []),
        ("前百", []),
        ("3个", []),
        ("两条", []),
        ("前一条", []),
        ("trip to Rome", []),
    ],
)
def test_numbers_are_read_as_people_list_them(said: str, meant: list[int]) -> None:
    assert list(list_numbers(said)) == meant


@pytest.mark.parametrize("command", ["forget two", "forget number two", "忘记 二", "forget the second"])
async def test_a_numeral_that_no_memory_has_is_a_number_of_the_list(talk: Talk, command: str) -> None:
    await have(talk, BIKE, BOAT, CAR)
    await talk.says("ltm list")
    await talk.says(f"ltm {command}")
    assert await gone(talk) == [BOAT]


async def test_a_numeral_that_a_memory_has_is_a_word(talk: Talk) -> None:
    await have(talk, "I have two kids", BOAT, CAR)
    await talk.says("ltm list")
    await talk.says("ltm forget two")
    assert await gone(talk) == ["User has two kids"]


@pytest.mark.parametrize(
    "words", ["the last one", "last two", "the newest", "最后一条", "最后两条", "最新的"]
)
async def test_the_last_is_answered_with_the_numbers_that_there_are(talk: Talk, words: str) -> None:
    await have(talk, BIKE, BOAT)
    command = f"ltm forget {words}"
    assert "/ltm" in (said := await talk.says(command))
    assert said.startswith(("I have shown you no list here", "启动以来我还没有"))
    await talk.says("ltm list")
    assert await talk.says(command) in (
        (
            f"This may mean several memories: {words}. "
            "Send the number instead; the last list I showed here has 1-2."
        ),
        f"“{words}”可能指不止一条。请改发序号：上一次列表里有第 1-2 条。",
    )
    assert await gone(talk) == []


@pytest.mark.parametrize(
    "correction",
    [
        "correct the second I'm allergic to hazelnuts",
        "correct second one: I am allergic to hazelnuts",
        "correct the 2nd memory I am allergic to hazelnuts",
        "correct number two I am allergic to hazelnuts",
        "correct no. 2 to I am allergic to hazelnuts",
        "更正 第二条 我对榛子过敏",
        "更正 第二个 我对榛子过敏",
        "更正 第二条改成 我对榛子过敏",
        "更正 第2个 我对榛子过敏",
    ],
)
async def test_a_correction_takes_the_place_in_the_list(talk: Talk, correction: str) -> None:
    fact = "I am allergic to nuts" if correction.isascii() else "我对坚果过敏"
    await have(talk, BIKE, fact, CAR)
    [_, before, _] = await stored(talk)
    await talk.says("ltm list")
    await talk.says(f"ltm {correction}")
    assert (await stored(talk))[before].status in (Status.DELETED, Status.SUPERSEDED)


@pytest.mark.parametrize(
    ("old", "correction", "now"),
    [
        ("I live in Porto", "ltm correct Porto I live in Lisbon", "User lives in Lisbon"),
        ("I live in Porto", "ltm correct I live in Porto I live in Lisbon", "User lives in Lisbon"),
        ("I live in Porto", "ltm correct Porto -> I live in Lisbon", "User lives in Lisbon"),
        (BIKE, "ltm correct bike to my bike is yellow", "my bike is yellow"),
        ("我住在上海", "记忆 更正 上海 我住在杭州", "用户住在杭州"),
        ("我住在上海", "记忆 更正 我住在上海，我住在杭州", "用户住在杭州"),
        ("我住在上海", "记忆 更正 上海改成我住在杭州", "用户住在杭州"),
    ],
)
async def test_words_of_one_memory_alone_name_it_for_a_correction(
    talk: Talk, old: str, correction: str, now: str
) -> None:
    await have(talk, old, CAR)
    before = {*await stored(talk)}
    assert now in await talk.says(correction)
    rows = await stored(talk)
    in_use = {fact for fact, item in rows.items() if item.status is Status.ACTIVE}
    assert {*rows} - before == {now}
    assert in_use == {now, CAR}


async def test_a_correction_by_words_of_several_memories_lists_them_with_what_to_send(talk: Talk) -> None:
    await have(talk, "my blue kite is torn", BIKE)
    said = (await talk.says("ltm correct blue my bike is green, it was repainted")).splitlines()
    assert said[0].endswith(": /ltm correct 1 my bike is green, it was repainted")
    assert [line[:3] for line in said[1:]] == ["1. ", "2. "]
    number = next(line[0] for line in said[1:] if BIKE in line)
    await talk.says(f"ltm correct {number} my bike is green, it was repainted")
    assert await gone(talk) == [BIKE]


@pytest.mark.parametrize(
    "words",
    [
        "bike is what I ride on Mondays",
        "my bike is what I said it was",
        "my bike is my older one of two",
        "my birth year is 1990",
        "the second year was hard",
        "the earth is flat",
        "第一次 我不过敏",
        "number plate is AB",
    ],
)
async def test_a_correction_takes_no_other_words_for_a_place(talk: Talk, words: str) -> None:
    await have(talk, BIKE, BOAT)
    await talk.says("ltm list")
    said = await talk.says(f"ltm correct {words}")
    assert said.startswith(("To correct a memory, name it by its number", "更正时请用"))
    assert said.endswith(f" 1 {words.removeprefix('第一次 ')}")
    assert await gone(talk) == []


@pytest.mark.parametrize("numbers", ["1到九千万条", "1-999 " * 700, "3-1", "1000"])
async def test_numbers_beyond_any_list_are_words(talk: Talk, numbers: str) -> None:
    await have(talk, "I am vegan")
    await talk.says("ltm list")
    await talk.says(f"ltm forget {numbers}")
    assert await gone(talk) == []
    assert not list_numbers(numbers)


async def test_what_a_known_fact_replaces_now_is_named(talk: Talk) -> None:
    await have(talk, "我叫小明", "名字是小美")
    said = (await talk.says("记忆 记 我叫小美")).splitlines()
    assert said == ["我已经记得：名字是小美（00000004）", "它取代了：用户的名字是小明"]


async def test_what_a_correction_does_not_replace_is_forgotten(talk: Talk) -> None:
    await have(talk, "my kite is red")
    await talk.says("ltm list")
    said = (await talk.says("ltm correct 1 the kite was only borrowed")).splitlines()
    assert "kite was only borrowed" in said[0]
    assert said[1] == "Forgotten: my kite is red"
    assert "my kite is red" in await talk.undoes()
    assert "has no number 9" in await talk.says("ltm correct 9 the kite is green")
    assert "green" not in await talk.says("ltm list")


async def test_a_correction_is_undone_at_once(talk: Talk) -> None:
    await have(talk, "my kite is red", BOAT)
    await talk.says("ltm forget boat")
    await talk.says("ltm list")
    await talk.says("ltm correct 1 the kite was only borrowed")
    said = (await talk.undoes()).splitlines()
    assert said == ["Forgotten: the kite was only borrowed", "Restored: my kite is red"]
    assert await talk.undoes() == f"Restored: {BOAT}"


async def test_corrections_there_and_back_are_undone_one_by_one(tmp_path: Path) -> None:
    async with at_work(World(tmp_path / "host.db", clock=RunningClock()), AUTO) as talk:
        await talk.tells("I live in Oslo")
        await talk.says("ltm list")
        for city in ("Rome", "Oslo"):
            await talk.says(f"ltm correct 1 I live in {city}")
        for last, before in (("Oslo", "Rome"), ("Rome", "Oslo")):
            assert await talk.undoes() == f"Forgotten: User lives in {last}\nRestored: User lives in {before}"
            assert f"] User lives in {before}" in await talk.says("ltm list")
        assert (await talk.undoes()).startswith(NOTHING)


async def test_what_was_forgotten_after_it_was_replaced_stays_forgotten_when_another_correction_is_undone(
    tmp_path: Path,
) -> None:
    async with at_work(World(tmp_path / "host.db", clock=RunningClock()), AUTO) as talk:
        await talk.says("ltm add I live in Oslo")
        await talk.says("ltm list")
        for city in ("Rome", "Oslo"):
            await talk.says(f"ltm correct 1 I live in {city}")
        await talk.says("ltm forget Oslo")
        await talk.says("ltm add I live in Paris")
        await talk.says("ltm list")
        await talk.says("ltm correct 1 I live in Oslo")
        assert "Forgotten: User lives in Oslo" in await talk.undoes()
        assert "as you asked" in await talk.says("ltm why-not Oslo")


async def test_the_undo_of_a_correction_leaves_what_was_known_before_it(talk: Talk) -> None:
    await have(talk, BIKE, "my bike has a basket")
    await talk.says("ltm list")
    assert f"Forgotten: {BIKE}" in await talk.says("ltm correct 2 my bike has a basket")
    assert await talk.undoes() == f"Restored: {BIKE}"
    assert await gone(talk) == []


async def test_each_undo_takes_back_one_thing_the_last_first_and_names_the_next(talk: Talk) -> None:
    await have(talk, BIKE, BOAT)
    await talk.says("ltm pause")
    await talk.says("ltm resume")
    await talk.says("ltm share bike")
    said = [await talk.says("ltm undo") for _ in range(6)]
    assert [each.partition("The next /ltm undo takes back: ")[2] for each in said] == [
        "resuming your memory",
        "pausing your memory",
        f"noting {BOAT}",
        f"noting {BIKE}",
        "",
        "",
    ]
    assert [each.partition(":")[0] for each in said[:5]] == [
        "Undone. No longer shared",
        "Undone. Paused",
        "Undone. Resumed",
        *["Forgotten"] * 2,
    ]
    assert said[5].startswith(NOTHING)
    assert sorted(await gone(talk)) == [BIKE, BOAT]


async def test_the_next_step_is_named_in_chinese(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm forget bike")
    assert (await talk.says("记忆 撤销")).endswith(f"下一次“/记忆 撤销”将撤销：记下 {BIKE}")


async def test_a_number_whose_memory_was_replaced_is_answered_with_what_it_is_now(talk: Talk) -> None:
    await have(talk, "I live in Oslo", "my kite is red")
    await talk.says("ltm list")
    rome = (await talk.says("ltm correct 2 I live in Rome", KITCHEN)).splitlines()[0]
    assert "has no number 2" in rome or "no list" in rome
    rome = (await talk.says("ltm correct 2 I live in Rome")).splitlines()[0].rpartition("(")[2].strip(")")
    kite = (await talk.says("ltm correct 1 my kite is only borrowed")).splitlines()[0][-9:-1]
    told = "{} was replaced and now is: {} - If you mean that one: /ltm forget {}"
    moved = [told.format(1, "my kite is only borrowed", kite), told.format(2, "User lives in Rome", rome)]
    assert await talk.says("ltm forget 2") == moved[1]
    assert (await talk.says("ltm forget 1 2")).splitlines() == moved
    assert await talk.says("记忆 忘记 2") == (
        f"2 已被取代，现在是：User lives in Rome。如果指的是它：/记忆 忘记 {rome}"
    )
    assert (await talk.says(f"ltm forget {rome}")).startswith("Forgotten: User lives in Rome.")
    assert await talk.says("ltm forget 2") == (
        "Nothing was changed; no longer visible here: 2. See /ltm list"
    )
    await talk.says("ltm undo")
    said = await talk.says("ltm forget 2 9")
    assert said == f"{moved[1]}\nThe last list I showed here has no number 9. See /ltm list"


async def test_why_and_share_name_what_has_replaced_a_memory(talk: Talk) -> None:
    await have(talk, "I live in Oslo", "my kite is red")
    await talk.says("ltm list")
    rome = (await talk.says("ltm add I live in Rome")).splitlines()[0][-9:-1]
    told = "2 was replaced and now is: User lives in Rome - If you mean that one: /ltm {} {}"
    why = (await talk.says("ltm why 2")).splitlines()
    assert "User lives in Oslo" in why[0]
    assert why[-1] == told.format("why", rome)
    not_used = (
        "You can share only a memory in use; this one is not (replaced by a newer one): User lives in Oslo"
    )
    assert await talk.says("ltm share 2") == f"{not_used}\n{told.format('share', rome)}"
    assert (await talk.says("ltm unshare 2")).endswith(f"\n{told.format('unshare', rome)}")
    both = (await talk.says("ltm share 2 1")).splitlines()
    assert both[:2] == [not_used, told.format("share", rome)]
    assert both[2].startswith("Shared: my kite is red. ")
    zh = "2 已被取代，现在是：User lives in Rome。如果指的是它：/记忆 {} {}"
    assert (await talk.says("记忆 分享 2")).endswith(zh.format("分享", rome))
    assert (await talk.says("记忆 依据 2")).endswith(zh.format("依据", rome))
    await talk.says(f"ltm forget {rome}")
    assert await talk.says("ltm share 2") == not_used


async def test_what_was_replaced_is_told_in_the_order_it_was_named(talk: Talk) -> None:
    facts = [
        f"shelf {number} holds {what}" for number, what in enumerate(("jam", "tea", "rice", "oats", "figs"))
    ]
    await have(talk, *facts, BIKE)
    await talk.says("ltm list")
    for number, fact in enumerate(reversed(facts), start=2):
        await talk.says(f"ltm correct {number} {fact} and salt")
    [_, *moved] = (await talk.says("ltm forget 4 1 6 2 5 3")).splitlines()
    assert [line.split()[0] for line in moved] == ["4", "6", "2", "5", "3"]


HINT = "To take it back within 10 minutes: /ltm undo"
ME = private("alice")


async def test_what_was_done_tells_how_to_take_it_back_where_that_is_so(tmp_path: Path) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": "shadow"}}) as talk:

        async def hints(text: str, chat: Chat = ME) -> bool:
            said = (await talk.replies(text, chat)).text
            return said.split("\n")[-1] == HINT or HINT in said.split("\n")[-2:-1]

        await talk.tells("I have a dog")
        assert await hints("ltm keep all")
        assert not await hints("ltm keep dog")
        assert await hints("ltm add my kite is red", KITCHEN)
        assert not await hints("ltm add my kite is red", KITCHEN)
        assert not await hints("ltm add", KITCHEN)
        await talk.says("ltm list")
        assert await hints("ltm share kite")
        assert not await hints("ltm share kite")
        assert await hints("ltm unshare kite")
        told = (await talk.replies("ltm correct 1 my kite is only borrowed")).text.split("\n")
        assert told[1:] == ["Forgotten: my kite is red", HINT]
        assert (await talk.replies("记忆 记 我爱喝茶")).text.endswith("\n10 分钟内可撤销：/记忆 撤销")
        assert not await hints("ltm list")
        assert await hints("ltm share kite")
        await talk.memory.pausing.account("plat:alice", on=True, actor="operator:page")
        told = (await talk.replies("ltm unshare kite")).text
        assert told.startswith("No longer shared: my kite is only borrowed")
        assert HINT not in told


async def test_the_next_step_tells_a_correction_from_a_note(talk: Talk) -> None:
    await have(talk, "I live in Oslo", "my kite is red")
    await talk.says("ltm list")
    await talk.says("ltm correct 2 I live in Rome")
    await talk.says("ltm correct 1 my kite is only borrowed")
    await talk.says("ltm pause")
    assert (await talk.says("ltm undo")).endswith("takes back: correcting to my kite is only borrowed")
    said = await talk.says("记忆 撤销")
    assert said.endswith("下一次“/记忆 撤销”将撤销：更正为 User lives in Rome")
    assert (await talk.says("ltm undo")).endswith("takes back: noting my kite is red")


async def test_a_group_is_not_told_of_a_next_step_that_it_may_not_see(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm add my kite is red", KITCHEN)
    assert await talk.says("ltm undo", KITCHEN) == "Forgotten: my kite is red"


async def test_what_somebody_changed_since_is_told_and_left_as_it_is(talk: Talk) -> None:
    await have(talk, "I live in Oslo")
    await talk.says("ltm forget Oslo")
    [item] = (await stored(talk)).values()
    talk.world.clock.move(timedelta(seconds=1))
    await talk.memory.review.edit_one(item.memory_id, Edit(status=Status.ACTIVE), actor="root")
    said = await talk.undoes()
    assert said == "Not undone for: User lives in Oslo - because it was changed since."
    assert [item.status for item in (await stored(talk)).values()] == [Status.ACTIVE]


async def test_what_was_asked_not_to_be_kept_is_passed_over_by_undo_alone(talk: Talk) -> None:
    await have(talk, BIKE)
    for said in ("I like tea", "don't remember that I like tea"):
        talk.world.clock.move(timedelta(seconds=1))
        await talk.tells(said)
    assert await talk.says("ltm undo") == (
        f"{NOT_BROUGHT_BACK}\nThe next /ltm undo takes back: noting {BIKE}"
    )
    assert await talk.says("ltm undo") == f"Forgotten: {BIKE}"


async def test_an_undo_of_what_was_done_after_such_a_request_does_not_speak_of_it(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.tells("don't remember that I like tea")
    talk.world.clock.move(timedelta(seconds=1))
    await have(talk, BOAT)
    assert await talk.says("ltm undo") == f"Forgotten: {BOAT}"
    assert await talk.says("ltm undo") == (
        f"{NOT_BROUGHT_BACK}\nThe next /ltm undo takes back: noting {BIKE}"
    )


async def test_a_request_made_elsewhere_is_neither_told_nor_used_up_in_a_group(talk: Talk) -> None:
    await talk.tells("don't remember that I like tea")
    assert (await talk.says("ltm undo", KITCHEN)).startswith("Nothing left to undo")
    assert await talk.says("ltm undo") == NOT_BROUGHT_BACK
    await talk.tells("don't remember that I like gin", KITCHEN)
    assert await talk.says("ltm undo", KITCHEN) == NOT_BROUGHT_BACK


async def test_of_a_step_what_was_erased_since_is_counted_and_the_rest_undone(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        for said in ("I live in Oslo", "I like tea"):
            talk.world.clock.move(timedelta(seconds=1))
            await talk.tells(said)
        await talk.says("ltm keep all")
        talk.world.clock.move(timedelta(seconds=1))
        await talk.tells("don't remember that I like tea")
        assert (await talk.says("ltm undo")).endswith("takes back: accepting User lives in Oslo")
        kept, erased = (await talk.says("记忆 撤销")).splitlines()
        assert kept.startswith("已取消接受，不再使用：User lives in Oslo。")
        assert erased == "其中 1 条已被抹除，无法恢复。"


async def test_no_undo_is_announced_that_would_change_nothing(talk: Talk) -> None:
    await have(talk, BIKE, "I live in Oslo")
    await talk.says("ltm forget Oslo")
    await talk.tells("I live in Berlin")
    await have(talk, BOAT)
    assert await talk.says("ltm undo") == (f"Forgotten: {BOAT}\nThe next /ltm undo takes back: noting {BIKE}")
    assert await talk.says("ltm undo") == f"Forgotten: {BIKE}"


async def test_that_the_same_is_remembered_from_elsewhere_is_said_in_words(talk: Talk) -> None:
    await talk.tells("I like swimming", KITCHEN)
    await talk.says("ltm add I like swimming")
    await talk.says("ltm forget swimming", KITCHEN)
    await talk.says("ltm share swimming")
    assert (await talk.undoes(KITCHEN)).endswith("because by now I remember the same from another chat.")


async def test_what_had_the_same_words_before_stays_when_a_note_is_undone(talk: Talk) -> None:
    await talk.says("ltm add I like tulips")
    talk.world.clock.move(timedelta(hours=5))
    await talk.says("ltm add I like tulips", KITCHEN)
    assert await talk.undoes() == "Forgotten: User likes tulips"
    assert "tulips" in await talk.says("ltm list")
    assert "tulips" not in await talk.says("ltm list", KITCHEN)


async def test_what_has_replaced_it_since_is_named(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I live in Oslo")
        await talk.says("ltm keep Oslo")
        talk.world.clock.move(timedelta(minutes=1))
        await talk.tells("I live in Berlin")
        await talk.root("ltm approve all")
        said = "Not undone for: User lives in Oslo - because by now I remember: User lives in Berlin"
        assert await talk.undoes() == said


async def test_what_is_told_again_and_what_a_known_fact_replaced_come_back(talk: Talk) -> None:
    await have(talk, "我叫小明", "名字是小美", "我叫小美")
    assert await talk.undoes(command="记忆 撤销") == "已恢复：用户的名字是小明"


async def test_resume_names_the_undo_of_what_was_forgotten_where_it_may_be_seen(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm forget bike")
    assert await talk.says("ltm resume", KITCHEN) == "Your memory was not paused."
    said = "Your memory was not paused.\nTo bring back what was just forgotten: /ltm undo"
    assert await talk.says("ltm resume") == said
    assert await talk.undoes(command="记忆 撤销 恢复") == f"已恢复：{BIKE}"
    assert await talk.says("记忆 恢复") == "你的记忆没有暂停。"


async def test_where_nothing_is_left_to_undo_an_admin_is_told_what_resumes_a_group(talk: Talk) -> None:
    await talk.root("ltm pause group", KITCHEN)
    for chat in (KITCHEN, private()):
        said = (await talk.undoes(chat, admin=True)).splitlines()
        assert said[0].startswith(NOTHING)
        assert said[1].endswith("A paused group is resumed by /ltm resume group, sent there.")
        assert len((await talk.undoes(chat)).splitlines()) == 1


async def test_a_pause_and_its_end_are_taken_back(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm pause")
    await talk.root("ltm readonly on")
    assert "nothing was changed" in await talk.undoes()
    await talk.root("ltm readonly off")
    assert (await talk.undoes()).startswith("Undone. Resumed: ")
    assert await gone(talk) == []
    await talk.says("ltm pause")
    await talk.says("ltm resume")
    assert (await talk.undoes(command="记忆 撤销")).startswith("已撤销。已暂停：")


async def test_what_was_shared_or_unshared_last_is_taken_back(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm share bike")
    shared = (await stored(talk))[BIKE]
    await talk.says("ltm unshare bike")
    assert (await talk.undoes(KITCHEN)).startswith(NOTHING)
    assert (await talk.undoes()).startswith(f"Undone. Shared: {BIKE}.")
    assert (await stored(talk))[BIKE] == shared
    assert (await talk.undoes(KITCHEN)).startswith(NOTHING)
    assert (await talk.undoes()).startswith(f"Undone. No longer shared: {BIKE}.")
    assert (await stored(talk))[BIKE].audience is Audience.CHAT
    assert (await talk.undoes()).startswith(f"Forgotten: {BIKE}")


async def test_the_last_thing_is_undone_in_whatever_chat_it_was_done(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm add my kite is red", KITCHEN)
    await talk.says("ltm forget kite", KITCHEN)
    assert await talk.undoes() == "Restored: my kite is red"
    await talk.says("ltm forget bike")
    assert (await talk.undoes()) == f"Restored: {BIKE}"


async def test_a_group_passes_over_what_it_may_not_see(talk: Talk) -> None:
    await have(talk, BIKE)
    await talk.says("ltm forget bike")
    said = await talk.undoes(KITCHEN)
    assert said.startswith("Nothing left to undo that this group may see.")
    assert said == await talk.undoes(group("bob"))
    assert await talk.undoes() == f"Restored: {BIKE}"
    await talk.says("ltm add my kite is red", KITCHEN)
    await talk.says("ltm forget bike")
    assert (await talk.undoes(KITCHEN)).startswith("Forgotten: my kite is red")
    assert (await talk.undoes(KITCHEN)).startswith("Nothing left to undo that this group may see.")


async def test_an_earlier_step_of_a_memory_waits_for_a_later_one_that_the_group_may_not_see(
    talk: Talk,
) -> None:
    await talk.says("ltm add my kite is red", KITCHEN)
    await talk.says("ltm share kite")
    assert (await talk.undoes(KITCHEN)).startswith(NOTHING)
    assert await gone(talk) == []


async def test_what_is_no_longer_accepted_can_be_accepted_again(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        for fact, again in (("I live in Oslo", "ltm keep Oslo"), ("I'm allergic to peanuts", "ltm keep all")):
            await talk.tells(fact)
            await talk.says(again)
            way_back = (await talk.undoes()).rpartition("To accept again: /")[2]
            assert "keep" in way_back
            await talk.says(way_back)
            assert {item.status for item in (await stored(talk)).values()} == {Status.ACTIVE}
            await talk.undoes()


@pytest.mark.parametrize("others", [0, 1])
async def test_what_many_are_accepted_by_again_accepts_no_others(tmp_path: Path, others: int) -> None:
    async with talking(tmp_path, {}) as talk:
        for food in ("peanuts", "shrimp", "milk", "wheat", "eggs", "soy", "sesame")[: 6 + others]:
            await talk.tells(f"I'm allergic to {food}")
        await talk.says("ltm list")
        await talk.says("ltm keep 1-6")
        way_back = (await talk.undoes()).rpartition("To accept again: /")[2]
        assert ("all" in way_back) is not bool(others)
        await talk.says(way_back)
        assert [item.status for item in (await stored(talk)).values()].count(Status.ACTIVE) == 6


async def test_a_correction_in_the_same_words_forgets_nothing(talk: Talk) -> None:
    await have(talk, "my kite is red")
    await talk.says("ltm list")
    assert "Forgotten" not in await talk.says("ltm correct 1 my kite is red")
    assert "my kite is red" in await talk.says("ltm list")


async def test_a_correction_in_the_words_that_a_group_was_told_forgets_nothing(talk: Talk) -> None:
    await talk.says("ltm add my kite is red", KITCHEN)
    await talk.says("ltm list")
    assert "Forgotten" not in await talk.says("ltm correct 1 my kite is red")
    for chat in (private(), KITCHEN):
        assert "my kite is red" in await talk.says("ltm list", chat)
