"""Store: everything kept, behind one object; what persons may see of it is in `memories`."""

from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from ..domain.chat import ScopeRef
from ..domain.memory import EventPage, EvidenceInContext, Item, ItemFilter, ItemPage
from ..domain.time import Clock
from ..domain.words import MemoryType, Status
from ..domain.writing import AuditEntry
from . import (
    audit,
    failed,
    history,
    items,
    policy_versions,
    vectors,
)
from . import events as event_rows
from . import evidence as evidence_rows
from . import links as linked
from . import paused as pauses
from .browsing import Browsing
from .condition import Condition
from .database import Database
from .erasure import Erasure
from .event_queue import StoredEventQueue
from .families import Families
from .late import ErasedPersons
from .memories import Memories
from .pauses import Pauses
from .policy_log import PolicyLog
from .recall_history import RecallHistory
from .recall_log import StoredRecallLog
from .scrubber import Scrubber
from .seat import Seat
from .session_levels import StoredSessionLevels
from .statistics import Statistics
from .sweeps import Sweeps
from .transaction import StoreTransaction
from .transfers import Transfers
from .vector_shelf import VectorShelf


class Store:
    """Implements `write.protocols.WriteStore`, and answers the operator.

    `events` is the queue of extraction, `memories` what persons reach, `browsing` what operators look at,
    `sweeps` what housekeeping removes and `families` what it makes one of.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        """Work on an open database; the clock dates audit lines, vectors and policies."""
        self._database = database
        self._clock = clock
        self._pauses = Pauses(database)
        self._erased = ErasedPersons()
        self.events = StoredEventQueue(database)
        self.memories = Memories(database)
        self.browsing = Browsing(database)
        self.sweeps = Sweeps(database, clock)
        self.families = Families(database)
        self.policies = PolicyLog(database, clock)
        self.recalls = StoredRecallLog(database, self._erased)
        self.recall_history = RecallHistory(database)
        self.statistics = Statistics(database)
        self.erasure = Erasure(database, clock, self._erased)
        self.scrubber = Scrubber(database)
        self.session_levels = StoredSessionLevels(database)
        self.vectors = VectorShelf(database, clock)
        self.transfers = Transfers(database, clock, self._erased)

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._database.read_only

    @read_only.setter
    def read_only(self, value: bool) -> None:
        self._database.read_only = value

    @property
    def condition(self) -> Condition:
        """How the file behind it has answered."""
        return self._database.condition

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[StoreTransaction]:
        """Open the one writing transaction."""
        async with self._database.write() as connection:
            yield self._begun(connection)

    async def last_reply(self, umo: str, scope_id: str, *, before: datetime) -> str:
        """What the bot said last in a chat before this instant; empty when nothing."""
        async with self._database.read() as connection:
            return await event_rows.last_reply(connection, umo, scope_id, before=before)

    async def any_held_back(self, reasons: Collection[str]) -> bool:
        """Whether an item is pending for one of these reasons."""
        async with self._database.read() as connection:
            return bool(await items.held_back(connection, reasons, limit=1))

    async def at_once[T](self, work: Callable[[StoreTransaction], Coroutine[Any, Any, T]]) -> T:
        """All of a transaction in one step; the work awaits nothing but the transaction."""
        return await self._database.write_at_once(lambda connection: work(self._begun(connection)))

    def _begun(self, connection: Seat) -> StoreTransaction:
        return StoreTransaction(connection, self._clock, self._erased)

    async def page(self, wanted: ItemFilter) -> ItemPage:
        """One page of the operator's list, last changed first unless it is asked otherwise."""
        return await self.browsing.items(wanted)

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
        """All an item rests on, oldest words first, with what stands around them: for the operator."""
        async with self._database.read() as connection:
            return (await evidence_rows.in_messages(connection, [memory_id])).get(memory_id, [])

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

    async def paused_by_operator(self, *refs: ScopeRef) -> bool:
        """Whether an operator has paused at least one of these scopes, which only operators resume."""
        return await self._pauses.any_by_operator(refs)

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

    async def delete_vectors(self, ref: ScopeRef, memory_id: str) -> bool:
        """Forget the vectors of an item of this scope; whether there were any."""
        async with self._database.write() as connection:
            return await vectors.delete(connection, ref, memory_id)

    async def memory_ids(self, rows: Collection[int]) -> Mapping[int, str]:
        """The ids of items by their rows."""
        async with self._database.read() as connection:
            return await items.memory_ids(connection, rows)

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
