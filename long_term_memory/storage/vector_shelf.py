"""All vectors, as the work that makes and drops them sees them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import ColumnElement, Table, select

from ..domain.time import Clock
from ..models import EVENT_VECTORS, VECTORS
from ..policies.embedded import bare
from . import embeddables, event_vectors, vectors
from .database import Database
from .seat import Seat


class VectorShelf:
    """Implements the stores of `upkeep.embedding` and `upkeep.old_vectors`.

    Vectors are stored in one step of the writing thread: by many steps the only write lock would be held for
    as long as a busy event loop takes to have its turn between all of them.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._database.read_only

    async def items_without(self, model_id: str, limit: int) -> Sequence[embeddables.Embeddable]:
        """Items that may be recalled and lack a vector of this model, newest first."""
        async with self._database.read() as connection:
            look = partial(embeddables.items_without, connection, model_id, limit)
            return await connection.inside(look)

    async def put(self, tag: str, embedded: Sequence[vectors.Embedded]) -> int:
        """Store vectors of items, all or none; returns how many still fitted their item's fact.

        Raises InvalidInputError when one is no vector or of another length than the others under this tag.
        """
        at = self._clock()

        async def work(seat: Seat) -> int:
            return sum([await vectors.put(seat, tag, one, at=at) for one in embedded])

        return await self._database.write_at_once(work)

    async def last_event(self) -> int:
        """The row of the message that was stored last; 0 when there is none."""
        async with self._database.read() as connection:
            return await embeddables.last_event(connection)

    async def events_without(
        self, model_id: str, *, after: int, since: datetime | None, limit: int
    ) -> Sequence[embeddables.EmbeddableEvent]:
        """What has no vector of this model of what people and the bot said, last stored first.

        Looked at is what was stored after the row `after` and said since then.
        """
        async with self._database.read() as connection:
            return await embeddables.events_without(
                connection, model_id, after=after, since=since, limit=limit
            )

    async def put_events(self, model_id: str, embedded: Sequence[event_vectors.EmbeddedEvent]) -> int:
        """Store vectors of messages, all or none; returns how many are still there. Raises as `put`."""
        at = self._clock()

        async def work(seat: Seat) -> int:
            return sum([await event_vectors.put(seat, model_id, one, at=at) for one in embedded])

        return await self._database.write_at_once(work)

    async def progress(self, model_id: str) -> embeddables.Progress:
        """How many items that may be recalled have their vectors of this model."""
        async with self._database.read() as connection:
            return await embeddables.progress(connection, model_id)

    async def drop(self, model_id: str, *, limit: int) -> int:
        """Forget vectors of this model, so that it starts anew with another length; returns how many went."""
        tags = (model_id, bare(model_id))
        return await self._drop(lambda table: table.c.model_id.in_(tags), limit)

    async def drop_others(self, model_id: str, *, limit: int) -> int:
        """Forget vectors of every other model; returns how many went."""
        tags = (model_id, bare(model_id))
        return await self._drop(lambda table: table.c.model_id.not_in(tags), limit)

    async def _drop(self, which: Callable[[Table], ColumnElement[bool]], limit: int) -> int:
        gone = 0
        for table in (VECTORS, EVENT_VECTORS):
            async with self._database.read() as connection:
                rows = (
                    await connection.execute(select(table.c.id).where(which(table)).limit(limit))
                ).scalars()
            if found := list(rows):
                async with self._database.write() as connection:
                    gone += await connection.change(table.delete().where(table.c.id.in_(found), which(table)))
        return gone
