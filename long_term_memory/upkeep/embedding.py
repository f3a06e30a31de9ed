"""Gives every item that may be recalled its vectors, in the background; another model embeds all anew."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from ..domain.errors import UnavailableError
from ..domain.providers import Embedder
from ..domain.time import Clock
from ..policies.embedded import bare
from ..storage.embeddables import Embeddable, Progress, tags
from ..storage.vectors import Embedded, VectorStore
from .batching import Batches, Vectors
from .scheduler import Breathe, FailureLog, breathe

SETTLE = timedelta(seconds=1)
"""How long after news the work begins: the turn that brought them ends first, and bursts count once."""
PAUSE = timedelta(minutes=1)
"""How long to wait after a failure, and how often to look whether a provider has come."""
DROPPED_AT_ONCE = 200
EVERYTHING = timedelta(minutes=10)
"""How often the whole transcript is looked through for messages without a vector, not only what is new."""


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
        self._batches = Batches(embedder, clock, self._drop)
        self._failure = FailureLog(
            "Memories are not embedded for now (%s); words alone find them.", "Memories are embedded again."
        )

    @property
    def model_id(self) -> str | None:
        """The model of the moment; None without an embedding provider that can be asked."""
        try:
            return self._embedder.model_id()
        except Exception:  # noqa: BLE001  a provider that raises is none
            return None

    @property
    def bare_model_id(self) -> str | None:
        """What the vectors of facts alone are tagged with, by which facts are compared."""
        model_id = self.model_id
        return None if model_id is None else bare(model_id)

    @property
    def last_error(self) -> str:
        """Why memories are not embedded for now, or why some of them cannot be; empty while all is well."""
        given_up = self._batches.given_up
        return self._failure.why or (given_up[-1].why if given_up else "")

    @property
    def given_up(self) -> int:
        """How many memories the model does not take, as it seems."""
        return len(self._batches.given_up)

    async def progress(self) -> Progress:
        """How far the model of the moment is; nothing to do without one."""
        model_id = self.model_id
        return Progress(done=0, total=0) if model_id is None else await self._store.progress(model_id)

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
        model_id, providers = self.model_id or "", self._batches.providers
        if providers.open(model_id):
            return
        with self._failure.outer_edge():
            try:
                while await self.embed_batch():
                    pass
            except UnavailableError as error:
                if error.retry_after:
                    providers.failed(model_id, str(error), retry_after=error.retry_after)
                raise
            providers.answered(model_id)

    async def embed_batch(self) -> int:
        """Embed one batch; returns how many items or messages it was about. Raises as `Batches.embed`."""
        model_id = self._embedder.model_id()
        if model_id is None or self._store.read_only:
            return 0
        self._batches.begin(model_id)
        number = await self._items(model_id) or await self._events(model_id)
        if not number:
            self._batches.rested()
        return number

    async def _items(self, model_id: str) -> int:
        resting = self._batches.resting
        found = await self._store.items_without(model_id, self._batches.size + len(resting))
        return await self._embed(model_id, [one for one in found if one.key not in resting])

    async def _events(self, model_id: str) -> int:
        if self._transcript_since is None:
            return 0
        resting, now, last = self._batches.resting, self._clock(), await self._store.last_event()
        complete_model, row, at = self._complete or ("", 0, now)
        # Rows of what is erased come again, and a clock may be set back.
        if complete_model != model_id or row > last or not timedelta(0) <= now - at < EVERYTHING:
            row, at = 0, now
        found = await self._store.events_without(
            model_id, after=row, since=self._transcript_since(), limit=self._batches.size + len(resting)
        )
        wanted = [one for one in found if one.key not in resting]
        if not wanted:
            self._complete = (model_id, last, at)
        return await self._embed(model_id, wanted)

    async def _embed(self, model_id: str, wanted: Sequence[Embeddable]) -> int:
        async def put(vectors: Vectors, taken: Sequence[Embeddable]) -> None:
            for at, tag in enumerate(tags(model_id, taken[0])):
                rows = [Embedded(key=one.key, fact=one.fact, vector=vectors[one.texts[at]]) for one in taken]
                await self._store.put(tag, rows)

        return await self._batches.embed(wanted, put)

    async def _drop(self, model_id: str) -> None:
        self._complete = None
        while await self._store.drop(model_id, limit=DROPPED_AT_ONCE):
            await self._breathe()
