"""`/ltm search`: one's own memories by their words, as far as the chat may show them."""

from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, Scope
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import AUTO, group, private
from tests.stores import an_event, an_evidence, an_item, opened
from tests.test_commands import LLAMAS, Talk, talking


async def test_memories_are_found_by_their_words_in_english_and_chinese(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    await talk.says("ltm add my car is red")
    await talk.says("记忆 记 我喜欢熊猫")
    lines = (await talk.says("ltm search BIKES")).splitlines()
    assert lines[0] == "1 memory from you with these words, page 1 of 1:"
    assert lines[1].endswith("my bike is blue")
    assert "用户喜欢熊猫" in await talk.says("记忆 搜索 熊猫")
    assert await talk.says("ltm search submarine") == (
        "I have no memories from you here with these words: submarine. For all of them: /ltm list"
    )
    assert await talk.says("记忆 搜索 潜水艇") == "没有找到含“潜水艇”的记忆。查看全部：/记忆 列表"


async def test_who_nearly_all_memories_are_about_is_no_word_to_look_for(talk: Talk) -> None:
    await talk.says("ltm add I run a bakery in Wuxi")
    for command in ("search", "forget", "why", "share"):
        assert await talk.says(f"ltm {command} the user") == (
            "Nearly every memory is about the user. Be more precise, such as:"
            f" /ltm {command} tea - For all of them: /ltm list"
        )
    for command in ("搜索", "忘记"):
        assert await talk.says(f"记忆 {command} 用户") == (
            f"几乎每条记忆说的都是“用户”，请写得更具体，例如：/记忆 {command} 茶。查看全部：/记忆 列表"
        )
    await talk.says("ltm add my user name is kiki")
    assert "kiki" in await talk.says("ltm search user name")


@pytest.mark.parametrize(
    "words", ["what's my name?", "user-name", "C++", '"', "* OR x", "name: Alice", "(bike"]
)
async def test_any_words_can_be_searched_for(talk: Talk, words: str) -> None:
    await talk.says("ltm add my bike is blue")
    said = await talk.says(f"ltm search {words}")
    assert "wrong" not in said
    assert ("my bike is blue" in said) is ("bike" in words)


async def test_the_one_with_most_of_the_words_comes_first(talk: Talk) -> None:
    await talk.says("ltm add my red bike is in the cellar")
    await talk.says("ltm add my car is red")
    lines = (await talk.says("ltm search red bike")).splitlines()
    assert lines[1].endswith("my red bike is in the cellar")


async def test_what_is_only_asked_for_by_the_words_is_found_where_nothing_contains_them(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    await talk.tells("I work as a nurse")
    assert "nurse" not in await talk.says("ltm search live")
    assert "nurse" in await talk.says("ltm search job")


async def test_many_that_are_found_come_in_pages(talk: Talk) -> None:
    for number in range(12):
        await talk.says(f"ltm add shelf {number + 100} holds jam")
    first = await talk.says("ltm search jam shelf")
    assert first.startswith("12 memories from you with these words, page 1 of 2:")
    assert first.endswith("More: /ltm search jam shelf 2")
    second = (await talk.says("ltm search jam shelf 2")).splitlines()
    assert second[0].endswith("page 2 of 2:")
    assert len(second) == 3
    assert not set(second[1:]) & set(first.splitlines())
    assert (await talk.says("记忆 搜索 jam")).endswith("更多：/记忆 搜索 jam 2")


async def test_a_number_that_is_no_page_is_a_word(talk: Talk) -> None:
    for number in range(12):
        await talk.says(f"ltm add shelf {number + 100} holds jam")
    lines = (await talk.says("ltm search shelf 107")).splitlines()
    assert lines[1].endswith("shelf 107 holds jam")
    assert "shelf 103 holds jam" in await talk.says("ltm search 103")


async def test_what_is_not_in_use_yet_is_found_and_marked(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I live in Oslo")
        assert (await talk.says("ltm search Oslo")).endswith("(not used yet; you may accept it)")


async def test_what_is_over_or_forgotten_is_not_found(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    talk.world.clock.move(timedelta(days=1))
    await talk.tells("I live in Berlin now")
    await talk.says("ltm add my bike is blue")
    found = await talk.says("ltm search bike")
    await talk.says(f"ltm forget {found.splitlines()[1].split()[1]}")
    assert "Oslo" not in (await talk.says("ltm search lives in Oslo")).partition("\n")[2]
    assert "Berlin" in await talk.says("ltm search Berlin")
    assert (await talk.says("ltm search bike")).startswith("I have no memories")


async def test_what_was_said_elsewhere_is_not_found_in_a_group(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    said = await talk.says("ltm search bike", group("alice"))
    assert "blue" not in said
    hidden = said.replace("bike", "x")
    assert hidden == (await talk.says("ltm search plane", group("alice"))).replace("plane", "x")


async def test_the_words_it_was_said_in_elsewhere_do_not_find_a_memory_in_a_group(talk: Talk) -> None:
    kitchen = group("alice")
    alice = ScopeRef(scope=Scope.USER, scope_id="plat:alice")
    place = ScopeRef(scope=Scope.GROUP, scope_id="plat:GroupMessage:kitchen")
    bike = an_item("Alice has a blue bike", owner=alice, level=Level.PUBLIC)
    here = an_event("My bike is azure", owner=alice, at_scope=place, level=Level.PUBLIC)
    there = an_event("My bike is cerulean", owner=alice, at_scope=alice, level=Level.PUBLIC)
    async with opened(talk.world.file) as database, Store(database, talk.world.clock).transaction() as tx:
        await tx.add_events([here, there])
        await tx.insert_item(bike, [an_evidence(bike, here), an_evidence(bike, there)])
    assert "blue" in await talk.says("ltm search azure", kitchen)
    assert "blue" not in await talk.says("ltm search cerulean", kitchen)
    assert "blue" in await talk.says("ltm search cerulean")


async def test_nobody_finds_what_is_anothers(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue")
    assert "blue" not in await talk.says("ltm search bike", private("bob"))


async def test_of_a_fact_that_is_known_at_two_levels_one_is_found(talk: Talk) -> None:
    await talk.says("ltm add my bike is blue", group("alice"))
    await talk.says("ltm add my bike is blue")
    assert (await talk.says("ltm search bike")).startswith("1 memory from you with these words")
    assert (await talk.says("ltm search bike", group("alice"))).startswith("1 memory from you with these")


async def test_what_was_asked_for_and_has_no_known_type_is_called_a_note(talk: Talk) -> None:
    await talk.says("ltm add I run a bakery in Wuxi")
    await talk.says("ltm add I like tea")
    said = await talk.says("ltm list")
    assert "[note] I run a bakery" in said
    assert "[preference] User likes tea" in said
    assert (await talk.says("ltm why bakery")).startswith("[note] ")
    assert "[备注] I run a bakery" in await talk.says("记忆 列表 备注")
    assert "tea" not in await talk.says("ltm list note")


async def test_notes_and_episodes_are_listed_apart(tmp_path: Path) -> None:
    async with talking(tmp_path, {**AUTO, "extraction": {"batch_turns": 1}}) as talk:
        talk.world.model.answer = LLAMAS.replace("profile", "episode")
        await talk.tells("There are 42 llamas, and they are mine")
        await talk.waits_for("[episode] User owns 42 llamas", "ltm list")
        talk.world.model.answer = "[]"
        await talk.says("ltm add I run a bakery in Wuxi")
        listed = ("I run a bakery in Wuxi", "User owns 42 llamas")
        for command, header, fact in (
            ("ltm list notes", "1 memory from you of the type note, page 1 of 1:", listed[0]),
            ("记忆 列表 备注", "备注共 1 条，第 1/1 页：", listed[0]),
            ("ltm list episode", "1 memory from you of the type episode, page 1 of 1:", listed[1]),
            ("记忆 列表 经历", "经历共 1 条，第 1/1 页：", listed[1]),
        ):
            first, *lines = (await talk.says(command)).splitlines()
            assert first == header
            assert [line.partition("] ")[2] for line in lines if "] " in line] == [fact]
        await talk.says("ltm forget bakery")
        assert (await talk.says("ltm list note")).startswith("I have no memories of the type note from you")
        assert (await talk.says("记忆 列表 备注")).startswith("这里还没有你的“备注”类记忆。")
