"""Store: everything kept, behind one object; what persons may see of it is in `memories`."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from ..domain.chat import ScopeRef
from ..domain.errors import NotFoundError
from ..domain.memory import Event, Evidence, EvidenceInContext, Item, ItemFilter, ItemPage
from ..domain.time import Clock
from ..domain.words import Extraction, Level, MemoryType, Status
from ..domain.writing import AuditEntry, Usage
from . import audit, items, keywords, policy_versions, vectors
from . import events as event_rows
from . import evidence as evidence_rows
from .database import Database
from .event_queue import StoredEventQueue
from .memories import Memories
from .seat import Seat

_HOUR = timedelta(hours=1)


class Store:
    """Implements `write.protocols.WriteStore`, and answers the operator.

    `events` is the queue of extraction, `memories` what persons reach.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        """Work on an open database; the clock dates audit lines, vectors and policies."""
        self._database = database
        self._clock = clock
        self.events = StoredEventQueue(database)
        self.memories = Memories(database)

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
            yield StoreTransaction(connection, self._clock)

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

    async def without_vector(self, model_id: str, limit: int) -> Sequence[Item]:
        """Items that may be recalled and have no vector of this model, newest first."""
        async with self._database.read() as connection:
            return await vectors.missing(connection, model_id, limit)

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

    async def has_evidence(self, memory_id: str, event_id: str) -> bool:
        """Whether this event already counts for this item."""
        return await evidence_rows.exists(self._connection, memory_id, event_id)

    async def deleted_on(self, event_id: str) -> Sequence[Item]:
        """The deleted items that this event is evidence of, of whatever scope."""
        return await items.deleted_on(self._connection, event_id)

    async def usage(
        self, owner: ScopeRef, umo: str, *, now: datetime, window: timedelta, full_at: int
    ) -> Usage:
        """The counts the gate needs."""
        return Usage(
            new_in_chat=await items.created_since(self._connection, now - window, umo),
            new_in_hour=await items.created_since(self._connection, now - _HOUR),
            live_in_scope=await items.live_in_scope(self._connection, owner, full_at=full_at),
        )

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

    async def add_events(self, events: Sequence[Event]) -> None:
        """Store events; one that is there already is left as it is."""
        await event_rows.add(self._connection, events)

    async def mark_events(self, event_ids: Sequence[str], extraction: Extraction, error: str = "") -> None:
        """Move events on; nothing else about them changes."""
        await event_rows.mark(self._connection, event_ids, extraction, error)

    async def still_pending(self, event_ids: Sequence[str]) -> frozenset[str]:
        """Those of these events that are still there and still pending."""
        return await event_rows.still_pending(self._connection, event_ids)

    async def audit(self, entry: AuditEntry) -> None:
        """Append one line, dated now."""
        await audit.append(self._connection, entry, at=self._clock())

    async def _index(self, item: Item) -> None:
        quotes = await evidence_rows.quotes(self._connection, item.memory_id)
        await keywords.refresh(self._connection, item, quotes)
