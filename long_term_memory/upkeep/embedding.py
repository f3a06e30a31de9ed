"""Gives every item that may be recalled its vectors, in the background; another model embeds all anew.

A provider that fails is out, or will not have one of the texts. To tell them apart it is asked for a harmless
text alone. When it answers that, the batch is halved until a single text is left, which backs off.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from ..domain.errors import InvalidInputError, UnavailableError
from ..domain.log import logger
from ..domain.providers import Embedder
from ..domain.time import Clock
from ..policies.back_off import LONGEST_PAUSE, CircuitBreaker, FailureLog, Outage
from ..storage.missing_vectors import Embeddable, tags
from ..storage.vectors import Embedded, VectorStore
from ..write.worker import until_set
from .scheduler import Breathe, breathe

SETTLE = timedelta(seconds=1)
"""How long after news the work begins: the turn that brought them ends first, and bursts count once."""
PAUSE = timedelta(minutes=1)
"""How long to wait after a failure, and how often to look whether a provider has come."""
DROPPED_AT_ONCE = 200
EVERYTHING = timedelta(minutes=10)
"""How often the whole transcript is looked through for messages without a vector, not only what is new."""
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


class Embedding:
    """Embeds what has no vectors of the current model; a new model therefore re-embeds everything."""

    def __init__(
        self,
        store: VectorStore,
        embedder: Embedder,
        clock: Clock,
        *,
        transcript_since: Callable[[], datetime | None] | None = None,
        breathe: Breathe = breathe,
    ) -> None:
        """`transcript_since` tells from when on messages are embedded too, after the items."""
        self._store = store
        self._embedder = embedder
        self._transcript_since = transcript_since
        self._breathe = breathe
        self._clock = clock
        self._wake = asyncio.Event()
        self._complete: tuple[str, int, datetime] | None = None
        """The model that has seen all messages up to a row, and when it had."""
        self._dropped: set[tuple[str, int]] = set()
        self._failure = FailureLog(
            "Memories are not embedded for now (%s); words alone find them.", "Memories are embedded again."
        )
        self._begin("")

    def _begin(self, model_id: str) -> None:
        """Work with this model; of another than before nothing bad is known."""
        self._begun = model_id
        self._texts = CircuitBreaker(self._clock, longest=LONGEST_PAUSE)
        self._size = self._largest = BATCH

    @property
    def model_id(self) -> str | None:
        """The model of the moment; None without an embedding provider that can be asked."""
        try:
            return self._embedder.model_id()
        except Exception:  # noqa: BLE001  a provider that raises is none
            return None

    @property
    def last_error(self) -> str:
        """Why memories are not embedded for now, or why some of them cannot be; empty while all is well."""
        return self._failure.why or (self.given_up[-1].why if self.given_up else "")

    @property
    def given_up(self) -> Sequence[Outage]:
        """The memories that the model does not take, as it seems."""
        return [each for each in self._texts.outages if each.failures >= GIVEN_UP]

    @property
    def _resting(self) -> frozenset[str]:
        """The keys whose texts are not to be tried at the moment."""
        return frozenset(each.provider for each in self._texts.outages if self._texts.open(each.provider))

    async def progress(self) -> tuple[int, int]:
        """How many items have their vectors of the model of the moment, and of how many; 0 without one."""
        model_id = self.model_id
        return (0, 0) if model_id is None else await self._store.progress(model_id)

    def notify(self) -> None:
        """Say that there may be something new."""
        self._wake.set()

    async def run(self) -> None:
        """Work whenever there is something to do, for ever."""
        while True:
            self._wake.clear()
            await self._work_off()
            await until_set(self._wake, PAUSE)
            if self._wake.is_set():
                await asyncio.sleep(SETTLE.total_seconds())

    async def _work_off(self) -> None:
        with self._failure.outer_edge():
            while await self.embed_batch():
                pass

    async def embed_batch(self) -> int:
        """Embed one batch; returns how many items or messages it was about.

        Raises when the provider embeds nothing now.
        """
        model_id = self._embedder.model_id()
        if model_id is None or self._store.read_only:
            return 0
        if model_id != self._begun:
            self._begin(model_id)
        number = await self._items(model_id) or await self._events(model_id)
        if not number:
            self._size = self._largest = BATCH  # what made these too large may be over
        return number

    async def _items(self, model_id: str) -> int:
        resting = self._resting
        found = await self._store.items_without(model_id, self._size + len(resting))
        return await self._embed(model_id, [one for one in found if one.key not in resting])

    async def _events(self, model_id: str) -> int:
        if self._transcript_since is None:
            return 0
        resting, now, last = self._resting, self._clock(), await self._store.last_event()
        complete_model, row, at = self._complete or ("", 0, now)
        # Rows of what is erased come again, and a clock may be set back.
        if complete_model != model_id or row > last or not timedelta(0) <= now - at < EVERYTHING:
            row, at = 0, now
        found = await self._store.events_without(
            model_id, after=row, since=self._transcript_since(), limit=self._size + len(resting)
        )
        wanted = [one for one in found if one.key not in resting]
        if not wanted:
            self._complete = (model_id, last, at)
        return await self._embed(model_id, wanted)

    async def _embed(self, model_id: str, wanted: Sequence[Embeddable]) -> int:
        """Embed the first of these; returns how many."""
        taken = _fitting(wanted[: self._size])
        if not taken:
            return 0
        try:
            vectors = await self._asked(model_id, [text for one in taken for text in one.texts])
        except (InvalidInputError, UnavailableError) as error:
            await self._blame(model_id, taken, error)
            return len(taken)
        try:
            await self._put(model_id, taken, vectors)
        except InvalidInputError as error:
            await self._start_anew(model_id, len(vectors[taken[0].texts[0]]), error)
            await self._put(model_id, taken, vectors)
        for one in taken:
            self._texts.answered(one.key)
        self._size = min(self._largest, 2 * self._size)
        return len(taken)

    async def _put(self, model_id: str, taken: Sequence[Embeddable], vectors: Vectors) -> None:
        for at, tag in enumerate(tags(model_id, taken[0])):
            rows = [Embedded(key=one.key, fact=one.fact, vector=vectors[one.texts[at]]) for one in taken]
            await self._store.put(tag, rows)

    async def _asked(self, model_id: str, texts: Sequence[str]) -> Vectors:
        distinct = list(dict.fromkeys(texts))
        vectors = await self._embedder.embed(distinct)
        if self._embedder.model_id() != model_id:
            raise UnavailableError("the embedding model has changed meanwhile")
        return dict(zip(distinct, vectors, strict=True))

    async def _blame(
        self, model_id: str, taken: Sequence[Embeddable], error: InvalidInputError | UnavailableError
    ) -> None:
        """Find out whether it is these texts; raises the error when it is not."""
        if len(self._texts.outages) >= MAX_RESTING:
            raise error
        try:
            await self._asked(model_id, [_HARMLESS])
        except (InvalidInputError, UnavailableError):
            raise error from None
        if len(taken) > 1:
            # It may also be that so many are too many.
            self._size = self._largest = len(taken) // 2
        else:
            self._largest = BATCH
            self._texts.failed(taken[0].key, str(error))

    async def _start_anew(self, model_id: str, dimension: int, error: InvalidInputError) -> None:
        """Drop the stored vectors: the provider gives others of another length now; once for each length."""
        if (model_id, dimension) in self._dropped:
            raise InvalidInputError("vector", "the provider gives vectors of changing lengths") from error
        (again,) = (await self._asked(model_id, [_HARMLESS])).values()
        if len(again) != dimension:
            raise error
        self._dropped.add((model_id, dimension))
        logger.warning(
            "The embedding model now gives %d numbers: all is embedded anew, words answer meanwhile.",
            dimension,
        )
        self._complete = None
        while await self._store.drop(model_id, limit=DROPPED_AT_ONCE):
            await self._breathe()


def _fitting(wanted: Sequence[Embeddable]) -> Sequence[Embeddable]:
    """The first of these, as far as they go into one request; one always does."""
    total = 0
    for at, each in enumerate(wanted):
        total += sum(map(len, each.texts))
        if at and total > MAX_CHARS:
            return wanted[:at]
    return wanted
