"""Which conversation a message belongs to, and what the tools used for it make of it.

These cases import the host, which warns and sets up logging: `test_edges.py` runs them apart.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from astrbot.api.event import AstrMessageEvent
from astrbot.api.platform import AstrBotMessage, MessageMember, MessageType, PlatformMetadata
from astrbot.api.provider import ProviderRequest
from astrbot.core.db.sqlite import SQLiteDatabase
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level
from astrbot_plugin_ltm.long_term_memory.host import host_events
from astrbot_plugin_ltm.long_term_memory.host.adapters import gone
from astrbot_plugin_ltm.long_term_memory.host.event_context import (
    MAX_MISSED,
    HostLevels,
    resolve_conversation,
)
from astrbot_plugin_ltm.long_term_memory.service import Service


def message() -> Any:
    made = AstrBotMessage()
    made.type, made.self_id, made.message_id, made.group_id = MessageType.FRIEND_MESSAGE, "bot", "m1", ""
    made.session_id, made.sender = "alice", MessageMember("alice", "Alice")
    made.message, made.message_str = [], "hi"
    return AstrMessageEvent("hi", made, PlatformMetadata(name="qq", description="", id="qq"), "alice")


def requested(conversation_id: str | None) -> Any:
    event = message()
    conversation: Any = SimpleNamespace(cid=conversation_id) if conversation_id else None
    event.set_extra("provider_request", ProviderRequest(prompt="hi", conversation=conversation))
    return event


@dataclass
class FakeHost:
    """The host's conversations, one for each chat at most."""

    current: dict[str, str] = field(default_factory=dict[str, str])
    silent: bool = False

    @property
    def conversation_manager(self) -> "FakeHost":
        return self

    async def get_curr_conversation_id(self, umo: str) -> str | None:
        if self.silent:
            await asyncio.Event().wait()
        return self.current.get(umo)


async def note(host: Any, event: AstrMessageEvent) -> None:
    await resolve_conversation(event, host)


async def test_a_message_without_a_request_belongs_to_what_the_chat_is_in_now() -> None:
    host, event = FakeHost({"qq:FriendMessage:alice": "c1"}), message()
    assert host_events.chat_of(event).conversation_id == ""
    await note(host, event)
    assert host_events.chat_of(event).conversation_id == "c1"
    host.current = {}
    await note(host, event)
    assert host_events.chat_of(event).conversation_id == ""


@pytest.mark.parametrize("own", ["c2", None])
async def test_a_request_says_itself_which_conversation_it_is_in_or_that_it_is_in_none(
    own: str | None,
) -> None:
    host, event = FakeHost({"qq:FriendMessage:alice": "c1"}), message()
    await note(host, event)
    event.set_extra("provider_request", requested(own).get_extra("provider_request"))
    host.silent = True
    await note(host, event)
    assert host_events.chat_of(event).conversation_id == (own or "")


async def test_a_conversation_that_cannot_be_told_passes_for_none() -> None:
    event = message()
    with pytest.raises(TimeoutError):
        await note(FakeHost(silent=True), event)
    assert host_events.chat_of(event).conversation_id == ""


@dataclass
class FakeService:
    """A memory that can be away, with what it was told and what failed."""

    active: Any = None
    failures: list[str] = field(default_factory=list[str])

    def failed(self, hook: str, error: Exception) -> None:
        self.failures.append(f"{hook}: {error}")

    def guard(self, hook: str) -> AbstractContextManager[Any]:
        return Service.guard(cast("Service", self), hook)


@dataclass
class FakeLevels:
    """Knows some tools, and the chats they were used in."""

    raised: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    broken: bool = False
    broken_in: str = ""

    @property
    def levels(self) -> "FakeLevels":
        return self

    def of_tool(self, tool: str) -> Level | None:
        return LEVELS.get(tool)

    def differ_in(self, umo: str) -> bool:
        return any(each == umo for each, _ in self.raised)

    async def used(self, chat: Chat, tool: str) -> None:
        if self.broken or chat.conversation_id == self.broken_in:
            raise LookupError("no such store")
        if self.of_tool(tool):
            self.raised.append((chat.umo, chat.conversation_id))


ALICE = "qq:FriendMessage:alice"
LEVELS = {"hr": Level.CONFIDENTIAL, "payroll": Level.RESTRICTED, "handbook": Level.INTERNAL}
HR, WIKI = SimpleNamespace(name="hr"), SimpleNamespace(name="wiki")


def host_levels(service: Any, host: FakeHost | None = None) -> HostLevels:
    return HostLevels(service, cast("Any", host or FakeHost()))


async def test_a_tool_is_told_with_its_conversation_and_noted_on_the_turn() -> None:
    memory: Any = FakeLevels()
    event, other = requested("c1"), requested("c1")
    levels = host_levels(FakeService(memory))
    await levels.using_tool(event, HR)
    await levels.using_tool(other, WIKI)
    await levels.using_tool(other, object())
    assert memory.raised == [(ALICE, "c1")]
    assert (host_events.chat_of(event).raised, host_events.chat_of(other).raised) == (
        Level.CONFIDENTIAL,
        Level.PUBLIC,
    )


async def test_a_turn_stays_at_the_highest_level_of_its_tools() -> None:
    event, levels = requested(None), host_levels(FakeService(FakeLevels()))
    for tool in ("handbook", "payroll", "hr"):
        await levels.using_tool(event, SimpleNamespace(name=tool))
    assert host_events.chat_of(event).raised is Level.RESTRICTED


async def test_a_run_that_nobody_asked_for_raises_the_conversation_it_goes_on_in() -> None:
    memory, event = FakeLevels(), message()
    await host_levels(FakeService(memory), FakeHost({ALICE: "c7"})).using_tool(event, HR)
    assert memory.raised == [(ALICE, "c7")]


async def test_a_failure_keeps_the_turn_raised_and_the_chat_going() -> None:
    service, event = FakeService(FakeLevels(broken=True)), requested("c1")
    await host_levels(service).using_tool(event, HR)
    silent, another = FakeService(FakeLevels()), message()
    await host_levels(silent, FakeHost(silent=True)).using_tool(another, HR)
    assert service.failures == ["using_tool: no such store"]
    assert silent.failures == ["using_tool: "]
    assert {host_events.chat_of(each).raised for each in (event, another)} == {Level.CONFIDENTIAL}


async def test_the_conversation_is_asked_for_only_where_it_makes_a_difference() -> None:
    memory, event = FakeLevels(), message()
    levels = host_levels(FakeService(memory), FakeHost({ALICE: "c1"}))
    await levels.resolve(event)
    assert host_events.chat_of(event).conversation_id == ""
    memory.raised.append((ALICE, "c0"))
    await levels.resolve(event)
    assert host_events.chat_of(event).conversation_id == "c1"
    await host_levels(FakeService(), FakeHost(silent=True)).resolve(event)


async def test_what_was_used_while_there_was_no_memory_is_told_when_there_is() -> None:
    service = FakeService()
    memory: Any = FakeLevels()
    levels = host_levels(service)
    await levels.using_tool(requested("too long ago"), HR)
    for number in range(MAX_MISSED - 1):
        await levels.using_tool(requested(f"c{number}"), WIKI)
    for _ in range(2):
        await levels.using_tool(requested("c1"), HR)
    await levels.catch_up(memory)
    await levels.catch_up(memory)
    assert memory.raised == [(ALICE, "c1")]


async def test_what_was_missed_at_the_last_moment_is_told_with_the_next_tool() -> None:
    service = FakeService()
    levels = host_levels(service)
    await levels.using_tool(requested("c1"), HR)
    service.active = memory = FakeLevels()
    await levels.using_tool(requested("c2"), WIKI)
    assert memory.raised == [(ALICE, "c1")]


async def test_memory_comes_up_though_some_of_what_it_missed_cannot_be_told() -> None:
    service = FakeService()
    levels = host_levels(service)
    for conversation in ("c1", "c2"):
        await levels.using_tool(requested(conversation), HR)
    broken: Any = FakeLevels(broken_in="c1")
    await levels.catch_up(broken)
    assert service.failures == ["using_tool: no such store"]
    assert broken.raised == [(ALICE, "c2")]


@asynccontextmanager
async def hosts_database(folder: Path) -> AsyncGenerator[SQLiteDatabase]:
    database = SQLiteDatabase(str(folder / "data_v4.db"))
    await database.initialize()
    try:
        yield database
    finally:
        await database.engine.dispose()


async def test_gone_is_what_the_hosts_table_does_not_have(tmp_path: Path) -> None:
    async with hosts_database(tmp_path) as database:
        create: Any = getattr(database, "create_conversation")  # noqa: B009 - untyped in part
        kept, dropped = [
            (await create(user_id="qq:FriendMessage:alice", platform_id="qq")).conversation_id
            for _ in range(2)
        ]
        assert await gone(database, [kept, dropped]) == set()
        await database.delete_conversation(cid=dropped)
        assert await gone(database, [kept, dropped, "never"]) == {dropped, "never"}
        assert await gone(database, []) == set()


async def test_a_host_whose_database_does_not_answer_has_lost_nothing(tmp_path: Path) -> None:
    async with hosts_database(tmp_path) as database:
        await database.engine.dispose()
        (tmp_path / "data_v4.db").write_bytes(b"these are the only notes I have" * 100)
        with pytest.raises(Exception, match="not a database"):
            await gone(database, ["c1"])
