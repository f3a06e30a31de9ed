"""Store: everything kept, behind one object; what persons may see of it is in `memories`."""

from collections.abc import AsyncGenerator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from ..domain.time import Clock
from . import accounts, audit, events, evidence, items, listing, paused, vectors
from .condition import Condition
from .database import Database, OnDatabase, reads, writes
from .erasure import ErasedPersons, Erasure
from .event_queue import StoredEventQueue
from .families import Families
from .memories import Memories
from .policy_versions import PolicyLog
from .recalls import RecallStore
from .scrub import Scrubber
from .seat import Seat
from .session_levels import StoredSessionLevels
from .statistics import Statistics
from .sweeps import Sweeps
from .transaction import StoreTransaction
from .transfers import Transfers


class Browsing(OnDatabase):
    """What operators look at, whoever's it is; persons never reach this."""

    items = reads(listing.item_page)
    item_ids = reads(listing.item_ids)
    events = reads(listing.event_page)
    audit = reads(listing.audit_page)
    private_chats = reads(listing.private_chats)
    waiting = reads(listing.waiting)
    waiting_ids = reads(listing.waiting_ids)
    waiting_for_admins = reads(listing.waiting_for_admins)
    live_items = reads(accounts.live_items)
    accounts = reads(accounts.page)


class Store(OnDatabase):
    """Implements `write.protocols.WriteStore`, and answers the operator.

    `events` is the queue of extraction, `memories` what persons reach, `browsing` what operators look at,
    `sweeps` what housekeeping removes and `families` what it makes one of.
    """

    item = reads(items.get)
    waiting = reads(items.waiting)
    waiting_page = reads(items.waiting_page)
    live = reads(items.live)
    memory_ids = reads(items.memory_ids)
    item_counts = reads(items.counts)
    older = reads(items.older)
    evidence = reads(evidence.in_message)
    history = reads(audit.of_item)
    failed_page = reads(events.failed_page)
    last_reply = reads(events.last_reply)
    paused_counts = reads(paused.counts)
    paused_by_operator = reads(paused.any_by_operator)
    paused = reads(paused.any_of)
    links = reads(accounts.links)
    delete_vectors = writes(vectors.delete)

    def __init__(self, database: Database, clock: Clock) -> None:
        """Work on an open database; the clock dates audit lines, vectors and policies."""
        super().__init__(database)
        self._clock = clock
        self._erased = ErasedPersons()
        self.events = StoredEventQueue(database)
        self.memories = Memories(database)
        self.browsing = Browsing(database)
        self.sweeps = Sweeps(database, clock)
        self.families = Families(database)
        self.policies = PolicyLog(database, clock)
        self.recalls = RecallStore(database, self._erased)
        self.statistics = Statistics(database)
        self.erasure = Erasure(database, clock, self._erased)
        self.scrubber = Scrubber(database)
        self.session_levels = StoredSessionLevels(database)
        self.vectors = vectors.VectorStore(database, clock)
        self.transfers = Transfers(database, clock, self._erased)

    @property
    def condition(self) -> Condition:
        """How the file behind it has answered."""
        return self._database.condition

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[StoreTransaction]:
        """Open the one writing transaction."""
        async with self._database.write() as connection:
            yield self._begun(connection)

    async def at_once[T](self, work: Callable[[StoreTransaction], Coroutine[Any, Any, T]]) -> T:
        """All of a transaction in one step; the work awaits nothing but the transaction."""
        return await self._database.write_at_once(lambda connection: work(self._begun(connection)))

    def _begun(self, connection: Seat) -> StoreTransaction:
        return StoreTransaction(connection, self._clock, self._erased)

    async def any_held_back(self, reasons: Collection[str]) -> bool:
        """Whether an item is pending for one of these reasons."""
        async with self._database.read() as connection:
            return bool(await items.held_back(connection, reasons, limit=1))
