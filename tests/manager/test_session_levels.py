"""How confidential a conversation has become, whatever the store does meanwhile."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.access.gatekeeper import LevelRules
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ConversationId, ToolLevel
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.domain.errors import LtmError, RefusedError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.manager.session_levels import BATCH_SIZE, SessionLevels
from astrbot_plugin_ltm.long_term_memory.upkeep.scheduler import Scheduler
from hypothesis import given
from hypothesis import strategies as st

from tests.running import FakeClock, private, until
from tests.upkeep.fakes import Hands

RULES = LevelRules(
    tools={
        "lexicon": Level.PUBLIC,
        "wiki": Level.INTERNAL,
        "mail": Level.CONFIDENTIAL,
        "hr": Level.RESTRICTED,
    }
)
HERE = private("alice")
NEW = replace(HERE, conversation_id="c2")
UNKNOWN = replace(HERE, conversation_id="")
ELSEWHERE = private("bob")


def conversation(chat: Chat) -> ConversationId:
    return chat.umo, chat.conversation_id


@dataclass
class FakeLevelStore:
    """Holds levels, and may fail."""

    kept: dict[ConversationId, ToolLevel] = field(default_factory=dict[ConversationId, ToolLevel])
    read_only: bool = False
    failing: LtmError | None = None
    asked: int = 0

    async def every(self) -> Mapping[ConversationId, Level]:
        return {where: raised.level for where, raised in self.kept.items()}

    async def put(self, raised: ToolLevel) -> None:
        self.asked += 1
        if self.failing is not None:
            raise self.failing
        where = (raised.umo, raised.conversation_id)
        before = self.kept.get(where)
        if before is None or before.level < raised.level:
            self.kept[where] = raised

    async def drop(self, conversations: Collection[ConversationId]) -> None:
        if self.failing is not None:
            raise self.failing
        for where in conversations:
            self.kept.pop(where, None)


@asynccontextmanager
async def levels_on(store: FakeLevelStore) -> AsyncGenerator[SessionLevels]:
    scheduler = Scheduler(retry=timedelta(milliseconds=1), stop_deadline=timedelta(milliseconds=20))
    try:
        yield SessionLevels(RULES, cast("Any", store), scheduler, FakeClock())
    finally:
        await scheduler.stop()


async def test_a_tool_raises_its_conversation_and_no_other() -> None:
    store = FakeLevelStore()
    async with levels_on(store) as levels:
        assert levels.of(HERE) is Level.PUBLIC
        assert not levels.differ_in(HERE.umo)
        await levels.used(HERE, "mail")
        assert levels.of(HERE) is Level.CONFIDENTIAL
        assert {levels.of(chat) for chat in (NEW, UNKNOWN, ELSEWHERE)} == {Level.PUBLIC}
        assert (levels.differ_in(HERE.umo), levels.differ_in(ELSEWHERE.umo)) == (True, False)
        [raised] = store.kept.values()
        assert (raised.raised_by, raised.updated_at) == ("mail", FakeClock().now)


@pytest.mark.parametrize("tool", ["", "lexicon", "memory_search", "unheard of"])
async def test_most_tools_raise_nothing(tool: str) -> None:
    store = FakeLevelStore()
    async with levels_on(store) as levels:
        await levels.used(HERE, tool)
        assert levels.of(HERE) is Level.PUBLIC
        assert store.asked == 0


async def test_the_level_of_a_tool_is_known_beforehand() -> None:
    async with levels_on(FakeLevelStore()) as levels:
        assert (levels.of_tool("hr"), levels.of_tool("memory_save")) == (Level.RESTRICTED, None)


async def test_a_turn_without_a_conversation_raises_none() -> None:
    store = FakeLevelStore()
    async with levels_on(store) as levels:
        await levels.used(UNKNOWN, "hr")
        assert levels.of(UNKNOWN) is Level.PUBLIC
        assert store.asked == 0


@given(st.lists(st.sampled_from([*RULES.tools, "unheard of"])))
def test_the_level_is_the_highest_of_the_tools_used_in_whatever_order(tools: list[str]) -> None:
    async def use_them() -> None:
        store = FakeLevelStore()
        async with levels_on(store) as levels:
            highest = Level.PUBLIC
            for tool in tools:
                await levels.used(HERE, tool)
                highest = max(highest, RULES.tools.get(tool, Level.PUBLIC))
                assert levels.of(HERE) is highest
            assert (await store.every()).get(conversation(HERE), Level.PUBLIC) is highest

    asyncio.run(use_them())


async def test_levels_are_taken_over_at_the_start() -> None:
    store = FakeLevelStore()
    async with levels_on(store) as levels:
        await levels.used(HERE, "mail")
    async with levels_on(store) as levels:
        await levels.used(NEW, "hr")
        await levels.used(HERE, "hr")
        store.kept[conversation(HERE)] = replace(store.kept[conversation(HERE)], level=Level.INTERNAL)
        await levels.load()
        assert (levels.of(HERE), levels.of(NEW)) == (Level.RESTRICTED, Level.RESTRICTED)
    async with levels_on(store) as levels:
        await levels.load()
        assert (levels.of(HERE), levels.of(NEW)) == (Level.INTERNAL, Level.RESTRICTED)


async def test_a_store_that_fails_changes_nothing_about_the_level_and_is_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FakeLevelStore(failing=UnavailableError("locked"))
    async with levels_on(store) as levels:
        using = asyncio.ensure_future(levels.used(HERE, "mail"))
        await until(lambda: store.asked > 2)
        assert levels.of(HERE) is Level.CONFIDENTIAL
        store.failing = None
        await using
        assert await store.every() == {conversation(HERE): Level.CONFIDENTIAL}
        assert caplog.text.count("The store does not answer") == 1
        asked = store.asked
        await levels.settle()
        assert store.asked == asked


async def test_what_another_error_kept_from_the_store_is_written_later() -> None:
    store = FakeLevelStore(failing=LtmError("broken"))
    async with levels_on(store) as levels:
        with pytest.raises(LtmError, match="broken"):
            await levels.used(HERE, "mail")
        assert levels.of(HERE) is Level.CONFIDENTIAL
        store.failing = None
        await levels.used(HERE, "mail")
        assert await store.every() == {conversation(HERE): Level.CONFIDENTIAL}


async def test_while_read_only_a_level_is_held_in_memory_and_written_afterwards() -> None:
    store = FakeLevelStore(read_only=True)
    async with levels_on(store) as levels:
        await levels.used(HERE, "mail")
        await levels.settle()
        assert (levels.of(HERE), store.asked) == (Level.CONFIDENTIAL, 0)
        store.read_only = False
        levels.notify()
        await until(lambda: set(store.kept) == {conversation(HERE)})
        assert await store.every() == {conversation(HERE): Level.CONFIDENTIAL}


async def test_a_store_that_turns_read_only_meanwhile_breaks_nothing() -> None:
    store = FakeLevelStore(failing=RefusedError("emergency_read_only"))
    async with levels_on(store) as levels:
        await levels.used(HERE, "mail")
        assert levels.of(HERE) is Level.CONFIDENTIAL


async def test_what_is_raised_again_while_it_is_written_is_written_again() -> None:
    store = FakeLevelStore()
    async with levels_on(store) as levels:
        write, begun, go = store.put, asyncio.Event(), asyncio.Event()

        async def slow(raised: ToolLevel) -> None:
            begun.set()
            await go.wait()
            await write(raised)

        store.put = slow
        first = asyncio.ensure_future(levels.used(HERE, "wiki"))
        await begun.wait()
        store.put = write
        await levels.used(HERE, "hr")
        go.set()
        await first
        assert levels.of(HERE) is Level.RESTRICTED
        assert await store.every() == {conversation(HERE): Level.RESTRICTED}


async def forget(levels: SessionLevels, *chats: Chat) -> None:
    async def gone(_: Sequence[str]) -> Collection[str]:
        return [chat.conversation_id for chat in chats]

    await levels.forget_ended(gone, Hands().breathe)


async def test_a_conversation_that_ended_is_forgotten_alone() -> None:
    store = FakeLevelStore()
    async with levels_on(store) as levels:
        for chat in (HERE, NEW, ELSEWHERE):
            await levels.used(chat, "mail")
        store.failing = UnavailableError("locked")
        with pytest.raises(UnavailableError):
            await forget(levels, HERE)
        assert levels.of(HERE) is Level.CONFIDENTIAL
        store.failing = None
        await forget(levels)
        assert len(store.kept) == 3
        await forget(levels, HERE)
        assert (levels.of(HERE), levels.of(NEW)) == (Level.PUBLIC, Level.CONFIDENTIAL)
        assert (levels.differ_in(HERE.umo), levels.differ_in(ELSEWHERE.umo)) == (True, False)
        assert set(await store.every()) == {conversation(NEW)}


async def test_the_host_is_asked_about_a_few_conversations_at_a_time_and_ends_none_when_it_cannot_tell() -> (
    None
):
    hands, asked = Hands(), list[int]()

    async def gone(conversation_ids: Sequence[str]) -> Collection[str]:
        asked.append(len(conversation_ids))
        return {"c0"}

    async def silent(_: Sequence[str]) -> Collection[str]:
        raise OSError("disk I/O error")

    store = FakeLevelStore()
    async with levels_on(store) as levels:
        for number in range(2 * BATCH_SIZE + 1):
            await levels.used(replace(HERE, conversation_id=f"c{number}"), "mail")
        with pytest.raises(OSError, match="disk"):
            await levels.forget_ended(silent, hands.breathe)
        await levels.forget_ended(gone, hands.breathe)
        assert (asked, hands.breaths) == ([BATCH_SIZE, BATCH_SIZE, 1], 3)
        assert len(store.kept) == 2 * BATCH_SIZE


async def test_of_a_conversation_that_ended_nothing_is_written_afterwards() -> None:
    store = FakeLevelStore(failing=LtmError("broken"))
    async with levels_on(store) as levels:
        with pytest.raises(LtmError, match="broken"):
            await levels.used(HERE, "mail")
        store.failing = None
        await forget(levels, HERE)
        await levels.settle()
        assert store.kept == {}
