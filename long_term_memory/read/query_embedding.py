"""Vectors of questions, embedded while the host prepares its request."""

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial

from ..domain.errors import UnavailableError
from ..domain.log import logger
from ..domain.providers import Embedder
from ..domain.reading import NoVector, QueryVector
from ..domain.time import Clock
from ..policies.back_off import CircuitBreaker
from .protocols import Begin
from .scope import bounded
from .similarity_baseline import unit_rows

MAX_MISSES = 3
"""After so many in a row no reply waits for a vector, for a while."""
MAX_AT_ONCE = 8
"""Questions that are being embedded at once; while the provider is down only one is tried."""
KEPT = 64
"""Questions whose vectors are remembered."""

type Answer = asyncio.Future[QueryVector | str]
"""The vector of a question, or the kind of error that came in its place."""


class QuestionEmbedder:
    """The vectors of the operator's provider, which is looked up anew at each use. Nothing here raises."""

    def __init__(self, embedder: Embedder, *, begin: Begin, deadline: timedelta, clock: Clock) -> None:
        """`deadline` is how long a reply waits for its vector."""
        self._embedder = embedder
        self._begin = begin
        self._deadline = deadline.total_seconds()
        self._providers = CircuitBreaker(clock, threshold=MAX_MISSES)
        self._under_way = 0
        self._asked = OrderedDict[tuple[str, str], Answer]()
        """Those under way and those with a vector, the least used first."""

    def prepare(self, text: str) -> None:
        """Begin to embed the question in the background when that is worth it."""
        # What is wrong with the provider is told when the vector is wanted.
        with suppress(Exception):
            text, model_id = bounded(text), self._embedder.model_id()
            if text and model_id is not None:
                self._ask(model_id, text)

    async def arrived(self, text: str) -> QueryVector | None:
        """The vector of a question that was prepared, however late it comes; None when it does not."""
        with suppress(Exception):
            asked = self._asked.get((self._embedder.model_id() or "", bounded(text)))
            if asked and isinstance(answer := await asyncio.shield(asked), QueryVector):
                return answer
        return None

    async def vector(self, text: str) -> QueryVector | NoVector:
        """The vector of the question if it comes by the deadline, else why words alone answer.

        The deadline runs from this call; what was prepared is mostly there at once.
        """
        text = bounded(text)
        if not text:
            return NoVector.NO_QUESTION
        try:
            model_id = self._embedder.model_id()
        except Exception as error:  # noqa: BLE001  whatever a provider does, words answer
            return self._missed("", NoVector.PROVIDER_DOWN, type(error).__name__)
        if model_id is None:
            return NoVector.NO_PROVIDER
        asked = self._ask(model_id, text)
        is_down = self._providers.open(model_id) is not None
        if asked is None:
            return NoVector.PROVIDER_DOWN if is_down else NoVector.DEADLINE
        if not asked.done() and not is_down:
            await asyncio.wait([asked], timeout=self._deadline)
            if asked.done() and isinstance(asked.result(), QueryVector):
                self._answered(model_id)
        answer = asked.result() if asked.done() else None
        if isinstance(answer, QueryVector):
            return answer
        why = NoVector.PROVIDER_DOWN if answer else NoVector.DEADLINE
        return self._missed(model_id, why, answer or "TimeoutError")

    def _ask(self, model_id: str, text: str) -> Answer | None:
        """The question, under way or done; None when it cannot be asked now."""
        key = (model_id, text)
        if asked := self._asked.get(key):
            self._asked.move_to_end(key)
            return asked
        if self._under_way >= (1 if self._providers.open(model_id) else MAX_AT_ONCE):
            return None
        asked = self._asked[key] = asyncio.get_running_loop().create_future()
        self._under_way += 1
        if not self._begin("embed_question", partial(self._embed, asked, model_id, text)):
            del self._asked[key]
            self._under_way -= 1
            return None
        if len(self._asked) > KEPT:
            self._asked.popitem(last=False)
        return asked

    async def _embed(self, asked: Answer, model_id: str, text: str) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        answer: QueryVector | str = "CancelledError"
        try:
            answer = QueryVector(model_id=model_id, numbers=await self._numbers(model_id, text))
            if loop.time() - began <= self._deadline:
                self._answered(model_id)
        except Exception as error:  # noqa: BLE001  whatever a provider does, words answer
            answer = type(error).__name__
        finally:
            self._under_way -= 1
            if isinstance(answer, str):
                self._asked.pop((model_id, text), None)  # it is asked again at its next use
            asked.set_result(answer)

    async def _numbers(self, model_id: str, text: str) -> Sequence[float]:
        numbers = array("d", unit_rows(await self._embedder.embed([text])).tobytes())
        if self._embedder.model_id() != model_id:
            raise UnavailableError("another embedding model meanwhile")
        return numbers

    def _missed(self, model_id: str, why: NoVector, error: str) -> NoVector:
        """No vector; while nobody waits that is no failure more."""
        if self._providers.open(model_id):
            return NoVector.PROVIDER_DOWN
        if self._providers.failed(model_id, error).failures == MAX_MISSES:
            logger.warning(
                "The embedding provider does not answer in time (%s): recall uses words alone.", error
            )
        return why

    def _answered(self, model_id: str) -> None:
        before = self._providers.answered(model_id)
        if before and before.failures >= MAX_MISSES:
            logger.info("The embedding provider answers again: recall uses vectors.")
