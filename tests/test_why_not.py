"""`/ltm why-not <words>` over a memory that is at work: one's own, of this chat, and what became of it."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.memory import ItemFilter
from astrbot_plugin_ltm.long_term_memory.domain.recalls import RecallFilter
from astrbot_plugin_ltm.long_term_memory.policies.token_cap import DAILY_CAP, next_day
from astrbot_plugin_ltm.long_term_memory.settings import ExtractionSettings

from tests.running import PATIENCE, World, group, private
from tests.test_commands import LLAMAS, Talk, at_work, talking

ALICE, BOB = private("alice"), private("bob")
IN_GROUP = group("alice")
NOTHING = "I found no memory with these words here, and no message from you that was kept."
AUTO = {"write_policy": {"mode": "auto"}}


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncGenerator[Talk]:
    async with talking(tmp_path, AUTO) as talk:
        yield talk


async def asks(talk: Talk, text: str, chat: Chat = ALICE, *, sent: bool = True) -> str:
    """A message that a model answers, with what is remembered."""
    recall = await talk.memory.recall(chat, text)
    talk.memory.log_recall(chat, text, recall, sent=sent and bool(recall.block))
    return recall.block


async def learnt(talk: Talk, text: str, fact: str, chat: Chat = ALICE) -> None:
    """Tell something and wait until it is kept."""
    await talk.tells(text, chat)
    async with asyncio.timeout(PATIENCE):
        while fact not in await talk.says("ltm list", chat):
            await asyncio.sleep(0.01)


async def test_without_a_memory_of_the_words_nothing_was_kept(talk: Talk) -> None:
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    assert (await talk.says("ltm why-not my submarine")).startswith(NOTHING)
    assert "peanuts" not in await talk.says("ltm why-not my submarine")
    assert "这里查不到相关的记忆" in await talk.says("记忆 为什么没有 潜水艇")


async def test_a_memory_is_found_by_what_it_answers(talk: Talk) -> None:
    await learnt(talk, "I work as a nurse", "nurse")
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    for command in ("ltm why-not my job", "ltm search my job", "记忆 搜索 工作"):
        said = await talk.says(command)
        assert ("nurse" in said, "peanuts" in said) == (True, False)


async def test_without_words_the_usage_is_shown(talk: Talk) -> None:
    assert (
        await talk.says("ltm why-not")
        == "Usage: /ltm why-not <words|id|number>, such as: /ltm why-not peanuts"
    )
    assert "用法：/记忆 为什么没有" in await talk.says("记忆 为什么没有")


async def test_a_message_with_a_secret_says_that_it_is_not_stored(talk: Talk) -> None:
    for chat in (ALICE, IN_GROUP):
        await talk.tells("remember my password: papaya66", chat)
        said = await talk.waits_for("because it contains a secret", "ltm why-not password", chat)
        assert "/ltm add" not in said
        assert "papaya66" not in said
    assert "没有保存，因为其中含有" in await talk.says("记忆 为什么没有 password")


async def test_a_message_that_waits_says_at_once_that_its_secret_is_not_stored(talk: Talk) -> None:
    await talk.tells("The wifi password is papaya66 and the cat is fed")
    said = await talk.says("ltm why-not cat")
    assert "which is never stored. The rest: not processed yet; planned for" in said
    assert "不会被保存。其余部分尚未处理；" in await talk.says("记忆 为什么没有 cat")


async def test_of_what_was_not_said_to_the_bot_it_says_whether_it_is_heard(
    tmp_path: Path, talk: Talk
) -> None:
    line = "If you said it in a group: there I keep only what is said to me."
    assert line not in await talk.says("ltm why-not opera")
    assert line in (await talk.says("ltm why-not opera", IN_GROUP)).splitlines()
    await talk.tells("Nobody brings a kayak", IN_GROUP)
    assert line in (await talk.says("ltm why-not opera")).splitlines()
    assert "如果是在群里说的：在群里我只保存对我说的话。" in await talk.says("记忆 为什么没有 歌剧")
    (tmp_path / "listening").mkdir()
    async with talking(tmp_path / "listening", {**AUTO, "groups": {"passive_capture": True}}) as listening:
        assert line not in await listening.says("ltm why-not opera", IN_GROUP)


async def test_sharing_is_not_advised_to_a_paused_group(talk: Talk) -> None:
    hint = "share it there once it is in use"
    assert hint in await talk.says("ltm why-not opera", IN_GROUP)
    await talk.root("ltm pause group", group("root"))
    assert hint not in await talk.says("ltm why-not opera", IN_GROUP)


async def test_what_waits_in_a_paused_group_says_that_it_waits_for_the_pause(talk: Talk) -> None:
    await talk.tells("Nobody brings a kayak", IN_GROUP)
    await talk.root("ltm pause group", group("root"))
    assert "not processed yet; waits until the pause ends." in await talk.says("ltm why-not kayak")


async def test_a_memory_that_was_given_says_when(talk: Talk) -> None:
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    said = await talk.says("ltm why-not peanuts")
    assert said.endswith("may be used; none of your messages here has needed it so far.")
    assert "peanuts" in await asks(talk, "What should I cook?")
    said = await talk.says("ltm why-not peanuts")
    assert "[constraint] User is allergic to peanuts" in said
    assert said.endswith("included in the request for your last message here (2025-06-01 12:00 UTC).")


async def test_a_memory_that_was_left_out_says_by_which_rule(talk: Talk) -> None:
    await learnt(talk, "I like green tea", "green tea")
    assert await asks(talk, "What is the capital of Norway?") == ""
    assert "not relevant enough to the message" in await talk.says("ltm why-not tea")
    assert "因为关系不大" in await talk.says("记忆 为什么没有 tea")


async def test_what_was_learnt_later_says_so(talk: Talk) -> None:
    await asks(talk, "Hello")
    talk.world.clock.move(timedelta(seconds=1))
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    said = await talk.says("ltm why-not peanuts")
    assert said.endswith("learnt after your last message here (2025-06-01 12:00 UTC).")


async def test_what_was_imported_later_says_so(tmp_path: Path, talk: Talk) -> None:
    await learnt(talk, "I live in Oslo", "Oslo")
    path = (await talk.memory.transferring.export(None)).path
    (tmp_path / "new").mkdir()
    async with talking(tmp_path / "new", AUTO) as other:
        other.world.clock.move(timedelta(days=1))
        await asks(other, "Hello")
        other.world.clock.move(timedelta(minutes=1))
        await other.memory.transferring.bring_in(path, actor="operator:root")
        said = await other.says("ltm why-not Oslo")
        when = "imported after your last message here (2025-06-02 12:00 UTC)"
        assert said.endswith(f"{when}; may be used from the next one on.")
        other.world.clock.move(timedelta(minutes=1))
        assert "Oslo" in await asks(other, "Where do I live?")
        assert "included in the request" in await other.says("ltm why-not Oslo")


async def test_what_was_forgotten_at_the_last_message_and_came_back_says_so(talk: Talk) -> None:
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    await learnt(talk, "I live in Oslo", "Oslo")
    talk.world.clock.move(timedelta(minutes=1))
    await talk.says("ltm forget Oslo")
    await asks(talk, "Where do I live?")
    talk.world.clock.move(timedelta(minutes=1))
    await talk.says("ltm undo")
    said = await talk.says("ltm why-not Oslo")
    assert said.endswith("activated or changed after your last message here (2025-06-01 12:01 UTC).")


async def test_a_block_that_found_no_place_says_so(talk: Talk) -> None:
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    await asks(talk, "What should I cook?", sent=False)
    assert "the request could not carry memories" in await talk.says("ltm why-not peanuts")


async def test_what_is_held_back_says_why(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await learnt(talk, "I am allergic to peanuts", "peanuts")
        said = await talk.says("ltm why-not peanuts")
        assert "not used yet: nobody has accepted it yet." in said


async def test_what_was_held_back_at_the_last_message_and_is_used_now_says_so(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await learnt(talk, "I am allergic to peanuts", "peanuts")
        assert await asks(talk, "What should I cook?") == ""
        await talk.memory.recalls.page(RecallFilter())  # what waits to be logged is written
        await talk.root("ltm approve all")
        assert (await talk.says("ltm why-not peanuts")).endswith("nobody had accepted it yet.")
        assert "当时还没有人接受" in await talk.says("记忆 为什么没有 peanuts")


async def test_what_was_replaced_names_what_took_its_place(talk: Talk) -> None:
    await learnt(talk, "I live in Oslo", "Oslo")
    talk.world.clock.move(timedelta(days=1))
    await learnt(talk, "I live in Berlin", "Berlin")
    said = await talk.says("ltm why-not Oslo")
    assert (
        'User lives in Oslo (said 2025-06-01 12:00 UTC): not used: replaced by "User lives in Berlin" ('
        in said
    )


@pytest.mark.parametrize("by_admin", [False, True])
async def test_what_was_taken_away_says_by_whom_and_what_brings_it_back(
    talk: Talk, *, by_admin: bool
) -> None:
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    [item] = (await talk.memory.browsing.items(ItemFilter())).rows
    if by_admin:
        await talk.memory.review.reject_one(item.memory_id, actor="operator:root")
    else:
        await talk.says("ltm forget peanuts")
    *undone, said = (await talk.says("ltm why-not peanuts")).splitlines()
    assert undone == ([] if by_admin else ["To bring back what was just forgotten: /ltm undo"])
    assert said.startswith(f"{'An admin removed a memory' if by_admin else 'A memory'} with these words")
    assert ("as you asked" in said) is not by_admin
    assert "allergic" not in said
    assert "/ltm add <fact>" in said
    assert ("管理员在" if by_admin else "应你的要求") in await talk.says("记忆 为什么没有 peanuts")
    await talk.says("ltm add I am allergic to peanuts")
    assert "may be used; none of your messages" in await talk.says("ltm why-not peanuts")


async def test_nobody_is_told_of_others_or_of_other_chats(talk: Talk) -> None:
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    await learnt(talk, "I am allergic to shrimp", "shrimp", IN_GROUP)
    for chat, words in ((BOB, "peanuts"), (group("bob"), "shrimp"), (IN_GROUP, "peanuts")):
        assert (await talk.says(f"ltm why-not {words}", chat)).startswith(NOTHING)
    assert "shrimp" in await talk.says("ltm why-not shrimp", IN_GROUP)
    assert "shrimp" in await talk.says("ltm why-not shrimp")


async def test_a_recall_in_another_chat_explains_nothing_here(talk: Talk) -> None:
    await learnt(talk, "I am allergic to shrimp", "shrimp", IN_GROUP)
    await asks(talk, "What should I cook?")
    await asks(talk, "What should I cook?", group("bob"))
    assert "included in the request" in await talk.says("ltm why-not shrimp")
    assert "may be used; none of your messages" in await talk.says("ltm why-not shrimp", IN_GROUP)


async def test_without_a_log_it_says_that_there_is_none(tmp_path: Path) -> None:
    async with talking(tmp_path, {**AUTO, "recall_log_days": 0}) as talk:
        await learnt(talk, "I am allergic to peanuts", "peanuts")
        await asks(talk, "What should I cook?")
        said = await talk.says("ltm why-not peanuts")
        assert said.endswith("may be used; recalls are not logged.")
        assert "Recalls in the last 24 hours" not in await talk.root("ltm status")


async def test_while_read_only_an_older_recall_says_nothing_of_the_last_message(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with at_work(world, AUTO) as talk:
        await learnt(talk, "I am allergic to peanuts", "peanuts")
        await asks(talk, "What should I cook?")
    async with at_work(world, {**AUTO, "emergency_read_only": True}) as talk:
        await asks(talk, "Hello there")
        said = await talk.says("ltm why-not peanuts")
    assert said.endswith("may be used; recalls are not logged.")


async def test_while_paused_or_switched_off_it_says_so(tmp_path: Path) -> None:
    world = World(tmp_path / "host.db")
    async with at_work(world, AUTO) as talk:
        await learnt(talk, "I am allergic to peanuts", "peanuts")
        await talk.says("ltm pause")
        assert await asks(talk, "the password is hunter2") == ""
        said = await talk.says("ltm why-not peanuts")
        assert "got no memories: the memory was paused." in said
        paused = "Nothing is learnt or recalled for you here at the moment: "
        assert said.endswith(f"{paused}memory is paused at your own request; to resume: /ltm resume")
        await talk.says("ltm resume")
        await talk.root("ltm pause group", group("root"))
        in_group = "Nothing is learnt or recalled for you in this group at the moment: an admin has paused"
        assert in_group in await talk.says("ltm why-not peanuts", IN_GROUP)
        assert (await talk.says("记忆 列表", IN_GROUP)).startswith(
            "本群目前不记录你说的话，也不使用关于你的记忆：管理员已暂停本群的记忆。"
        )
        await talk.memory.pausing.account("plat:alice", on=True, actor="operator:root")
        said = await talk.says("ltm why-not peanuts")
        assert said.endswith("an admin has paused your memory; only an admin can resume it.")
        await talk.memory.pausing.account("plat:alice", on=False, actor="operator:root")
    async with at_work(world, {**AUTO, "read_policy": {"enable": False}}) as talk:
        assert (await talk.says("ltm why-not peanuts")).endswith(
            "Replies use no memories at the moment: an admin has switched recall off."
        )
        await asks(talk, "What should I cook?")
        assert "got no memories: an admin had switched recall off." in await talk.says("ltm why-not peanuts")


async def test_messages_that_wait_are_told_with_when_they_are_read_as_far_as_the_chat_may_know(
    talk: Talk,
) -> None:
    await talk.tells("The weather is strange in these parts", ALICE)
    await talk.tells("And stranger still next week", replace(ALICE, umo="plat:FriendMessage:other"))
    talk.world.clock.move(timedelta(minutes=1))
    await talk.tells("Nobody brings a kayak", IN_GROUP)
    await talk.tells("Mine is the best kayak", group("bob"))
    said = await talk.says("ltm why-not submarine")
    assert said.endswith(
        "The model may learn more from 3 of your messages; the next extraction is at 2025-06-01 12:02 UTC."
    )
    said = await talk.says("ltm why-not submarine", IN_GROUP)
    assert (
        "The model may learn more from 1 of your messages; the next extraction is at 2025-06-01 12:03 UTC."
        in said
    )
    assert "weather" not in await talk.says("ltm why-not weather", IN_GROUP)
    for chat in (ALICE, IN_GROUP):
        assert (await talk.says("ltm why-not kayak", chat)).startswith(
            '"Nobody brings a kayak" (2025-06-01 12:01 UTC): not processed yet; planned for 2025-06-01 12:03'
        )
        assert (await talk.says("ltm why-not kayak", chat)).count("12:03") == 1
    assert (await talk.says("记忆 为什么没有 kayak")).startswith(
        "“Nobody brings a kayak”（2025-06-01 12:01 UTC）：尚未处理；计划于 2025-06-01 12:03 UTC 处理"
    )
    queue, now = talk.memory._components.store.events, talk.world.clock()  # pyright: ignore[reportPrivateUsage] - a spent day
    while batch := (
        await queue.due(settings=ExtractionSettings(batch_turns=1, idle=timedelta(0)), now=now, limit=9)
    ).batch:
        ids = [event.event_id for event in batch]
        await queue.postpone(ids, until=next_day(now), error=DAILY_CAP)
    for ask in ("ltm why-not kayak", "ltm list"):
        assert "today's tokens are spent" in (said := await talk.says(ask))
        assert "new messages" not in said
    assert "今天的 token 已用完" in await talk.says("记忆 为什么没有 kayak")
    assert "2025-06-02 00:00 UTC, as today's tokens are spent" in await talk.root("ltm status")
    await talk.root("ltm readonly on")
    assert "no message is processed while the memory is read-only" in await talk.says("ltm why-not kayak")


@pytest.mark.parametrize(
    ("kinds", "cap", "came_of_it"),
    [
        (["profile"], 0, "processed by rules only, which found no fact"),
        (["profile"], 100_000, "processed; no fact was stored."),
        ([], 100_000, "processed; the fact found in it was refused: facts of this type are not learnt."),
    ],
    ids=["rules", "nothing", "refused"],
)
async def test_a_message_that_gave_no_memory_says_why(
    tmp_path: Path, kinds: list[str], cap: int, came_of_it: str
) -> None:
    extraction = {"batch_turns": 1, "daily_token_cap": cap}
    raw = {"write_policy": {"mode": "auto", "allowed_types": kinds}, "extraction": extraction}
    async with talking(tmp_path, raw) as talk:
        talk.world.model.answer = "[]" if kinds else LLAMAS
        await talk.tells("Our 42 llamas need a vet")
        said = await talk.waits_for(came_of_it, "ltm why-not llamas")
        assert said.startswith('"Our 42 llamas need a vet" (2025-06-01 12:00 UTC): processed')


async def test_what_was_said_of_another_in_a_group_is_named_there_alone(tmp_path: Path) -> None:
    async with talking(tmp_path, {**AUTO, "extraction": {"batch_turns": 1}}) as talk:
        talk.world.model.answer = LLAMAS.replace("User owns", "owns").replace("{", '{"about": "Zed", ')
        await talk.tells("Zed owns 42 llamas", IN_GROUP)
        await talk.waits_for("something of it is stored", "ltm why-not llamas")
        assert "[profile] owns 42 llamas" in await talk.says("ltm why-not llamas", IN_GROUP)


async def test_of_what_its_evidence_does_not_say_it_does_not_tell_when_it_was_said(tmp_path: Path) -> None:
    async with talking(tmp_path, {**AUTO, "extraction": {"batch_turns": 1}}) as talk:
        talk.world.model.answer = LLAMAS.replace("{", '{"quote": "I own 42 llamas", ')
        await talk.tells("What do I own?")
        said = await talk.waits_for("its quote was not found", "ltm why-not llamas")
        assert "User owns 42 llamas: not used yet: its quote was not found in the messages." in said


async def test_what_waits_for_its_person_says_how_to_use_it(tmp_path: Path) -> None:
    async with talking(tmp_path, {}) as talk:
        await learnt(talk, "I am allergic to peanuts", "peanuts")
        said = await talk.says("ltm why-not peanuts")
        assert said.endswith(f"To accept it: /ltm keep {said.split()[0]}")


async def test_so_many_are_shown_and_the_rest_counted(talk: Talk) -> None:
    for number in range(7):
        await talk.says(f"ltm add my bike number {number} is blue")
    lines = (await talk.says("ltm why-not bike")).splitlines()
    assert len(lines) == 6
    assert lines[-1] == "and 2 more with these words"


async def test_an_admin_sees_how_many_recalls_found_nothing(talk: Talk) -> None:
    await asks(talk, "Hello")
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    await asks(talk, "What should I cook?")
    await talk.says("ltm why-not peanuts")
    status = await talk.root("ltm status")
    assert "Recalls in the last 24 hours: 2, 1 of them without any memory" in status


async def test_what_an_admin_rejected_stays_the_admins_deed_when_it_is_said_again(talk: Talk) -> None:
    await learnt(talk, "I am allergic to peanuts", "peanuts")
    [item] = (await talk.memory.browsing.items(ItemFilter())).rows
    await talk.memory.review.reject_one(item.memory_id, actor="operator:root")
    await talk.tells("I am allergic to peanuts")
    assert (await talk.says("ltm why-not peanuts")).startswith("An admin removed a memory with these words")


async def test_a_number_that_the_last_list_has_not_is_said_unless_it_is_a_word(talk: Talk) -> None:
    assert (await talk.says("ltm why-not 14")).startswith("I have shown you no list here")
    await talk.says("ltm add my bike is blue")
    await talk.says("ltm list")
    assert await talk.says("ltm why-not 14") == "The last list I showed here has no number 14. See /ltm list"
    await talk.says("ltm add my house has the number 14")
    assert "my house has the number 14" in await talk.says("ltm why-not 14")
