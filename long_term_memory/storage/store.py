"""Store: everything kept, behind one object; what persons may see of it is in `memories`."""

from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from ..domain.chat import Access, ScopeRef
from ..domain.errors import NotFoundError
from ..domain.memory import Event, EventPage, Evidence, EvidenceInContext, Item, ItemFilter, ItemPage
from ..domain.time import Clock
from ..domain.words import Extraction, Level, MemoryType, Status
from ..domain.writing import AuditEntry, Booking, Usage
from . import (
    audit,
    failed,
    history,
    items,
    keywords,
    known,
    leases,
    policy_versions,
    recalls,
    tokens,
    usage,
    vectors,
)
from . import events as event_rows
from . import evidence as evidence_rows
from . import links as linked
from . import paused as pauses
from .database import Database
from .event_queue import StoredEventQueue
from .families import Families
from .memories import Memories
from .pauses import Pauses
from .recall_log import StoredRecallLog
from .seat import Seat
from .sweeps import Sweeps
from .vector_shelf import VectorShelf


class Store:
    """Implements `write.protocols.WriteStore`, and answers the operator.

    `events` is the queue of extraction, `memories` what persons reach, `sweeps` what housekeeping removes and
    `families` what it makes one of.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        """Work on an open database; the clock dates audit lines, vectors and policies."""
        self._database = database
        self._clock = clock
        self._pauses = Pauses(database)
        self.events = StoredEventQueue(database)
        self.memories = Memories(database)
        self.sweeps = Sweeps(database, clock)
        self.families = Families(database)
        self.recalls = StoredRecallLog(database)
        self.vectors = VectorShelf(database, clock)

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._database.read_only

    @read_only.setter
    def read_only(self, value: bool) -> None:
        self._database.read_only = value

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator["StoreTransaction"]:
        """Open the one writing transaction."""
        async with self._database.write() as connection:
            yield self._begun(connection)

    async def at_once[T](self, work: Callable[["StoreTransaction"], Coroutine[Any, Any, T]]) -> T:
        """All of a transaction in one step; the work awaits nothing but the transaction."""
        return await self._database.write_at_once(lambda connection: work(self._begun(connection)))

    def _begun(self, connection: Seat) -> "StoreTransaction":
        return StoreTransaction(connection, self._clock)

    async def page(self, wanted: ItemFilter) -> ItemPage:
        """One page of the operator's list, last changed first."""
        async with self._database.read() as connection:
            return await items.page(connection, wanted)

    async def item(self, memory_id: str) -> Item | None:
        """The item with this id, whatever its scope and status: for the operator."""
        async with self._database.read() as connection:
            return await items.get(connection, memory_id)

    async def waiting(self, id_prefix: str, *, limit: int | None) -> Sequence[Item]:
        """Items that an approval would make active and whose id begins like this, oldest first."""
        async with self._database.read() as connection:
            return await items.waiting(connection, id_prefix, limit=limit)

    async def waiting_page(self, *, page: int, page_size: int) -> ItemPage:
        """One page of the items that wait for approval, oldest first."""
        async with self._database.read() as connection:
            return await items.waiting_page(connection, page=page, page_size=page_size)

    async def older(self, memory_id: str) -> Sequence[Item]:
        """What this item took the place of, directly or through others, latest first: for the operator."""
        async with self._database.read() as connection:
            return await history.older(connection, memory_id)

    async def failed_page(self, *, page: int, page_size: int) -> EventPage:
        """One page of the events that extraction gave up on, the newest first."""
        async with self._database.read() as connection:
            return await failed.page(connection, page=page, page_size=page_size)

    async def live(self, id_prefix: str, *, limit: int) -> Sequence[Item]:
        """Live items of whatever scope whose id begins like this: for the operator."""
        async with self._database.read() as connection:
            return await items.live(connection, id_prefix, limit=limit)

    async def evidence(self, memory_id: str) -> Sequence[EvidenceInContext]:
        """All an item rests on, oldest words first: for the operator."""
        async with self._database.read() as connection:
            return await evidence_rows.of_item(connection, memory_id)

    async def history(self, memory_id: str) -> Sequence[tuple[datetime, AuditEntry]]:
        """What happened to an item, oldest first."""
        async with self._database.read() as connection:
            return await audit.of_item(connection, memory_id)

    async def item_counts(self) -> Mapping[tuple[Status, MemoryType], int]:
        """How many items there are of each status and type."""
        async with self._database.read() as connection:
            return await items.counts(connection)

    async def paused(self, *refs: ScopeRef) -> bool:
        """Whether at least one of these scopes is paused; known without asking the database each time."""
        return await self._pauses.any_of(refs)

    async def paused_counts(self) -> pauses.PausedCounts:
        """How many people and groups are paused."""
        async with self._database.read() as connection:
            return await pauses.counts(connection)

    async def links(self) -> Mapping[str, str]:
        """Each account that its owner has linked, and the one it is joined to."""
        async with self._database.read() as connection:
            return await linked.every(connection)

    async def put_vectors(self, model_id: str, embedded: Sequence[vectors.Embedded]) -> int:
        """Store vectors, all or none; returns how many still fitted their item's fact.

        Raises InvalidInputError when one is no vector or of another length than the model's others.
        """
        async with self._database.write() as connection:
            at = self._clock()
            stored = [await vectors.put(connection, model_id, one, at=at) for one in embedded]
            return sum(stored)

    async def drop_vectors(self, model_id: str) -> None:
        """Forget every vector of a model, so that it starts anew with another dimension."""
        async with self._database.write() as connection:
            await vectors.drop_model(connection, model_id)

    async def delete_vectors(self, ref: ScopeRef, memory_id: str) -> bool:
        """Forget the vectors of an item of this scope; whether there were any."""
        async with self._database.write() as connection:
            return await vectors.delete(connection, ref, memory_id)

    async def vectors_since(self, ref: ScopeRef, model_id: str, version: int | None) -> vectors.Matrix | None:
        """The vectors of a scope under a model; None when they are still those of `version`."""
        async with self._database.read() as connection:
            if await vectors.version(connection, ref) == version:
                return None
            return await vectors.matrix(connection, ref, model_id)

    async def record_policy(
        self, policy: Mapping[str, object], *, actor: str
    ) -> policy_versions.PolicyVersion:
        """The version of this policy: the current one when nothing differs, else a new one."""
        async with self._database.write() as connection:
            return await policy_versions.record(connection, policy, actor=actor, at=self._clock())

    async def current_policy(self) -> policy_versions.PolicyVersion | None:
        """The policy recorded last."""
        async with self._database.read() as connection:
            return await policy_versions.current(connection)


class StoreTransaction:
    """Implements `write.protocols.WriteTransaction` on one connection."""

    def __init__(self, connection: Seat, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

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
        """Store events; one that is there already is left as it is."""
        await event_rows.add(self._connection, events)

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

    async def retry_failed(self) -> int:
        """Give every event that was given up a new start; returns how many."""
        return await event_rows.retry_failed(self._connection)

    async def known(self, access: Access, text: str, *, limit: int) -> Sequence[Item]:
        """What a model may be told is known in this chat, nearest to the text first."""
        return await known.near(self._connection, access, text, limit=limit)

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
        """Take back a call that was never made."""
        await tokens.cancel(self._connection, booking)

    async def drop_recalls(self, *owners: ScopeRef) -> int:
        """Forget every recall these owners asked for; returns how many there were."""
        return await recalls.drop_of(self._connection, owners)

    async def audit(self, entry: AuditEntry) -> None:
        """Append one line, dated now."""
        await audit.append(self._connection, entry, at=self._clock())

    async def _index(self, item: Item) -> None:
        quotes = await evidence_rows.quotes(self._connection, item.memory_id)
        await keywords.refresh(self._connection, item, quotes)
