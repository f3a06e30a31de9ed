"""The whole memory at work without a host: a real store, a scripted model, no embedding provider."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.bootstrap import Ports, running
from astrbot_plugin_ltm.long_term_memory.commands import Commands, Confirming
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.providers import Embedder
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.manager.bulk_review import Decided
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import PoliciesJson
from astrbot_plugin_ltm.long_term_memory.service import Service
from astrbot_plugin_ltm.long_term_memory.settings import Settings, read_settings
from astrbot_plugin_ltm.long_term_memory.storage.namespaces import Namespace
from astrbot_plugin_ltm.long_term_memory.storage.uninstall import StoreMarkers

from tests.read.fakes import NoEmbedder
from tests.stores import migrated
from tests.verifying import second_answer

AUTO: Mapping[str, object] = {"write_policy": {"mode": "auto"}}
PATIENCE = 30.0
"""Seconds to wait for what happens in milliseconds: the machine may be busy with something else."""
A_MINUTE = timedelta(minutes=1)
"""How long a service may take to start: the host would not wait that long, a test on a busy machine does."""


@dataclass
class ScriptedChatModel:
    """Answers every request with `answer`, and keeps the prompts."""

    answer: str = "[]"
    prompts: list[str] = field(default_factory=list[str])

    async def provider_id(self, umo: str) -> str:  # noqa: ARG002
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:  # noqa: ARG002
        if verdicts := second_answer(system, prompt):
            return verdicts
        self.prompts.append(prompt)
        return Completion(text=self.answer, prompt_tokens=90, answer_tokens=10)


@dataclass
class FakeMarkers(StoreMarkers):
    """The two places outside the tables, in memory."""

    places: list[str | None] = field(default_factory=lambda: [None, None])

    async def read(self) -> Sequence[str | None]:
        return list(self.places)

    async def write(self, store_id: str) -> None:
        self.places = [store_id, store_id]


@dataclass
class FakeClock:
    """Stands still until it is moved."""

    now: datetime = datetime(2025, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, by: timedelta) -> None:
        self.now += by


@dataclass
class World:
    """The outside of a memory: its ports, and what tests do with them."""

    file: Path
    model: ScriptedChatModel = field(default_factory=ScriptedChatModel)
    embedder: Embedder = field(default_factory=NoEmbedder)
    clock: FakeClock = field(default_factory=FakeClock)
    markers: FakeMarkers = field(default_factory=FakeMarkers)
    kept_policies: list[PoliciesJson] = field(default_factory=list[PoliciesJson])
    kept_read_only: list[bool] = field(default_factory=list[bool])
    knows_tool: Callable[[str], bool] = bool
    zone: tzinfo = UTC
    memory_plugins: Sequence[str] = ()
    ready_made: bool = True
    """Whether a new file is a copy of a migrated one: migrations take as long as the rest of a start."""
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    @asynccontextmanager
    async def memory(self, settings: Settings) -> AsyncGenerator[LTMManager]:
        """Run a memory on the file, as the host's side of the plugin does."""
        if self.ready_made and not self.file.exists() and self.file.parent.is_dir():
            migrated(self.file)
        async with running(settings, self._ports()) as manager:
            yield manager

    async def tell(self, memory: LTMManager, chat: Chat, text: str, reply: str = "I see.") -> None:
        """One exchange, and what the rules make of it."""
        number = str(next(self._numbers))
        turn = Turn(chat=chat, message_id=number, user_text=text, reply_text=reply, at=self.clock())
        await record(memory, turn)

    def new_id(self) -> str:
        """An id that nobody has yet."""
        return f"{next(self._numbers):08x}-0000"

    def commands(self, service: Service) -> Commands:
        """What answers `/ltm` over this memory."""
        return Commands(service, Confirming(self.clock, self.new_id))

    def _ports(self) -> Ports:
        return Ports(
            database=self.file,
            folder=self.file.with_name("plugin_data"),
            markers=self.markers,
            chat_model=self.model,
            has_chat_model=lambda: True,
            knows_tool=self.knows_tool,
            zone=self.zone,
            memory_plugins=lambda: self.memory_plugins,
            embedder=self.embedder,
            namespace=Namespace,
            keep_policies=self._keep_policies,
            save_read_only=self._save_read_only,
            clock=self.clock,
            make_id=self.new_id,
            gone=_none_gone,
            version="",
            tell_admins=_tell_nobody,
        )

    async def _keep_policies(self, policies: PoliciesJson) -> None:
        self.kept_policies.append(policies)

    async def _save_read_only(self, on: bool) -> None:
        self.kept_read_only.append(on)


async def _none_gone(_conversation_ids: Sequence[str]) -> Sequence[str]:
    return ()


async def _tell_nobody(_text: str) -> int:
    return 0


def settings(raw: Mapping[str, object] = AUTO) -> Settings:
    """Settings from a config that is known to be good."""
    reading = read_settings(raw)
    assert reading.settings is not None, reading.problems
    return reading.settings


def outcome(decided: Decided) -> tuple[int, int]:
    """About how many it was decided, and about how many not."""
    return len(decided.done), len(decided.left)


def private(person: str = "alice") -> Chat:
    """A private chat with somebody."""
    return Chat(
        umo=f"plat:FriendMessage:{person}",
        platform_id="plat",
        sender_id=person,
        sender_name=person.title(),
        group_id="",
        conversation_id="c1",
    )


def group(person: str = "alice", name: str = "kitchen") -> Chat:
    """Somebody in a group."""
    return Chat(
        umo=f"plat:GroupMessage:{name}",
        platform_id="plat",
        sender_id=person,
        sender_name=person.title(),
        group_id=name,
        conversation_id="g1",
    )


async def record(memory: LTMManager, what: Turn | ToolUse) -> None:
    """Record it; on return it is written, however slow the disk is."""
    if isinstance(what, Turn):
        await memory.record_turn(what)
    else:
        await memory.record_tool_use(what)
    await written(memory)


async def written(memory: LTMManager) -> None:
    """Wait for what is still being written: a reply does not wait for a slow disk."""
    scheduler = memory._components.scheduler  # pyright: ignore[reportPrivateUsage] - at once
    await until(lambda: not scheduler.late, 60)


async def until(condition: Callable[[], bool], timeout: float = PATIENCE) -> None:  # noqa: ASYNC109
    """Wait for a condition, not for ever."""
    async with asyncio.timeout(timeout):
        while not condition():
            await asyncio.sleep(0.005)
