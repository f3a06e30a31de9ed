"""`/ltm share` and `/ltm unshare`, from the message to what a group sees."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Audience, Level, MemoryType, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item, ItemFilter
from astrbot_plugin_ltm.long_term_memory.manager.editing import Edit
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from tests.running import AUTO, World, group, private
from tests.stores import opened
from tests.test_commands import Talk, at_work, talking

ALICE, KITCHEN, OFFICE = private("alice"), group("alice"), group("alice", "office")
ASKED = "Which colour has my bike?"


async def added(talk: Talk, fact: str, chat: Chat = ALICE) -> str:
    """The short id of a memory somebody has asked for."""
    saved, *_ = (await talk.says(f"ltm add {fact}", chat)).splitlines()
    return saved[saved.rindex("(") + 1 : -1]


async def stored(talk: Talk, fact: str) -> list[Item]:
    """What there is of a fact, oldest first."""
    found = (await talk.memory.browsing.items(ItemFilter())).rows
    return sorted((one for one in found if one.fact == fact), key=lambda one: one.memory_id)


async def block(talk: Talk, chat: Chat) -> str:
    return (await talk.memory.recall(chat, ASKED)).block


async def test_what_is_shared_is_known_in_every_group_until_it_is_taken_back(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    assert await block(talk, KITCHEN) == ""
    said = await talk.says(f"ltm share {short_id}")
    assert said.startswith("Shared: my bike is blue.")
    assert said.endswith(f"/ltm unshare {short_id}")
    assert "my bike is blue" in await block(talk, KITCHEN)
    assert "my bike is blue" in await block(talk, group("alice", "office"))
    assert "my bike is blue" in await talk.says("ltm list", KITCHEN)
    why = await talk.says("ltm why bike", KITCHEN)
    assert "Confidence 100%.\n" in why
    assert "I may not show its evidence here." in why
    assert await block(talk, group("bob")) == ""
    assert (await talk.says(f"ltm unshare {short_id}")).startswith("No longer shared: my bike is blue.")
    assert await block(talk, KITCHEN) == ""
    assert "my bike is blue" in await block(talk, ALICE)


async def test_a_group_hears_that_sharing_is_ended_in_private(talk: Talk) -> None:
    short_id = (await talk.says("ltm add my bike is blue")).partition("(")[2].partition(")")[0]
    await talk.says(f"ltm share {short_id}")
    assert f"To stop sharing: /ltm unshare {short_id}" in await talk.says("ltm why bike")
    said = await talk.says("ltm why bike", group("alice"))
    assert f"To stop sharing, send me in a private chat: /ltm unshare {short_id}" in said


async def test_several_are_shared_at_once_by_their_numbers(talk: Talk) -> None:
    await added(talk, "my bike is blue")
    await added(talk, "my boat is green")
    await talk.says("ltm list")
    for command, said in (("share", "Shared: "), ("unshare", "No longer shared: ")):
        lines = (await talk.says(f"ltm {command} 1 2")).splitlines()
        assert [line.startswith(said) for line in lines] == [True, True]
    assert (await talk.says("ltm unshare 1, 2")).splitlines()[1].startswith("Not shared: ")
    for said in ("Undone. Shared: ", "Undone. No longer shared: "):
        lines = (await talk.undoes()).splitlines()
        assert [line.startswith(said) for line in lines] == [True, True]


async def test_of_several_with_the_words_the_example_is_one_that_can_be_shared_or_unshared(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": "shadow"}}) as talk:
        await added(talk, "swimming makes me happy")
        await talk.tells("I like swimming")
        for command, said in (
            ("share", "Shared: "),
            ("keep", "Used from now on: "),
            ("unshare", "No longer shared: "),
        ):
            which = (await talk.says(f"ltm {command} swimming")).partition("\n")[0]
            assert which.startswith("2 memories contain these words. Which one?")
            named = which.rpartition(": ")[2].removeprefix("/")
            assert (await talk.says(named)).startswith(said)
        lines = (await talk.says("ltm unshare swimming")).splitlines()
        assert [line.startswith("Not shared: ") for line in lines] == [True, True]


async def test_all_are_unshared_at_once_and_shared_one_by_one(talk: Talk) -> None:
    for fact in ("my bike is blue", "my boat is green", "all my cars are red"):
        await added(talk, fact)
    assert await talk.says("ltm unshare all") == "None of your memories is shared."
    assert (await talk.says("ltm share all")).startswith("Memories are shared one by one: ")
    assert (await talk.says("记忆 分享 全部")).startswith("记忆只能逐条分享：")
    await talk.says("ltm list")
    await talk.says("ltm share 1 2")
    assert (await talk.says("记忆 取消分享 全部")).count("已取消分享：") == 2
    assert (await talk.says("ltm undo")).count("Shared: ") == 2
    assert (await talk.says("ltm unshare all")).count("No longer shared: ") == 2
    assert await talk.says("记忆 取消分享 全部") == "你没有分享任何记忆。"


async def test_of_several_that_are_shared_the_missing_ones_are_told(talk: Talk) -> None:
    for fact in ("my bike is blue", "my boat is green", "my car is red"):
        await added(talk, fact)
    await talk.says("ltm list")
    await talk.says("ltm forget 2")
    for command, said in (("share", "Shared: "), ("unshare", "No longer shared: ")):
        lines = (await talk.says(f"ltm {command} 1 2 3")).splitlines()
        assert [line.startswith(said) for line in lines] == [True, True, False]
        assert lines[2] == "No longer visible here: 2"
    assert (await talk.says("ltm share 2")).startswith("Nothing was changed; no longer visible here: 2.")


async def test_sharing_in_chinese(talk: Talk) -> None:
    saved = await talk.says("记忆 记 我的自行车是蓝色的")
    short_id = saved[saved.rindex("（") + 1 : -1]
    said = await talk.says(f"记忆 分享 {short_id}")
    assert said.startswith("已分享：我的自行车是蓝色的。")
    assert said.endswith(f"/记忆 取消分享 {short_id}")
    assert (await talk.says(f"记忆 分享 {short_id}")).startswith("这条记忆已经分享了")
    assert (await talk.says(f"记忆 取消分享 {short_id}")).startswith("已取消分享：")
    assert (await talk.says(f"记忆 取消分享 {short_id}")) == "这条记忆没有分享：我的自行车是蓝色的"


async def test_a_shared_memory_is_public_and_gets_its_own_level_back(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    await talk.says(f"ltm share {short_id}")
    [shared] = await stored(talk, "my bike is blue")
    assert (shared.audience, shared.level) == (Audience.EVERYWHERE, Level.PUBLIC)
    await talk.says(f"ltm unshare {short_id}")
    [kept] = await stored(talk, "my bike is blue")
    assert (kept.audience, kept.level) == (Audience.CHAT, Level.INTERNAL)


async def test_nothing_is_shared_while_paused(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    await talk.says("ltm pause")
    assert (await talk.says(f"ltm share {short_id}")).startswith("Not done: ")
    assert (await stored(talk, "my bike is blue"))[0].audience is Audience.CHAT
    await talk.says("ltm resume")
    assert (await talk.says(f"ltm share {short_id}")).startswith("Shared: ")
    await talk.says("ltm pause")
    assert (await talk.says(f"ltm unshare {short_id}")).startswith("No longer shared: ")


async def test_a_later_value_in_private_replaces_the_shared_one_but_what_a_group_was_told(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, {**AUTO, "notify_learned": True}) as talk:
        await talk.tells("I live in Oslo")
        await talk.says("ltm share Oslo")
        talk.world.clock.move(timedelta(hours=1))
        said = (await talk.says("ltm add I live in Berlin")).splitlines()
        assert said[1] == "It replaces: User lives in Oslo"
        assert said[2].startswith("The new one is not shared. To share it: /ltm share ")
        asked = "Where do I live?"
        own, groups = [(await talk.memory.recall(chat, asked)).block for chat in (ALICE, KITCHEN)]
        assert ("Berlin" in own, "Oslo" in own) == (True, False)
        assert "Berlin" not in groups
        assert "Oslo" not in groups
        assert "Berlin" not in await talk.says("ltm add I live in Rome", KITCHEN)
        talk.world.clock.move(timedelta(hours=1))
        await talk.memory.learnt_notice(ALICE, "ok")
        await talk.tells("I live in Bonn")
        notice = await talk.memory.learnt_notice(ALICE, "ok")
        assert "It replaces: User lives in Berlin." in notice
        assert "Still used, too: User lives in Rome." in notice


async def test_what_corrects_a_shared_memory_replaces_it_and_is_not_shared(talk: Talk) -> None:
    await talk.says("ltm add I live in Nice")
    await talk.says("ltm share Nice")
    before = await stored(talk, "User lives in Nice")
    await talk.says("ltm list")
    _, replaces, unshared = (await talk.says("ltm correct 1 I live in Rome")).splitlines()
    assert replaces == "It replaces: User lives in Nice"
    assert unshared.startswith("The new one is not shared. To share it: /ltm share ")
    assert [item.status for item in await stored(talk, "User lives in Nice")] == [Status.SUPERSEDED]
    assert await talk.undoes() == "Forgotten: User lives in Rome\nRestored: User lives in Nice"
    assert [
        replace(item, updated_at=before[0].updated_at) for item in await stored(talk, "User lives in Nice")
    ] == before


async def test_a_shared_memory_that_a_correction_forgets_is_shared_again_by_its_undo(talk: Talk) -> None:
    await talk.says("ltm add my kite is red")
    await talk.says("ltm share kite")
    before = await stored(talk, "my kite is red")
    await talk.says("ltm list")
    _, forgotten, unshared, _ = (await talk.replies("ltm correct 1 it was only borrowed")).text.splitlines()
    assert forgotten == "Forgotten: my kite is red"
    assert unshared.startswith("The new one is not shared. To share it: /ltm share ")
    assert "kite" not in await talk.says("ltm list", KITCHEN)
    assert await talk.undoes() == "Forgotten: it was only borrowed\nRestored: my kite is red"
    assert [
        replace(item, updated_at=before[0].updated_at) for item in await stored(talk, "my kite is red")
    ] == before


async def test_what_is_accepted_replaces_the_shared_memory_and_says_so(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.says("ltm add I live in Nice")
        await talk.says("ltm share Nice")
        talk.world.clock.move(timedelta(hours=1))
        await talk.tells("I live in Rome")
        assert "It replaces: User lives in Nice" in await talk.says("ltm keep Rome")
        assert [item.status for item in await stored(talk, "User lives in Nice")] == [Status.SUPERSEDED]


@pytest.mark.parametrize("ended", ["ltm unshare tulips", "ltm undo"])
@pytest.mark.parametrize("levels", ["PUBLIC", "INTERNAL"])
async def test_a_group_that_heard_it_only_while_it_was_shared_does_not_keep_it(
    tmp_path: Path, levels: str, ended: str
) -> None:
    async with talking(tmp_path, {**AUTO, "levels": {"group": levels}}) as talk:
        await talk.tells("I like tulips")
        await talk.says("ltm share tulips")
        talk.world.clock.move(timedelta(minutes=1))
        await talk.tells("I like tulips", KITCHEN)
        known = await talk.says("ltm add I like tulips", OFFICE)
        assert known.startswith("I know that already: ")
        assert (
            "You share it already: I use it in every chat until you unshare it, then no longer here." in known
        )
        assert (await talk.says("ltm list", KITCHEN)).count("tulips") == 1
        assert "No longer shared: User likes tulips." in await talk.says(ended)
        assert (await talk.says("ltm list")).count("tulips") == 1
        for chat in (KITCHEN, OFFICE):
            assert "tulips" not in await talk.says("ltm list", chat)


@pytest.mark.parametrize("said_in", [ALICE, KITCHEN])
async def test_what_is_shared_lives_on_where_it_is_told_again(talk: Talk, said_in: Chat) -> None:
    await talk.tells("I like tulips", said_in)
    await talk.says("ltm share tulips")
    [before] = await stored(talk, "User likes tulips")
    talk.world.clock.move(timedelta(days=20))
    await talk.tells("I like tulips", said_in)
    [after] = await stored(talk, "User likes tulips")
    assert before.expires_at
    assert after.expires_at
    assert after.expires_at > before.expires_at
    await talk.says("ltm unshare tulips")
    assert "tulips" in await talk.says("ltm list", said_in)


async def test_what_a_shared_memory_had_replaced_does_not_come_back_when_that_ends(talk: Talk) -> None:
    for city in ("Oslo", "Bergen"):
        await talk.tells(f"I live in {city}")
        await talk.says(f"ltm share {city}")
        talk.world.clock.move(timedelta(minutes=1))
    assert (await talk.says("ltm unshare Bergen")).startswith("No longer shared: ")
    assert "Oslo" not in await talk.says("ltm list", KITCHEN)
    assert [item.status for item in await stored(talk, "User lives in Oslo")] == [Status.SUPERSEDED]


async def test_an_undo_does_not_share_what_was_reworded_since(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    await talk.says("ltm share Oslo")
    await talk.says("ltm unshare Oslo")
    [item] = await stored(talk, "User lives in Oslo")
    talk.world.clock.move(timedelta(minutes=1))
    await talk.memory.review.edit_one(
        item.memory_id, Edit(fact="User lives in Oslo, flat 3"), actor="operator:ada"
    )
    assert (await talk.undoes()).startswith("Not undone for: ")
    assert "flat 3" not in await talk.says("ltm list", KITCHEN)


async def test_what_was_only_told_again_since_is_undone(talk: Talk) -> None:
    await talk.tells("I like tulips", KITCHEN)
    await talk.says("ltm share tulips")
    talk.world.clock.move(timedelta(minutes=1))
    await talk.tells("I like tulips", KITCHEN)
    assert (await talk.undoes()).startswith("Undone. No longer shared: User likes tulips.")


async def test_sharing_twice_and_taking_back_what_is_not_shared_change_nothing(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    assert await talk.says(f"ltm unshare {short_id}") == "Not shared: my bike is blue"
    await talk.says(f"ltm share {short_id}")
    before = await stored(talk, "my bike is blue")
    talk.world.clock.move(timedelta(hours=1))
    assert (await talk.says(f"ltm share {short_id}")).startswith("Already shared: my bike is blue.")
    assert await stored(talk, "my bike is blue") == before


async def test_in_a_group_nobody_is_told_whether_there_is_such_a_memory(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    for command in ("share", "unshare"):
        said = await talk.says(f"ltm {command} {short_id}", KITCHEN)
        assert said.startswith("Everybody in the group can read this.")
        assert said.endswith(f": /ltm {command} {short_id}")
        assert await talk.says(f"ltm {command} ffffffff", KITCHEN) == said.replace(short_id, "ffffffff")
        assert await talk.says(f"ltm {command} my bike", KITCHEN) == said.replace(short_id, "my bike")
        for unknown in (f"ltm {command}", f"ltm {command} 7"):
            told = await talk.says(unknown, KITCHEN)
            assert "with the id that /ltm list shows here" in told
            assert told.endswith(f": /ltm {command} <id>")
    assert (await stored(talk, "my bike is blue"))[0].audience is Audience.CHAT


async def test_a_group_hands_no_numbers_of_its_own_list_over(talk: Talk) -> None:
    short_ids = [await added(talk, fact, KITCHEN) for fact in ("my bike is blue", "my boat is green")]
    await talk.says("ltm list", KITCHEN)
    assert (await talk.says("ltm share 1", KITCHEN)).endswith(f": /ltm share {short_ids[1]}")
    for several in ("1 2", "1, 2", "1、2", "1 9"):
        assert (await talk.says(f"ltm share {several}", KITCHEN)).endswith(": /ltm share <id>")


async def test_nobody_shares_what_is_anothers(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    said = await talk.says(f"ltm share {short_id}", private("bob"))
    assert said == f"There is no memory {short_id} that you can see (any more). The ids are in /ltm list"
    assert (await stored(talk, "my bike is blue"))[0].audience is Audience.CHAT


async def test_what_is_not_in_use_yet_is_not_shared_and_the_reason_is_told(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await talk.tells("I live in Oslo")
        short_id = (await talk.says("ltm list")).splitlines()[1].split()[1]
        said = await talk.says(f"ltm share {short_id}")
        assert said.startswith("You can share only a memory in use; this one is not (not used")
        why = "(not used yet; nobody has accepted it yet): User lives in Oslo"
        assert said.endswith(f"{why}\nAccept it first: /ltm keep {short_id}")
        assert (await talk.says(f"记忆 分享 {short_id}")).startswith("只能分享使用中的记忆")


async def test_what_another_took_the_place_of_is_not_shared(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    short_id = (await talk.says("ltm list")).splitlines()[1].split()[1]
    talk.world.clock.move(timedelta(days=1))
    await talk.tells("I live in Berlin now")
    await talk.waits_for("Berlin", "ltm list")
    said = await talk.says(f"ltm share {short_id}")
    assert "this one is not (replaced by a newer one): User lives in Oslo" in said


async def test_what_is_over_is_not_shared_even_before_upkeep_has_seen_it(tmp_path: Path) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": "auto"}}) as talk:
        short_id = await added(talk, "I am in Rome today")
        [item] = (await talk.memory.browsing.items(ItemFilter(type=MemoryType.EPISODE))).rows
        assert item.expires_at is not None
        talk.world.clock.move(timedelta(days=1))
        assert "You can share only a memory in use" in await talk.says(f"ltm share {short_id}")


async def test_a_public_memory_of_the_same_fact_leaves_for_the_shared_one(talk: Talk) -> None:
    public = await added(talk, "my bike is blue", KITCHEN)
    own = await added(talk, "my bike is blue")
    assert public != own
    await talk.says(f"ltm share {own}")
    items = {item.memory_id[:8]: item for item in await stored(talk, "my bike is blue")}
    assert (items[public].status, items[own].status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert items[public].superseded_by == items[own].memory_id
    assert (await block(talk, KITCHEN)).count("my bike is blue") == 1


@pytest.mark.parametrize("mode", ["auto", "shadow"])
@pytest.mark.parametrize("again", [False, True])
async def test_what_a_group_knew_by_itself_is_as_before_when_the_sharing_ends(
    tmp_path: Path, mode: str, *, again: bool
) -> None:
    async def kitchens() -> Item:
        found = await stored(talk, "User lives in Oslo")
        return next(item for item in found if item.memory_id == before.memory_id)

    async with talking(tmp_path, {"write_policy": {"mode": mode}}) as talk:
        await talk.tells("I live in Oslo", KITCHEN)
        [before] = await stored(talk, "User lives in Oslo")
        talk.world.clock.move(timedelta(minutes=1))
        own = await added(talk, "I live in Oslo")
        await talk.says(f"ltm share {own}")
        assert (await kitchens()).status is Status.SUPERSEDED
        if again:
            await talk.says("ltm add I live in Oslo")
        unshared = await talk.says(f"ltm unshare {own}")
        assert unshared.startswith("No longer shared: User lives in Oslo.")
        assert replace(await kitchens(), updated_at=before.updated_at) == before
        assert "Oslo" in (await talk.memory.recall(ALICE, "Where do I live?")).block
        said = await talk.undoes()
        assert said.startswith("Undone. Shared: User lives in Oslo.")
        assert len(said.splitlines()) == 1
        assert (await kitchens()).status is Status.SUPERSEDED
        assert await talk.undoes() == f"Undone. {unshared}"
        assert replace(await kitchens(), updated_at=before.updated_at) == before


async def test_unshare_finds_the_shared_version_of_the_one_that_the_list_names(tmp_path: Path) -> None:
    async with talking(tmp_path, {**AUTO, "levels": {"group": "INTERNAL"}}) as talk:
        here = await added(talk, "my bike is blue", KITCHEN)
        shared = await added(talk, "my bike is blue")
        await talk.says(f"ltm share {shared}")
        assert here in await talk.says("ltm list")
        for command in ("unshare bike", f"unshare {here}"):
            assert (await talk.says(f"ltm {command}")).startswith("No longer shared: my bike is blue.")
            assert await block(talk, OFFICE) == ""
            assert (await talk.undoes()).endswith(f"/ltm unshare {shared}")
            assert "my bike is blue" in await block(talk, OFFICE)


@pytest.mark.parametrize("mode", ["auto", "shadow"])
async def test_what_is_told_again_while_it_is_shared_is_the_same_memory(tmp_path: Path, mode: str) -> None:
    async with talking(tmp_path, {"write_policy": {"mode": mode}}) as talk:
        await talk.tells("I live in Oslo")
        await talk.says("ltm keep Oslo")
        await talk.says("ltm share Oslo")
        await talk.tells("I live in Oslo")
        assert (await talk.says("ltm add I live in Oslo")).startswith("I know that already: ")
        [shared] = await stored(talk, "User lives in Oslo")
        assert (shared.status, shared.audience) == (Status.ACTIVE, Audience.EVERYWHERE)
        assert (await talk.undoes()).startswith("Undone. No longer shared: User lives in Oslo.")
        assert "Oslo" in await block(talk, ALICE)
        assert await block(talk, KITCHEN) == ""


async def test_the_sharing_is_undone_after_another_value_was_told_in_private(talk: Talk) -> None:
    await talk.tells("I live in Oslo")
    for command, done in (("share Oslo", "Shared"), ("undo", "Undone. No longer shared")):
        assert (await talk.says(f"ltm {command}")).startswith(f"{done}: User lives in Oslo.")
        talk.world.clock.move(timedelta(minutes=1))
        await talk.tells("I live in Berlin")
    asked = "Where do I live?"
    own, groups = [(await talk.memory.recall(chat, asked)).block for chat in (ALICE, KITCHEN)]
    assert ("Berlin" in own, "Oslo" in own, groups) == (True, False, "")


async def test_it_is_shared_again_by_undo_though_a_group_was_told_the_same_since(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        for said in ("add I like swimming", "share swimming", "unshare swimming"):
            await talk.says(f"ltm {said}")
        await talk.tells("I like swimming", KITCHEN)
        for done, of_kitchen in (("Shared", Status.SUPERSEDED), ("No longer shared", Status.SHADOW)):
            assert (await talk.says("ltm undo")).startswith(f"Undone. {done}: ")
            found = await stored(talk, "User likes swimming")
            assert [item.status for item in found] == [Status.ACTIVE, of_kitchen]


async def test_what_was_shared_and_is_over_can_be_taken_back_for_when_it_returns(talk: Talk) -> None:
    await talk.tells("I live in Oslo", KITCHEN)
    short_id = (await talk.says("ltm list", KITCHEN)).splitlines()[1].split()[1]
    await talk.says(f"ltm share {short_id}")
    talk.world.clock.move(timedelta(days=1))
    await talk.tells("I live in Berlin now", KITCHEN)
    await talk.waits_for("Berlin", "ltm list")
    assert (await talk.says(f"ltm unshare {short_id}")).startswith("No longer shared: User lives in Oslo")
    [oslo] = await stored(talk, "User lives in Oslo")
    assert (oslo.status, oslo.audience, oslo.level) == (Status.SUPERSEDED, Audience.CHAT, Level.PUBLIC)


async def test_a_shared_memory_keeps_its_words_to_the_chat_they_were_said_in(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    await talk.says(f"ltm share {short_id}")
    said = await talk.says(f"ltm why {short_id}", KITCHEN)
    assert "my bike is blue" in said
    assert "Shared: I may use it in replies to you in every chat." in said
    assert "I may not show its evidence here." in said
    assert '"my bike is blue"' not in said
    assert '"my bike is blue" (you, ' in await talk.says(f"ltm why {short_id}")


async def test_sharing_and_taking_back_are_audited(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    await talk.says(f"ltm share {short_id}")
    await talk.says(f"ltm unshare {short_id}")
    [item] = await stored(talk, "my bike is blue")
    async with opened(talk.world.file) as database:
        lines = [line for _, line in await Store(database, talk.world.clock).history(item.memory_id)]
    assert [(line.actor, line.action, line.before, line.after) for line in lines[1:]] == [
        ("plat:alice", "share", "chat INTERNAL", "everywhere PUBLIC"),
        ("plat:alice", "unshare", "everywhere PUBLIC", "chat INTERNAL"),
    ]


async def test_nothing_is_shared_while_the_memory_is_read_only(talk: Talk) -> None:
    short_id = await added(talk, "my bike is blue")
    await talk.root("ltm readonly on")
    refused = "The memory is read-only; nothing was changed."
    assert await talk.says(f"ltm share {short_id}") == refused
    assert await talk.says(f"ltm unshare {short_id}") == refused


async def test_joined_accounts_share_for_one_another(tmp_path: Path) -> None:
    raw = {
        "write_policy": {"mode": "auto"},
        "identity": {"cross_platform_aliases": ["plat:phone=plat:alice"]},
    }
    async with at_work(World(tmp_path / "host.db"), raw) as talk:
        short_id = await added(talk, "my bike is blue")
        assert (await talk.says(f"ltm share {short_id}", private("phone"))).startswith("Shared:")
        assert "my bike is blue" in await block(talk, group("phone"))


@pytest.mark.parametrize("place", ["share", "unshare"])
async def test_an_id_that_fits_several_is_asked_for_in_full(talk: Talk, place: str) -> None:
    await added(talk, "my bike is blue")
    await added(talk, "my car is red")
    assert (await talk.says(f"ltm {place} 0000")).startswith(
        "Several memories have an id that begins with 0000"
    )
