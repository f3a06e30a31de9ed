"""`/ltm forget all` and `/ltm erase`: asked for twice, and then gone."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.commands.changing import what_is_left
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager.erasing import Erased
from astrbot_plugin_ltm.long_term_memory.manager.linking import ALPHABET, LENGTH
from astrbot_plugin_ltm.long_term_memory.messages import Messages

from tests.running import AUTO, World, group, private
from tests.test_commands import Talk, at_work, talking

HOSTS = "AstrBot keeps its own copy of the chat: /reset clears the current conversation"
WRONG = "Nothing was erased: this code is wrong"


def code_in(said: str) -> str:
    [code] = re.findall(r"\b\d{6}\b", said)
    return code


async def everything(talk: Talk) -> list[str]:
    """Each fact that is stored, whatever became of it."""
    return [item.fact for item in (await talk.memory.browsing.items(ItemFilter())).rows]


async def test_who_asks_twice_is_forgotten_whole(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.says("ltm add my boat is green", private("bob"))
    asked = await talk.says("ltm forget all")
    assert asked.endswith(f"send within 60 seconds: /ltm forget all {code_in(asked)}")
    assert "my bike is blue" in await talk.says("ltm list")
    lines = (await talk.says(f"ltm forget all {code_in(asked)}")).splitlines()
    assert lines[0].startswith("Erased: 1 memory and 1 message, my replies counted.")
    assert lines[-1].startswith(HOSTS)
    assert await everything(talk) == ["my boat is green"]


async def test_where_nothing_is_kept_there_is_nothing_to_erase(talk: Talk) -> None:
    code = code_in(await talk.says("ltm forget all"))
    assert (await talk.says(f"ltm forget all {code}")).startswith("There was nothing to erase.\n")


@pytest.mark.parametrize("blank", [" ", "\u3000", "\n"])
async def test_forgetting_all_in_chinese(talk: Talk, blank: str) -> None:
    await talk.says("记忆 记 我的自行车是蓝色的")
    asked = await talk.says("记忆 忘记 全部")
    assert asked.endswith(f"/记忆 忘记 全部 {code_in(asked)}")
    said = await talk.says(f"记忆 忘记 所有{blank}{code_in(asked)}")
    assert said.startswith("已抹除 1 条记忆和 1 条消息")
    assert "用 /reset 清空当前对话" in said
    assert await everything(talk) == []


@pytest.mark.parametrize(
    "typed",
    [
        "ltm delete my data",
        "ltm forget all memories",
        "ltm delete all my memories",
        "ltm forget me",
        "ltm forget everything you know about me, please",
        "记忆 忘记 我",
        "记忆 忘记 所有记忆",
        "记忆 删除 我的数据",
        "记忆 删除全部",
        "记忆 删除所有",
        "记忆 清除记忆",
        "记忆 忘记 关于我的一切",
    ],
)
async def test_who_wants_everything_gone_is_asked_for_the_code_whatever_they_call_it(
    talk: Talk, typed: str
) -> None:
    await talk.says("ltm add my bike is blue")
    assert (await talk.confirms(typed)).startswith(("Erased: 1 memory", "已抹除 1 条记忆"))


@pytest.mark.parametrize(
    "typed",
    [
        "ltm forget my bike",
        "ltm forget all about my bike",
        "ltm forget all 3 bikes",
        "ltm forget theme",
        "ltm forget the meme",
        "ltm forget metadata",
        "记忆 忘记 我2025年的车",
    ],
)
async def test_what_is_said_of_one_thing_is_not_everything(talk: Talk, typed: str) -> None:
    said = await talk.says(typed)
    assert said.startswith(("I have no memories", "没有找到"))


@pytest.mark.parametrize(("seconds", "gone"), [(59, True), (61, False)])
async def test_the_code_is_good_for_a_minute(talk: Talk, seconds: int, *, gone: bool) -> None:
    await talk.says("ltm add my bike is blue")
    code = code_in(await talk.says("ltm forget all"))
    talk.world.clock.move(timedelta(seconds=seconds))
    said = await talk.says(f"ltm forget all {code}")
    assert said.startswith("Erased:" if gone else WRONG)
    assert (await everything(talk) == []) is gone


async def test_the_code_is_good_once_and_for_its_person_only(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.says("ltm add my boat is green", private("bob"))
    code = code_in(await talk.says("ltm forget all"))
    assert (await talk.says(f"ltm forget all {code}", private("bob"))).startswith(WRONG)
    assert len(await everything(talk)) == 2
    assert (await talk.says(f"ltm forget all {code}")).startswith("Erased:")
    await talk.says("ltm add my car is red")
    assert (await talk.says(f"ltm forget all {code}")).startswith(WRONG)
    assert (await talk.says("记忆 忘记 全部 000000")).startswith("没有抹除任何内容")
    assert sorted(await everything(talk)) == ["my boat is green", "my car is red"]


async def test_in_a_group_nobody_forgets_everything(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    code = code_in(await talk.says("ltm forget all"))
    for command in ("forget all", f"forget ALL {code}"):
        said = await talk.says(f"ltm {command}", group("alice"))
        assert said.endswith("Send it to me in a private chat: /ltm forget all")
    assert (await talk.says("记忆 忘记 全部", group("alice"))).endswith("请私聊我发送：/记忆 忘记 全部")
    assert await everything(talk) == ["my bike is blue"]


async def test_an_admin_erases_an_account(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.says("ltm add my boat is green", private("bob"))
    asked = await talk.root("ltm erase plat:alice")
    assert asked.endswith(f"/ltm erase plat:alice {code_in(asked)}")
    assert len(await everything(talk)) == 2
    lines = (await talk.root(f"ltm erase plat:alice {code_in(asked)}")).splitlines()
    assert lines[0] == "Erased for plat:alice: 1 memory and 1 message, the bot's replies counted."
    assert lines[-1].startswith(HOSTS)
    assert await everything(talk) == ["my boat is green"]


async def test_the_code_for_one_account_erases_no_other(talk: Talk) -> None:
    await talk.says("ltm add my boat is green", private("bob"))
    await talk.says("ltm add my bike is blue")
    code = code_in(await talk.root("记忆 抹除 plat：alice"))
    assert (await talk.root(f"ltm erase plat:bob {code}")).startswith(
        "Nothing was erased: this code is wrong"
    )
    assert (await talk.root(f"记忆 抹除 plat:bob {code}")).startswith("没有抹除任何内容")
    assert (await talk.root(f"ltm erase plat:alice {code}")).startswith("Erased for plat:alice")
    assert await everything(talk) == ["my boat is green"]


@pytest.mark.parametrize("account", ["plat:nobody", "plat:al", "nowhere:alice"])
async def test_an_account_nobody_knows_is_named_as_such_and_gets_no_code(talk: Talk, account: str) -> None:
    await talk.says("ltm add my bike is blue")
    said = await talk.root(f"ltm erase {account}")
    assert said.startswith(f"Nothing is stored about {account}. An account is Bot ID, a colon and UID")
    assert (await talk.root(f"记忆 抹除 {account}")).startswith(f"没有保存 {account} 的任何内容")


async def test_an_account_of_which_only_messages_or_links_are_kept_is_known(talk: Talk) -> None:
    await talk.tells("Hm, well.", private("bob"))
    assert code_in(await talk.root("ltm erase plat:bob"))
    [code] = set(re.findall(rf"\b[{ALPHABET}]{{{LENGTH}}}\b", await talk.says("ltm link", private("home"))))
    await talk.says(f"ltm link {code}", private("phone"))
    assert (await talk.root("ltm erase plat:phone")).startswith("Nothing is stored about plat:phone.")
    for _ in range(2):
        await talk.says("ltm link confirm", private("home"))
    for account in ("plat:home", "plat:phone"):
        assert code_in(await talk.root(f"ltm erase {account}"))


async def test_what_is_erased_meanwhile_is_unknown_when_the_code_comes(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    codes = [code_in(await talk.root("ltm erase plat:alice", private(who))) for who in ("root", "boss")]
    assert (await talk.root(f"ltm erase plat:alice {codes[0]}")).startswith("Erased for plat:alice")
    said = await talk.root(f"ltm erase plat:alice {codes[1]}", private("boss"))
    assert said.startswith("Nothing is stored about plat:alice.")


async def test_what_only_a_snapshot_keeps_of_an_account_is_erased_too(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with at_work(world, AUTO) as talk:
        await talk.says("ltm add my bike is blue")
    world.markers.places = [None, None]  # the operator has deleted the data
    async with at_work(world, AUTO) as talk:
        for unknown in ("plat:bob", "other:alice", "plat:user"):
            told = await talk.root(f"ltm erase {unknown}")
            assert told.startswith(f"Nothing is stored about {unknown}."), told
        code = code_in(await talk.root("ltm erase plat:alice"))
        lines = (await talk.root(f"ltm erase plat:alice {code}")).splitlines()
        assert lines[0] == "Erased for plat:alice: 0 memories and 0 messages, the bot's replies counted."
        assert lines[1] == "Also deleted: 1 snapshot."
        assert not (await talk.memory.transferring.snapshots()).snapshots
        assert (await talk.root("ltm erase plat:alice")).startswith("Nothing is stored about plat:alice.")


@pytest.mark.parametrize("typed", ["plat:Alice Smith", "plat：Alice Smith"])
@pytest.mark.parametrize("spell", ["{}", "{}  ", "{:.3} {:.3}"], ids=["whole", "with blanks", "in two"])
async def test_an_account_whose_id_holds_blanks_is_erased(talk: Talk, typed: str, spell: str) -> None:
    await talk.says("ltm add my bike is blue", private("Alice Smith"))
    asked = await talk.root(f"ltm erase {typed}")
    code = code_in(asked)
    assert asked.endswith(f"/ltm erase plat:Alice Smith {code}")
    said = await talk.root(f"ltm erase {typed} {spell.format(code, code[3:])}")
    assert said.startswith("Erased for plat:Alice Smith: 1 memory")


async def test_of_one_id_behind_two_logins_only_the_one_that_is_named_is_erased(talk: Talk) -> None:
    for login, fact in (("telegram", "my bike is blue"), ("discord", "my boat is green")):
        await talk.says(f"ltm add {fact}", private(f"{login}:8123"))
    code = code_in((await talk.root("ltm erase plat:telegram:8123")).rpartition("8123")[2])
    said = await talk.root(f"ltm erase plat:telegram:8123 {code}")
    assert said.startswith("Erased for plat:telegram:8123: 1 memory")
    assert await everything(talk) == ["my boat is green"]


async def test_in_a_group_nobody_is_erased(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    for account in ("plat:alice", "plat:nobody", "1"):
        said = await talk.root(f"ltm erase {account}", group("root"))
        assert said.endswith(f"Send it to me in a private chat: /ltm erase {account}")
    assert await everything(talk) == ["my bike is blue"]


def test_bytes_that_are_still_to_be_overwritten_are_told_of() -> None:
    later = list(what_is_left(Erased(items=1, events=1, overwritten=False), Messages("en-US")))
    assert later[0].startswith("The data is deleted from all tables.")
    assert later[1:] == list(what_is_left(Erased(items=1, events=1), Messages("en-US")))


async def test_nobody_is_asked_for_a_code_that_could_not_be_used(tmp_path: Path) -> None:
    async with talking(tmp_path, AUTO) as talk:
        code = code_in(await talk.says("ltm forget all"))
        await talk.root("ltm readonly on")
        refused = "The memory is read-only; nothing was changed."
        assert await talk.says("ltm forget all") == refused
        assert await talk.says(f"ltm forget all {code}") == refused
