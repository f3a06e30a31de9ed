"""Drops the vectors of embedding models that are no longer used, once the one in use has embedded all."""

from collections.abc import Callable
from typing import Protocol

from ..storage.embeddables import Progress
from .breath import Breathe

AT_ONCE = 200
"""Vectors of one transaction: each page that is freed is overwritten."""
MAX_BATCHES = 250
"""Transactions of one round."""


class OldVectorStore(Protocol):
    """Where vectors are dropped."""

    async def progress(self, model_id: str) -> Progress:
        """How many items that may be recalled have their vectors of this model."""
        ...

    async def drop_others(self, model_id: str, *, limit: int) -> int:
        """Forget vectors of every other model; returns how many went."""
        ...


class OldVectors:
    """While the provider is gone or another one is not done yet, all vectors stay: it may come back."""

    def __init__(
        self,
        store: OldVectorStore,
        *,
        model_id: Callable[[], str | None],
        given_up: Callable[[], int],
        breathe: Breathe,
    ) -> None:
        """`given_up` tells how many items the model in use does not take: nothing waits for them."""
        self._store = store
        self._model_id = model_id
        self._given_up = given_up
        self._breathe = breathe

    async def work(self) -> None:
        """Drop what is old, in short transactions; the next round goes on."""
        model_id = self._model_id()
        if model_id is None or not await self._is_complete(model_id):
            return
        for _ in range(MAX_BATCHES):
            if not await self._store.drop_others(model_id, limit=AT_ONCE):
                return
            await self._breathe()

    async def _is_complete(self, model_id: str) -> bool:
        progress = await self._store.progress(model_id)
        return progress.done > 0 and progress.done + self._given_up() >= progress.total
