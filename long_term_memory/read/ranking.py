"""What ranking hands on: the best rows in order, and with them what is needed to say why."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..domain.memory import Item
from ..domain.reading import Ranked
from .signals import Numbers


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

    def of(self, rows: NDArray[np.intp]) -> Self:
        """Those of some rows."""
        return type(self)(**{each.name: getattr(self, each.name)[rows] for each in fields(self)})


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """Places in order, best first: those that may be used, then the next best of the rest."""

    items: Sequence[Item]
    """Row by row; an item is made when it is taken."""
    rows: Sequence[int]
    """The row of each place."""
    usable: int
    """How many places may be used."""
    kinds: Sequence[int]
    """The place of each one's type in `KINDS`."""
    shadowed: Sequence[bool]
    score: Sequence[float]
    shares: Shares
    words: Sequence[float]
    """As the store gave them, like the next."""
    cosine: Sequence[float]

    def item(self, place: int) -> Item:
        """What stands there."""
        return self.items[self.rows[place]]

    def ranked(self, place: int) -> Ranked:
        """The same with its score and what each signal adds."""
        cosine, shares = self.cosine[place], self.shares
        return Ranked(
            item=self.item(place),
            score=self.score[place],
            similarity=float(shares.similarity[place]),
            importance=float(shares.importance[place]),
            recency=float(shares.recency[place]),
            named=float(shares.named[place]),
            dated=float(shares.dated[place]),
            words=self.words[place],
            cosine=None if math.isnan(cosine) else cosine,
        )
