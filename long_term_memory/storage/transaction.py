"""One writing transaction: everything a step of writing may ask and change."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ..domain.chat import Access, ScopeRef
from ..domain.errors import NotFoundError
from ..domain.memory import Event, Evidence, Item
from ..domain.time import Clock
from ..domain.words import Extraction, Level, Stance
from ..domain.writing import AuditEntry, Booking, Usage
from . import audit, erasure, items, keywords, known, leases, tokens, usage
from . import events as event_rows
from . import evidence as evidence_rows
from . import links as linked
from . import paused as pauses
from .late import ErasedPersons
from .seat import Seat


class StoreTransaction:
    """Implements `write.protocols.WriteTransaction` on one connection."""

    def __init__(self, connection: Seat, clock: Clock, erased: ErasedPersons) -> None:
        self._connection = connection
        self._clock = clock
        self._erased = erased
        self.changes: list[tuple[Item, Item]] | None = None
        """With a list, each item that is updated is added to it, before and after."""

    async def find_item(self, owner: ScopeRef, level: Level, fact_key: str, person: str) -> Item | None:
        """The item of this identity: the live one if there is one, else the newest of the others."""
        return await items.find(self._connection, owner, level, fact_key, person)

    async def get_item(self, memory_id: str) -> Item | None:
        """The item with this id, whatever its status."""
        return await items.get(self._connection, memory_id)

    async def similar(self, owner: ScopeRef, level: Level, text: str, *, limit: int) -> Sequence[Item]:
        """Items of this owner and level, of whatever status, that share most words with the text."""
        return await items.similar(self._connection, owner, level, text, limit=limit)

    async def same_slot(self, owner: ScopeRef, level: Level, slot: str, person: str) -> Sequence[Item]:
        """The live items of this owner, level and person that answer this slot, oldest first."""
        return await items.same_slot(self._connection, owner, level, slot, person)

    async def last_said(self, memory_id: str) -> datetime | None:
        """When the newest words that an item rests on were said; None when none are left."""
        return await evidence_rows.last_said(self._connection, memory_id)

    async def level_said_at(self, memory_id: str) -> Level:
        """The highest level at which something was said that an item rests on."""
        return await evidence_rows.level_said_at(self._connection, memory_id)

    async def quotes_of(self, memory_id: str) -> Sequence[str]:
        """The newest words an item rests on, of the chat it was said in."""
        return await evidence_rows.quotes(self._connection, memory_id)

    async def has_evidence(self, memory_id: str, event_id: str) -> bool:
        """Whether this event already counts for this item."""
        return await evidence_rows.exists(self._connection, memory_id, event_id)

    async def links_of(self, memory_id: str) -> Sequence[Evidence]:
        """The evidence of an item, oldest link first."""
        return await evidence_rows.links_of(self._connection, memory_id)

    async def said_in(self, memory_id: str) -> frozenset[ScopeRef]:
        """The groups in which an item's words were said."""
        return (await evidence_rows.said_in(self._connection, [memory_id]))[memory_id]

    async def deleted_on(self, event_id: str) -> Sequence[Item]:
        """The deleted items that this event is evidence of, of whatever scope."""
        return await items.deleted_on(self._connection, event_id)

    async def usage(
        self, owner: ScopeRef, umo: str, *, now: datetime, window: timedelta, full_at: int
    ) -> Usage:
        """The counts the gate needs."""
        return await usage.of(self._connection, owner, umo, now=now, window=window, full_at=full_at)

    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:
        """Store a new item. Raises IntegrityError without evidence, or when its identity lives already."""
        await evidence_rows.add(self._connection, evidence)
        await items.insert(self._connection, item)
        await self._index(item)

    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        """Replace the stored item of the same id. Raises NotFoundError when there is none."""
        if self.changes is not None and (before := await self.get_item(item.memory_id)):
            self.changes.append((before, item))
        await evidence_rows.add(self._connection, evidence)
        if not await items.update(self._connection, item):
            raise NotFoundError("no such memory")
        await self._index(item)

    async def paused(self, *refs: ScopeRef) -> bool:
        """Whether at least one of these scopes is paused."""
        return await pauses.any_of(self._connection, refs)

    async def pause(self, *refs: ScopeRef, actor: str) -> bool:
        """Pause these scopes; whether any of them was not paused yet."""
        return await pauses.pause(self._connection, refs, actor=actor, at=self._clock())

    async def resume(self, *refs: ScopeRef) -> bool:
        """Let these scopes learn and be recalled again; whether any of them was paused."""
        return await pauses.resume(self._connection, refs)

    async def links(self) -> Mapping[str, str]:
        """Each account that its owner has linked, and the one it is joined to."""
        return await linked.every(self._connection)

    async def put_links(self, links: Mapping[str, str]) -> None:
        """Let these be the links between accounts."""
        await linked.put(self._connection, links, at=self._clock())

    async def add_events(self, events: Sequence[Event]) -> None:
        """Store events; of one that is there already nothing changes but its level, and that only rises.

        What one quotes of somebody who was erased since is left out.
        """
        await event_rows.add(self._connection, [self._without_erased(event) for event in events])

    async def erased_since(self, event: Event) -> bool:
        """Whether whoever it belongs to was erased after it happened, so that it must not be kept."""
        return self._erased.includes(event.owner, event.created_at)

    def _without_erased(self, event: Event) -> Event:
        if self._erased.includes_sender(event.platform_id, event.quoted_sender, event.created_at):
            return replace(event, quoted="", quoted_sender="")
        return event

    async def waiting_turns(self, event: Event) -> int:
        """How many user messages of the chat of this event wait for the model."""
        return await event_rows.waiting_turns(self._connection, event)

    async def mark_events(self, event_ids: Sequence[str], extraction: Extraction, error: str = "") -> None:
        """Move events on; nothing else about them changes."""
        await event_rows.mark(self._connection, event_ids, extraction, error)

    async def claim(self, events: Sequence[Event], *, lease: str, now: datetime) -> bool:
        """Lease these events of one chat, if all are pending and nobody else is at work on the chat."""
        return await leases.claim(self._connection, events, lease=lease, now=now)

    async def held(self, event_ids: Sequence[str], lease: str) -> bool:
        """Whether all these events are still there, pending and under this lease."""
        return await leases.held(self._connection, event_ids, lease)

    async def postpone(self, event_ids: Sequence[str], *, until: datetime, error: str, lease: str) -> None:
        """Leave the events under this lease alone until then; that is no failed attempt."""
        await leases.postpone(
            self._connection, event_ids, until=until, error=error, attempted=False, lease=lease
        )

    async def hasten(self) -> int:
        """Let all that waits be read without waiting for quiet; returns how many messages of people."""
        return await event_rows.hasten(self._connection)

    async def retry_failed(self) -> int:
        """Give every event that was given up a new start; returns how many."""
        return await event_rows.retry_failed(self._connection)

    async def known(self, access: Access, text: str, *, limit: int) -> Sequence[Item]:
        """What a model may be told is known in this chat, nearest to the text first."""
        return await known.near(self._connection, access, text, limit=limit)

    async def before(self, event: Event, *, limit: int) -> Sequence[Event]:
        """The newest messages of the chat of this event before it, oldest first; no commands."""
        return await event_rows.beside(self._connection, event, before=True, limit=limit)

    async def after(self, event: Event, *, limit: int) -> Sequence[Event]:
        """The first messages of the chat of this event after it, oldest first; no commands."""
        return await event_rows.beside(self._connection, event, before=False, limit=limit)

    async def newest(self, umo: str, scope_id: str, *, limit: int) -> Sequence[Event]:
        """The last messages of a chat, oldest first; no commands."""
        return await event_rows.newest(self._connection, umo, scope_id, limit=limit)

    async def of_message(self, umo: str, message_id: str) -> Sequence[Event]:
        """A message of a chat with its tool results and the reply; none for a message without an id."""
        return await event_rows.of_message(self._connection, umo, message_id)

    async def provisional(self, event_ids: Sequence[str]) -> Sequence[Item]:
        """The live items that rules or the person's own wording made, and that rest on these events alone."""
        return await items.provisional(self._connection, event_ids)

    async def stance_of(self, memory_id: str) -> Stance:
        """How long an item holds, as its newest evidence says."""
        return await evidence_rows.stance_of(self._connection, memory_id)

    async def held_back(self, reasons: Collection[str], *, limit: int) -> Sequence[Item]:
        """Pending items with one of these reasons, oldest first."""
        return await items.held_back(self._connection, reasons, limit=limit)

    async def rests_on(self, memory_id: str) -> Sequence[Event]:
        """The events an item rests on, oldest first."""
        return await evidence_rows.events_of(self._connection, memory_id)

    async def retract(self, events: Sequence[Event], *, actor: str, reason: str = "off_the_record") -> None:
        """Remove events, and forget the items that rest on them alone, with no trace of the text."""
        gone = await erasure.retract(
            self._connection, [event.event_id for event in events], now=self._clock()
        )
        for memory_id in gone:
            await self.audit(
                AuditEntry(
                    actor=actor,
                    action="retract",
                    memory_id=memory_id,
                    before="",
                    after="",
                    reason=reason,
                )
            )

    async def tokens_on(self, day: str) -> int:
        """What the calls of a day (UTC) have cost so far, those under way included."""
        return (await tokens.on_day(self._connection, day)).tokens

    async def book(self, booking: Booking) -> None:
        """Count a call that is about to be made."""
        await tokens.book(self._connection, booking)

    async def correct(self, booking: Booking, *, prompt_tokens: int, answer_tokens: int) -> None:
        """Put what a call did cost in place of what was booked for it."""
        await tokens.correct(
            self._connection, booking, prompt_tokens=prompt_tokens, answer_tokens=answer_tokens
        )

    async def cancel(self, booking: Booking) -> None:
        """Take back a call that was never made, or that the provider did not work on."""
        await tokens.cancel(self._connection, booking)

    async def audit(self, entry: AuditEntry) -> None:
        """Append one line, dated now."""
        await audit.append(self._connection, entry, at=self._clock())

    async def _index(self, item: Item) -> None:
        quotes = await evidence_rows.quotes(self._connection, item.memory_id)
        await keywords.refresh(self._connection, item, quotes)
