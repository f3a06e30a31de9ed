"""Every door that text comes in by, without a host: one hostile text through all of them, for one person."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, override

from astrbot_plugin_ltm.long_term_memory.commands import Commands
from astrbot_plugin_ltm.long_term_memory.domain.chat import Chat, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, EventFilter
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.service import Service

from tests.dashboard_routes.calling import Api
from tests.running import A_MINUTE, FakeClock, ScriptedChatModel, World
from tests.tools import TOOLS
from tests.verifying import second_answer

MAX_NAMED = 200
"""Characters of a text in places that no platform fills with more: ids, names of groups and of tools."""
RAW: Mapping[str, object] = {
    "write_policy": {
        "mode": "auto",
        "min_confidence": 0.0,
        "max_writes_per_session": 10_000,
        "max_writes_per_hour": 100_000,
    },
    "read_policy": {"max_items": 100, "max_tokens": 32_000, "max_per_type": 100, "min_confidence": 0.0},
    "extraction": {"batch_turns": 1, "idle_seconds": 1, "daily_token_cap": 1_000_000_000},
    "identity": {"per_persona": True},
}
"""What is said is read at once and used at once, and a request may carry all of it."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question to the model."""

    umo: str
    prompt: str


@dataclass
class HostileModel(ScriptedChatModel):
    """A model that does what the texts want: it repeats them in every field of its answer."""

    asked: list[Asked] = field(default_factory=list[Asked])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    """What is said in a chat, by its umo."""

    @override
    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        if verdicts := second_answer(system, prompt):
            return verdicts
        self.asked.append(Asked(umo=umo, prompt=prompt))
        text = self.texts.get(umo, umo)
        fields = ("fact", "quote", "fact_key", "person", "about", "relationship", "backstory", "slot")
        repeated = dict.fromkeys(fields, text)
        facts = [
            {"type": MemoryType.PROFILE, "fact": text, "quote": text, "evidence": [1, 2]},
            {"type": MemoryType.EPISODE, "fact": text, "quote": text, "person": text, "evidence": [1]},
            {"type": MemoryType.PREFERENCE, **repeated, "evidence": text, "replaces": text, "tags": [text]},
        ]
        return Completion(text=json.dumps(facts), prompt_tokens=90, answer_tokens=10)


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Somebody who brings one text."""

    text: str
    private: Chat
    """A private chat in which the shown name is hostile."""
    group: Chat
    """A chat all of whose names and ids are."""


def visitor(number: int, text: str) -> Visitor:
    """The person of this number: nobody else shares a chat with them."""
    named = text[:MAX_NAMED]
    private = Chat(
        umo=f"plat:FriendMessage:p{number}",
        platform_id="plat",
        sender_id=f"p{number}",
        sender_name=text,
        group_id="",
        conversation_id="c1",
    )
    group = replace(
        private,
        umo=f"plat:GroupMessage:{number}{named}",
        sender_id=f"{number}{named}",
        group_id=f"{number}{named}",
        conversation_id=named,
        persona_id=named,
        project_id=named,
    )
    return Visitor(text=text, private=private, group=group)


@dataclass
class House:
    """A memory at work, and the doors to it."""

    world: World
    model: HostileModel
    service: Service
    commands: Commands
    api: Api

    @property
    def memory(self) -> LTMManager:
        return self.service.manager()

    async def speaks(self, who: Visitor) -> None:
        """As a message, a nickname, a quotation, a reply and the result of a tool, in both chats."""
        for chat in (who.private, who.group):
            self.model.texts[chat.umo] = who.text
            at = self.now()
            use = ToolUse(chat=chat, message_id="t", tool=who.text[:MAX_NAMED], result=who.text, at=at)
            await self.memory.record_tool_use(use)
            await self.memory.record_turn(self.turn(chat, who.text, reply=who.text, quoted=who.text))

    async def calls_tools(self, who: Visitor) -> list[str]:
        """As every argument of every tool of the memory; what they answer."""
        text, turn = who.text, self.turn(who.private, "请记住这个")
        calls: list[tuple[str, Mapping[str, object]]] = [
            ("memory_save", {"key": "plain", "content": text, "tags": [text, "tag"]}),
            ("memory_save", {"key": text, "content": f"我喜欢{text}", "tags": text}),
            ("memory_get", {"key": text}),
            ("memory_get", {"key": "plain"}),
            ("memory_search", {"query": text, "max_results": text}),
            ("memory_list", {"tag": text}),
            ("memory_list", {}),
            ("session_search", {"query": text}),
            ("memory_delete", {"key": text}),
        ]
        return [await TOOLS[name].call(self.memory, turn, arguments) for name, arguments in calls]

    async def commands_of(self, who: Visitor) -> list[str]:
        """As the argument of every command for everybody, and as a command; what is answered."""
        lines = [
            *(f"/ltm add {who.text}", f"/ltm list {who.text}", "/ltm list", f"/ltm search {who.text}"),
            *(f"/ltm why {who.text}", f"/ltm why-not {who.text}", f"/ltm forget {who.text}"),
            *(f"/ltm share {who.text}", f"/ltm link {who.text}", f"/ltm {who.text}", f"/{who.text} list"),
            *("/ltm export", f"/ltm approve {who.text}", f"/ltm mode {who.text}"),
        ]
        replies = [
            await self.commands.answer(who.private, line, admin=True, message_id="m") for line in lines
        ]
        for reply in replies:
            if reply.file is not None:
                json.loads(reply.file.content)
        return [reply.text for reply in replies]

    def turn(self, chat: Chat, said: str, *, reply: str = "", quoted: str = "") -> Turn:
        return Turn(
            chat=chat,
            message_id="m",
            user_text=said,
            reply_text=reply,
            at=self.now(),
            quoted=quoted,
            quoted_from=quoted,
        )

    def now(self) -> Any:
        return self.world.clock()

    async def events(self, umo: str) -> list[Event]:
        """What was recorded of a chat, oldest first."""
        page = await self.memory.browsing.events(EventFilter(umo=umo, page_size=50))
        return list(page.rows)[::-1]

    async def settles(self) -> None:
        """Wait until the model was asked about all that was said."""
        async with asyncio.timeout(120):
            while (await self.memory.browsing.events(EventFilter(extraction=Extraction.PENDING))).total:
                await asyncio.sleep(0.01)


@asynccontextmanager
async def opened_house(folder: Path, raw: Mapping[str, object] = RAW) -> AsyncGenerator[House]:
    """A house whose files lie in this folder and nowhere else."""
    model = HostileModel()
    world = World(folder / "data_v4.db", model=model, clock=FakeClock())
    service = Service(world.memory, version="1.2.3", patience=A_MINUTE)
    await service.start(raw)
    try:
        yield House(world, model, service, world.commands(service), Api(service))
    finally:
        await service.stop()
