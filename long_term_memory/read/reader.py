"""MemoryReader: the six stages of reading, in order (design 6)."""

from collections.abc import Callable
from datetime import datetime

from ..domain.chat import Access
from ..domain.reading import Query, Recall
from ..policies.read_policy import MemoryReadPolicy
from .budget import fit
from .diversify import diversify
from .format import block
from .protocols import AccessLog
from .rank import rank
from .retrieve import Retriever
from .scope import scope


class MemoryReader:
    """Finds what a request should carry. Reading changes nothing."""

    def __init__(
        self, *, retriever: Retriever, log: AccessLog, policy: Callable[[], MemoryReadPolicy]
    ) -> None:
        """`policy` is asked at each recall, so that it can be changed while running."""
        self._retriever = retriever
        self._log = log
        self._policy = policy

    async def recall(self, access: Access, query: Query) -> Recall:
        """Choose what this request carries, and say why the rest is left out. Empty while reading is off."""
        policy = self._policy()
        if not policy.enable:
            return Recall(block="", injected=(), omitted=(), vectors=False)
        request = scope(access, query)
        found = await self._retriever.retrieve(request, min_confidence=policy.min_confidence)
        ranked = rank(found.hits, policy, now=request.at)
        varied = diversify(ranked, found.hits, policy)
        fitting = fit(varied, policy)
        text = block(fitting.kept)
        return Recall(block=text, injected=fitting.kept, omitted=fitting.omitted, vectors=found.vectors)

    async def injected(self, recall: Recall, *, at: datetime) -> None:
        """Count one use of each item once the block has gone out: the only thing a read changes."""
        if recall.injected:
            await self._log.touched([each.item.memory_id for each in recall.injected], at=at)
