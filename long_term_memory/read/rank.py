"""Stage 3, rank: signals on one scale, one score, and nothing unrelated.

All rows are scored at once; only the best of them are ever made into objects.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from typing import Any, override

import numpy as np
from numpy.typing import NDArray

from ..domain.enums import STANDING_TYPES, MemoryType, Origin
from ..domain.memory import Item
from ..domain.reading import Ranked, Request, met
from ..policies.memory_policies import MemoryReadPolicy, Weights
from ..text_analysis.word_forms import simplified
from .format import written
from .private_details import is_beside_the_point
from .protocols import KINDS, OF_ANSWERS, Flags, Numbers, Signals, Visible
from .query_intent import asks_for_plans, asks_in_general, asks_of_oneself, asks_of_own_life, is_due
from .query_terms import telling_words
from .relevance import SMALL_MEMORY, is_under_way, relevant, told_in
from .retrieve import Retrieved, of_the_best

FIRST = 60
"""So many rows are looked at for what tells how a matter went on."""
UNASKED = 5
"""Of each standing type so many go along though the question has nothing to do with them."""
BESIDE = 50
"""Rows of each type beyond its share that are kept, so that what was left out can be accounted for."""

WORDS = 0.55
"""The share of words in the similarity, beside vectors: any language and model does best near a half."""
NAMED = 0.16
"""Added where the question names whom a memory is about."""
DATED = 0.16
"""Added where a memory was told in the days that the question names; today, an episode."""
PLANNED = 0.3
"""Added to what is planned or open, if the question asks for that; in a small memory to constraints too."""
DUE = 0.06
"""Added then to each of these tasks that names a day or a number, or says that something is still to do."""
LATEST = 0.035
"""Added at most to a profile that has no word of the question, for being the latest; twice that to a task."""
UNMATCHED = 0.03
"""Taken in a small memory from a profile that has no word of the question."""
HEEDED = 0.1
"""Added in a small memory to a constraint that has no word of the question: it mostly holds there, too."""
MOST_HEEDED = 2
"""To so many of these, the most important ones: a person has dozens, and they would be half of the block."""
FLOOR = 0.25
"""What a standing fact has of similarity at least, so that it is not lost behind what just matches."""

_HALF_LIFE = 30 * 86_400.0
_CODES: Mapping[str, int] = {kind: code for code, kind in enumerate(KINDS)}
_STANDING = (*STANDING_TYPES, OF_ANSWERS)
_STANDS = np.array([kind in _STANDING for kind in KINDS])
_OF_KINDS: Mapping[str, float] = {MemoryType.TASK_STATE: 2 * LATEST, MemoryType.PROFILE: LATEST}
_LATEST = np.array([_OF_KINDS.get(kind, 0.0) for kind in KINDS])
_OF_UNMATCHED: Mapping[str, float] = {
    MemoryType.CONSTRAINT: HEEDED,
    OF_ANSWERS: HEEDED,
    MemoryType.PROFILE: -UNMATCHED,
}
_UNMATCHED = np.array([_OF_UNMATCHED.get(kind, 0.0) for kind in KINDS])

type Rows = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """The rows that may be used, best first; all else is row by row."""

    visible: Visible
    best: Sequence[int]
    rest: Callable[[], Sequence[int]]
    """The best of the other rows."""
    scores: Numbers
    shares: Mapping[str, Numbers]
    """What each signal adds to the score, by the fields of `Ranked`."""
    zone: tzinfo = UTC
    question: str = ""
    """In simplified characters."""
    asked: frozenset[str] | None = frozenset()
    """The telling terms of the question; None when it asks for everything."""

    @cached_property
    def first(self) -> Sequence[Item]:
        """The best items."""
        return [self.visible.items[row] for row in self.best[:FIRST]]

    def line(self, row: int) -> tuple[str, int]:
        """The line of a row and its tokens: see `format.written`."""
        said = datetime.fromtimestamp(self.visible.signals.said.item(row), self.zone)
        return written(self.visible.items[row], said.date(), reworded=self.visible.reworded.item(row))

    def ranked(self, row: int) -> Ranked:
        """The item of a row with its score and what each signal adds."""
        item, signals = self.visible.items[row], self.visible.signals
        cosine = signals.cosine.item(row)
        shares: Mapping[str, Any] = {name: share.item(row) for name, share in self.shares.items()}
        return Ranked(
            **met(item),
            item=item,
            score=self.scores.item(row),
            **shares,
            words=signals.words.item(row),
            cosine=None if math.isnan(cosine) else cosine,
        )


@dataclass(frozen=True)
class Chosen(Sequence[Ranked]):
    """Rows of a ranking, each made into an object when it is asked for: no reply waits for that."""

    ranking: Ranking
    rows: Sequence[int]

    @override
    def __len__(self) -> int:
        return len(self.rows)

    @override
    def __getitem__(self, at: int) -> Ranked:  # pyright: ignore[reportIncompatibleMethodOverride] - no slices
        return self.ranking.ranked(self.rows[at])


def rank(found: Retrieved, request: Request, policy: MemoryReadPolicy, *, searching: bool = False) -> Ranking:
    """Put what stands or is relevant in order, best first; equal scores go by the last confirmation.

    The order does not depend on the scale of the word scores. For somebody who is `searching` nothing just
    stands, and whatever has one of the `telling_words` may be used.
    """
    signals = found.visible.signals
    related = _related(found, request, searching=searching)
    standing = _STANDS[signals.kinds] & (not searching)
    shares = _shares(found, request, policy.weights, related, standing, plans=not searching)
    score: Numbers = sum(shares.values(), np.zeros(len(signals)))
    usable = _with_unasked(related, standing, signals, score) & ~signals.shadowed
    rows, confirmed, most = usable.nonzero()[0], signals.confirmed, policy.max_per_type + BESIDE
    if len(rows) > most:
        by_kind = (rows[signals.kinds[rows] == code] for code in range(len(KINDS)))
        rows = np.concatenate([best_rows(each, score, confirmed, most) for each in by_kind])
    return Ranking(
        visible=found.visible,
        best=best_rows(rows, score, confirmed, len(rows)).tolist(),
        rest=lambda: best_rows((~usable).nonzero()[0], score, confirmed, BESIDE).tolist(),
        scores=score,
        shares=shares,
        zone=request.zone,
        question=simplified(request.text),
        asked=_asked(request),
    )


def _asked(request: Request) -> frozenset[str] | None:
    """The telling terms of a question; None where it asks for everything."""
    return None if request.everything else frozenset(term.text for term in request.terms if term.tells)


def best_rows(rows: Rows, score: Numbers, at: Numbers, most: int) -> Rows:
    """At most so many of the rows, the best first; equal scores go by the time `at`, the latest first."""
    if len(rows) < 2:
        return rows[:most]
    if len(rows) > max(most, 256):  # fewer are sorted faster than the best of them are found
        of_rows = score[rows]
        rows = rows[of_rows >= np.partition(of_rows, len(rows) - most)[len(rows) - most]]
    return rows[np.lexsort((rows, -at[rows], -score[rows]))][:most]


def time_decay(seconds: Numbers) -> Numbers:
    """1 / (1 + days / 30) of an age, which is 1 for what was just confirmed."""
    return 1.0 / (1.0 + np.maximum(seconds, 0.0) / _HALF_LIFE)


def _shares(
    found: Retrieved, request: Request, weights: Weights, related: Flags, standing: Flags, *, plans: bool
) -> Mapping[str, Numbers]:
    signals = found.visible.signals
    # To a question that asks for everything nothing is similar: "know" and "remember" are no words to go by.
    alike = np.zeros(len(signals)) if request.everything else weights.similarity * similarity(signals)
    timing = np.zeros(len(signals))
    if request.period is not None:
        timing = np.where(told_in(signals.said, request.period), DATED, 0.0)
        if is_under_way(request):
            timing *= _happened(found, timing > 0)
    if not request.everything:
        raised = standing
        if request.period is not None and not any(term.tells for term in request.terms):
            raised = standing | (timing > 0)  # such a question has no words to find anything by
        tasks, episodes = (
            (signals.kinds == _CODES[kind]) & plans for kind in (MemoryType.TASK_STATE, MemoryType.EPISODE)
        )
        few = len(signals) <= SMALL_MEMORY
        if asks := asks_for_plans(request.text):
            open_here = tasks | ((signals.kinds == _CODES[MemoryType.CONSTRAINT]) & few)
            timing = np.where(open_here, np.maximum(timing, PLANNED), timing)
            rows: list[int] = (tasks & related).nonzero()[0].tolist()
            for row in rows:
                timing[row] += DUE * is_due(found.visible.items[row].fact)
        outranked = few or not found.visible.vectors  # by what just stands
        if asks or outranked:
            raised = raised | ((tasks | (episodes & few)) & related)
        alike = _with_floor(alike, raised, related, related & (tasks | outranked), weights.similarity)
    return {
        "similarity": alike,
        "importance": weights.importance * np.minimum(np.maximum(signals.importance, 0.0), 1.0),
        "recency": weights.recency * time_decay(request.at.timestamp() - signals.confirmed)
        + _latest(found, request),
        "named": np.where(signals.named, NAMED, 0.0),
        "timing": timing,
    }


def _latest(found: Retrieved, request: Request) -> Numbers:
    """In a small memory, what is added to what has no word of the question: most to constraints and tasks.

    Of such memories an answer needs those five times as often as a profile. The age of constraints, episodes
    and preferences matters little.
    """
    signals = found.visible.signals
    if len(signals) > SMALL_MEMORY:
        return np.zeros(len(signals))
    age = signals.confirmed.max(initial=0.0) - signals.confirmed
    latest, unmatched = _LATEST[signals.kinds] * time_decay(age), signals.coverage == 0
    by_kind = latest if request.everything else latest + _UNMATCHED[signals.kinds]
    rows = ((signals.kinds == _CODES[MemoryType.CONSTRAINT]) & unmatched & ~signals.shadowed).nonzero()[0]
    important: list[int] = best_rows(rows, signals.importance, signals.confirmed, len(rows)).tolist()
    asked, question, heeded = _asked(request), simplified(request.text), 0
    for row in important:
        if heeded < MOST_HEEDED and not is_beside_the_point(found.visible.items[row], asked, question):
            heeded += 1
        else:
            by_kind[row] = latest[row]
    return np.where(unmatched, by_kind, 0.0)


def _related(found: Retrieved, request: Request, *, searching: bool) -> Flags:
    """What has to do with the question; where it asks for everything, all that is the person's own.

    Of a small memory all that is theirs or their whole group's goes along with a question about oneself,
    but for what they only asked to keep: a wifi name is of no use to every question.
    """
    if request.everything:
        return found.visible.own.copy()
    signals = found.visible.signals
    related = relevant(signals, request, found.unrelated)
    if searching:
        related |= found.visible.words_of(telling_words(request.terms)) > 0
    elif len(related) <= SMALL_MEMORY and _is_of_own(
        request, found=bool(((related | (signals.coverage > 0)) & ~signals.shadowed).any())
    ):
        own = found.visible.own | found.visible.shared
        related |= own & ((signals.kinds != _CODES[MemoryType.EPISODE]) | _happened(found, own))
    return related


def _happened(found: Retrieved, among: Flags) -> Flags:
    """Which of these are episodes, but for explicit saves in the person's own words."""
    episodes = among & (found.visible.signals.kinds == _CODES[MemoryType.EPISODE])
    rows: list[int] = episodes.nonzero()[0].tolist()
    for row in rows:
        episodes[row] = found.visible.items[row].origin is not Origin.USER_EXPLICIT
    return episodes


def _is_of_own(request: Request, *, found: bool) -> bool:
    """Whether a question is about the speaker's own life, or what of it is planned on the days it names.

    What a memory was `found` for is, unless it is asked of anything.
    """
    dated = request.period is not None or any(term.day for term in request.terms)
    return (
        (found and (asks_of_oneself(request.text) or not asks_in_general(request.text)))
        or asks_of_own_life(request.text)
        or (dated and asks_for_plans(request.text))
    )


def similarity(signals: Signals) -> Numbers:
    """Words by their maximum, cosines by their range; where there is no vector words stand for it."""
    words, cosine = of_the_best(signals.words), signals.cosine
    lowest, highest = (float(ends.reduce(cosine, initial=np.nan)) for ends in (np.fmin, np.fmax))
    if math.isnan(lowest):
        return words
    # A single candidate has no range to be placed in.
    scaled = (cosine - lowest) / (highest - lowest) if highest > lowest else np.clip(cosine, 0.0, 1.0)
    return WORDS * words + (1 - WORDS) * np.where(np.isnan(cosine), words, scaled)


def _with_floor(alike: Numbers, raised: Flags, related: Flags, rises: Flags, most: float) -> Numbers:
    """The scores of 0..`most`, those that are `raised` with at least the floor.

    Of these, related ones keep a higher score of their own; those in `rises` are scaled to floor..`most`.
    An idle word in common ("good", 推荐) raises nothing above an allergy.
    """
    floor = min(FLOOR, most)
    above = floor + alike * (1.0 - floor / most if most else 0.0)
    own = np.where(rises, above, np.maximum(alike, floor))
    return np.where(raised, np.where(related, own, floor), alike)


def _with_unasked(related: Flags, standing: Flags, signals: Signals, score: Numbers) -> Flags:
    """What is related, and of each standing type the few that go along unasked, the best of the others."""
    rows = (standing & ~(related | signals.shadowed)).nonzero()[0]
    kinds = signals.kinds[rows]
    for kind in _STANDING:
        related[best_rows(rows[kinds == _CODES[kind]], score, signals.confirmed, UNASKED)] = True
    return related
