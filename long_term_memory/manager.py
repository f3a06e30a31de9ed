"""LTMManager: the few things the rest of the world may ask of memory."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import batched

from .access.gatekeeper import access_of
from .domain.chat import Access, Chat, ScopeRef, ToolUse, Turn
from .domain.errors import AmbiguousError, InvalidInputError, NotFoundError
from .domain.memory import EvidenceInContext, Item, ItemFilter, ItemPage
from .domain.reading import Query, Recall
from .domain.time import Clock
from .domain.words import MemoryType, Mode, Scope, Status
from .domain.writing import AuditEntry
from .policies.expiry import expiry
from .policies.live import LivePolicies
from .read.reader import MemoryReader
from .settings import Injection, Settings
from .storage.store import Store
from .upkeep.embedding import Embedding
from .upkeep.recall_log import RecallLog
from .upkeep.scheduler import Scheduler
from .write.worker import Worker
from .write.writer import MemoryWriter, Saved

RECORD_DEADLINE = timedelta(seconds=1)
"""How long a reply may wait for its turn to be durable while the store is busy."""
MIN_ID_LENGTH = 4
APPROVED_AT_ONCE = 50
"""Items of one transaction: it takes less than the wait of a reply."""
BREATH = timedelta(milliseconds=100)
"""How long others may write between two of these; the host looks as often whether the file is free."""
WAITING = frozenset({Status.SHADOW, Status.PENDING})
"""What an approval makes active."""
BY_POLICY = frozenset(
    (
        "",
        "mode",
        "min_evidence_count",
        "require_approval_types",
        "max_writes_per_session",
        "max_writes_per_hour",
    )
)
"""Reasons of an item that waits only because a policy says so; any other is a doubt of its evidence."""


@dataclass(frozen=True, kw_only=True)
class Explained:
    """An item and the words it rests on, oldest first."""

    item: Item
    evidence: Sequence[EvidenceInContext]


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How memory stands, for an operator."""

    read_only: bool
    mode: Mode
    chat_provider: bool
    """Whether there is a model to extract with."""
    embedding_model: str | None
    embedding_error: str
    """Why memories are not embedded for now; empty while they are."""
    events: Mapping[str, int]
    """How many events are in each state of extraction."""
    items: Mapping[str, int]
    """How many items have each status."""
    last_error: str
    late_writes: int
    """How much work that a reply does not wait for any more is still to be written."""
    background_jobs: int


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What `bootstrap` puts together and the manager works with."""

    settings: Settings
    policies: LivePolicies
    store: Store
    writer: MemoryWriter
    reader: MemoryReader
    worker: Worker
    embedding: Embedding
    recall_log: RecallLog
    scheduler: Scheduler
    keep_mode: Callable[[Mode], Awaitable[None]]
    has_chat_model: Callable[[], bool]
    notes: Callable[[], Sequence[str]]
    """May read the disk."""
    clock: Clock


class LTMManager:
    """Recall, record, save, and what people and operators decide about it.

    Who may see what is worked out from the `Chat` of each call; no caller passes a scope or a level.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._settings = parts.settings
        self._store = parts.store

    @property
    def injection(self) -> Injection:
        """Where the block goes in a request."""
        return self._settings.injection

    @property
    def mode(self) -> Mode:
        """What automatic writing may do."""
        return self._parts.policies.write().mode

    async def recall(self, chat: Chat, text: str) -> Recall:
        """What a request with these words carries."""
        query = Query(text=text, at=self._parts.clock())
        return await self._parts.reader.recall(self._access(chat), query)

    def injected(self, recall: Recall) -> None:
        """Note that this recall went out."""
        self._parts.recall_log.put(recall)

    async def record_turn(self, turn: Turn) -> None:
        """Keep a completed exchange; durable on return unless the store keeps it waiting for long."""
        if self._store.read_only:
            return
        record = partial(self._record_turn, turn, self._access(turn.chat))
        await self._parts.scheduler.within("record_turn", RECORD_DEADLINE, record)

    async def _record_turn(self, turn: Turn, access: Access) -> None:
        await self._parts.writer.record(turn, access)
        self._parts.worker.notify()
        self._parts.embedding.notify()

    async def record_tool_use(self, use: ToolUse) -> None:
        """Keep what a tool answered, as `record_turn`."""
        if not self._store.read_only:
            record = partial(self._parts.writer.record_tool, use, self._access(use.chat))
            await self._parts.scheduler.within("record_tool_result", RECORD_DEADLINE, record)

    async def save(self, chat: Chat, *, fact: str, said: str, message_id: str) -> Saved:
        """Keep what a person asks to remember; `said`, the whole message, is its evidence.

        Raises InvalidInputError for an empty fact, RefusedError when a rule forbids it.
        """
        command = Turn(
            chat=chat, message_id=message_id, user_text=said, reply_text="", at=self._parts.clock()
        )
        saved = await self._parts.writer.save_explicit(command, self._access(chat), fact)
        self._parts.embedding.notify()
        return saved

    async def own_items(
        self,
        chat: Chat,
        *,
        kind: MemoryType | None,
        page: int,
        page_size: int,
    ) -> ItemPage:
        """The speaker's own live items, as far as this chat may show them, last changed first."""
        access = self._access(chat)
        return await self._store.memories.own_items(
            _own_scopes(access), access, kind=kind, page=page, page_size=page_size
        )

    async def why(self, chat: Chat, short_id: str) -> Explained:
        """One of the speaker's own items with its words. Raises NotFoundError, AmbiguousError."""
        access = self._access(chat)
        item = await self._own_item(access, short_id)
        evidence = await self._store.memories.own_evidence(item.memory_id, _own_scopes(access), access)
        return Explained(item=item, evidence=evidence)

    async def forget(self, chat: Chat, short_id: str) -> Item:
        """Delete one of the speaker's own items. Raises NotFoundError, AmbiguousError, RefusedError."""
        access = self._access(chat)
        item = await self._own_item(access, short_id)
        now = self._parts.clock()
        async with self._store.transaction() as transaction:
            current = await transaction.get_item(item.memory_id)
            if current is None or current.status is Status.DELETED:
                raise NotFoundError("no such memory")
            gone = replace(current, status=Status.DELETED, reason="forgotten", deleted_at=now, updated_at=now)
            await transaction.update_item(gone)
            await transaction.audit(_entry(access.owner.scope_id, "forget", current, gone))
        return gone

    async def approve(self, short_id: str, *, actor: str) -> Item:
        """Let one waiting item be used, whatever it waits for. Raises NotFoundError, AmbiguousError."""
        items = await self._store.waiting(_id_prefix(short_id), limit=2)
        return (await self._approve([_only(items)], actor=actor))[0]

    async def approve_all(self, *, actor: str) -> tuple[int, int]:
        """Let every waiting item be used but those in doubt; returns how many, and how many are left.

        In doubt is what no words of a person bear out: it deserves a look of its own. Works in parts, so that
        others can write meanwhile; should one fail, those before it are approved.
        """
        waiting = await self._store.waiting("", limit=None)
        sure = [item for item in waiting if item.reason in BY_POLICY]
        approved = 0
        # At least one part: a store that may not be written says so even when nothing waits.
        for place, part in enumerate(list(batched(sure, APPROVED_AT_ONCE)) or [()]):
            if place:
                await asyncio.sleep(BREATH.total_seconds())
            approved += len(await self._approve(part, actor=actor))
        return approved, len(waiting) - len(sure)

    async def set_mode(self, mode: Mode, *, actor: str) -> None:
        """Let automatic writing go on in this mode, now and after a restart. Raises RefusedError."""
        policies = self._parts.policies
        await self._store.record_policy(policies.as_json(mode), actor=actor)
        policies.set_mode(mode)
        await self._parts.keep_mode(mode)

    async def items(self, wanted: ItemFilter) -> ItemPage:
        """One page of everybody's items: for operators only."""
        return await self._store.page(wanted)

    async def item(self, memory_id: str) -> Explained:
        """One item with all its words: for operators only. Raises NotFoundError."""
        item = await self._store.item(memory_id)
        if item is None:
            raise NotFoundError("no such memory")
        return Explained(item=item, evidence=await self._store.evidence(memory_id))

    async def counts(self) -> Counts:
        """How memory stands."""
        events = await self._store.events.counts()
        items = Counter[str]()
        for (status, _), number in (await self._store.item_counts()).items():
            items[status.value] += number
        return Counts(
            read_only=self._store.read_only,
            mode=self.mode,
            chat_provider=self._parts.has_chat_model(),
            embedding_model=self._parts.embedding.model_id,
            embedding_error=self._parts.embedding.last_error,
            events={state.value: number for state, number in events.by_state.items()},
            items=dict(items),
            last_error=events.last_error,
            late_writes=self._parts.scheduler.late,
            background_jobs=self._parts.scheduler.running,
        )

    @property
    def failures(self) -> Mapping[str, int]:
        """How much work came to nothing after the reply had gone out, by hook."""
        return self._parts.scheduler.failures

    async def notes(self) -> Sequence[str]:
        """What an operator should know although nothing is wrong."""
        return await asyncio.to_thread(self._parts.notes)

    def _access(self, chat: Chat) -> Access:
        return access_of(chat, self._settings.identity, self._settings.levels)

    async def _own_item(self, access: Access, short_id: str) -> Item:
        prefix = _id_prefix(short_id)
        return _only(await self._store.memories.own_matching(prefix, _own_scopes(access), access, limit=2))

    async def _approve(self, items: Sequence[Item], *, actor: str) -> list[Item]:
        now = self._parts.clock()
        approved: list[Item] = []
        async with self._store.transaction() as transaction:
            for item in items:
                current = await transaction.get_item(item.memory_id)
                if current is None or current.status not in WAITING:
                    continue
                active = _approved(current, now)
                await transaction.update_item(active)
                await transaction.audit(_entry(actor, "approve", current, active))
                approved.append(active)
        self._parts.embedding.notify()
        return approved


def _approved(item: Item, now: datetime) -> Item:
    """Active from now on, and for as long as an item of its kind: it may have waited past its time."""
    return replace(
        item, status=Status.ACTIVE, reason="", updated_at=now, expires_at=expiry(item.ttl_days, now)
    )


def _own_scopes(access: Access) -> list[ScopeRef]:
    return [ref for ref in access.readable if ref.scope is Scope.USER]


def _id_prefix(short_id: str) -> str:
    prefix = short_id.strip().lower()
    if len(prefix) < MIN_ID_LENGTH:
        raise InvalidInputError("id", f"give at least {MIN_ID_LENGTH} characters of it")
    return prefix


def _only(items: Sequence[Item]) -> Item:
    if not items:
        raise NotFoundError("no such memory")
    if len(items) > 1:
        raise AmbiguousError("several memories begin like this")
    return items[0]


def _entry(actor: str, action: str, before: Item, after: Item) -> AuditEntry:
    return AuditEntry(
        actor=actor,
        action=action,
        memory_id=after.memory_id,
        before=before.status,
        after=after.status,
        reason=after.reason,
    )
