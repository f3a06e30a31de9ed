"""Puts what was said in order for a question: all of it at once, with what was said around it.

An answer seldom repeats the words of its question, but stands beside them. So each message passes some of its
score on to those before and after it in the same talk. What a tool gave is no talk: it counts alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..domain.reading import Request, Unrelated
from ..domain.words import Role
from .protocols import ROLES, Flags, Heard, Numbers, Signals
from .relevance import NEAR, told_in

WORDS = 0.55
"""The share of words beside vectors."""
NAMED = 0.4
"""Added where the question names the speaker."""
DATED = 0.3
"""Added to what was said in the days that the question names."""
BESIDE = (0.3, 0.15)
"""What of its score a message passes on to the next one on either side, and to the one after that."""
PAUSE = 3_600.0
"""Seconds: whoever is silent for longer begins another talk."""

type Rows = NDArray[np.intp]

_BEST = 10
_LITTLE = 1e-9
_TOOL = ROLES.index(Role.TOOL)


@dataclass(frozen=True, kw_only=True)
class Place:
    """A row that was found, and how well it answers beside the best: 0..1."""

    row: int
    score: float


def ranked(
    heard: Heard, request: Request, unrelated: Unrelated | None, *, before: float | None, most: int
) -> list[Place]:
    """What answers the question, best first, equals newest first; nothing that has nothing to do with it.

    A message has to do with it that has a word that tells something, or is much nearer than unrelated texts,
    or was said in days that are all the question asks for; and so has what stands right beside it. From
    `before` on, in seconds since 1970, nothing counts.
    """
    signals = heard.signals
    over = np.ones(len(signals), np.bool_) if before is None else signals.said < before
    talk = _Talk(heard, over)
    found = over & _matching(signals, request, unrelated)
    rows = np.flatnonzero(over & (talk.spread(found.astype(np.float64)) > 0))
    score = talk.spread(_scores(signals, request))
    rows = _best(rows, score, most)
    order = rows[np.lexsort((-rows, -signals.said[rows], -score[rows]))][:most]
    highest = max(float(score[order[0]]), _LITTLE) if len(order) else 1.0
    return [Place(row=int(row), score=float(np.clip(score[row] / highest, 0.0, 1.0))) for row in order]


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
        for distance, (share, joined) in enumerate(zip(BESIDE, self._joined, strict=True), 1):
            if len(mine) > distance:
                part = share * joined
                sums[distance:] += part * mine[:-distance]
                sums[:-distance] += part * mine[distance:]
        spread = values.copy()
        spread[self._rows] = sums
        return spread


def _scores(signals: Signals, request: Request) -> Numbers:
    score = _standing_out(signals.words)
    known = ~np.isnan(signals.cosine)
    if known.any():
        cosine = score.copy()
        cosine[known] = _standing_out(signals.cosine[known])
        score = WORDS * score + (1 - WORDS) * cosine
    score += NAMED * signals.named
    if request.period is not None:
        score += DATED * told_in(signals.said, request.period)
    return score


def _standing_out(values: Numbers) -> Numbers:
    """0 is what is usual and 1 the mean of the best ten, lest one outlier push the others down."""
    most = min(_BEST, len(values) // 2)
    if not most:
        return (values > 0).astype(np.float64)
    usual = values.mean()
    best = np.partition(values, len(values) - most)[-most:].mean()
    return (values - usual) / (best - usual) if best - usual > _LITTLE else np.zeros(len(values))


def _matching(signals: Signals, request: Request, unrelated: Unrelated | None) -> Flags:
    found = np.zeros(len(signals), np.bool_)
    if unrelated is not None:  # else nobody knows what is near: with some models everything is above .7
        found = (signals.cosine - unrelated.mean) / unrelated.spread >= NEAR
    if any(term.tells for term in request.terms):
        return found | (signals.coverage > 0)
    if request.period is not None:
        return found | told_in(signals.said, request.period)
    return found | (signals.words > 0)


def _best(rows: Rows, score: Numbers, most: int) -> Rows:
    """So many of the rows with the best scores, in no order, and all that are as good as the last of them."""
    if len(rows) <= most:
        return rows
    return rows[score[rows] >= np.partition(score[rows], len(rows) - most)[len(rows) - most]]
