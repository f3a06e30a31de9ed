"""Small stand-ins for what the write pipeline asks of the world."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, Chat, ScopeRef, ToolUse, Turn
from astrbot_plugin_ltm.long_term_memory.domain.errors import RefusedError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Evidence, Item
from astrbot_plugin_ltm.long_term_memory.domain.words import (
    LIVE_STATUSES,
    Extraction,
    Level,
    Role,
    Scope,
    SourceType,
    Status,
)
from astrbot_plugin_ltm.long_term_memory.domain.writing import AuditEntry, PendingBatch, Usage

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


class ScriptedChatModel:
    """Gives its answers in order, the last one for ever; an exception among them is raised."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []
        self.during: Callable[[], None] = lambda: None
        """What happens elsewhere while the model thinks."""

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        assert umo
        assert system
        self.prompts.append(prompt)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        await asyncio.sleep(0)
        self.during()
        if isinstance(answer, Exception):
            raise answer
        return answer


class HangingChatModel:
    """Never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def provider_id(self, umo: str) -> str:
        assert umo
        return "provider"

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        assert all((umo, system, prompt))
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("an answer nobody gave")


class InMemoryStore:
    """WriteStore, WriteTransaction and EventQueue over dictionaries; a failed transaction leaves no trace."""

    def __init__(self) -> None:
        self.events: dict[str, Event] = {}
        self.items: dict[str, Item] = {}
        self.evidence: list[Evidence] = []
        self.audits: list[AuditEntry] = []
        self.retry_at: dict[str, datetime] = {}
        self.read_only = False
        self.broken: Exception | None = None
        """What the next commits raise instead of committing."""
        self.queue_broken: Exception | None = None

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator["InMemoryStore"]:
        if self.read_only:
            raise RefusedError("emergency_read_only")
        before = (dict(self.events), dict(self.items), list(self.evidence), list(self.audits))
        try:
            yield self
            self._commit()
        except BaseException:
            self.events, self.items, self.evidence, self.audits = before
            raise

    async def find_item(self, owner: ScopeRef, level: Level, fact_key: str, person: str) -> Item | None:
        found = [
            item
            for item in self.items.values()
            if (item.owner, item.level, item.fact_key, item.person) == (owner, level, fact_key, person)
        ]
        return max(found, key=lambda item: (item.status in LIVE_STATUSES, item.updated_at), default=None)

    async def get_item(self, memory_id: str) -> Item | None:
        return self.items.get(memory_id)

    async def has_evidence(self, memory_id: str, event_id: str) -> bool:
        return any((e.memory_id, e.event_id) == (memory_id, event_id) for e in self.evidence)

    async def deleted_on(self, event_id: str) -> Sequence[Item]:
        ids = [e.memory_id for e in self.evidence if e.event_id == event_id]
        return [self.items[i] for i in ids if self.items[i].status is Status.DELETED]

    async def usage(
        self, owner: ScopeRef, umo: str, *, now: datetime, window: timedelta, full_at: int
    ) -> Usage:
        live = [i for i in self.items.values() if i.owner == owner and i.status in LIVE_STATUSES]
        recent = [i for i in self.items.values() if i.created_at > now - window]
        return Usage(
            new_in_chat=sum(item.origin_umo == umo for item in recent),
            new_in_hour=len(recent),
            live_in_scope=live if len(live) >= full_at else (),
        )

    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:
        assert item.memory_id not in self.items
        assert evidence
        self._put(item, evidence)

    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        assert item.memory_id in self.items
        self._put(item, evidence)

    async def add_events(self, events: Sequence[Event]) -> None:
        for event in events:
            self.events.setdefault(event.event_id, event)

    async def mark_events(self, event_ids: Sequence[str], extraction: Extraction, error: str = "") -> None:
        for event_id in event_ids:
            self.events[event_id] = replace(self.events[event_id], extraction=extraction, last_error=error)

    async def still_pending(self, event_ids: Sequence[str]) -> frozenset[str]:
        return frozenset(e.event_id for e in self._pending() if e.event_id in event_ids)

    async def audit(self, entry: AuditEntry) -> None:
        self.audits.append(entry)

    async def due(
        self, *, now: datetime, batch_turns: int, idle: timedelta, limit: int
    ) -> PendingBatch | None:
        for umo in dict.fromkeys(event.umo for event in self._pending()):
            if self._due_at(umo, batch_turns, idle) <= now:
                events = [event for event in self._pending() if event.umo == umo][:limit]
                return PendingBatch(umo=umo, events=events, attempts=max(e.attempts for e in events))
        return None

    async def next_due_at(self, *, batch_turns: int, idle: timedelta) -> datetime | None:
        if self.queue_broken:
            raise self.queue_broken
        umos = {event.umo for event in self._pending()}
        return min((self._due_at(umo, batch_turns, idle) for umo in umos), default=None)

    async def postpone(
        self, event_ids: Sequence[str], *, until: datetime, error: str, attempted: bool = True
    ) -> None:
        for event_id in event_ids:
            event = self.events[event_id]
            self.events[event_id] = replace(event, attempts=event.attempts + attempted, last_error=error)
            self.retry_at[event_id] = until

    async def give_up(self, event_ids: Sequence[str], error: str) -> None:
        await self.mark_events(event_ids, Extraction.FAILED, error)

    def active_facts(self) -> list[str]:
        return [item.fact for item in self.items.values() if item.status.value == "active"]

    def facts(self) -> dict[str, str]:
        """Each fact with its status and reason, as text."""
        return {item.fact: f"{item.status.value}:{item.reason}" for item in self.items.values()}

    def states(self) -> list[str]:
        return [event.extraction.value for event in self.events.values()]

    def _commit(self) -> None:
        if self.broken:
            raise self.broken

    def _put(self, item: Item, evidence: Sequence[Evidence]) -> None:
        assert all(e.event_id in self.events and e.memory_id == item.memory_id for e in evidence)
        self.items[item.memory_id] = item
        self.evidence += evidence

    def _pending(self) -> list[Event]:
        pending = [e for e in self.events.values() if e.extraction is Extraction.PENDING]
        return sorted(pending, key=lambda event: event.created_at)

    def _due_at(self, umo: str, batch_turns: int, idle: timedelta) -> datetime:
        events = [event for event in self._pending() if event.umo == umo]
        full = sum(event.role is Role.USER for event in events) >= batch_turns
        ready = events[-1].created_at + (timedelta(0) if full else idle)
        return max([ready, *(self.retry_at[e.event_id] for e in events if e.event_id in self.retry_at)])


def access(
    owner: ScopeRef = ALICE, group: ScopeRef | None = None, umo: str = "qq:FriendMessage:alice"
) -> Access:
    level = Level.PUBLIC if group else Level.INTERNAL
    return Access(umo=umo, private=group is None, level=level, owner=owner, group=group, readable=(owner,))


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
        source_type=SourceType.TOOL_RESULT if role is Role.TOOL else SourceType.MESSAGE,
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
