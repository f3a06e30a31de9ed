"""What the write pipeline asks of the rest of the world."""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Any, Protocol

from ..domain.chat import Access, ScopeRef
from ..domain.memory import Event, Evidence, Item
from ..domain.words import Extraction, Level, Stance
from ..domain.writing import AuditEntry, Booking, Completion, Due, Grounded, Segment, Usage
from ..prompts.verification import Judgement


class WriteTransaction(Protocol):
    """One transaction of the store: all of it happens, or nothing."""

    async def find_item(self, owner: ScopeRef, level: Level, fact_key: str, person: str) -> Item | None:
        """The item of this identity: the live one if there is one, else the newest of the others."""
        ...

    async def get_item(self, memory_id: str) -> Item | None:
        """The item with this id, whatever its status."""
        ...

    async def similar(self, owner: ScopeRef, level: Level, text: str, *, limit: int) -> Sequence[Item]:
        """The items of this owner and level nearest to a text by their words, whatever their status."""
        ...

    async def same_slot(self, owner: ScopeRef, level: Level, slot: str, person: str) -> Sequence[Item]:
        """The live items of this owner, level and person that answer this slot, oldest first."""
        ...

    async def last_said(self, memory_id: str) -> datetime | None:
        """When the newest words that an item rests on were said; None when none are left."""
        ...

    async def said_in(self, memory_id: str) -> frozenset[ScopeRef]:
        """The groups in which an item's words were said; none of them for what was said in private."""
        ...

    async def quotes_of(self, memory_id: str) -> Sequence[str]:
        """The newest words an item rests on, of the chat it was said in."""
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

    async def paused(self, *refs: ScopeRef) -> bool:
        """Whether at least one of these scopes is paused: its person's own, or the group's."""
        ...

    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:
        """Store a new item with its evidence (at least one) and its full-text row."""
        ...

    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        """Replace the stored item of the same id, add evidence, refresh its full-text row."""
        ...

    async def add_events(self, events: Sequence[Event]) -> None:
        """Store events; of one that is there already (same event_id) only the level may rise."""
        ...

    async def erased_since(self, event: Event) -> bool:
        """Whether whoever it belongs to was erased after it happened, so that it must not be kept."""
        ...

    async def waiting_turns(self, event: Event) -> int:
        """How many user messages of the chat of this event wait for the model."""
        ...

    async def mark_events(self, event_ids: Sequence[str], extraction: Extraction, error: str = "") -> None:
        """Move events on; nothing else about them changes."""
        ...

    async def claim(self, events: Sequence[Event], *, lease: str, now: datetime) -> bool:
        """Lease these events of one chat for `back_off.LEASE`; False when one is gone or the chat leased."""
        ...

    async def held(self, event_ids: Sequence[str], lease: str) -> bool:
        """Whether all these events are still there, pending, and nobody else has leased them since."""
        ...

    async def postpone(self, event_ids: Sequence[str], *, until: datetime, error: str, lease: str) -> None:
        """Leave the events under this lease alone until then, and end it; that is no failed attempt."""
        ...

    async def known(self, access: Access, text: str, *, limit: int) -> Sequence[Item]:
        """What a model may be told here: readable items at the access' level, nearest to the text first."""
        ...

    async def before(self, event: Event, *, limit: int) -> Sequence[Event]:
        """The newest messages of the chat of this event before it, oldest first; no commands."""
        ...

    async def after(self, event: Event, *, limit: int) -> Sequence[Event]:
        """The first messages of the chat of this event after it, oldest first; no commands."""
        ...

    async def newest(self, umo: str, scope_id: str, *, limit: int) -> Sequence[Event]:
        """The last messages of a chat, oldest first; no commands."""
        ...

    async def tool_results(self, umo: str, message_id: str) -> Sequence[Event]:
        """What tools answered in the turn of this message; none for a message without an id."""
        ...

    async def provisional(self, event_ids: Sequence[str]) -> Sequence[Item]:
        """The live items that rules or the person's own wording made, and that rest on these events alone."""
        ...

    async def stance_of(self, memory_id: str) -> Stance:
        """How long an item holds, as its newest evidence says."""
        ...

    async def held_back(self, reasons: Collection[str], *, limit: int) -> Sequence[Item]:
        """Pending items with one of these reasons, oldest first."""
        ...

    async def rests_on(self, memory_id: str) -> Sequence[Event]:
        """The events an item rests on, oldest first."""
        ...

    async def retract(self, events: Sequence[Event], *, actor: str) -> None:
        """Remove events, and forget the items that rest on them alone, with no trace of the text."""
        ...

    async def tokens_on(self, day: str) -> int:
        """What the calls of a day (UTC) have cost so far, in tokens, those under way included."""
        ...

    async def book(self, booking: Booking) -> None:
        """Count a call that is about to be made."""
        ...

    async def correct(self, booking: Booking, *, prompt_tokens: int, answer_tokens: int) -> None:
        """Put what a call did cost in place of what was booked for it."""
        ...

    async def cancel(self, booking: Booking) -> None:
        """Take back a call that was never made, or that the provider did not work on."""
        ...

    async def audit(self, entry: AuditEntry) -> None:
        """Append one line."""
        ...


class WriteStore(Protocol):
    """Where the pipeline writes."""

    def transaction(self) -> AbstractAsyncContextManager[WriteTransaction]:
        """The one writing transaction, rolled back when its block raises; others wait for it.

        Raises RefusedError(`emergency_read_only`) while the store is read-only, UnavailableError when the
        database stays locked.
        """
        ...

    async def last_reply(self, umo: str, scope_id: str, *, before: datetime) -> str:
        """What the bot said last in a chat before this instant; empty when nothing."""
        ...

    async def any_held_back(self, reasons: Collection[str]) -> bool:
        """Whether an item is pending for one of these reasons."""
        ...

    async def at_once[T](self, work: Callable[[WriteTransaction], Coroutine[Any, Any, T]]) -> T:
        """As `transaction`, many times as fast: the work awaits nothing else and outlives its caller."""
        ...


class EventQueue(Protocol):
    """The table of events, seen as the queue that the extraction works off."""

    async def due(self, *, now: datetime, batch_turns: int, idle: timedelta, limit: int) -> Due:
        """The pending events, of one level, of the chat that has been due the longest.

        Due is a chat with `batch_turns` pending user messages, an urgent one, or silence since `idle`, that
        is neither in back-off nor leased.
        """
        ...

    async def postpone(
        self,
        event_ids: Sequence[str],
        *,
        until: datetime,
        error: str,
        attempted: bool = True,
        lease: str = "",
    ) -> None:
        """Leave pending events, with a lease those under it, and count a failed attempt if there was one."""
        ...

    async def give_up(self, event_ids: Sequence[str], *, error: str, lease: str) -> None:
        """Count a failed attempt and move what is under the lease to `failed`, where an operator sees it."""
        ...

    async def release(self, lease: str) -> None:
        """Let go of whatever is under this lease."""
        ...


class ChatModel(Protocol):
    """The operator's chat provider for one chat."""

    async def provider_id(self, umo: str) -> str:
        """Which provider answers for this chat. Raises NoProviderError, UnavailableError."""
        ...

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        """One answer. Raises NoProviderError, and UnavailableError when it fails or takes too long."""
        ...


class Verifier(Protocol):
    """Tells whether a conversation says what was noted of it."""

    async def judge(
        self, segment: Segment, facts: Sequence[Grounded], *, provider: str
    ) -> Sequence[Judgement | None]:
        """One judgement a fact; None for each that could not be had. Never raises. One call at most."""
        ...


class Embedder(Protocol):
    """The operator's embedding provider, resolved anew at each use."""

    def model_id(self) -> str | None:
        """What the vectors are tagged with; None when there is no embedding provider."""
        ...

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per text, finite numbers, all of one length. Raises UnavailableError."""
        ...


class VectorIndex(Protocol):
    """The vectors of items, by scope."""

    async def search(
        self, ref: ScopeRef, vector: Sequence[float], *, model_id: str, limit: int
    ) -> Mapping[str, float]:
        """Memory id to cosine (-1..1) of the nearest items of the scope; empty without such vectors."""
        ...
