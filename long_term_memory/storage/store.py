"""Store: everything kept, behind one object; what persons may see of it is in `memories`."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from ..domain.chat import ScopeRef
from ..domain.enums import Level
from ..domain.errors import NotFoundError
from ..domain.memory import Event, Evidence, Item
from ..domain.time import Clock
from ..domain.writing import AuditEntry
from ..models import PAUSED
from . import accounts, audit, erasure, event_queue, items, keywords, memories, quotas, vectors
from . import events as event_rows
from . import evidence as evidence_rows
from . import paused as pauses
from .audit import PolicyLog
from .changes import EVERYTHING, RowChange
from .connection import Connection
from .database import ConnectionCall, Database, Method, OnDatabaseWithClock, reads, writes
from .erasure import ErasedPersons, Erasure
from .event_queue import StoredEventQueue
from .listing import BrowsingQueries
from .memories import Memories
from .recalls import RecallStore
from .scrub import Scrubber
from .session_levels import StoredSessionLevels
from .statistics import Statistics
from .sweeps import Sweeps
from .transfers import Transfers


def within[**P, T](call: ConnectionCall[P, T]) -> "Method[StoreTransaction, P, T]":
    """A method that is a part of the open transaction."""

    async def method(self: "StoreTransaction", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await call(self._connection, *args, **kwargs)  # pyright: ignore[reportPrivateUsage] - a method of it

    return method


class StoreTransaction:
    """One writing transaction on one connection."""

    find_item = within(items.find)
    get_item = within(items.get)
    import_undone = within(items.import_undone)
    history = within(audit.of_item)
    older = within(items.older)
    persons = within(items.persons)
    same_slot = within(items.same_slot)
    deleted_on = within(items.deleted_on)
    extracted_by_rules = within(items.extracted_by_rules)
    pending_for = within(items.pending_for)
    known = within(memories.known)
    last_said = within(evidence_rows.last_said)
    level_said_at = within(evidence_rows.level_said_at)
    quotes_of = within(evidence_rows.quotes)
    said_in = within(evidence_rows.said_in)
    has_evidence = within(evidence_rows.exists)
    links_of = within(evidence_rows.links_of)
    stance_of = within(evidence_rows.stance_of)
    rests_on = within(evidence_rows.events_of)
    paused = within(pauses.any_of)
    resume = within(pauses.resume)
    links = within(accounts.links)
    waiting_turns = within(event_rows.waiting_turns)
    mark_events = within(event_rows.mark)
    retry_failed = within(event_rows.retry_failed)
    before = within(event_rows.before)
    after = within(event_rows.after)
    newest = within(event_rows.newest)
    of_message = within(event_rows.of_message)
    of_turn = within(event_rows.of_turn)
    asked_before = within(event_rows.asked_before)
    hasten = within(event_rows.hasten)
    claim = within(event_queue.claim)
    held = within(event_queue.held)
    postpone = within(event_queue.postpone)
    spent = within(quotas.on_day)
    book = within(quotas.book)
    correct = within(quotas.correct)
    resting = within(erasure.resting)
    redact = within(erasure.redact)
    quota_counts = within(quotas.counts)

    def __init__(self, connection: Connection, clock: Clock, erased: ErasedPersons) -> None:
        self._connection = connection
        self._clock = clock
        self._erased = erased
        self.updates: list[tuple[Item, Item]] | None = None
        """With a list, each item that is updated is added to it, before and after."""
        self._similar: tuple[object, Sequence[Item]] = None, ()

    async def similar(self, owner: ScopeRef, level: Level | None, text: str, *, limit: int) -> Sequence[Item]:
        """As `keywords.similar`; for one text it looks once, for any level, as long as nothing is changed."""
        asked = await self._connection.changes(), owner, text, limit
        if self._similar[0] != asked:
            self._similar = asked, await keywords.similar(self._connection, owner, None, text, limit=limit)
        found = self._similar[1]
        here = [item for item in found if level in (None, item.level)]
        if len(here) == len(found) or len(found) < limit:
            return here
        return await keywords.similar(self._connection, owner, level, text, limit=limit)

    async def insert_item(self, item: Item, evidence: Sequence[Evidence]) -> None:
        """Store a new item. Raises IntegrityError without evidence, or when its identity lives already."""
        await evidence_rows.add(self._connection, evidence)
        await items.insert(self._connection, item)
        await keywords.refresh(self._connection, item)

    async def update_item(self, item: Item, evidence: Sequence[Evidence] = ()) -> None:
        """Replace the stored item of the same id. Raises NotFoundError when there is none."""
        if self.updates is not None and (before := await self.get_item(item.memory_id)):
            self.updates.append((before, item))
        await evidence_rows.add(self._connection, evidence)
        if not await items.update(self._connection, item):
            raise NotFoundError("no such memory")
        await keywords.refresh(self._connection, item)

    async def pause(self, *refs: ScopeRef, actor: str) -> bool:
        """Pause these scopes; whether any of them was not paused yet."""
        return await pauses.pause(self._connection, refs, actor=actor, at=self._clock())

    async def put_links(self, links: Mapping[str, str]) -> None:
        """Let these be the links between accounts."""
        await accounts.put_links(self._connection, links, at=self._clock())

    def add_events(self, events: Sequence[Event]) -> Awaitable[object]:
        """As `events.add`, but what one quotes of somebody who was erased since is left out."""
        return event_rows.add(self._connection, [self._without_erased(event) for event in events])

    async def erased_since(self, event: Event) -> bool:
        """Whether whoever it belongs to was erased after it happened, so that it must not be kept."""
        return self._erased.includes(event.owner, event.created_at)

    async def retract(self, events: Sequence[Event], *, actor: str, reason: str = "off_the_record") -> None:
        """Remove events, and forget the items that rest on them alone, with no trace of the text."""
        gone = await erasure.retract(self._connection, [one.event_id for one in events], now=self._clock())
        for memory_id in gone:
            await self.audit(AuditEntry(actor=actor, action="retract", memory_id=memory_id, reason=reason))

    async def audit(self, entry: AuditEntry) -> None:
        """Append one line, dated now."""
        await audit.extend(self._connection, [entry], at=self._clock())

    def _without_erased(self, event: Event) -> Event:
        if self._erased.includes_sender(event.platform_id, event.quoted_sender, event.created_at):
            return replace(event, quoted="", quoted_sender="")
        return event


class Store(OnDatabaseWithClock):
    """The store of the write pipeline, the commands and the operator.

    `events` is the queue of extraction, `memories` what persons reach, `browsing` what operators look at,
    `sweeps` what housekeeping removes, `health` how the file behind it has answered.
    """

    item = reads(items.get)
    by_id = reads(items.by_id)
    beginning = reads(items.beginning)
    memory_ids = reads(items.memory_ids)
    item_counts = reads(items.counts)
    changed_items = reads(items.changed)
    pending_for = reads(items.pending_for)
    near_items = reads(vectors.near)
    older = reads(items.older)
    evidence = reads(evidence_rows.in_messages)
    history = reads(audit.of_item)
    paused_counts = reads(pauses.counts)
    paused_by_operator = reads(pauses.any_by_operator)
    links = reads(accounts.links)
    delete_vectors = writes(vectors.delete)

    def __init__(self, database: Database, clock: Clock) -> None:
        """Work on an open database; the clock dates audit lines, vectors and policies."""
        super().__init__(database, clock)
        self._erased = ErasedPersons()
        self._paused: frozenset[ScopeRef] | None = None
        self._pauses_changed = 0
        database.change_feed.listen(self._note_pauses)
        self.health = database.health
        self.events = StoredEventQueue(database)
        self.memories = Memories(database)
        self.browsing = BrowsingQueries(database)
        self.sweeps = Sweeps(database, clock)
        self.policies = PolicyLog(database, clock)
        self.recalls = RecallStore(database, self._erased)
        self.statistics = Statistics(database)
        self.erasure = Erasure(database, clock, self._erased)
        self.scrubber = Scrubber(database)
        self.session_levels = StoredSessionLevels(database)
        self.vectors = vectors.VectorStore(database, clock)
        self.transfers = Transfers(database, clock, self._erased)

    async def paused(self, *refs: ScopeRef) -> bool:
        """Whether at least one of these scopes is paused: asked before each reply, so held in memory."""
        known = self._paused
        if known is None:
            seen = self._pauses_changed
            async with self._database.read() as connection:
                known = await pauses.every(connection)
            if seen == self._pauses_changed:
                self._paused = known
        return not known.isdisjoint(refs)

    def _note_pauses(self, changes: Sequence[RowChange]) -> None:
        if any(change.table in (PAUSED.name, EVERYTHING) for change in changes):
            self._paused, self._pauses_changed = None, self._pauses_changed + 1

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[StoreTransaction]:
        """Open the one writing transaction."""
        async with self._database.write() as connection:
            yield self._begun(connection)

    async def in_transaction[T](self, work: Callable[[StoreTransaction], Coroutine[Any, Any, T]]) -> T:
        """A transaction in one step of the writer's thread: awaiting anything else raises RuntimeError."""
        async with self._database.writer() as connection:
            return await connection.inside(lambda: work(self._begun(connection)))

    async def in_snapshot[T](self, work: Callable[[StoreTransaction], Coroutine[Any, Any, T]]) -> T:
        """The same with one snapshot, of which nothing is changed; also while read-only."""
        async with self._database.read() as connection:
            return await connection.inside(lambda: work(self._begun(connection)))

    def _begun(self, connection: Connection) -> StoreTransaction:
        return StoreTransaction(connection, self._clock, self._erased)
