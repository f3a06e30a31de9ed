"""What has to do with a question, and what does not.

Step 1, the question: at least one memory must clearly match, by a content word, by a vector far above that of
unrelated texts (`similarity_baseline.py`), or by a person whom the question names.
Step 2, each memory: beside a clear match, any that shares a word or stands out. Without one only days count:
memories about a day that the question names, or told in a period that is all it asks about.
"""

import math
from datetime import timedelta

import numpy as np

from ..domain.reading import Period, Request, UnrelatedCosines
from .protocols import Flags, Numbers, Signals
from .query_intent import of_ones_own

LONG_QUESTION = 120
"""One telling term in common is enough, save for a text of more terms: it has one with everything."""
_MORE_FOR = 60
"""So many terms beyond that ask for one more in common, each counted by its rarity."""
_MOST = 1.5

NEAR = 5.0
"""So many spreads above what is usual a vector alone is enough."""
NEAR_OWN = 4.0
"""And so many when the question is about something of the person's own."""
_UNRELATED = 20
"""What is usual is a mean over the memories too, beside so many unrelated texts.

A question in two scripts, for example, is somewhat near to everything that is remembered.
"""
TERM = 2.5
"""A telling term in common is worth so many spreads."""
FAR = 3.6
"""Below this, both together, it is a coincidence: "the weather in New York", "a new flat"."""
FAR_OWN = 1.5
"""The same when the question is about something of the person's own."""

SMALL_MEMORY = 100
"""Of so few memories a question about oneself has all of one's own: rank and budget choose."""
FILL = 15
"""Of more memories so many of the best by words go along with what is surely meant."""
APART = 1.25
"""So does what has a cosine so many standard deviations above the mean of all memories."""

NEAR_COSINE = 0.5
"""What is near while nothing is known of the model's unrelated texts, if it also stands out."""
_STANDS_OUT = 2.0
_TOO_FEW = 8
"""So few memories that nothing stands out among them."""


def relevant(signals: Signals, request: Request, unrelated: UnrelatedCosines | None) -> Flags:
    """For each row whether it has to do with the question."""
    telling = sum(term.tells for term in request.terms)
    shared = signals.coverage * telling
    needed = min(_MOST, max(0, telling - LONG_QUESTION) / _MORE_FOR)
    by_words = (shared > 0) & (shared >= needed)
    known = signals.cosine[~np.isnan(signals.cosine)]
    if unrelated is None or not len(known):
        meant = by_words | _stands_out(signals.cosine, known)
    else:
        nearness = (signals.cosine - unrelated.mean) / unrelated.spread
        own = of_ones_own(request.text)
        coincidence = nearness + TERM * shared < (FAR_OWN if own else FAR)
        near = nearness >= _usual(known, unrelated) + (NEAR_OWN if own else NEAR)
        meant = (by_words & ~coincidence) | near
    found = signals.named | meant
    if (meant | signals.named & by_words).any():  # a day alone is named by "the weather today" too
        found |= _beside(signals, by_words, known)
    period = request.period
    if period is not None and not telling and not is_under_way(request):
        found |= told_in(signals.said, period)
    return found


def is_under_way(request: Request) -> bool:
    """Whether a question is about today alone, which is mostly said of what is to come."""
    period = request.period
    return period is not None and period.end > request.at and period.end - period.start <= timedelta(days=1)


def told_in(said: Numbers, period: Period) -> Flags:
    """For each moment whether it lies in the period."""
    return (said >= period.start.timestamp()) & (said < period.end.timestamp())


def _usual(known: Numbers, unrelated: UnrelatedCosines) -> float:
    """So many spreads above unrelated texts whatever is remembered is to this question, at least 0."""
    mean = (float(known.sum()) / len(known) - unrelated.mean) / unrelated.spread
    return max(0.0, mean) * len(known) / (len(known) + _UNRELATED)


def _beside(signals: Signals, by_words: Flags, known: Numbers) -> Flags:
    """What may be meant too, where something surely is."""
    found, words = by_words | (signals.cosine > _apart(known)), signals.words
    if by_words.any() and len(words) > SMALL_MEMORY:
        found |= (words > 0) & (words >= np.partition(words, -FILL)[-FILL])
    return found


def _apart(values: Numbers) -> float:
    """What is above stands out among these."""
    if len(values) < _TOO_FEW:
        return math.inf
    mean = values.sum() / len(values)
    off = values - mean
    return mean + APART * math.sqrt((off * off).sum() / len(values))


def _stands_out(cosine: Numbers, known: Numbers) -> Flags:
    near = cosine >= NEAR_COSINE
    if len(known) < _TOO_FEW or not near.any():
        return near
    return near & (cosine >= known.mean() + _STANDS_OUT * known.std())
