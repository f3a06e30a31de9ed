"""Search of the transcript: the same stages as a recall, over what was said instead of items.

An answer seldom repeats the words of its question, but stands beside them. So each message passes some of its
score on to those before and after it in the same conversation. What a tool returned counts alone.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice

import numpy as np

from ..domain.chat import Access
from ..domain.enums import Role
from ..domain.reading import Query, QueryVector, Request, Said, UnrelatedCosines
from ..text_analysis.word_forms import forms_of, simplified
from .protocols import ROLES, Flags, Heard, Numbers, Seek, Signals, Transcript
from .rank import best_rows, similarity
from .relevance import NEAR, told_in
from .scope import request_of
from .similarity_baseline import SimilarityBaseline

MAX_RESULTS = 100
MAX_EXCERPT = 600
"""Characters."""
SPEAKER_NAMED = 0.5
"""Added where the question names the speaker."""
SAID_THEN = 0.3
"""Added to what was said in the days that the question names."""
PASSED_ON = (0.3, 0.15)
"""What of its score a message passes on to the next one on either side, and to the one after that."""
PAUSE = 3_600.0
"""Seconds: whoever is silent for longer begins another talk."""

_LITTLE = 1e-9
_TOOL = ROLES.index(Role.TOOL)


@dataclass(frozen=True, kw_only=True)
class TranscriptReader:
    """Finds what was said. Reading changes nothing."""

    transcript: Transcript
    seek: Seek
    baseline: SimilarityBaseline
    zone: tzinfo = UTC

    async def search(
        self, access: Access, query: Query, *, max_results: int, before: datetime | None = None
    ) -> Sequence[Said]:
        """What was said, as far as this access reaches, that answers best, the best first.

        At most `max_results`, and never more than MAX_RESULTS. From `before` on nothing counts. Raises
        ClosedError, UnavailableError, UnusableStoreError.
        """
        request = request_of(access, query, zone=self.zone)
        most = min(max_results, MAX_RESULTS)
        if not request.text or most < 1:
            return ()
        vector = None  # a provider is not asked where nothing could be compared
        if await self.transcript.warm(request.access, now=request.at):
            sought = await self.seek(request.text)
            vector = sought if isinstance(sought, QueryVector) else None
        heard = await self.transcript.look_up(access, request.terms, vector, now=request.at)
        unrelated = vector and self.baseline.unrelated(request.text, vector)
        # Instants lose a little where they are kept as numbers.
        until = None if before is None else (before - timedelta(milliseconds=1)).timestamp()
        places = await asyncio.to_thread(ranked, heard, request, unrelated, before=until, most=most)
        return await self._read(request, heard, places)

    async def _read(self, request: Request, heard: Heard, places: Mapping[int, float]) -> Sequence[Said]:
        """The words of what was found, unless they are gone meanwhile."""
        if not places:
            return ()
        scores = {heard.event_ids[row]: score for row, score in places.items()}
        found = await self.transcript.read(request.access, list(scores))
        terms = [form for term in request.terms for form in forms_of(term.text)]
        return [
            Said(
                event_id=each,
                role=event.role,
                speaker=event.tool if event.role is Role.TOOL else event.sender_name,
                text=excerpt(event.text, terms),
                said_at=event.created_at,
                umo=event.umo,
                score=score,
            )
            for each, score in scores.items()
            if (event := found.get(each))
        ]


def ranked(
    heard: Heard, request: Request, unrelated: UnrelatedCosines | None, *, before: float | None, most: int
) -> dict[int, float]:
    """The rows that answer the question, best first, equals newest first, and how well beside the best: 0..1.

    A message has to do with it that has a word that tells something, or is much nearer than unrelated texts,
    or was said in days that are all the question asks for; and so has what stands right beside it. From
    `before` on, in seconds since 1970, nothing counts.
    """
    signals = heard.signals
    over = np.ones(len(signals), np.bool_) if before is None else signals.said < before
    talk = _Talk(heard, over)
    found = over & _matching(signals, request, unrelated)
    rows = np.flatnonzero(over & (talk.spread(found.astype(np.float64)) > 0))
    score = similarity(signals) + np.where(signals.named, SPEAKER_NAMED, 0.0)
    if request.period is not None:
        score += np.where(told_in(signals.said, request.period), SAID_THEN, 0.0)
    score = talk.spread(score)
    order = best_rows(rows, score, signals.said, most)
    highest = max(float(score[order[0]]), _LITTLE) if len(order) else 1.0
    return {int(row): float(np.clip(score[row] / highest, 0.0, 1.0)) for row in order}


class _Talk:
    """Messages in the order in which they were said, talk by talk."""

    def __init__(self, heard: Heard, over: Flags) -> None:
        signals = heard.signals
        rows = np.flatnonzero(over & (signals.kinds != _TOOL))
        # A person and the bot speak at the same instant of a turn: the question comes first.
        order = np.lexsort((rows, signals.kinds[rows], signals.said[rows], heard.threads[rows]))
        self._rows = rows[order]
        threads, said = heard.threads[self._rows], signals.said[self._rows]
        gaps = (threads[1:] == threads[:-1]) & (said[1:] - said[:-1] <= PAUSE)
        self._joined = (gaps, gaps[1:] & gaps[:-1])

    def spread(self, values: Numbers) -> Numbers:
        """The values, each with a part of those beside it."""
        mine = values[self._rows]
        sums = mine.copy()
        for distance, (share, joined) in enumerate(zip(PASSED_ON, self._joined, strict=True), 1):
            if len(mine) > distance:
                part = share * joined
                sums[distance:] += part * mine[:-distance]
                sums[:-distance] += part * mine[distance:]
        spread = values.copy()
        spread[self._rows] = sums
        return spread


def _matching(signals: Signals, request: Request, unrelated: UnrelatedCosines | None) -> Flags:
    found = np.zeros(len(signals), np.bool_)
    if unrelated is not None:  # else nobody knows what is near: with some models everything is above .7
        found = (signals.cosine - unrelated.mean) / unrelated.spread >= NEAR
    if any(term.tells for term in request.terms):
        return found | (signals.coverage > 0)
    if request.period is not None:
        return found | told_in(signals.said, request.period)
    return found | (signals.words > 0)


def excerpt(text: str, terms: Sequence[str], *, most: int = MAX_EXCERPT) -> str:
    """At most so many characters of the text (more than 62), with "…" at the ends where it goes on.

    `terms` are as an index holds them (`text_analysis/terms.py`): a stem is found wherever it stands.
    """
    text, room = text.strip(), most - 2
    if len(text) <= most:
        return text
    start = _start(text, terms, room)
    part = text[start : start + room].strip()
    return f"{'…' if start else ''}{part}{'…' if start + room < len(text) else ''}"


def _start(text: str, terms: Sequence[str], room: int) -> int:
    """Where the passage begins that has most of the terms: the first of several such."""
    wanted, lower = {each.lower() for each in terms}, text.lower()
    folded = simplified(lower if len(lower) == len(text) else text)  # places in one are places in the other
    places = re.finditer("|".join(map(re.escape, wanted)) or "(?!)", folded)
    starts = [max(0, min(found.start() - 60, len(text) - room)) for found in islice(places, 200)]
    passages = {start: folded[start : start + room] for start in starts}
    return max(passages, key=lambda start: sum(term in passages[start] for term in wanted), default=0)
