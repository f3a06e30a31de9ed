"""Asks an embedding provider for many texts, and finds out what is wrong when it fails.

A provider that fails is out, or will not have one of these texts. To tell them apart it is asked for a
harmless text alone. When it answers that, the batch is halved until a single text is left, which backs off.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence

from ..domain.errors import InvalidInputError, UnavailableError
from ..domain.providers import Embedder
from ..domain.time import Clock
from ..policies.back_off import LONGEST_PAUSE, CircuitBreaker, Outage
from ..storage.embeddables import Embeddable

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

BATCH = 16
MAX_CHARS = 12_000
"""Characters at once: providers refuse requests that are too large."""
GIVEN_UP = 3
"""After so many failures a text counts as one that cannot be embedded; it is tried again each hour."""
MAX_RESTING = 200
"""When more texts than these back off, the texts are not at fault."""
_HARMLESS = "Hello."

type Vectors = Mapping[str, Sequence[float]]
"""Text to vector: finite numbers of one length, with a direction."""
type Put = Callable[[Vectors, Sequence[Embeddable]], Awaitable[None]]
"""Stores the vectors of these. Raises InvalidInputError for another length than that of the stored ones."""


class Batches:
    """One batch at a time, of a size that the provider takes."""

    def __init__(self, embedder: Embedder, clock: Clock, drop: Callable[[str], Awaitable[None]]) -> None:
        """`drop` forgets all vectors of a model."""
        self._embedder = embedder
        self._clock = clock
        self._drop = drop
        self.providers = CircuitBreaker(clock)
        self._texts = CircuitBreaker(clock, longest=LONGEST_PAUSE)
        self.size = self._largest = BATCH
        self._model_id: str = ""
        self._dropped: set[tuple[str, int]] = set()

    def begin(self, model_id: str) -> None:
        """Work with this model; of another than before nothing bad is known."""
        if model_id != self._model_id:
            self._model_id = model_id
            self._texts = CircuitBreaker(self._clock, longest=LONGEST_PAUSE)
            self.rested()

    def rested(self) -> None:
        """Begin with the largest batches again: what made them too large may be over."""
        self.size = self._largest = BATCH

    @property
    def resting(self) -> frozenset[str]:
        """The keys whose texts are not to be tried at the moment."""
        return frozenset(each.provider for each in self._texts.outages if self._texts.open(each.provider))

    @property
    def given_up(self) -> Sequence[Outage]:
        """The texts that cannot be embedded, as it seems."""
        return [each for each in self._texts.outages if each.failures >= GIVEN_UP]

    async def embed(self, wanted: Sequence[Embeddable], put: Put) -> int:
        """Embed the first of these; returns how many. Raises when the provider embeds nothing now."""
        taken = _fitting(wanted[: self.size])
        if not taken:
            return 0
        try:
            vectors = await self._asked([text for each in taken for text in each.texts])
        except (InvalidInputError, UnavailableError) as error:
            await self._blame(taken, error)
            return len(taken)
        try:
            await put(vectors, taken)
        except InvalidInputError as error:
            await self._start_anew(len(vectors[taken[0].texts[0]]), error)
            await put(vectors, taken)
        for each in taken:
            self._texts.answered(each.key)
        self.size = min(self._largest, 2 * self.size)
        return len(taken)

    async def _asked(self, texts: Sequence[str]) -> Vectors:
        distinct = list(dict.fromkeys(texts))
        vectors = await self._embedder.embed(distinct)
        if self._embedder.model_id() != self._model_id:
            raise UnavailableError("the embedding model has changed meanwhile")
        if len(vectors) != len(distinct):
            raise UnavailableError("the provider gives another number of vectors than it was asked for")
        if len({len(vector) for vector in vectors}) != 1:
            raise InvalidInputError("vector", "the provider gives vectors of different lengths at once")
        if not all(0 < math.hypot(*vector) < math.inf for vector in vectors):
            raise InvalidInputError("vector", "the provider gives a vector without a direction")
        return dict(zip(distinct, vectors, strict=True))

    async def _blame(self, taken: Sequence[Embeddable], error: InvalidInputError | UnavailableError) -> None:
        """Find out whether it is these texts; raises the error when it is not."""
        asks = error.retry_after if isinstance(error, UnavailableError) else None
        is_believed = self.providers.believes(self._model_id, asks)
        if is_believed or len(self._texts.outages) >= MAX_RESTING or not await self._answers():
            raise error
        if len(taken) > 1:
            # It may also be that so many are too many.
            self.size = self._largest = len(taken) // 2
        else:
            self._largest = BATCH
            self._texts.failed(taken[0].key, str(error))

    async def _answers(self) -> bool:
        try:
            await self._asked([_HARMLESS])
        except (InvalidInputError, UnavailableError):
            return False
        return True

    async def _start_anew(self, dimension: int, error: InvalidInputError) -> None:
        """Drop the stored vectors: the provider gives others of another length now; once for each length."""
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


def _fitting(wanted: Sequence[Embeddable]) -> Sequence[Embeddable]:
    """The first of these, as far as they go into one request; one always does."""
    total = 0
    for at, each in enumerate(wanted):
        total += sum(map(len, each.texts))
        if at and total > MAX_CHARS:
            return wanted[:at]
    return wanted
