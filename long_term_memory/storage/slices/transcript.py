"""What was said, at hand: implements `read.protocols.Transcript` on slices."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import RowMapping, select

from ...domain.chat import Access
from ...domain.reading import QueryVector, Term
from ...domain.transcript import Said
from ...domain.words import Role
from ...models import EVENTS
from ...read.signals import Heard
from ..database import Database
from ..visibility import searchable
from .cache import Slices
from .events import NEWEST, WEIGHING, Events, EventSight, event_sights
from .memory import MANY
from .search import Seen, search
from .together import Together

KEPT_EVENTS = 2 * NEWEST
"""Apart from what is remembered, so that a search of the transcript pushes none of that out."""
_SLACK = NEWEST // 10


def event_slices(database: Database) -> Slices[EventSight, str]:
    """A cache of what was said."""
    return Slices(database, Events(), max_documents=KEPT_EVENTS, max_each=NEWEST + _SLACK)


class SlicedTranscript:
    """Answers from memory; the store is asked for what is new, and for the words of what was found."""

    def __init__(
        self,
        database: Database,
        slices: Slices[EventSight, str],
        model_id: Callable[[], str | None],
        *,
        many: int = MANY,
    ) -> None:
        """`model_id` tells whose vectors to have at hand."""
        self._database = database
        self._slices = slices
        self._model_id = model_id
        self._many = many

    async def warm(self, access: Access, *, now: datetime) -> bool:
        """Have what this access reaches at hand; whether any of it has a vector of the present model."""
        model_id = self._model_id()
        slices = await self._of(access, now, model_id)
        return model_id is not None and any(
            each.model_id == model_id and len(each.contents.vectors.rows) for each in slices.filled
        )

    async def look_up(
        self, access: Access, terms: Sequence[Term], vector: QueryVector | None, *, now: datetime
    ) -> Heard:
        """What this access reaches, with its signals; of a long transcript the newest part."""
        slices = await self._of(access, now, None if vector is None else vector.model_id)
        if len(slices) > self._many:
            return _heard(await asyncio.to_thread(search, slices, terms, vector, WEIGHING))
        return _heard(search(slices, terms, vector, WEIGHING))

    async def read(self, access: Access, event_ids: Sequence[str]) -> Mapping[str, Said]:
        """These messages by their ids, as far as this access reaches them now."""
        query = select(EVENTS).where(EVENTS.c.event_id.in_(event_ids), searchable(access))
        async with self._database.read() as seat:
            rows = (await seat.execute(query)).mappings().all()
        return {row["event_id"]: _said(row) for row in rows}

    async def _of(self, access: Access, now: datetime, model_id: str | None) -> Together[str]:
        return await self._slices.get(
            event_sights(access), now=now, model_id=model_id, else_model_id=self._model_id()
        )


def _heard(seen: Seen[str]) -> Heard:
    return Heard(signals=seen.signals, threads=seen.threads, event_ids=seen.documents)


def _said(row: RowMapping) -> Said:
    role = Role(row["source_role"])
    content = row["content"]
    return Said(
        event_id=row["event_id"],
        role=role,
        speaker=content.get("tool", "") if role is Role.TOOL else row["sender_name"],
        text=content.get("text", ""),
        said_at=row["created_at"],
        umo=row["session_id"],
    )
