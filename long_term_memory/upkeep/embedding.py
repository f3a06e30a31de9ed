"""Gives every item that may be recalled its vector, in the background: nothing waits for it."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol

from ..domain.errors import InvalidInputError, LtmError
from ..domain.memory import Item
from ..read.protocols import Embedder
from ..storage.vectors import Embedded

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

BATCH = 16
SETTLE = timedelta(milliseconds=300)
"""How long after news the work begins: the turn that brought them ends first, and bursts count once."""
PAUSE = timedelta(minutes=1)
"""How long to wait after a failure, and how often to look whether a provider has come."""


class VectorStore(Protocol):
    """Where vectors are kept."""

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        ...

    async def without_vector(self, model_id: str, limit: int) -> Sequence[Item]:
        """Items that may be recalled and have no vector of this model, newest first."""
        ...

    async def put_vectors(self, model_id: str, embedded: Sequence[Embedded]) -> int:
        """Store vectors; returns how many still fitted. Raises InvalidInputError for unusable ones."""
        ...


class Embedding:
    """Embeds what has no vector of the current model; a new model therefore re-embeds everything."""

    def __init__(self, store: VectorStore, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._wake = asyncio.Event()
        self._working = True

    @property
    def model_id(self) -> str | None:
        """The model of the moment; None without an embedding provider."""
        return self._embedder.model_id()

    def notify(self) -> None:
        """Say that there may be something new."""
        self._wake.set()

    async def run(self) -> None:
        """Work whenever there is something to do, for ever."""
        while True:
            self._wake.clear()
            await self._work_off()
            try:
                async with asyncio.timeout(PAUSE.total_seconds()):
                    await self._wake.wait()
                await asyncio.sleep(SETTLE.total_seconds())
            except TimeoutError:
                continue

    async def _work_off(self) -> None:
        try:
            while await self.embed_batch():
                pass
            self._note(working=True)
        except InvalidInputError as error:
            self._note(working=False, why=str(error))
        except LtmError as error:
            self._note(working=False, why=type(error).__name__)

    async def embed_batch(self) -> int:
        """Embed one batch; returns how many items got their vector, 0 when there is nothing to do."""
        model_id = self._embedder.model_id()
        if model_id is None or self._store.read_only:
            return 0
        items = await self._store.without_vector(model_id, BATCH)
        if not items:
            return 0
        vectors = await self._embedder.embed([item.fact for item in items])
        embedded = [
            Embedded(memory_id=item.memory_id, fact=item.fact, vector=vector)
            for item, vector in zip(items, vectors, strict=True)
        ]
        return await self._store.put_vectors(model_id, embedded)

    def _note(self, *, working: bool, why: str = "") -> None:
        """Log once when it stops and once when it goes on."""
        if working and not self._working:
            logger.info("Memories are embedded again.")
        elif not working and self._working:
            logger.warning("Memories are not embedded for now (%s); words alone find them.", why)
        self._working = working
