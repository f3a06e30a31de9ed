"""`/ltm` from the message to the reply, over a memory that is at work."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.commands import Reply
from astrbot_plugin_ltm.long_term_memory.commands.spelling import ENGLISH, separated, subcommand
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import PoliciesJson
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.settings import Settings
from astrbot_plugin_ltm.long_term_memory.storage.event_queue import StoredEventQueue
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import A_MINUTE, PATIENCE, ScriptedChatModel, World, group, private
from tests.stores import an_event, migrated, opened
from tests.verifying import second_answer

ALICE = private("alice")
CITIES = ("Oslo", "Madrid", "Rome", "Vienna", "Cairo", "Paris", "Berlin")
LLAMAS = (
    '[{"type": "profile", "fact": "User owns 42 llamas", "fact_key": "llamas", "confidence": 0.9,'
    ' "importance": 0.5}]'
)


class Talk:
    """People typing `/ltm` at a memory that runs."""

    def __init__(self, world: World, service: Service) -> None:
        self.world = world
        self.service = service
        self.memory = service.manager()
        self._commands = world.commands(service)

    async def says(self, text: str, chat: Chat = ALICE, *, admin: bool = False) -> str:
        """The reply, but for the line that tells how to take back what was done, where that can be."""
        last = self.memory.last_step(chat)
        lines = (await self.replies(text, chat, admin=admin)).text.split("\n")
        told = [line for line in lines if not line.startswith(("To take it back", "10 分钟内可撤销"))]
        if told != lines:
            name, _ = subcommand((separated(text) or text).partition(" ")[2])
            assert ENGLISH.get(name, name) in {"add", "correct", "keep", "share", "unshare"}, text
            assert self.memory.last_step(chat) > last, text
        return "\n".join(told)

    async def replies(self, text: str, chat: Chat = ALICE, *, admin: bool = False) -> Reply:
        return await self._commands.answer(chat, text, admin=admin, message_id="1")

    async def undoes(self, chat: Chat = ALICE, command: str = "ltm undo", *, admin: bool = False) -> str:
        """The reply to `undo`, but for the line that names what the next one takes back."""
        lines = (await self.says(command, chat, admin=admin)).splitlines()
        return "\n".join(line for line in lines if not line.startswith(("The next /ltm undo", "下一次")))

    async def confirms(self, text: str, chat: Chat = ALICE) -> str:
        """The reply to a command that is asked for twice, the second time."""
        [code] = re.findall(r"\b\d{6}\b", await self.says(text, chat))
        return await self.says(f"{text} {code}", chat)

    async def root(self, text: str, chat: Chat | None = None) -> str:
        return await self.says(text, chat or private("root"), admin=True)

    async def tells(self, text: str, chat: Chat = ALICE) -> None:
        """An ordinary message, and what the rules make of it."""
        await self.world.tell(self.memory, chat, text)

    async def waits_for(self, text: str, command: str, chat: Chat = ALICE, *, admin: bool = False) -> str:
        """The reply to the command, once it holds this text."""
        async with asyncio.timeout(PATIENCE):
            while text not in (said := await self.says(command, chat, admin=admin)):
                await asyncio.sleep(0.01)
        return said


@asynccontextmanager
async def talking(folder: Path, raw: Mapping[str, object]) -> AsyncGenerator[Talk]:
    async with at_work(World(folder / "host.db"), raw) as talk:
        yield talk


@asynccontextmanager
async def at_work(world: World, raw: Mapping[str, object]) -> AsyncGenerator[Talk]:
    service = Service(world.memory, version="1.2.3", patience=A_MINUTE)
    await service.start(raw)
    try:
        yield Talk(world, service)
    finally:
        await service.stop()


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncGenerator[Talk]:
    async with talking(tmp_path, {"write_policy": {"mode": "auto"}}) as talk:
        yield talk


@pytest.fixture
async def shadow(tmp_path: Path) -> AsyncGenerator[Talk]:
    """With the settings nobody touched: what is learnt waits."""
    async with talking(tmp_path, {}) as talk:
        yield talk


@asynccontextmanager
async def locked(_: Settings) -> AsyncGenerator[LTMManager]:
    raise UnavailableError("the database is locked")
    yield


@pytest.mark.parametrize(
    ("raw", "texts"),
    [
        (
            {"write_policy": {"mode": "wild"}},
            {
                "ltm status": 'for this reason:\n- setting "Writing → Mode for learnt facts": must be one of',
                "记忆 状态": "原因：\n- 设置“写入策略 → 学到的事实如何处理”：",
                "ltm list": "The memory is paused. Admins: see /ltm status",
                "记忆 列表": "记忆功能出了故障，暂时停用；管理员可发送“/记忆 状态”查看原因",
            },
        ),
        (
            {},
            {
                "ltm status": "for this reason:\n- store: the database is locked;",
                "记忆 状态": "原因：\n- 存储：the database is locked",
                "ltm list": "The memory is paused. Admins: see /ltm status",
                "记忆 列表": "记忆功能出了故障，暂时停用；管理员可发送“/记忆 状态”查看原因",
            },
        ),
    ],
    ids=["setting", "store"],
)
async def test_status_says_whether_a_setting_or_the_store_is_to_blame(
    tmp_path: Path, raw: Mapping[str, object], texts: Mapping[str, str]
) -> None:
    service = Service(locked, version="1")
    await service.start(raw)
    commands = World(tmp_path / "host.db").commands(service)
    for command, text in texts.items():
        assert text in (await commands.answer(private(), command, admin=True, message_id="1")).text
    await service.stop()


USAGE = (
    "Usage: /ltm forget <id|number|words>, such as: /ltm forget 1 2 or /ltm forget tea, or /ltm forget all."
    " See /ltm list"
)


async def test_the_help_tells_of_one_subcommand_alone(talk: Talk) -> None:
    assert (await talk.says("ltm help Delete", group("alice"))).splitlines() == [
        "/ltm forget <id|number|words>: forget one memory",
        "/ltm forget all: erase all your memories and messages",
        USAGE,
    ]
    assert "类型：个人信息、偏好、" in await talk.says("记忆 帮助 列表")
    assert await talk.says("ltm help erase") == await talk.says("ltm help dance") == await talk.says("ltm")
    assert "/ltm forget all" not in await talk.says("ltm", group("alice"))


@pytest.mark.parametrize("typed", ['"my bike is blue"', "“my bike is blue”", "「my bike is blue」"])
async def test_quotation_marks_around_a_fact_are_none_of_it(talk: Talk, typed: str) -> None:
    assert (await talk.says(f"ltm add {typed}")).startswith("I will remember: my bike is blue (")
    two = '"Dune" and "Emma" are on my shelf, says "Ann"'
    assert (await talk.says(f"ltm add {two}")).startswith(f"I will remember: {two} (")


@pytest.mark.parametrize(
    "fact",
    [
        *("I am", "I'm.", "that my name is", "I do not like", "I don't", "I DON'T LIKE", "I have an", "I'll"),
        *("我是", "我不吃", "我的名字叫", "我喜歡", "我想要"),
        *("me", "Ok", "this!", "us", "yes", "好的", "好吧", "这个"),
    ],
)
async def test_what_is_no_whole_sentence_is_not_saved(talk: Talk, fact: str) -> None:
    said = await talk.says(f"ltm add {fact}")
    assert said.startswith(
        ("I did not save it, because this is no whole sentence", "没有保存，因为这不是完整的一句话")
    )
    whole = "I am O+" if fact.isascii() else "我不吃辣"
    assert (await talk.says(f"ltm add {whole}")).startswith(("I will remember: ", "记住了："))


@pytest.mark.parametrize("fact", ["My name is Do", "My name is An", "My blood is A"])
async def test_a_name_or_a_letter_may_end_a_fact(talk: Talk, fact: str) -> None:
    assert (await talk.says(f"ltm add {fact}")).startswith("I will remember: ")


async def test_a_question_is_no_fact(talk: Talk) -> None:
    said = await talk.says("ltm add What should I eat?")
    assert said.startswith("I did not save it, because it reads as a question: What should I eat? - Send it")
    assert (await talk.says("记忆 记 我该吃什么？")).startswith("没有保存，因为它像是一个问题：")
    assert "no memories" in await talk.says("ltm list")


async def test_what_a_group_was_told_is_marked_in_private(talk: Talk) -> None:
    await talk.tells("I'm allergic to peanuts", group("alice"))
    await talk.tells("I live in Oslo")
    lines = (await talk.says("ltm list")).splitlines()[1:3]
    assert [line.partition("] ")[2] for line in lines] == [
        "User lives in Oslo",
        "User is allergic to peanuts (from a group)",
    ]
    assert "from a group" not in await talk.says("ltm list", group("alice"))


async def test_the_help_names_what_one_may_do(talk: Talk) -> None:
    everybody = await talk.says("ltm")
    assert "/ltm pause:" in everybody
    assert "/ltm status" not in everybody
    admin = await talk.root("ltm help")
    assert admin.startswith(everybody)
    assert all(
        f"/ltm {name}" in admin
        for name in ("status", "mode", "pending", "approve", "reject", "retry", "readonly", "erase")
    )
    assert "/记忆 暂停" in await talk.says("记忆 帮助")
    assert "/ltm 暂停" in await talk.says("ltm 帮助")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ltm Delete abcd", "ltm forget abcd"),
        ("ltm clear", "ltm forget"),
        ("ltm remember", "ltm add"),
        ("ltm show", "ltm list"),
        ("ltm find boat", "ltm search boat"),
        ("ltm accept all", "ltm keep all"),
        ("记忆 删除 abcd", "记忆 忘记 abcd"),
        ("记忆 查看", "记忆 列表"),
        ("记忆 记住", "记忆 记"),
        ("ltm save", "ltm add"),
        ("记忆 开始", "记忆 恢复"),
        ("记忆 清除", "记忆 忘记"),
        ("ltm ?", "ltm help"),
        ("记忆 ？", "记忆"),
        ("ltm edit no", "ltm correct no"),
        ("ltm what do you know about me?", "ltm list"),
        ("记忆 你记得我什么", "记忆 列表"),
        ("ltm help why not", "ltm help why-not"),
        ("记忆 为什么 虾", "记忆 依据 虾"),
    ],
)
async def test_what_people_type_for_a_subcommand_is_understood(talk: Talk, typed: str, meant: str) -> None:
    said = await talk.says(typed)
    assert said == await talk.says(meant)
    assert "There is no command /ltm" not in said


@pytest.mark.parametrize(
    "command",
    ["status", "mode", "pending", "approve all", "reject abcd", "retry", "readonly on", "erase a:b"],
)
async def test_what_admins_do_nobody_else_does(talk: Talk, command: str) -> None:
    said = await talk.says(f"ltm {command}")
    assert said.startswith("Only an admin may do that.")
    instead = {
        "approve all": "see /ltm list",
        "erase a:b": "/ltm forget all",
        "pending": "/ltm list",
        "reject abcd": "/ltm forget <number>",
    }
    assert instead.get(command, "that.") in said


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        ("list wild", "Usage: /ltm list"),
        ("list 0", "Usage: /ltm list"),
        ("why", "Usage: /ltm why"),
        ("add", "Usage: /ltm add"),
        ("forget", "Usage: /ltm forget"),
        ("pause everything", "Usage: /ltm pause"),
        ("resume everything", "Usage: /ltm resume"),
        ("list 第二页", "这里还没有你的记忆。"),
        ("forget the last one", "I have shown you no list here"),
        ("mode wild", "Usage: /ltm mode"),
        ("pending x", "Usage: /ltm pending"),
        ("pending 0", "Usage: /ltm pending"),
        ("approve", "Usage: /ltm approve"),
        ("reject", "Usage: /ltm reject"),
        ("search", "Usage: /ltm search"),
        ("search ?!", "Usage: /ltm search"),
        ("share", "Usage: /ltm share"),
        ("unshare", "Usage: /ltm unshare"),
        ("export everything", "Usage: /ltm export"),
        ("readonly perhaps", "Usage: /ltm readonly"),
        ("erase", "Usage: /ltm erase"),
        ("erase alice", "Usage: /ltm erase"),
        ("erase :alice", "Usage: /ltm erase"),
        ("dance", "There is no command /ltm dance."),
    ],
)
async def test_a_command_that_makes_no_sense_is_told_how_it_is_meant(
    talk: Talk, command: str, usage: str
) -> None:
    assert (await talk.root(f"ltm {command}")).startswith(usage)


@pytest.mark.parametrize("name", ["approve", "reject"])
async def test_too_little_of_an_id_is_told_how_much_it_takes(talk: Talk, name: str) -> None:
    said = await talk.root(f"ltm {name} abc")
    assert said.startswith(f"Send at least 4 characters of the id.\nUsage: /ltm {name}")
    assert "编号至少要写 4 个字符。" in await talk.root("记忆 拒绝 (abc)")


@pytest.mark.parametrize(
    ("raw", "english", "chinese"),
    [
        (
            {"write_policy": {"mode": "wild"}},
            '- setting "Writing → Mode for learnt facts": must be one of shadow, auto, manual',
            "- 设置“写入策略 → 学到的事实如何处理”：必须是以下之一：shadow, auto, manual",
        ),
        (
            {"read_policy": {"max_items": 0}},
            '- setting "Recall (tuning) → Memories per request": must be a whole number from 1 to 100',
            "- 设置“召回策略（调优） → 每次请求的记忆条数上限”：必须是 1 到 100 的整数",
        ),
        (
            {"levels": {"tools": ["hr=loud"]}},
            '- setting "Levels → Tools that raise the level": line 1 must be "tool=LEVEL", where LEVEL is',
            "- 设置“密级 → 会提升密级的工具”：第 1 行必须写作“工具=密级”，密级是公开、内部、机密、受限之一",
        ),
    ],
)
async def test_a_setting_that_cannot_be_used_is_named_in_the_language_of_the_reader(
    tmp_path: Path, raw: Mapping[str, object], english: str, chinese: str
) -> None:
    service = Service(locked, version="1")
    await service.start(raw)
    commands = World(tmp_path / "host.db").commands(service)
    for command, text in (("ltm status", english), ("记忆 状态", chinese)):
        assert text in (await commands.answer(private(), command, admin=True, message_id="1")).text
    await service.stop()


async def test_tools_that_the_host_does_not_have_are_named(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db", knows_tool=lambda name: name == "hr_lookup")
    async with at_work(world, {"levels": {"tools": ["hr_lookup=INTERNAL", "hr_lokup=RESTRICTED"]}}) as talk:
        line = 'Tools in the setting "Tools that raise the level" that AstrBot does not have: hr_lokup'
        assert line in (await talk.root("ltm status")).splitlines()
        assert "AstrBot 目前没有的工具：hr_lokup" in await talk.root("记忆 状态")
        [warning] = [warning for warning in await talk.memory.warnings() if "levels.tools" in warning]
        assert warning.endswith("names them: hr_lokup")
    async with at_work(world, {"levels": {"tools": ["hr_lookup=INTERNAL"]}}) as talk:
        assert "Tools in the setting" not in await talk.root("ltm status")
        assert not [each for each in await talk.memory.warnings() if "levels.tools" in each]


async def test_another_memory_plugin_is_named_with_what_it_costs(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db", memory_plugins=["LivingMemory", "Mnemosyne"])
    async with at_work(world, {}) as talk:
        line = "Another memory plugin is active: LivingMemory, Mnemosyne."
        assert (
            f"{line} Each plugin adds its own memories to every request, so the tokens double"
            in await talk.root("ltm status")
        )
        assert "另有记忆插件处于启用状态：LivingMemory, Mnemosyne。" in await talk.root("记忆 状态")
    world.memory_plugins = ()
    async with at_work(world, {}) as talk:
        assert "memory plugin" not in await talk.root("ltm status")


async def test_one_memory_is_one_and_two_are_two(talk: Talk) -> None:
    assert await talk.says("ltm list") == "I have no memories from you here."
    await talk.says("ltm add my bike is blue")
    assert (await talk.says("ltm list")).startswith("1 memory from you, page 1 of 1:")
    await talk.says("ltm add my car is red")
    assert (await talk.says("ltm list")).startswith("2 memories from you")
    assert (await talk.says("ltm list 7")) == "There is only 1 page of up to 10 memories."
    assert "of the type preference" in await talk.says("ltm list preference")
    for kind in ("task_state", "task state", "Task State 2", "2 task state"):
        assert "of the type task state" in await talk.says(f"ltm list {kind}")
    assert await talk.says("ltm list tasky") == await talk.says("ltm list task state profile")
    assert "of the type" not in await talk.says("ltm list tasky")


async def test_what_may_name_any_memory_is_answered_with_the_numbers_that_there_are(talk: Talk) -> None:
    await talk.tells("I have three cats. I live in Oslo")
    await talk.says("记忆 列表")
    for vague in ("两条", "两个"):
        said = await talk.says(f"记忆 忘记 {vague}")
        assert said == f"“{vague}”可能指不止一条。请改发序号：上一次列表里有第 1-2 条。"
    assert await talk.says("记忆 依据 二") == await talk.says("记忆 依据 2")


async def test_a_later_page_alone_says_which_numbers_it_has(tmp_path: Path) -> None:
    async with talking(tmp_path, {"write_policy": {"max_writes_per_session": 100}}) as talk:
        for liked in LIKED:
            await talk.tells(f"I like {liked}")
        more = (await talk.says("记忆 列表 偏好")).splitlines()[-3:]
        assert more[0] == "更多：/记忆 列表 偏好 2"
        assert more[2].startswith("不限类型：11 条记忆尚未使用。")
        assert (await talk.says("记忆 列表")).startswith("你的记忆共 11 条")
        await talk.says("记忆 列表 偏好 2")
        assert await talk.says("记忆 保留 1 3") == "上一次列表里没有第 1 条，只有第 11 条。见 /记忆 列表"
        assert (await talk.says("记忆 保留 11")).startswith("从现在起使用：")


async def test_a_long_list_comes_in_pages(talk: Talk) -> None:
    for number in range(12):
        await talk.says(f"ltm add shelf {number} holds jam number {number}")
    first = await talk.says("ltm list")
    assert first.startswith("12 memories from you, page 1 of 2:")
    assert first.endswith("More: /ltm list 2")
    assert len((await talk.says("ltm list 2")).splitlines()) == 3


async def test_a_fact_too_long_to_keep_is_refused_with_the_limit(talk: Talk) -> None:
    said = await talk.says(f"ltm add {'x' * 501}")
    assert "501 characters" in said
    assert "at most 500" in said
    assert await talk.says("ltm list") == "I have no memories from you here."
    assert (await talk.says(f"ltm add {'x' * 500}")).startswith("I will remember")


async def test_a_sentence_is_saved_without_the_word_before_it_and_not_against_its_own_words(
    talk: Talk,
) -> None:
    assert (await talk.says("ltm remember that my sister has a boat")).startswith(
        "I will remember: my sister has a boat ("
    )
    assert (await talk.says("ltm remember that boat is red")).startswith(
        "I will remember: that boat is red ("
    )
    for said in ("ltm add I am pregnant, but don't save this", "记忆 记 我怀孕了，别记这个"):
        assert (await talk.says(said)).startswith(("I did not save it", "没有保存")), said
    assert "501 个字符" in await talk.says(f"记忆 记 {'好' * 501}")


async def test_who_pauses_is_not_recalled_anywhere_until_the_end_of_it(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    assert (await talk.memory.recall(ALICE, "Which colour has my bike?")).block
    assert (await talk.says("ltm pause", group("alice"))).startswith("Paused:")
    assert (await talk.says("ltm pause")).startswith("Already paused for you.")
    assert (await talk.memory.recall(ALICE, "Which colour has my bike?")).block == ""
    assert "blue" in await talk.says("ltm list")
    assert (await talk.says("ltm resume")).startswith("Resumed")
    assert await talk.says("ltm resume") == "Your memory was not paused."
    await talk.says("记忆 暂停")
    assert (await talk.says("记忆 恢复 继续")).startswith("已恢复")
    assert (await talk.memory.recall(ALICE, "Which colour has my bike?")).block


async def test_what_an_operator_paused_is_said_to_be_theirs_to_end(talk: Talk) -> None:
    await talk.memory.pausing.account("plat:alice", on=True, actor="operator:plat:root")
    why = "an admin has paused your memory; only an admin can resume it."
    for command in ("resume", "pause"):
        assert await talk.says(f"ltm {command}") == f"Not done: {why}"
    assert await talk.says("ltm add my bike is blue") == f"I did not save it: {why}"
    assert await talk.says("记忆 恢复") == "没有执行：管理员已暂停你的记忆，只有管理员可以恢复。"


async def test_who_pauses_pauses_for_nobody_else(talk: Talk) -> None:
    await talk.says("ltm pause")
    said = await talk.says("ltm add my bike is blue", private("bob"))
    assert said.startswith("I will remember")
    assert (await talk.memory.recall(private("bob"), "Which colour has my bike?")).block


async def test_an_explicit_save_while_paused_is_refused_with_the_reason(talk: Talk) -> None:
    await talk.says("记忆 暂停")
    assert "memory is paused at your own request" in await talk.says("ltm add my bike is blue")
    assert "应你的要求，记忆已暂停" in await talk.says("记忆 记 我的车是蓝色的")
    assert sum((await talk.memory.status.counts()).events.values()) == 0
    assert (await talk.says("ltm list")).splitlines()[1:] == ["I have no memories from you here."]
    assert (await talk.says("记忆 恢复")).startswith("已恢复")
    assert (await talk.says("ltm add my bike is blue")).startswith("I will remember")


async def test_what_is_said_while_paused_is_never_learnt(talk: Talk) -> None:
    await talk.says("ltm pause")
    await talk.tells("My name is Alice")
    await talk.says("ltm resume")
    await talk.tells("I live in Oslo")
    said = await talk.waits_for("Oslo", "ltm list")
    assert "name is Alice" not in said


async def test_the_accounts_of_one_person_are_paused_together(tmp_path: Path) -> None:
    raw = {"identity": {"cross_platform_aliases": ["plat:phone=plat:alice"]}}
    async with talking(tmp_path, raw) as talk:
        await talk.says("ltm pause", private("phone"))
        assert "paused at your own request" in await talk.says("ltm add my bike is blue")
        assert "\nPaused: 1 person. Nothing" in await talk.root("ltm status")
        assert (await talk.says("ltm resume")).startswith("Resumed")
        assert (await talk.says("ltm add x is y", private("phone"))).startswith("I will remember")


async def test_an_account_that_is_joined_no_more_stays_paused(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with at_work(world, {"identity": {"cross_platform_aliases": ["plat:phone=plat:alice"]}}) as talk:
        await talk.says("ltm pause")
    async with at_work(world, {}) as talk:
        assert "paused at your own request" in await talk.says("ltm add my bike is blue", private("phone"))


async def test_only_an_admin_pauses_a_group_and_only_in_one(talk: Talk) -> None:
    assert await talk.says("ltm pause group", group("alice")) == "Only an admin may do that."
    assert (await talk.root("ltm pause group")).startswith("This command is for groups")
    assert (await talk.root("ltm resume 群")).startswith("这个命令只能在群里使用")


async def test_in_a_paused_group_nothing_is_kept_or_recalled_and_elsewhere_it_is(talk: Talk) -> None:
    kitchen, office = group("alice", "kitchen"), group("alice", "office")
    await talk.says("ltm add my bike is blue", kitchen)
    assert (await talk.root("ltm pause group", group("root", "kitchen"))).startswith("Paused for this group")
    assert (await talk.root("ltm pause group", group("root", "kitchen"))).startswith(
        "Already paused for this"
    )
    assert (await talk.memory.recall(kitchen, "my bike")).block == ""
    assert "an admin has paused memory in this group" in await talk.says("ltm add my car is red", kitchen)
    await talk.tells("I live in Oslo", kitchen)
    assert (await talk.says("ltm add my boat is green", office)).startswith("I will remember")
    assert "Oslo" not in await talk.says("ltm list")
    assert (await talk.root("ltm resume group", group("root", "kitchen"))).startswith("Resumed")
    assert (await talk.root("ltm resume group", group("root", "kitchen"))).startswith("Memory was not paused")
    assert (await talk.memory.recall(kitchen, "my bike")).block


async def test_what_waits_is_shown_to_admins_oldest_first_with_its_reason(shadow: Talk) -> None:
    assert await shadow.root("ltm pending") == "No memory is pending approval."
    await shadow.tells("I live in Oslo")
    shadow.world.clock.move(timedelta(days=2))
    await shadow.tells("My name is Bob", private("bob"))
    said = await shadow.root("ltm pending")
    lines = said.splitlines()
    assert lines[0] == "Not approved yet: 2 memories, page 1 of 1:"
    assert lines[1].startswith("Reason: nobody has")
    assert "[profile] Alice: User lives in Oslo (2 days old)" in lines[2]
    assert "[profile] Bob: User's name is Bob (today)" in lines[3]
    assert lines[4:] == [
        (
            "To decide: /ltm approve <id>, /ltm approve all (skips disputed ones, those that would replace "
            "newer ones, and those that say otherwise than another), or /ltm reject <id>"
        )
    ]
    assert "Bob：User's name is Bob（今天）" in (await shadow.root("记忆 待批")).splitlines()[3]
    assert await shadow.root("ltm pending 2") == "There is only 1 page of up to 10 memories."
    shadow.world.clock.move(timedelta(hours=13))
    assert "Bob: User's name is Bob (1 day old)" in await shadow.root("ltm pending")


async def test_why_tells_an_admin_in_private_what_waits_and_nobody_else(shadow: Talk) -> None:
    await shadow.tells("I live in Oslo")
    memory_id = (await shadow.root("ltm pending")).splitlines()[2].split()[0]
    lines = (await shadow.root(f"ltm why {memory_id}")).splitlines()
    assert lines[0] == "[profile] Alice: User lives in Oslo"
    assert lines[-2].startswith('- "I live in Oslo" (Alice, ')
    assert lines[-1] == f"Admins: /ltm approve {memory_id}"
    said = await shadow.root(f"ltm why {memory_id}", group("root"))
    assert said.startswith("Everybody in the group can read this.")
    assert f"/ltm why {memory_id}" in said
    assert "Oslo" not in said
    unseen = "There is no memory"
    assert (await shadow.says(f"ltm why {memory_id}", private("bob"))).startswith(unseen)
    await shadow.root(f"ltm approve {memory_id}")
    approved = f"{memory_id} was approved and is in use. Here, only its owner may see it; "
    approved += "on the dashboard page, it is under Memories."
    assert await shadow.root(f"ltm why {memory_id}") == approved
    assert (await shadow.says(f"ltm why {memory_id}", private("bob"))).startswith(unseen)
    assert (await shadow.root(f"记忆 依据 {memory_id}")).startswith(f"{memory_id} 已批准")
    await shadow.says(f"ltm forget {memory_id}")
    assert (await shadow.root(f"ltm why {memory_id}")).startswith(unseen)


async def test_why_tells_an_admin_in_private_what_was_rejected_as_it_waited(shadow: Talk) -> None:
    await shadow.tells("I live in Oslo")
    await shadow.tells("I play the violin")
    oslo, violin = [line.split()[0] for line in (await shadow.root("ltm pending")).splitlines()[2:4]]
    await shadow.root(f"ltm reject {oslo}")
    lines = (await shadow.root(f"ltm why {oslo}")).splitlines()
    assert lines[0] == "[profile] Alice: User lives in Oslo"
    assert "an admin rejected it." in "\n".join(lines)
    assert lines[-2].startswith('- "I live in Oslo" (Alice, ')
    assert lines[-1] == "To bring it back, restore it on the dashboard page: Memories, Forgotten."
    assert (await shadow.root(f"记忆 依据 {oslo}")).splitlines()[-1].startswith("要找回它：")
    assert "Oslo" not in await shadow.root(f"ltm why {oslo}", group("root"))
    unseen = "There is no memory"
    assert (await shadow.says(f"ltm why {oslo}", private("bob"))).startswith(unseen)
    await shadow.root(f"ltm approve {violin}")
    kept = f"{violin} was approved and is in use."
    assert (await shadow.root(f"ltm reject {violin}")).startswith(kept)
    assert (await shadow.root(f"ltm approve {violin}")).startswith(kept)


async def test_only_what_the_admin_sees_in_a_chat_is_decided_there(shadow: Talk) -> None:
    await shadow.says("ltm add my bike is blue")
    await shadow.tells("I live in Oslo")
    oslo, bike = [line.split()[1] for line in (await shadow.says("ltm list")).splitlines()[1:3]]
    office = group("root")
    for command in ("why", "approve", "reject"):
        said = await shadow.root(f"ltm {command} {bike}")
        assert said.startswith(f"There is no memory {bike} that you can see")
        said = await shadow.root(f"ltm {command} {oslo}", office)
        assert f"Send it to me in a private chat: /ltm {command} {oslo}" in said
    assert (await shadow.root("ltm approve all")).startswith("Approved: 1 memory.")
    for command in ("why", "approve", "reject"):
        assert (await shadow.root(f"ltm {command} {oslo}")).startswith(f"{oslo} was approved and is in use.")
        assert "here is no memory" in await shadow.root(f"ltm {command} {oslo}", office)
    said = await shadow.says("ltm list")
    assert "blue" in said
    assert "not used yet" not in said
    # An admin's own, in use, is theirs to see.
    await shadow.root("ltm add my car is red")
    car = (await shadow.root("ltm list")).splitlines()[1].split()[1]
    assert (await shadow.root(f"ltm reject {car}")).startswith(f"Rejected: my car is red ({car}).")


async def test_in_a_group_the_words_of_what_waits_are_not_shown(shadow: Talk) -> None:
    await shadow.tells("I live in Oslo")
    said = await shadow.root("ltm pending", group("root"))
    assert "Oslo" not in said
    assert said.splitlines()[:-1] == [
        "Not approved yet: 1 memory, page 1 of 1:",
        "1 of this page is shown in a private chat only. Send me there: /ltm pending",
    ]
    chinese = await shadow.root("记忆 待批", group("root"))
    assert "本页有 1 条只在私聊中显示。请私聊我发送：/记忆 待审核" in chinese
    assert "a private chat" not in await shadow.root("ltm pending")


async def test_in_a_group_the_reason_tells_no_words_of_what_waits_either(tmp_path: Path) -> None:
    async with talking(tmp_path, {"extraction": {"batch_turns": 1, "idle_seconds": 1}}) as talk:
        talk.world.model.answer = (
            '[{"type": "profile", "fact": "User works on 7 old engines", "confidence": 0.9,'
            ' "importance": 0.5, "quote": "I work on old engines"}]'
        )
        await talk.tells("I work on old engines")
        said = await talk.waits_for("engines", "ltm pending", admin=True)
        assert "\nReason: its evidence lacks a name or number\n" in said
        assert "Alice: User works on 7 old engines (not in its evidence: 7) (today)\n" in said
        said = await talk.root("ltm pending", group("root"))
        assert "Reason" not in said
        assert "7" not in said


async def test_what_waits_and_expires_soon_says_when(tmp_path: Path) -> None:
    async with talking(tmp_path, {"retention_days": {"profile": 8}}) as talk:
        await talk.tells("I live in Oslo")
        assert "expires" not in await talk.root("ltm pending")
        talk.world.clock.move(timedelta(days=1))
        assert "Oslo (1 day old, expires 2025-06-09)" in await talk.root("ltm pending")
        assert "1 of them expires within 7 days" in await talk.root("ltm status")


LIKED = "jazz chess hiking cooking cats dogs tea coffee football photography sushi".split()  # noqa: SIM905


async def test_many_that_wait_come_in_pages(tmp_path: Path) -> None:
    plenty = {"max_writes_per_session": 100, "max_writes_per_hour": 100}
    async with talking(tmp_path, {"write_policy": plenty}) as talk:
        for liked in LIKED:
            await talk.tells(f"I like {liked}")
        said = await talk.root("ltm pending")
        assert said.startswith("Not approved yet: 11 memories, page 1 of 2:")
        assert "\nMore: /ltm pending 2\n" in said


async def test_approved_and_rejected_items_wait_no_more(shadow: Talk) -> None:
    await shadow.tells("I live in Oslo. My name is Alice. I'm allergic to peanuts")
    ids = [line.split()[0] for line in (await shadow.root("ltm pending")).splitlines()[2:-1]]
    approved = await shadow.root(f"ltm approve {ids[0]}")
    assert approved.startswith("Approved: User")
    assert approved.endswith(f" ({ids[0]})")
    assert (await shadow.root(f"ltm reject {ids[1]}")).startswith("Rejected: User")
    over = f"({ids[1]}) - an admin rejected it. To bring it back, restore it on the dashboard page: Memories,"
    for command in ("reject", "approve"):
        assert over in await shadow.root(f"ltm {command} {ids[1]}")
    assert await shadow.root("ltm approve all please") == (
        "Approved: 1 memory. It is used from now on. "
        "For 10 minutes, Review on the dashboard page can undo this."
    )
    assert await shadow.root("ltm approve all") == "No memory is pending approval."
    await shadow.tells("I live in Oslo. My name is Alice. I'm allergic to peanuts")
    assert await shadow.root("ltm pending") == "No memory is pending approval."


async def test_several_are_approved_or_rejected_by_their_ids(shadow: Talk) -> None:
    await shadow.tells("I live in Oslo. My name is Alice. I'm allergic to peanuts. I like tea")
    ids = [line.split()[0] for line in (await shadow.root("ltm pending")).splitlines()[2:-1]]
    approved = (await shadow.root(f"ltm approve {ids[0]}, {ids[1]} ffffffff")).splitlines()
    assert [line.partition(":")[0] for line in approved[:2]] == ["Approved"] * 2
    assert approved[2] == "There is no memory ffffffff that you can see."
    rejected = (await shadow.root(f"ltm reject {ids[2]} {ids[3]}")).splitlines()
    assert [line.partition(":")[0] for line in rejected] == ["Rejected"] * 2
    for no_id in ("reject all", "reject 2", "批准 第二条"):
        assert "pending" in (said := await shadow.root(f"ltm {no_id}")) or "待审核" in said, no_id


async def test_an_approval_tells_what_it_replaces(shadow: Talk) -> None:
    await shadow.says("ltm add I live in Delft")
    await shadow.tells("I live in Utrecht")
    utrecht = (await shadow.root("ltm pending")).splitlines()[2].split()[0]
    said = (await shadow.root(f"ltm approve {utrecht}")).splitlines()
    assert said == [f"Approved: User lives in Utrecht ({utrecht})", "It replaces: User lives in Delft"]
    await shadow.tells("I live in Oslo")
    lines = (await shadow.root("ltm pending")).splitlines()
    oslo = lines[2].split()[0]
    before = "Approving it replaces: User lives in Utrecht"
    assert (lines[3], (await shadow.root(f"ltm why {oslo}")).splitlines()[-2]) == (before, before)
    assert "Utrecht" not in await shadow.root("ltm pending", group("root"))
    assert "批准后会取代：User lives in Utrecht" in (await shadow.root("记忆 待批")).splitlines()
    said = (await shadow.root(f"ltm approve {oslo}")).splitlines()
    assert said == [f"Approved: User lives in Oslo ({oslo})", "It replaces: User lives in Utrecht"]
    await shadow.tells("I live in Bergen. I like tea")
    said = (await shadow.root("ltm approve all")).splitlines()
    assert said[0].startswith("Approved: 2 memories.")
    assert said[1:] == ["It replaces: User lives in Oslo"]
    await shadow.tells("I live in Turku")
    said = (await shadow.root("ltm approve all", group("root"))).splitlines()
    assert said[1:] == ["1 memory in use was replaced."]


async def test_what_is_in_doubt_is_left_for_a_look_of_its_own(tmp_path: Path) -> None:
    raw = {"extraction": {"batch_turns": 1, "idle_seconds": 1}}
    async with talking(tmp_path, raw) as talk:
        talk.world.model.answer = LLAMAS
        await talk.tells("The weather is nice, isn't it")
        await talk.waits_for("llamas", "ltm pending", admin=True)
        status = await talk.root("ltm status")
        assert "Not approved yet: 1 memory (0 shadow, 1 pending). See /ltm pending" in status
        assert "- 1: " in status
        assert (await talk.root("ltm approve all")).startswith(
            "Nothing was approved: 1 is disputed, or older"
        )


async def test_the_status_tells_how_the_memory_is_doing(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    said = await talk.root("ltm status")
    assert said.startswith("Long-term memory 1.2.3\nState: on\nMode for learnt facts: auto")
    assert "Memories: 1 in use, 0 shadow" in said
    assert "Tokens today (UTC): 0 of 200000, in 0 calls" in said
    assert "Paused" not in said
    assert "Last error" not in said
    assert "今日（UTC）token：0/200000" in await talk.root("记忆 状态")


async def test_the_mode_is_told_and_changed(talk: Talk) -> None:
    assert (await talk.root("ltm mode")).startswith("Mode for learnt facts: auto")
    assert await talk.root("ltm mode MANUAL") == "Mode for learnt facts is now manual (each needs approval)."
    assert (await talk.root("ltm mode manual")).startswith("Mode for learnt facts is already manual")


async def test_failed_messages_are_told_of_and_tried_again(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    failed = an_event(extraction=Extraction.FAILED, attempts=10, last_error="the model is gone")
    async with opened(migrated(world.file)) as database, Store(database, world.clock).transaction() as tx:
        await tx.add_events([failed])
    async with at_work(world, {"extraction": {"daily_token_cap": 0}}) as talk:
        said = await talk.root("ltm status")
        assert "Messages that failed: 1. To process it again: /ltm retry" in said
        assert "Last error, for a message of 2025-06-01 12:00 UTC: the model is gone" in said
        assert "/记忆 重试" in await talk.root("记忆 状态")
        assert await talk.root("ltm retry") == "Processing 1 message again."
        assert await talk.root("记忆 重试") == "没有失败的消息。"
        said = await talk.root("ltm status")
        assert "Messages that failed" not in said
        assert "Last error" not in said


@dataclass
class DownChatModel(ScriptedChatModel):
    """Answers nobody for now."""

    down: bool = True

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        if self.down:
            raise UnavailableError("chat provider: cannot be reached (ConnectError)", cost_nothing=True)
        return await super().complete(umo=umo, system=system, prompt=prompt)


async def test_a_provider_that_answers_nobody_is_told_of_until_it_answers(tmp_path: Path) -> None:
    model = DownChatModel()
    world = World(tmp_path / "host.db", model)
    async with at_work(world, {"extraction": {"batch_turns": 1}}) as talk:
        assert "Extraction model: available" in await talk.root("ltm status")
        await talk.tells("There is basil on my balcony")
        said = await talk.waits_for("Extraction model: does not answer, see above", "ltm status", admin=True)
        assert (
            'State: on\n- setting "Extraction model": the model provider has not answered since'
            " 2025-06-01 12:00 UTC: chat provider: cannot be reached (ConnectError). Messages are queued;"
            " the next attempt is at 12:00:30 UTC. Check this provider in AstrBot\n"
        ) in said
        assert "- 设置“提取模型”：模型 provider 自 2025-06-01 12:00 UTC 起没有响应" in await talk.root(
            "记忆 状态"
        )
        [problem] = (await talk.service.health()).problems
        assert f'- setting "Extraction model": {problem.why}' in said.splitlines()
        model.down = False
        world.clock.move(timedelta(minutes=1))
        await talk.tells("And mint")
        said = await talk.waits_for("Extraction model: available", "ltm status", admin=True)
        assert "has not answered" not in said


async def test_nothing_to_try_again_is_said(talk: Talk) -> None:
    assert await talk.root("ltm retry") == "There are no failed messages."


async def test_why_shows_the_words_and_where_they_were_said(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    line = (await talk.says("ltm list")).splitlines()[1]
    said = await talk.says(f"ltm why {line.split()[1]}")
    assert '- "I live in Oslo" (you, 2025-06-01 12:00 UTC)' in said
    assert "Said in this chat." in said
    assert "1 piece of evidence" in said
    assert (await talk.says("ltm why ffffffff")).startswith("There is no memory ffffffff")
    assert (await talk.says(f"ltm why {line.split()[1]}", private("bob"))).startswith("There is no memory")


async def test_why_shows_what_a_memory_took_the_place_of(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    talk.world.clock.move(timedelta(days=3))
    await talk.tells("I live in Berlin now")
    found = await talk.waits_for("Berlin", "ltm list")
    assert "Oslo" not in found
    berlin = next(line.split()[1] for line in found.splitlines() if "Berlin" in line)
    said = await talk.says(f"ltm why {berlin}")
    assert "It replaced:\n- User lives in Oslo (2025-06-01 to 2025-06-04)" in said


async def test_why_of_a_memory_that_waits_says_what_it_waits_for(shadow: Talk) -> None:
    await shadow.tells("I live in Oslo")
    line = (await shadow.says("ltm list")).splitlines()[1]
    assert line.endswith("(not used yet; you may accept it)")
    said = await shadow.says(f"ltm why {line.split()[1]}")
    assert "Not used because: nobody has accepted it yet." in said
    assert "It replaced" not in said


async def test_why_shows_some_of_many_words_and_of_a_long_history(talk: Talk) -> None:
    for place in range(7):
        talk.world.clock.move(timedelta(days=1))
        await talk.tells(f"I live in {CITIES[place]}")
    for _ in range(6):
        talk.world.clock.move(timedelta(days=1))
        await talk.tells(f"I live in {CITIES[6]}")
    line = (await talk.says("ltm list")).splitlines()[1]
    lines = (await talk.says(f"ltm why {line.split()[1]}")).splitlines()
    quotes, older = lines.index("Evidence:"), lines.index("It replaced:")
    assert lines[older - 1] == "and 2 more"
    assert older - quotes == 7
    assert [one.split(" (")[0] for one in lines[older + 1 : -1]] == [
        f"- User lives in {city}" for city in reversed(CITIES[1:6])
    ]
    assert lines[-1] == "and 1 more"


async def test_whom_a_waiting_memory_is_about_and_who_told_it_is_shown(tmp_path: Path) -> None:
    raw = {"extraction": {"batch_turns": 1, "idle_seconds": 1}}
    async with talking(tmp_path, raw) as talk:
        talk.world.model.answer = (
            '[{"type": "profile", "fact": "Bob owns a boat", "person": "Bob", "about": "Bob",'
            ' "confidence": 0.9, "importance": 0.5, "quote": "Bob owns a boat"}]'
        )
        await talk.tells("By the way, Bob owns a boat", group("alice"))
        said = await talk.waits_for("boat", "ltm pending", admin=True)
        assert "Bob owns a boat (about Bob, told by Alice) (today)" in said


class NoConfigFile(World):
    """The host's config cannot be written, or breaks whoever writes it."""

    error: type[Exception] = OSError

    async def _keep_policies(self, policies: PoliciesJson) -> None:
        raise self.error(f"no space left for {policies}")

    async def _save_read_only(self, on: bool) -> None:
        raise self.error(f"no space left for {on}")


async def test_a_switch_that_cannot_be_kept_is_said_to_be_in_force(tmp_path: Path) -> None:
    said = "Done, but the settings file cannot be written: the change is lost at the next restart."
    async with at_work(NoConfigFile(tmp_path / "host.db"), {}) as talk:
        assert await talk.root("ltm mode manual") == said
        assert await talk.root("ltm mode") != said
        assert await talk.root("ltm readonly on") == said
        assert (await talk.root("ltm readonly")).startswith("Read-only: nothing is written.")
        assert await talk.root("记忆 只读 关") == "已生效，但无法写入配置文件：下次重启后失效。"
        assert await talk.root("ltm readonly off") == "Not read-only."


async def test_a_command_that_breaks_says_so_and_the_log_says_what(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = NoConfigFile(tmp_path / "host.db")
    world.error = RuntimeError
    async with at_work(world, {}) as talk:
        assert await talk.root("ltm mode manual") == "Something went wrong; see the log of the bot."
    assert "The command mode failed." in caplog.text


async def test_what_is_forgotten_is_gone_and_a_short_id_must_fit_one(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.says("ltm add my car is red")
    lines = (await talk.says("ltm list")).splitlines()[1:]
    assert (await talk.says("ltm forget 0000")).startswith(
        "Several memories have an id that begins with 0000"
    )
    assert (await talk.says(f"ltm forget {lines[0].split()[1]}")).startswith("Forgotten: ")
    assert (await talk.says("ltm list")).startswith("1 memory")


async def test_a_read_only_memory_says_so(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with at_work(world, {}):
        pass
    async with at_work(world, {"emergency_read_only": True}) as talk:
        refused = "The memory is read-only; nothing was changed."
        assert await talk.says("ltm add my bike is blue") == refused
        assert (await talk.says("ltm pause")).startswith(f"{refused} Memories are still used; you")
        assert await talk.root("ltm retry") == refused
        assert "Read-only: nothing is written" in await talk.root("ltm status")


async def test_what_is_read_while_the_list_is_made_does_not_make_the_memory_read_only(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk.tells("The weather is strange in these parts")

    async def read_by_then(*_: object, **__: object) -> Mapping[tuple[str, str], datetime]:
        return {}

    monkeypatch.setattr(StoredEventQueue, "extraction_at", read_by_then)
    assert await talk.says("ltm list") == "I have no memories from you here."


async def test_the_list_and_the_status_say_when_what_was_said_is_read(talk: Talk) -> None:
    await talk.tells("The weather is strange in these parts")
    unread = (
        "The model may learn more from 1 of your messages; the next extraction is at 2025-06-01 12:02 UTC."
    )
    assert await talk.says("ltm list") == f"I have no memories from you here.\n{unread}"
    more = "还有你的 1 条消息尚未处理，预计 2025-06-01 12:02 UTC。"
    assert more in await talk.says("记忆 列表")
    for number in ("1", "#2.", "第3条"):
        assert (await talk.says(f"记忆 记 {number}")).startswith("没有保存，只有一个数字")
    assert "a number alone is no fact" in await talk.says("ltm add 1")
    await talk.says("ltm add my bike is blue")
    assert (await talk.says("ltm list")).splitlines()[-1] == unread
    assert "Next extraction: 2025-06-01 12:02 UTC" in await talk.root("ltm status")
    talk.world.clock.move(timedelta(minutes=2))
    assert (await talk.says("ltm list")).splitlines()[-1] == (
        "The model may learn more from 1 of your messages any moment now."
    )
    assert (await talk.says("记忆 列表")).splitlines()[-1] == "还有你的 1 条消息尚未处理，马上就会处理。"
    await talk.root("ltm readonly on")
    assert (await talk.says("ltm list")).endswith("no message is processed while the memory is read-only.")
    assert "Next extraction" not in await talk.root("ltm status")


async def test_of_several_ids_each_is_told_why_a_group_may_not_decide(shadow: Talk) -> None:
    for said in ("I like coffee", "I live in Oslo"):
        await shadow.tells(said)
    ids = [line.split()[1] for line in (await shadow.says("ltm list")).splitlines()[1:3]]
    told = await shadow.root(f"ltm approve {' '.join(ids)}", group("root"))
    assert told.count("Send it to me in a private chat") == 2


async def test_why_of_what_is_in_use_says_nothing_of_approving(talk: Talk) -> None:
    await talk.tells("I like coffee")
    talk.world.clock.move(timedelta(seconds=1))
    await talk.tells("I don't like coffee", group("alice"))
    assert "approving it" not in await talk.says("ltm why 1") + await talk.says("ltm why 2")
