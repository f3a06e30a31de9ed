"""What has to do with a question, and what does not (design 6.3).

A memory has to do with it when they share a word that tells something, when its vector is much nearer than
unrelated texts are (`references.py`), when it is about somebody the question names, or when it was told in
the days that a question asks about and nothing else. The thresholds were set so that of questions that
have nothing to do with a person's memories about one in thirty still finds one, with either model and
language that they were tried on, and nine in ten of the others find theirs.
"""

from datetime import timedelta

import numpy as np

from ..domain.reading import Period, Request, Unrelated
from .signals import Flags, Numbers, Signals

LONG_QUESTION = 120
"""One telling term in common is enough, save for a text of more terms: it has one with everything."""
_MORE_FOR = 60
"""So many terms beyond that ask for one more in common, each counted by its rarity."""
_MOST = 1.5
AKIN = 0.5
"""Where something has such a term in common, so much of its score is enough, whatever the words."""
NEAR = 4.5
"""So many spreads above unrelated texts a vector alone is enough."""
FAR = 1.0
"""Below this a match of words is a coincidence: "the weather in New York", "a new flat"."""

_DAY = timedelta(days=1)
"""A day that is under way is mostly said of what is to come: "what shall I do today?" """

NEAR_COSINE = 0.5
"""What is near while nothing is known of the model's unrelated texts, if it also stands out."""
_STANDS_OUT = 2.0
_FEW = 8
"""So few memories that nothing stands out among them."""


def relevant(signals: Signals, request: Request, unrelated: Unrelated | None) -> Flags:
    """For each row whether it has to do with the question."""
    telling = sum(term.tells for term in request.terms)
    by_words = (signals.coverage > 0) & (signals.coverage * telling >= _needed(telling))
    if unrelated is None:
        by_vector, far = _stands_out(signals.cosine), np.zeros(len(signals), np.bool_)
    else:
        nearness = (signals.cosine - unrelated.mean) / unrelated.spread
        by_vector, far = nearness >= NEAR, nearness < FAR
    by_words &= ~far
    if by_words.any():
        by_words |= (signals.words >= AKIN * signals.words.max()) & ~far
    found = by_words | by_vector | signals.named
    period = request.period
    if period is not None and not telling and (period.end <= request.at or period.end - period.start > _DAY):
        found |= told_in(signals.said, period)
    return found


def told_in(said: Numbers, period: Period) -> Flags:
    """For each moment whether it lies in the period."""
    return (said >= period.start.timestamp()) & (said < period.end.timestamp())


def _needed(telling: int) -> float:
    return min(_MOST, max(0, telling - LONG_QUESTION) / _MORE_FOR)


def _stands_out(cosine: Numbers) -> Flags:
    near = cosine >= NEAR_COSINE
    known = cosine[~np.isnan(cosine)]
    if len(known) < _FEW or not near.any():
        return near
    return near & (cosine >= known.mean() + _STANDS_OUT * known.std())
