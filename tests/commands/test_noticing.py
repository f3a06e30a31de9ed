"""A line about what was learnt, for the next reply to the person it is about and to nobody else."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.domain.recalls import RecallFilter
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit

from tests.running import group, private, until
from tests.stores import opened
from tests.test_commands import LLAMAS, Talk, talking

ALICE, BOB, KITCHEN, OFFICE = private("alice"), private("bob"), group("alice"), group("alice", "office")
ON = {"write_policy": {"mode": "auto"}, "notify_learned": True}
PEANUTS = "User is allergic to peanuts"


async def told(talk: Talk, chat: Chat = ALICE, text: str = "ok") -> str:
    return await talk.memory.learnt_notice(chat, text)


@pytest.mark.parametrize("mode", ["auto", "shadow"])
async def test_what_was_learnt_is_told_once_and_undone(tmp_path: Path, mode: str) -> None:
    async with talking(tmp_path, {**ON, "write_policy": {"mode": mode}}) as talk:
        await talk.tells("I'm allergic to peanuts")
        assert await told(talk, BOB) == ""
        noted = "Noted" if mode == "auto" else "Noted, not used yet"
        assert (await told(talk)).startswith(f"{noted}: {PEANUTS}. ")
        assert await told(talk) == ""
        assert (await talk.undoes()).startswith(f"Forgotten: {PEANUTS}")
        await talk.tells("I'm allergic to peanuts")
        assert await told(talk) == ""
        assert (await talk.undoes()).startswith("Nothing left to undo")
        assert "1 memory" not in await talk.says("ltm list")


async def test_a_group_can_undo_what_its_notice_told_whatever_was_done_elsewhere(tmp_path: Path) -> None:
    async with talking(tmp_path, ON) as talk:
        await talk.tells("I live in Oslo", KITCHEN)
        assert "/ltm undo" in await told(talk, KITCHEN)
        await talk.says("ltm add my diary is red")
        assert (await talk.undoes(KITCHEN)).startswith("Forgotten: User lives in Oslo")
        assert "my diary is red" in await talk.says("ltm list")


async def test_it_speaks_the_language_of_the_message_and_names_several(tmp_path: Path) -> None:
    async with talking(tmp_path, ON) as talk:
        await talk.tells("我对芒果过敏，我叫小王")
        line = await told(talk, text="好的")
        assert line.startswith("已记下：")
        assert "用户对芒果过敏；" in line
        said = await talk.undoes(command="记忆 撤销")
        assert said.startswith("已忘记：")
        assert await talk.says("记忆 列表") != said
        assert "芒果" not in (await talk.says("记忆 列表")).partition("\n")[2]


async def test_no_chat_is_told_what_it_may_not_see(tmp_path: Path) -> None:
    async with talking(tmp_path, ON) as talk:
        await talk.tells("I'm allergic to peanuts", replace(ALICE, raised=Level.CONFIDENTIAL))
        await talk.tells("I live in Oslo", KITCHEN)
        assert [await told(talk, chat) for chat in (OFFICE, group("bob"), BOB)] == [""] * 3
        assert "Oslo" in await told(talk, KITCHEN)
        assert await told(talk) == ""
        assert "peanuts" in await told(talk, replace(ALICE, raised=Level.CONFIDENTIAL))


async def test_the_line_waits_for_no_other_writer(tmp_path: Path) -> None:
    async with talking(tmp_path, ON) as talk:
        await talk.tells("I'm allergic to peanuts")
        async with opened(talk.world.file) as database, database.write():
            assert PEANUTS in await told(talk)


async def test_of_others_of_what_is_known_and_while_paused_nothing_is_told(tmp_path: Path) -> None:
    async with talking(tmp_path, {**ON, "extraction": {"batch_turns": 1}}) as talk:
        talk.world.model.answer = LLAMAS.replace("User owns", "owns").replace("{", '{"about": "Zed", ')
        await talk.tells("Zed owns 42 llamas", KITCHEN)
        await until(lambda: bool(talk.world.model.prompts))
        talk.world.model.answer = "[]"
        await talk.says("ltm add my bike is blue")
        await talk.tells("I'm allergic to peanuts")
        await talk.says("ltm pause")
        assert await told(talk) == await told(talk, KITCHEN) == ""
        await talk.says("ltm resume")
        assert (await told(talk)).startswith(f"Noted: {PEANUTS}.")
        await talk.tells("I'm allergic to peanuts")
        assert await told(talk) == await told(talk, KITCHEN) == ""


async def test_what_a_model_only_says_anew_is_not_told_again(tmp_path: Path) -> None:
    async with talking(tmp_path, {**ON, "extraction": {"batch_turns": 1}}) as talk:
        talk.world.model.answer = LLAMAS.replace("User owns 42 llamas", "User has a peanut allergy")
        await talk.tells("I'm allergic to peanuts")
        assert (await told(talk)).startswith(f"Noted: {PEANUTS}.")
        await until(lambda: bool(talk.world.model.prompts))
        await talk.waits_for("peanut allergy", "ltm list")
        assert await told(talk) == ""


async def test_what_a_model_forgets_at_ones_request_is_told_and_undone(tmp_path: Path) -> None:
    asked = "that one had better stay between you, me and no disk"
    raw = {"write_policy": {"mode": "auto"}, "extraction": {"batch_turns": 1}}
    async with talking(tmp_path, raw) as talk:
        await talk.tells("I'm allergic to peanuts")
        assert await talk.memory.search_transcript(ALICE, "peanuts")
        quotes = ["I'm allergic to peanuts", asked]
        withdrawn = {"fact": "User asks not to keep it", "quote": quotes, "stance": "withdrawn"}
        talk.world.model.answer = json.dumps([{"type": "episode", **withdrawn}])
        await talk.tells(asked)
        await talk.waits_for("no memories", "ltm list")
        found = await talk.memory.search_transcript(ALICE, "peanuts")
        assert not any("peanuts" in each.text for each in found)
        assert await told(talk, BOB) == await told(talk, KITCHEN) == ""
        assert await told(talk) == f"Forgotten, as you asked: {PEANUTS}. Wrong? /ltm undo"
        assert PEANUTS in await talk.undoes()
        assert PEANUTS in await talk.says("ltm list")


async def test_a_group_is_told_only_how_many_are_forgotten(tmp_path: Path) -> None:
    asked = "that one had better stay between you, me and no disk"
    raw = {"write_policy": {"mode": "auto"}, "extraction": {"batch_turns": 1}}
    async with talking(tmp_path, raw) as talk:
        await talk.tells("I'm allergic to peanuts", KITCHEN)
        quotes = ["I'm allergic to peanuts", asked]
        withdrawn = {"fact": "User asks not to keep it", "quote": quotes, "stance": "withdrawn"}
        talk.world.model.answer = json.dumps([{"type": "episode", **withdrawn}])
        await talk.tells(asked, KITCHEN)
        await talk.waits_for("no memories", "ltm list")
        assert await told(talk, KITCHEN) == "Forgotten, as you asked: 1 memory. Wrong? /ltm undo"


async def test_switched_off_nothing_is_told(talk: Talk) -> None:
    await talk.tells("I'm allergic to peanuts")
    assert await told(talk) == ""


async def test_the_notice_names_what_is_replaced_and_what_is_used_until_it_is_accepted(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, ON) as talk:
        await talk.says("ltm add I live in Oslo")
        await talk.tells("I live in Berlin")
        replaced = "Noted: User lives in Berlin. It replaces: User lives in Oslo. Wrong? /ltm undo"
        assert await told(talk) == replaced
        await talk.root("ltm mode shadow")
        await talk.tells("I live in Rome")
        assert await told(talk) == (
            "Noted, not used yet: User lives in Rome. To use it: /ltm keep all."
            " Still used until then: User lives in Berlin. Wrong? /ltm undo"
        )


async def test_who_asks_not_to_be_remembered_is_told_how_to_pause(talk: Talk) -> None:
    assert await told(talk, text="Don't remember me") == (
        "To have nothing recorded or recalled about you: /ltm pause."
        " To erase what I have of you, in a private chat: /ltm forget all"
    )
    assert await told(talk, KITCHEN, "忘记我") == (
        "不想再被记录、也不再使用关于你的记忆：/记忆 暂停。要抹除你的一切，请私聊发送：/记忆 忘记 全部"
    )
    assert await told(talk, text="don't save this") == ""


async def test_who_asks_not_to_keep_something_named_is_told_how_to_forget_what_is_known(talk: Talk) -> None:
    assert await told(talk, text="Don't remember that I like tea") == (
        "This message is not kept. To forget what I know of it: /ltm forget <words>"
    )
    assert await told(talk, text="不要记住我喜欢喝茶") == (
        "这条消息不保存。要忘记我已知道的：/记忆 忘记 ‹词语›"
    )


async def test_who_tells_more_in_such_a_message_hears_that_it_is_not_kept_and_who_jokes_hears_nothing(
    talk: Talk,
) -> None:
    for text in ("I'm allergic to nuts. I like gin, don't remember that.", "我对虾过敏，这条别记"):
        assert await told(talk, text=text) in (
            "This message is not kept. To forget what I know of it: /ltm forget <words>",
            "这条消息不保存。要忘记我已知道的：/记忆 忘记 ‹词语›",
        )
    for text in ("I'm a pirate, just kidding", "don't remember what I say next"):
        assert await told(talk, text=text) == ""


async def test_what_was_said_about_one_thing_is_forgotten_and_the_last_message_stays(talk: Talk) -> None:
    for text in ("I like gin", "I'm allergic to nuts", "forget what I said about gin"):
        talk.world.clock.move(timedelta(seconds=9))
        await talk.tells(text)
    listed = await talk.says("ltm list")
    assert ("allergic to nuts" in listed, "gin" in listed) == (True, False)


async def test_what_is_taken_back_leaves_the_recall_log_though_it_was_not_written_yet(talk: Talk) -> None:
    talk.memory.log_recall(ALICE, "I like plums", await talk.memory.recall(ALICE, "I like plums"), sent=True)
    await talk.tells("I like plums")
    talk.world.clock.move(timedelta(seconds=1))
    await talk.tells("don't remember that")
    assert (await talk.memory.recalls.page(RecallFilter())).total == 0


async def test_what_an_addition_says_otherwise_than_is_told_though_both_stay_in_use(tmp_path: Path) -> None:
    async with talking(tmp_path, ON) as talk:
        await talk.says("ltm add My shoe size is 41")
        [item] = (await talk.memory.browsing.items(ItemFilter())).rows
        await talk.memory.review.edit_one(item.memory_id, Edit(type=MemoryType.PROFILE), actor="operator:x")
        talk.world.clock.move(timedelta(seconds=1))
        said = await talk.says("ltm add My shoe size is 42")
        assert "Still used, too: My shoe size is 41. To forget it: /ltm forget " in said
        assert "Still used" not in await talk.says("ltm add My hat size is 58")


NOT_TO_KEEP = (
    "Don't remember that I like tea",
    "forget what I just said",
    "Please don't keep that.",
    "forget me",
)
NOT_TO_KEEP_ZH = ("别记住我喜欢下棋", "当我没说", "忘了我吧")
NO_REQUEST = ("I like tea", "just kidding", "Don't forget what I just said!", "我喜欢茶", "别忘了我刚才说的")


@pytest.mark.parametrize("chat", [ALICE, KITCHEN], ids=["private", "group"])
@pytest.mark.parametrize("way", ["pause", "readonly on", "pause group"])
async def test_who_asks_not_to_keep_something_while_nothing_is_stored_is_told_so(
    talk: Talk, way: str, chat: Chat
) -> None:
    await (talk.says if way == "pause" else talk.root)(f"ltm {way}", KITCHEN)
    is_paused_here = way != "pause group" or chat is KITCHEN
    en, zh = ("The memory is read-only, so nothing of this was", "只读已开启，这些没有保存")
    if way != "readonly on":
        en, zh = (
            "Memory is paused, so nothing is stored or removed now.",
            "记忆已暂停，现在不保存也不移除任何内容",
        )
    for text in (*NOT_TO_KEEP, *NOT_TO_KEEP_ZH):
        line = await told(talk, chat, text)
        assert line.startswith(en if text in NOT_TO_KEEP else zh) is is_paused_here, text
        assert not is_paused_here or "/ltm forget <words>" in line or "/记忆 忘记 ‹词语›" in line
    assert [await told(talk, chat, text) for text in NO_REQUEST] == [""] * len(NO_REQUEST)


async def test_who_asks_to_remember_while_nothing_is_kept_is_told_why(talk: Talk) -> None:
    asked = "Remember that I live in Oslo"
    assert await told(talk, text=asked) == ""
    await talk.says("ltm pause")
    for said in (asked, "记住，我住在奥斯陆"):
        assert await told(talk, text=said) in (
            "I did not save it: memory is paused at your own request; to resume: /ltm resume",
            "没有保存：应你的要求，记忆已暂停；要继续，请发送“/记忆 恢复”。",
        )
    assert await told(talk, text="I live in Oslo") == ""
    await talk.says("ltm resume")
    await talk.root("ltm pause group", group("admin"))
    assert await told(talk, KITCHEN, asked) == (
        "I did not save it: an admin has paused memory in this group."
    )
    await talk.root("ltm readonly on")
    assert await told(talk, text=asked) == "I did not save it: the memory is read-only."


async def test_who_asks_to_remember_a_secret_is_told_that_it_is_not_kept(talk: Talk) -> None:
    told_why = "I did not save it: it contains a secret, such as a password, a code or a card number"
    assert (await told(talk, text="Remember that the password of my mail is hunter22")).startswith(told_why)
    assert (await told(talk, KITCHEN, "记住：我的密码是abc12345")).startswith("没有保存：里面有密码")
    assert await told(talk, text="The password of my mail is hunter22") == ""


async def tells_later(talk: Talk, text: str) -> None:
    talk.world.clock.move(timedelta(seconds=9))
    await talk.tells(text)


async def facts_left(talk: Talk) -> str:
    return (await talk.says("ltm list")).partition("\n")[2]


@pytest.mark.parametrize(
    ("told", "asked", "gone", "left"),
    [
        ("我叫小军，我住在西安，我喜欢跑步", "别记住我住在西安", "西安", ("小军", "跑步")),
        (
            "I live in Bath and I like rugby. My name is Max",
            "don't remember that I live in Bath",
            "Bath",
            ("Max",),
        ),
    ],
)
async def test_of_a_message_that_told_more_only_what_is_named_is_forgotten(
    tmp_path: Path, told: str, asked: str, gone: str, left: tuple[str, ...]
) -> None:
    async with talking(tmp_path, ON) as talk:
        await tells_later(talk, told)
        await tells_later(talk, asked)
        found = await facts_left(talk)
        assert gone not in found
        assert all(each in found for each in left)
        await tells_later(talk, told)
        assert gone not in await facts_left(talk)


async def test_of_a_message_that_told_nothing_else_nothing_stays(tmp_path: Path) -> None:
    async with talking(tmp_path, ON) as talk:
        await tells_later(talk, "I like tea")
        await tells_later(talk, "I live in Bath")
        await tells_later(talk, "don't remember that I live in Bath")
        assert "Bath" not in await talk.says("ltm why-not Bath")
        assert "tea" in await facts_left(talk)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I live in Bath", "Don't remember that my boss lives in Bath"),
        ("I'm allergic to bees", "please don't remember that my neighbour is allergic to bees"),
        ("I like cycling", "don't remember that I like cycling in the rain"),
        ("我住在厦门", "别记住我老板住在厦门"),
    ],
)
async def test_what_is_said_of_somebody_else_takes_nothing_of_the_speaker(
    tmp_path: Path, told: str, asked: str
) -> None:
    async with talking(tmp_path, ON) as talk:
        await tells_later(talk, told)
        before = await facts_left(talk)
        await tells_later(talk, asked)
        assert await facts_left(talk) == before != ""


async def test_asked_twice_the_message_before_the_one_not_kept_stays(tmp_path: Path) -> None:
    async with talking(tmp_path, ON) as talk:
        await tells_later(talk, "I'm allergic to soy")
        await tells_later(talk, "I like jazz")
        await tells_later(talk, "don't remember that")
        await tells_later(talk, "don't remember that")
        await tells_later(talk, "don't remember that I hate cilantro")
        await tells_later(talk, "don't remember that")
        found = await facts_left(talk)
        assert "jazz" not in found
        assert "soy" in found


@pytest.mark.parametrize("fact", ["my sister Lena lives in Oslo", "My wife Anna is allergic to nuts"])
async def test_what_is_added_of_a_relative_is_kept_whole(tmp_path: Path, fact: str) -> None:
    async with talking(tmp_path, ON) as talk:
        assert (await talk.says(f"ltm add {fact}")).startswith(f"I will remember: {fact}")
        assert "User's sister is called Eva" in await talk.says("ltm add My sister is called Eva")


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("remind me to call mum on Friday", "Noted: call mum on Friday (2025-06-06). "),
        ("remember to buy cat food", "Noted: buy cat food. "),
        ("提醒我周五给妈妈打电话", "已记下：周五（2025年6月6日）给妈妈打电话。"),
        ("记得买猫粮", "已记下：买猫粮。"),
        ("remember to answer in French", ""),
        ("记得用中文回答", ""),
    ],
)
async def test_what_somebody_is_to_be_reminded_of_is_noted_without_a_model_and_no_order_to_the_bot(
    tmp_path: Path, said: str, noted: str
) -> None:
    async with talking(tmp_path, {"notify_learned": True}) as talk:
        await talk.tells(said)
        line = await told(talk, text=said)
        assert line.startswith(noted)
        assert bool(line) is bool(noted)
