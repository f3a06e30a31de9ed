"""Asks an embedding provider for many texts, and finds out what is wrong when it fails.

A provider fails in two ways that look the same: it is out, or it will not have one of these texts. To tell
them apart it is asked for a harmless text alone. When it answers that, the batch is halved until a single one
is left, and that rests while the others have their turn.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from ..domain.errors import InvalidInputError, UnavailableError
from ..domain.providers import Embedder
from ..domain.time import Clock
from ..policies.back_off import CircuitBreaker
from .resting import Resting

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

BATCH = 16
"""Items at once; each has up to two texts."""
MAX_CHARS = 12_000
"""Characters at once: providers refuse requests that are too large."""
_HARMLESS = "Hello."

type Vectors = Mapping[str, Sequence[float]]
"""Text to vector: finite numbers of one length, with a direction."""
type Put = Callable[[Vectors, Sequence[Wanted]], Awaitable[None]]
"""Stores the vectors of these. Raises InvalidInputError for another length than that of the stored ones."""
type Drop = Callable[[str], Awaitable[None]]
"""Forgets all vectors of a model."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """One item or message and the texts to embed for it."""

    key: str
    texts: tuple[str, ...]


class Batches:
    """One batch at a time, of a size that the provider takes."""

    def __init__(self, embedder: Embedder, clock: Clock, drop: Drop) -> None:
        self._embedder = embedder
        self._drop = drop
        self.resting = Resting(clock)
        self.providers = CircuitBreaker(clock)
        self.size: int = BATCH
        self._largest = BATCH
        self._model_id: str = ""
        self._dropped: set[tuple[str, int]] = set()

    def begin(self, model_id: str) -> None:
        """Work with this model; of another than before nothing bad is known."""
        if model_id != self._model_id:
            self._model_id = model_id
            self.resting.forget()
            self.rested()

    def rested(self) -> None:
        """Begin with the largest batches again: what made them too large may be over."""
        self.size = self._largest = BATCH

    async def embed(self, wanted: Sequence[Wanted], put: Put) -> int:
        """Embed the first of these; returns how many it was about, whatever became of them.

        Raises UnavailableError and InvalidInputError when the provider embeds nothing at the moment.
        """
        taken = _fitting(wanted[: self.size])
        if not taken:
            return 0
        try:
            vectors = await self._asked([text for each in taken for text in each.texts])
        except (InvalidInputError, UnavailableError) as error:
            await self._blame(taken, error)
            return len(taken)
        await self._kept(vectors, taken, put)
        self.resting.done([each.key for each in taken])
        self.size = min(self._largest, 2 * self.size)
        return len(taken)

    async def _asked(self, texts: Sequence[str]) -> Vectors:
        distinct = list(dict.fromkeys(texts))
        vectors = await self._embedder.embed(distinct)
        if self._embedder.model_id() != self._model_id:
            raise UnavailableError("the embedding model has changed meanwhile")
        if len(vectors) != len(distinct):
            raise UnavailableError("the provider gives another number of vectors than it was asked for")
        _check(vectors)
        return dict(zip(distinct, vectors, strict=True))

    async def _blame(self, taken: Sequence[Wanted], error: InvalidInputError | UnavailableError) -> None:
        """Find out whether it is these texts; raises the error when it is not."""
        asks = error.retry_after if isinstance(error, UnavailableError) else None
        is_believed = self.providers.believes(self._model_id, asks)
        if self.resting.full or is_believed or not await self._answers():
            raise error
        if len(taken) > 1:
            # It may also be that so many are too many.
            self.size = self._largest = len(taken) // 2
        else:
            self._largest = BATCH
            self.resting.failed(taken[0].key, str(error))

    async def _answers(self) -> bool:
        try:
            await self._asked([_HARMLESS])
        except (InvalidInputError, UnavailableError):
            return False
        return True

    async def _kept(self, vectors: Vectors, taken: Sequence[Wanted], put: Put) -> None:
        try:
            await put(vectors, taken)
        except InvalidInputError as error:
            await self._start_anew(len(vectors[taken[0].texts[0]]), error)
            await put(vectors, taken)

    async def _start_anew(self, dimension: int, error: InvalidInputError) -> None:
        """The vectors are good by themselves, so it is the length that differs from those in the store.

        One answer alone does not count. Nor does a length more than once: two that take turns would throw
        each other's work away for ever.
        """
        if (self._model_id, dimension) in self._dropped:
            raise InvalidInputError("vector", "the provider gives vectors of changing lengths") from error
        (again,) = (await self._asked([_HARMLESS])).values()
        if len(again) != dimension:
            raise error
        self._dropped.add((self._model_id, dimension))
        logger.warning(
            "The embedding model now gives %d numbers: all is embedded anew, words answer meanwhile.",
            dimension,
        )
        await self._drop(self._model_id)


def _fitting(wanted: Sequence[Wanted]) -> Sequence[Wanted]:
    """The first of these, as far as they go into one request; one always does."""
    total = 0
    for at, each in enumerate(wanted):
        total += sum(map(len, each.texts))
        if at and total > MAX_CHARS:
            return wanted[:at]
    return wanted


def _check(vectors: Sequence[Sequence[float]]) -> None:
    """Raise InvalidInputError when the vectors differ in length or one of them is no direction."""
    if len({len(vector) for vector in vectors}) != 1:
        raise InvalidInputError("vector", "the provider gives vectors of different lengths at once")
    if not all(0 < math.hypot(*vector) < math.inf for vector in vectors):
        raise InvalidInputError("vector", "the provider gives a vector without a direction")
