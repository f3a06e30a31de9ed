"""`/ltm readonly on|off`: in force from the next statement on, and kept."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.running import AUTO, World, group, private
from tests.test_commands import Talk, at_work

REFUSED = "The memory is read-only; nothing was changed."


async def test_an_admin_stops_all_writing_and_lets_it_go_on(talk: Talk) -> None:
    assert (await talk.root("ltm readonly")).startswith("Not read-only: memories are written as usual.")
    assert (await talk.root("ltm readonly on")).startswith("Read-only from now on")
    assert (await talk.root("ltm readonly ON")).startswith("Already read-only.")
    assert (await talk.root("ltm readonly")).startswith("Read-only: nothing is written.")
    assert await talk.says("ltm add my bike is blue") == REFUSED
    assert (await talk.root("ltm readonly off")).startswith("No longer read-only")
    assert await talk.root("ltm readonly off") == "Not read-only."
    assert (await talk.says("ltm add my bike is blue")).startswith("I will remember")
    assert talk.world.kept_read_only == [True, False]


async def test_a_list_advises_to_accept_nothing_while_it_is_on(tmp_path: Path) -> None:
    async with at_work(World(tmp_path / "host.db"), {}) as talk:
        await talk.tells("I live in Oslo")
        assert "/ltm keep" in await talk.says("ltm list")
        await talk.root("ltm readonly on")
        said = await talk.says("ltm list profile")
        assert said.startswith("1 memory from you of the type profile, page 1 of 1:")
        assert said.endswith("1 memory. The memory is read-only, so none can be accepted now.")
        assert (await talk.says("记忆 列表 个人信息")).startswith("个人信息共 1 条，第 1/1 页：")


async def test_the_switch_in_chinese(talk: Talk) -> None:
    assert (await talk.root("记忆 只读 开")).startswith("从现在起只读")
    assert (await talk.root("记忆 只读 打开")).startswith("已经是只读了。")
    assert "恢复写入：/记忆 只读 关" in await talk.root("记忆 状态")
    assert await talk.root("记忆 只读 关") == "只读已结束，恢复写入。"
    assert await talk.root("记忆 只读 关闭") == "只读未开启。"
    assert (await talk.root("记忆 只读")).startswith("只读未开启。")


async def test_while_it_is_on_every_command_that_writes_says_so(talk: Talk) -> None:
    saved = await talk.says("ltm add my bike is blue")
    short_id = saved[saved.rindex("(") + 1 : -1]
    own = (await talk.root("ltm add my boat is green"))[-9:-1]
    await talk.root("ltm readonly on")
    before = await talk.memory.status.counts()
    for command in (
        "add my car is red",
        f"forget {short_id}",
        "forget all",
        f"share {short_id}",
        "resume",
        "link",
        "link ABCDEFGH",
        "link confirm",
        "unlink",
    ):
        assert await talk.says(f"ltm {command}") == REFUSED, command
    for command in ("mode manual", "approve all", f"reject {own}", "retry", "erase plat:alice"):
        assert await talk.root(f"ltm {command}") == REFUSED, command
    for command, chat in (("pause", private()), ("pause group", group("root"))):
        said = await talk.root(f"ltm {command}", chat)
        assert said == f"{REFUSED} Memories are still used; you can pause once read-only has ended."
    assert (await talk.memory.status.counts()) == before
    assert (await talk.says("ltm link cancel")).startswith("You have no valid code")
    assert "my bike is blue" in await talk.says("ltm list")
    assert (await talk.memory.recall(group("alice"), "bike")).block == ""


async def test_what_is_said_while_it_is_on_is_not_kept(talk: Talk) -> None:
    await talk.root("ltm readonly on")
    await talk.tells("I live in Oslo")
    await talk.root("ltm readonly off")
    await talk.tells("I live in Berlin")
    said = await talk.waits_for("Berlin", "ltm list")
    assert "Oslo" not in said


async def test_both_ways_of_the_switch_are_audited(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with at_work(world, AUTO) as talk:
        await talk.root("ltm readonly on")
        await talk.root("ltm readonly off")
    query = "SELECT actor, action, before, after FROM ltm_audit WHERE action LIKE 'read%' ORDER BY id"
    with closing(sqlite3.connect(world.file)) as connection:
        found = connection.execute(query).fetchall()
    assert found == [
        ("operator:plat:root", "readonly", "", "read_only"),
        ("operator:plat:root", "readwrite", "read_only", ""),
    ]
