"""MemoryReader: the six stages of reading, in order."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import partial

from ..domain.chat import Access
from ..domain.reading import Query, Recall
from ..domain.recalls import NoBlock
from ..policies.memory_policies import MemoryReadPolicy
from .budget import fitting, left_out
from .format import block
from .rank import Chosen, rank
from .retrieve import Retriever
from .scope import request_of

IN_THREAD_ABOVE = 5_000
"""Above this many rows, a thread ranks them: the hand-over costs less than blocking the loop."""


@dataclass(frozen=True, kw_only=True)
class MemoryReader:
    """Finds what a request should carry. Reading changes nothing."""

    retriever: Retriever
    policy: Callable[[], MemoryReadPolicy]
    """Asked at each recall, so that it can be changed while running."""
    zone: tzinfo = UTC

    async def recall(self, access: Access, query: Query) -> Recall:
        """Choose what this request carries, and say why the rest is left out. Empty while reading is off."""
        policy = self.policy()
        if not policy.enable:
            return Recall(block="", injected=(), vectors=False, reason=NoBlock.READING_OFF)
        request = request_of(access, query, zone=self.zone)
        found = await self.retriever.retrieve(request, min_confidence=policy.min_confidence)
        if not found.visible.items:
            return Recall(block="", injected=(), vectors=False, reason=NoBlock.NOTHING_REMEMBERED)
        work = partial(rank, found, request, policy)
        ranking = await asyncio.to_thread(work) if len(found.visible.signals) > IN_THREAD_ABOVE else work()
        kept = fitting(ranking, policy)
        return Recall(
            block=block([*kept.values()]),
            injected=Chosen(ranking, [*kept]),
            omitted=partial(left_out, ranking, policy),
            vectors=found.visible.vectors,
            reason=found.why if kept else NoBlock.NOTHING_RELEVANT,
        )
