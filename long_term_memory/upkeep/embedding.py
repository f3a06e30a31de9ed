"""Gives every item that may be recalled its vector, in the background: nothing waits for it."""

import asyncio
import logging
import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol

from ..domain.errors import InvalidInputError, UnavailableError
from ..domain.memory import Item
from ..read.protocols import Embedder
from ..storage.vectors import Embedded

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

BATCH = 16
SETTLE = timedelta(seconds=1)
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

    async def drop_vectors(self, model_id: str) -> None:
        """Forget every vector of a model, so that it starts anew with another dimension."""
        ...


class Embedding:
    """Embeds what has no vector of the current model; a new model therefore re-embeds everything."""

    def __init__(self, store: VectorStore, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._wake = asyncio.Event()
        self._dropped: set[tuple[str, int]] = set()
        self._error = ""

    @property
    def model_id(self) -> str | None:
        """The model of the moment; None without an embedding provider that can be asked."""
        try:
            return self._embedder.model_id()
        except Exception:  # noqa: BLE001  a provider that raises is none
            return None

    @property
    def last_error(self) -> str:
        """Why memories are not embedded for now; empty while they are."""
        return self._error

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
            self._note("")
        except (InvalidInputError, UnavailableError) as error:
            self._note(str(error))
        except Exception as error:  # noqa: BLE001  the outer edge: whatever broke, the loop goes on
            self._note(type(error).__name__)

    async def embed_batch(self) -> int:
        """Embed one batch; returns how many items got their vector, 0 when there is nothing to do."""
        model_id = self._embedder.model_id()
        if model_id is None or self._store.read_only:
            return 0
        items = await self._store.without_vector(model_id, BATCH)
        if not items:
            return 0
        vectors = await self._embedder.embed([item.fact for item in items])
        dimension = _dimension(vectors)
        embedded = [
            Embedded(memory_id=item.memory_id, fact=item.fact, vector=vector)
            for item, vector in zip(items, vectors, strict=True)
        ]
        try:
            return await self._store.put_vectors(model_id, embedded)
        except InvalidInputError:
            await self._start_anew(model_id, dimension)
            return await self._store.put_vectors(model_id, embedded)

    async def _start_anew(self, model_id: str, dimension: int) -> None:
        """The vectors are good by themselves, so it is the length that differs from those in the store.

        Once for each model and length: two that take turns would throw each other's work away for ever.
        """
        if (model_id, dimension) in self._dropped:
            raise InvalidInputError("vector", "the provider gives vectors of changing lengths")
        self._dropped.add((model_id, dimension))
        logger.warning(
            "The embedding model now gives %d numbers: all is embedded anew, words answer meanwhile.",
            dimension,
        )
        await self._store.drop_vectors(model_id)

    def _note(self, error: str) -> None:
        """Log once when it stops and once when it goes on."""
        if self._error and not error:
            logger.info("Memories are embedded again.")
        elif error and not self._error:
            logger.warning("Memories are not embedded for now (%s); words alone find them.", error)
        self._error = error


def _dimension(vectors: Sequence[Sequence[float]]) -> int:
    """How many numbers each vector has. Raises InvalidInputError when they differ or one is no direction."""
    lengths = {len(vector) for vector in vectors}
    if len(lengths) != 1:
        raise InvalidInputError("vector", "the provider gives vectors of different lengths at once")
    norms = [math.hypot(*vector) for vector in vectors]
    if not all(0 < norm < math.inf for norm in norms):
        raise InvalidInputError("vector", "the provider gives a vector without a direction")
    return lengths.pop()
