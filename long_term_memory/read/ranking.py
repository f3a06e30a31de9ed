"""What ranking hands on: the best rows in order, and with them what is needed to say why."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from typing import overload, override

from ..domain.memory import Item
from ..domain.reading import Ranked
from .format import written
from .signals import Hashes, Numbers, Signals

FIRST = 60
"""So many places are looked at for what tells how a matter went on."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Shares:
    """What each signal adds to the score of each row."""

    similarity: Numbers
    importance: Numbers
    recency: Numbers
    named: Numbers
    dated: Numbers

    def sum(self) -> Numbers:
        """The score."""
        return self.similarity + self.importance + self.recency + self.named + self.dated


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """Places in order, best first: those that may be used, then the next best of the rest."""

    items: Sequence[Item]
    """Row by row; an item is made when it is taken."""
    best: Sequence[int]
    """The rows that may be used, in order."""
    rest: Callable[[], Sequence[int]]
    """The rows behind them, which no reply waits for: they are asked for when somebody looks."""
    signals: Signals
    """Row by row, like the next three."""
    answering: Hashes
    """See `Visible.answers`."""
    scores: Numbers
    shares: Shares
    zone: tzinfo = UTC
    """Where the operator's days begin."""
    asked: frozenset[str] | None = frozenset()
    """The telling terms of the question; None when it asks for everything."""
    _taken: dict[int, Item] = field(default_factory=dict[int, Item], init=False, repr=False)

    @property
    def usable(self) -> int:
        """How many places may be used."""
        return len(self.best)

    @cached_property
    def rows(self) -> Sequence[int]:
        """The row of each place."""
        return [*self.best, *self.rest()]

    @cached_property
    def kinds(self) -> Sequence[int]:
        """The place in `KINDS` of the type of each that may be used."""
        return self.signals.kinds[list(self.best)].tolist()

    @cached_property
    def answers(self) -> Sequence[int]:
        """See `Visible.answers`: of each that may be used."""
        return self.answering[list(self.best)].tolist()

    @cached_property
    def shadowed(self) -> Sequence[bool]:
        """Whether another version of what stands at a place counts."""
        return self.signals.shadowed[self.rows].tolist()

    @cached_property
    def score(self) -> Sequence[float]:
        """The score of each place."""
        return self.scores[self.rows].tolist()

    @cached_property
    def first(self) -> Sequence[Item]:
        """What stands at the first places that may be used."""
        return [self.item(place) for place in range(min(self.usable, FIRST))]

    def item(self, place: int) -> Item:
        """What stands there; several stages ask."""
        item = self._taken.get(place)
        if item is None:
            row = self.best[place] if place < len(self.best) else self.rows[place]
            item = self._taken[place] = self.items[row]
        return item

    def line(self, place: int) -> tuple[str, int]:
        """The line of what stands at a place that may be used, and its tokens: see `format.written`."""
        said = datetime.fromtimestamp(float(self.signals.said[self.best[place]]), self.zone)
        return written(self.item(place), said.date())

    def ranked(self, place: int) -> Ranked:
        """What stands at a place that may be used, with its score and what each signal adds."""
        row, shares = self.best[place], self.shares
        cosine = float(self.signals.cosine[row])
        return Ranked(
            item=self.item(place),
            score=float(self.scores[row]),
            similarity=float(shares.similarity[row]),
            importance=float(shares.importance[row]),
            recency=float(shares.recency[row]),
            named=float(shares.named[row]),
            dated=float(shares.dated[row]),
            words=float(self.signals.words[row]),
            cosine=None if math.isnan(cosine) else cosine,
        )


class Chosen(Sequence[Ranked]):
    """What stands at some places that may be used, with its scores: those are made when somebody looks."""

    def __init__(self, ranking: Ranking, places: Sequence[int]) -> None:
        self._ranking = ranking
        self._places = places

    @overload
    def __getitem__(self, at: int) -> Ranked: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Ranked]: ...
    @override
    def __getitem__(self, at: int | slice) -> Ranked | Sequence[Ranked]:
        if isinstance(at, slice):
            return [self._ranking.ranked(place) for place in self._places[at]]
        return self._ranking.ranked(self._places[at])

    @override
    def __len__(self) -> int:
        return len(self._places)
