"""What the write pipeline asks of the rest of the world."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Protocol

from ..domain.chat import ScopeRef
from ..domain.memory import Event, Evidence, Item
from ..domain.words import Extraction, Level
from ..domain.writing import AuditEntry, PendingBatch, Usage


class WriteTransaction(Protocol):
    """One transaction of the store: all of it happens, or nothing."""

    async def find_item(self, owner: ScopeRef, level: Level, fact_key: str, person: str) -> Item | None:
        """The item of this identity: the live one if there is one, else the newest of the others."""
        ...

    async def get_item(self, memory_id: str) -> Item | None:
        """The item with this id, whatever its status."""
        ...

    async def has_evidence(self, memory_id: str, event_id: str) -> bool:
        """Whether this event already counts for this item."""
        ...

    async def deleted_on(self, event_id: str) -> Sequence[Item]:
        """The deleted items that this event is evidence of, of whatever scope."""
        ...

    async def usage(
        self, owner: ScopeRef, umo: str, *, now: datetime, window: timedelta, full_at: int
    ) -> Usage:
        """The counts the gate needs; `live_in_scope` is filled when the scope holds `full_at` or more."""
        ...

    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:
        """Store a new item with its evidence (at least one) and its full-text row."""
        ...

    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        """Replace the stored item of the same id, add evidence, refresh its full-text row."""
        ...

    async def add_events(self, events: Sequence[Event]) -> None:
        """Store events; one that is there already (same event_id) is left as it is."""
        ...

    async def mark_events(self, event_ids: Sequence[str], extraction: Extraction, error: str = "") -> None:
        """Move events on; nothing else about them changes."""
        ...

    async def still_pending(self, event_ids: Sequence[str]) -> frozenset[str]:
        """Those of these events that are still there and still pending.

        The others were erased or worked off since they were read outside the transaction.
        """
        ...

    async def audit(self, entry: AuditEntry) -> None:
        """Append one line."""
        ...


class WriteStore(Protocol):
    """Where the pipeline writes."""

    def transaction(self) -> AbstractAsyncContextManager[WriteTransaction]:
        """Open the one writing transaction.

        Commits when the block ends, rolls back when it raises. Transactions of this process queue up behind
        each other. Raises RefusedError(`emergency_read_only`) before anything happens while the store is
        read-only, UnavailableError when the database stays locked.
        """
        ...


class EventQueue(Protocol):
    """The table of events, seen as the queue that the extraction works off."""

    async def due(
        self, *, now: datetime, batch_turns: int, idle: timedelta, limit: int
    ) -> PendingBatch | None:
        """The pending events of one chat that is due, at most `limit` of them; None when no chat is.

        Due is a chat with `batch_turns` pending user messages or more, or whose newest pending event is
        older than `idle`; chats in back-off wait. The chat waiting longest comes first.
        """
        ...

    async def next_due_at(self, *, batch_turns: int, idle: timedelta) -> datetime | None:
        """When the next chat falls due if nothing more is said; None when nothing is pending."""
        ...

    async def postpone(
        self, event_ids: Sequence[str], *, until: datetime, error: str, attempted: bool = True
    ) -> None:
        """Leave the events alone until then, and count a failed attempt if there was one."""
        ...

    async def give_up(self, event_ids: Sequence[str], error: str) -> None:
        """Count a failed attempt and move the events to `failed`, where an operator sees them."""
        ...


class ChatModel(Protocol):
    """The operator's chat provider for one chat."""

    async def provider_id(self, umo: str) -> str:
        """Which provider answers for this chat; chats of the same one share its outages.

        Raises NoProviderError, UnavailableError.
        """
        ...

    async def complete(self, *, umo: str, system: str, prompt: str) -> str:
        """One answer.

        Raises NoProviderError when there is no provider for this chat, UnavailableError when it fails or
        takes too long.
        """
        ...
