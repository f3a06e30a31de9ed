"""Stage 3, rank: signals on one scale, one score, and nothing unrelated (design 6.3, seed 002 4.3).

All rows are scored at once; only the best of them are ever made into objects.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from ..domain.reading import Period, Request
from ..domain.words import MemoryType
from ..policies.read_policy import MemoryReadPolicy
from ..policies.recipes import RECIPES, Recipe, weights_of
from .gate import relevant, told_in
from .ranking import Ranking, Shares
from .retrieve import Found, of_the_best
from .signals import KINDS, Flags, Numbers, Signals

STANDING = (MemoryType.PROFILE, MemoryType.CONSTRAINT)
"""Types that matter whatever the talk is about; the others must have to do with the question."""
UNASKED = 5
"""Of each standing type so many go along though the question has nothing to do with them."""
BESIDE = 50
"""Rows of each type beyond its share that are kept, so that what was left out can be accounted for."""

type Rows = NDArray[np.intp]

_FEW_DAYS = timedelta(days=7)
_TOLD_AFTER = ((timedelta(days=10), 0.7), (timedelta(days=30), 0.4))
_HALF_LIFE = 30 * 86_400.0
_CODES = {kind: code for code, kind in enumerate(KINDS)}
_NOTHING = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class _Scored:
    """Every row's score, its shares, and whether it may be used."""

    score: Numbers
    shares: Shares
    passes: Flags


def rank(found: Found, request: Request, policy: MemoryReadPolicy) -> Ranking:
    """Put what stands or is relevant in order, best first; equal scores go by the last confirmation.

    The order does not depend on the scale of the word scores.
    """
    signals = found.visible.signals
    scored = _scored(found, request, policy)
    usable = scored.passes & ~signals.shadowed
    best = [
        _best(
            np.flatnonzero(usable & (signals.kinds == code)),
            scored.score,
            signals.confirmed,
            policy.max_per_type + BESIDE,
        )
        for code in range(len(KINDS))
    ]
    rows = _in_order(np.concatenate(best), scored.score, signals.confirmed)
    beside = _best(np.flatnonzero(~usable), scored.score, signals.confirmed, BESIDE)
    taken = np.concatenate([rows, beside])
    return Ranking(
        items=found.visible.items,
        rows=taken.tolist(),
        usable=len(rows),
        kinds=signals.kinds[taken].tolist(),
        shadowed=signals.shadowed[taken].tolist(),
        score=scored.score[taken].tolist(),
        shares=scored.shares.of(taken),
        words=signals.words[taken].tolist(),
        cosine=signals.cosine[taken].tolist(),
    )


def time_decay(seconds: Numbers) -> Numbers:
    """1 / (1 + days / 30) of an age, which is 1 for what was just confirmed (seed 002 4.3)."""
    return 1.0 / (1.0 + np.maximum(seconds, 0.0) / _HALF_LIFE)


def _scored(found: Found, request: Request, policy: MemoryReadPolicy) -> _Scored:
    signals, recipe = found.visible.signals, RECIPES[policy.recipe]
    weights = weights_of(recipe, policy.weights)
    related = relevant(signals, request, found.unrelated)
    standing = np.isin(signals.kinds, [_CODES[kind] for kind in STANDING])
    similarity = weights.similarity * (
        _on_one_scale(signals, recipe) if recipe.one_scale else _as_it_is(signals)
    )
    dated = _dated(signals, request, recipe)
    if recipe.standing:
        raised = standing | _meant_by_date(dated, request)
        similarity = _with_floor(similarity, raised, related, recipe.standing, weights.similarity)
    shares = Shares(
        similarity=similarity,
        importance=weights.importance * np.clip(signals.importance, 0.0, 1.0),
        recency=weights.recency * _recency(signals, request.at),
        named=np.where(signals.named, recipe.named, 0.0),
        dated=dated,
    )
    score = shares.sum()
    return _Scored(score=score, shares=shares, passes=related | _unasked(signals, standing & ~related, score))


def _on_one_scale(signals: Signals, recipe: Recipe) -> Numbers:
    """Words by their maximum, cosines by their range; where there is no vector words stand for it."""
    words = of_the_best(signals.words)
    known = ~np.isnan(signals.cosine)
    if not known.any():
        return words
    lowest, highest = float(signals.cosine[known].min()), float(signals.cosine[known].max())
    # A single candidate has no range to be placed in.
    cosine = (
        (signals.cosine - lowest) / (highest - lowest)
        if highest > lowest
        else np.clip(signals.cosine, 0.0, 1.0)
    )
    return recipe.words * words + (1 - recipe.words) * np.where(known, cosine, words)


def _as_it_is(signals: Signals) -> Numbers:
    """The cosine, and where there is no vector the words, which know no scale but their maximum."""
    words = of_the_best(signals.words)
    return np.where(np.isnan(signals.cosine), words, np.clip(signals.cosine, 0.0, 1.0))


def _with_floor(similarity: Numbers, standing: Flags, related: Flags, floor: float, most: float) -> Numbers:
    """What stands has the floor at least; it rises from there only as far as it is related."""
    floor = min(floor, most)
    raised = floor + similarity * (1.0 - floor / max(most, _NOTHING))
    return np.where(standing, np.where(related, raised, floor), similarity)


def _recency(signals: Signals, at: datetime) -> Numbers:
    return time_decay(at.timestamp() - signals.confirmed)


def _dated(signals: Signals, request: Request, recipe: Recipe) -> Numbers:
    if request.period is None or not recipe.dated:
        return np.zeros(len(signals))
    return recipe.dated * _in_time(signals.said, request.period)


def _in_time(said: Numbers, period: Period) -> Numbers:
    """1 in the period; of a few days much is told in the days after, and some in the weeks after."""
    told = np.where(told_in(said, period), 1.0, 0.0)
    if period.end - period.start <= _FEW_DAYS:
        for after, share in _TOLD_AFTER:
            later = Period(start=period.end, end=period.end + after)
            told = np.maximum(told, np.where(told_in(said, later), share, 0.0))
    return told


def _meant_by_date(dated: Numbers, request: Request) -> Flags:
    """What a question asks for that names days and nothing else: it has no words to be found by."""
    return (dated > 0) & (not any(term.tells for term in request.terms))


def _unasked(signals: Signals, standing: Flags, score: Numbers) -> Flags:
    """The few of each standing type that go along unasked, the best first."""
    chosen = np.zeros(len(signals), np.bool_)
    for kind in STANDING:
        rows = np.flatnonzero(standing & ~signals.shadowed & (signals.kinds == _CODES[kind]))
        chosen[_best(rows, score, signals.confirmed, UNASKED)] = True
    return chosen


def _best(rows: Rows, score: Numbers, confirmed: Numbers, most: int) -> Rows:
    """So many of the rows, best first; what is as good as the last of them goes by its confirmation too."""
    if len(rows) > most:
        least = np.partition(score[rows], len(rows) - most)[len(rows) - most]
        rows = rows[score[rows] >= least]
    return _in_order(rows, score, confirmed)[:most]


def _in_order(rows: Rows, score: Numbers, confirmed: Numbers) -> Rows:
    return rows[np.lexsort((rows, -confirmed[rows], -score[rows]))]
