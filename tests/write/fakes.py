"""Small stand-ins for what the write pipeline asks of the world."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.enums import (
    Level,
    Role,
    Scope,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.writing import Completion
from astrbot_plugin_ltm.long_term_memory.prompts.verification import SYSTEM, Ruling

from tests.running import PATIENCE
from tests.verifying import all_said

START = datetime(2025, 3, 1, 12, tzinfo=UTC)
ALICE = ScopeRef(scope=Scope.USER, scope_id="qq:alice")
BOB = ScopeRef(scope=Scope.USER, scope_id="qq:bob")
GROUP = ScopeRef(scope=Scope.GROUP, scope_id="qq:GroupMessage:g1")


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def move(self, span: timedelta) -> None:
        self.now += span


class CountingIds:
    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> str:
        self.made += 1
        return f"id-{self.made:05d}"


def completion(text: str) -> Completion:
    """An answer that costs 100 tokens with its question."""
    return Completion(text=text, prompt_tokens=90, answer_tokens=10)


class ScriptedChatModel:
    """Gives its answers in order, the last one for ever; an exception among them is raised.

    To the second question it gives its `verdicts` likewise: a ruling for all facts, or the answer itself.
    """

    during: Callable[[], Awaitable[object]]
    """What happens elsewhere while the model thinks."""

    def __init__(self, *answers: str | Exception, verdicts: Sequence[str | Exception] = ("said",)) -> None:
        self.answers = list(answers)
        self.verdicts = list(verdicts)
        self.prompts: list[str] = []
        self.checks: list[str] = []
        """The second questions."""
        self.during = _nothing

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        assert umo
        assert system
        if system == SYSTEM:
            self.checks.append(prompt)
            answer = _next(self.verdicts)
            if isinstance(answer, str):
                is_ruling = answer in list(Ruling)
                return completion(all_said(prompt, ruling=answer) if is_ruling else answer)
            raise answer
        self.prompts.append(prompt)
        answer = _next(self.answers)
        await asyncio.sleep(0)
        await self.during()
        if isinstance(answer, Exception):
            raise answer
        return completion(answer)


def _next[T](script: list[T]) -> T:
    return script.pop(0) if len(script) > 1 else script[0]


async def _nothing() -> None:
    """What mostly happens elsewhere."""


class GatedChatModel:
    """Answers `[]` once its gate is open; one chat may be `slow` and never get an answer."""

    def __init__(self, *, slow: str = "") -> None:
        self.gate = asyncio.Event()
        self.slow = slow
        self.prompts: list[str] = []
        self.most_at_once = 0
        self._at_once = 0
        if slow:
            self.gate.set()

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        assert all((umo, system, prompt))
        self.prompts.append(prompt)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await (asyncio.Event().wait() if umo == self.slow else self.gate.wait())
        await asyncio.sleep(0)
        self._at_once -= 1
        return completion("[]")

    async def asked_about(self, number: int) -> None:
        """Wait until so many questions have come."""
        async with asyncio.timeout(PATIENCE):
            while len(self.prompts) < number:
                await asyncio.sleep(0.005)


class HangingChatModel:
    """Never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        assert all((umo, system, prompt))
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("an answer nobody gave")


def access(
    owner: ScopeRef = ALICE, group: ScopeRef | None = None, umo: str = "qq:FriendMessage:alice"
) -> Access:
    level = Level.PUBLIC if group else Level.INTERNAL
    readable = (owner, group) if group else (owner,)
    return Access(umo=umo, private=group is None, level=level, owner=owner, group=group, readable=readable)


def chat(sender: str = "alice", umo: str = "qq:FriendMessage:alice", group_id: str = "") -> Chat:
    return Chat(
        umo=umo,
        platform_id="qq",
        sender_id=sender,
        sender_name=sender.title(),
        group_id=group_id,
        conversation_id="c1",
    )


def turn(user: str, reply: str = "Fine.", *, message_id: str = "m1", at: datetime = START) -> Turn:
    return Turn(chat=chat(), message_id=message_id, user_text=user, reply_text=reply, at=at)


def tool_use(result: str, tool: str = "web_search") -> ToolUse:
    return ToolUse(chat=chat(), message_id="m1", tool=tool, result=result, at=START)


def event(
    text: str,
    role: Role = Role.USER,
    *,
    event_id: str = "e1",
    sender: str = "alice",
    in_group: bool = False,
) -> Event:
    """One event of a private chat or of a group."""
    owner = ScopeRef(scope=Scope.USER, scope_id=f"qq:{sender}")
    said = role is Role.USER
    return Event(
        event_id=event_id,
        at_scope=GROUP if in_group else owner,
        owner=owner,
        role=role,
        text=text,
        tool="web_search" if role is Role.TOOL else "",
        platform_id="qq",
        umo=GROUP.scope_id if in_group else f"qq:FriendMessage:{sender}",
        conversation_id="c1",
        message_id=event_id,
        sender_id=sender if said else "",
        sender_name=sender.title() if said else "",
        level=Level.PUBLIC if in_group else Level.INTERNAL,
        created_at=START,
    )
