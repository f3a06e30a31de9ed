"""What may be read, at hand: implements `read.protocols.Memory` on slices."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from ...domain.chat import Access
from ...domain.memory import Item
from ...domain.reading import QueryVector, Term
from ...read.signals import Visible
from .cache import Slices
from .search import search, seen_before, words
from .sights import ItemSight, sights
from .together import Together

MANY = 2_000
"""More documents than these are searched in a thread: the hop costs less than they would hold others up."""


class SlicedMemory:
    """Answers from memory; the store is asked once for what is new or has changed."""

    def __init__(
        self, slices: Slices[ItemSight, Item], model_id: Callable[[], str | None], *, many: int = MANY
    ) -> None:
        """`model_id` tells whose vectors to have at hand when nobody has asked with one yet."""
        self._slices = slices
        self._model_id = model_id
        self._many = many

    async def look_up(
        self,
        access: Access,
        terms: Sequence[Term],
        vector: QueryVector | None,
        *,
        now: datetime,
        min_confidence: float,
    ) -> Visible:
        """Everything active, unexpired and trusted enough that this access reaches, with its signals."""
        wanted = None if vector is None else vector.model_id
        slices = await self._of(access, now, min_confidence, wanted)
        seen = seen_before(slices, terms, vector)  # while the host got ready
        if seen is None and len(slices) > self._many:
            seen = await asyncio.to_thread(search, slices, terms, vector)
        elif seen is None:
            seen = search(slices, terms, vector)
        return Visible(
            signals=seen.signals,
            items=seen.documents,
            answers=slices.answers,
            own=slices.own,
            vectors=seen.vectors,
            words_of=partial(words, slices),
        )

    async def warm(self, access: Access, *, now: datetime, min_confidence: float) -> None:
        """Have what this access reaches at hand for the `look_up` that is about to come."""
        await self._of(access, now, min_confidence, None)

    async def _of(
        self, access: Access, now: datetime, min_confidence: float, model_id: str | None
    ) -> Together[Item]:
        return await self._slices.get(
            sights(access, min_confidence), now=now, model_id=model_id, else_model_id=self._model_id()
        )
