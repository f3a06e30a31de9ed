"""Searches what was said: the same stages as a recall, over events instead of items."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

from ..domain.chat import Access
from ..domain.reading import Query, QueryVector, Request, Said
from ..text_analysis.word_forms import forms_of
from .excerpt import excerpt
from .protocols import Heard, QueryEmbedding, Transcript
from .query_terms import whole_words
from .scope import scope
from .similarity_baseline import SimilarityBaseline
from .talk import Place, ranked

MAX_RESULTS = 100
MANY = 2_000
"""More rows than these are ranked in a thread: the hop costs less than they would hold others up."""

_MOMENT = timedelta(milliseconds=1)
"""Instants lose a little where they are kept as numbers."""


class TranscriptReader:
    """Finds what was said. Reading changes nothing."""

    def __init__(
        self,
        *,
        transcript: Transcript,
        ahead: QueryEmbedding,
        baseline: SimilarityBaseline,
        zone: tzinfo = UTC,
    ) -> None:
        """`zone` is where the operator's days begin."""
        self._transcript = transcript
        self._ahead = ahead
        self._baseline = baseline
        self._zone = zone

    async def search(
        self, access: Access, query: Query, *, max_results: int, before: datetime | None = None
    ) -> Sequence[Said]:
        """What was said, as far as this access reaches, that answers best, the best first.

        At most `max_results`, and never more than MAX_RESULTS. From `before` on nothing counts. Raises
        ClosedError, UnavailableError, UnusableStoreError.
        """
        request = scope(access, query, zone=self._zone)
        most = min(max_results, MAX_RESULTS)
        if not request.text or most < 1:
            return ()
        vector = await self._vector(request)
        heard = await self._transcript.look_up(access, request.terms, vector, now=request.at)
        places = await self._ranked(heard, request, vector, before, most)
        return await self._read(request, heard, places)

    async def _vector(self, request: Request) -> QueryVector | None:
        """The vector of what is looked for; a provider is not asked where nothing could be compared."""
        if not await self._transcript.warm(request.access, now=request.at):
            return None
        return (await self._ahead.vector(request.text)).vector

    async def _ranked(
        self,
        heard: Heard,
        request: Request,
        vector: QueryVector | None,
        before: datetime | None,
        most: int,
    ) -> Sequence[Place]:
        unrelated = vector and self._baseline.unrelated(request.text, vector)
        until = None if before is None else (before - _MOMENT).timestamp()
        if len(heard.signals) > MANY:
            return await asyncio.to_thread(ranked, heard, request, unrelated, before=until, most=most)
        return ranked(heard, request, unrelated, before=until, most=most)

    async def _read(self, request: Request, heard: Heard, places: Sequence[Place]) -> Sequence[Said]:
        """The words of what was found, unless they are gone meanwhile."""
        if not places:
            return ()
        scores = {heard.event_ids[place.row]: place.score for place in places}
        said = await self._transcript.read(request.access, list(scores))
        terms = [form for term in whole_words(request.terms) for form in forms_of(term.text)]
        return [
            replace(said[each], text=excerpt(said[each].text, terms), score=score)
            for each, score in scores.items()
            if each in said
        ]
