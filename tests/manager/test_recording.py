"""The ways in: in which groups, how long they keep anybody, and what a flood does."""

import asyncio
import sqlite3
import traceback
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import CodeType, CoroutineType
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, Turn
from astrbot_plugin_ltm.long_term_memory.domain.recalls import RecallFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditFilter
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.conversation import MAX_OVERHEARD_AT_ONCE
from sqlalchemy import Engine, event

from tests.running import AUTO, PATIENCE, World, group, private, record, settings

JOINED = {**AUTO, "identity": {"cross_platform_aliases": ["plat:ally=plat:alice"]}}
LISTENING = {**AUTO, "groups": {"passive_capture": True, "except": ["plat:GroupMessage:cellar", "attic"]}}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "host.db")


def said(world: World, text: str, chat: Chat, reply: str = "") -> Turn:
    return Turn(chat=chat, message_id=text, user_text=text, reply_text=reply, at=world.clock())


async def pending(memory: LTMManager, number: int) -> None:
    """Wait until so many events are there."""
    async with asyncio.timeout(PATIENCE):
        while sum((await memory.status.counts()).events.values()) < number:
            await asyncio.sleep(0.005)


async def test_only_groups_that_the_operator_opened_are_listened_to(world: World) -> None:
    async with world.memory(settings()) as memory:
        assert not memory.listens_to(group())
    async with world.memory(settings(LISTENING)) as memory:
        assert memory.listens_to(group())
        assert not memory.listens_to(group(name="cellar"))
        assert not memory.listens_to(group(name="attic"))
        assert not memory.listens_to(private())


async def test_what_is_heard_is_learnt_and_counts_once(world: World) -> None:
    async with world.memory(settings(LISTENING)) as memory:
        chat = group()
        await memory.record_heard(said(world, "I live in Oslo", chat), addressed=False)
        await pending(memory, 1)
        await memory.record_heard(said(world, "My name is Alice", chat), addressed=True)
        await memory.record_turn(said(world, "My name is Alice", chat, "Hello!"))
        await pending(memory, 3)
        page = await memory.own_items(chat, kind=None, page=1, page_size=9)
        assert {(item.fact, item.evidence_count) for item in page.rows} == {
            ("User lives in Oslo", 1),
            ("User's name is Alice", 1),
        }
        assert sum((await memory.status.counts()).events.values()) == 3


async def test_the_audit_names_who_asked_to_remember_it_and_of_what_is_learnt_the_plugin(
    world: World,
) -> None:
    async with world.memory(settings()) as memory:
        await world.tell(memory, private(), "I live in Oslo")
        await world.tell(memory, private(), "Remember that my bike is blue")
        lines = (await memory.browsing.audit(AuditFilter(action="add"))).rows
        facts = [(await memory.browsing.item(line.memory_id)).item.fact for line in lines]
        assert [(fact, line.actor) for fact, line in zip(facts, lines, strict=True)] == [
            ("my bike is blue", "plat:alice"),
            ("User lives in Oslo", "system"),
        ]


async def test_a_message_passes_at_most_ten_functions_on_its_way_to_the_insert(world: World) -> None:
    passed = ["Main.record_turn", "LtmPlugin.record_turn"]  # those of the host, which come before

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT INTO ltm_events "):
            codes = [frame.f_code for frame, _ in traceback.walk_stack(None)]
            for task in asyncio.all_tasks(loop):
                if task is caller or task.get_name() == "ltm:record_turn":
                    codes += awaited(task.get_coro())
            passed.extend(code.co_qualname for code in codes if "/long_term_memory/" in code.co_filename)

    loop, caller = asyncio.get_running_loop(), asyncio.current_task()
    async with world.memory(settings()) as memory:
        event.listen(Engine, "before_cursor_execute", note)
        try:
            await record(memory, said(world, "It rains", private(), "Here, too."))
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    assert {"Conversation._record", "MemoryWriter._record_events"} < set(passed)
    assert len(passed) <= 10, passed


def awaited(work: Any) -> Iterator[CodeType]:
    """The code of a coroutine and of those that it waits for."""
    while isinstance(work, CoroutineType):
        yield work.cr_code
        work = work.cr_await


async def test_a_withdrawn_message_takes_what_rests_on_it_alone_along(world: World) -> None:
    async with world.memory(settings(LISTENING)) as memory:
        chat, other = private(), private("bob")
        for text in ("I live in Oslo", "I'm allergic to nuts. I live in Oslo"):
            world.clock.move(timedelta(minutes=1))
            memory.log_recall(chat, text, await memory.recall(chat, text), sent=True, asked_at=world.clock())
            await record(memory, said(world, text, chat, "I see."))
        await record(memory, replace(said(world, "I love tea", other), message_id="I live in Oslo"))
        await memory.retract_message(chat, "I'm allergic to nuts. I live in Oslo")
        async with asyncio.timeout(PATIENCE):
            while (await memory.status.counts()).late_writes:
                await asyncio.sleep(0.005)
        own = (await memory.own_items(chat, kind=None, page=1, page_size=9)).rows
        assert [(item.fact, item.evidence_count) for item in own] == [("User lives in Oslo", 1)]
        assert (await memory.own_items(other, kind=None, page=1, page_size=9)).total == 1
        log = await memory.recalls.page(RecallFilter())
        assert [each.query for each in log.rows] == ["I live in Oslo"]
        lines = (await memory.browsing.audit(AuditFilter(action="retract"))).rows
        assert [(line.actor, line.reason) for line in lines] == [("system", "message_recalled")]


async def test_a_message_withdrawn_before_its_turn_is_over_is_never_kept(world: World) -> None:
    async with world.memory(settings()) as memory:
        await memory.retract_message(private(), "I live in Oslo")
        await record(memory, said(world, "I live in Oslo", private(), "I see."))
        await record(memory, said(world, "I live in Oslo", private("bob"), "I see."))
        counts = await memory.status.counts()
        assert sum(counts.events.values()) == 2
        assert sum(counts.items.values()) == 1


async def test_of_whoever_is_paused_nothing_is_kept_as_others_quote_it(world: World) -> None:
    async with world.memory(settings(JOINED)) as memory:
        await memory.pausing.own(private("ally"), on=True)
        for sender in ("alice", "carol", ""):
            turn = replace(
                said(world, f"{sender} I own a boat", group("bob")),
                quoted="I moved to Oslo",
                quoted_from="A",
                quoted_sender=sender,
            )
            await record(memory, turn)
            saving = replace(turn, message_id=f"{sender} saved", user_text="Remember: tea is on Monday")
            await memory.tool_memories.save(saving, f"tea {sender}", "tea is on Monday")
        rows = (
            "SELECT message_id, json_extract(content, '$.quoted') FROM ltm_events WHERE source_role = 'user'"
        )
        with closing(sqlite3.connect(world.file)) as connection:
            quoted = dict(connection.execute(rows).fetchall())
        assert len(quoted) == 6
        kept = {message_id for message_id, words in quoted.items() if words == "A: I moved to Oslo"}
        assert kept == {"carol I own a boat", "carol saved", " I own a boat", " saved"}
        assert {quoted[message_id] for message_id in quoted.keys() - kept} == {""}


async def test_in_a_flood_the_words_to_the_bot_come_first_and_the_rest_is_counted(world: World) -> None:
    async with world.memory(settings(LISTENING)) as memory:
        chats = [group(f"member{at}") for at in range(MAX_OVERHEARD_AT_ONCE + 20)]
        await asyncio.gather(
            *(memory.record_heard(said(world, "hm", chat), addressed=False) for chat in chats)
        )
        lost = memory.failures["listen"]
        await memory.record_heard(said(world, "hello", group()), addressed=True)
        await pending(memory, len(chats) - lost + 1)
        assert 0 < lost <= 20


async def test_while_nothing_may_be_written_nothing_is_heard(world: World) -> None:
    async with world.memory(settings()):
        pass
    async with world.memory(settings({**LISTENING, "emergency_read_only": True})) as memory:
        await memory.record_heard(said(world, "I live in Oslo", group()), addressed=True)
        assert memory.failures == {}
        assert not any((await memory.status.counts()).events.values())
