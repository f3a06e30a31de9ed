"""What ranking hands on: the best rows in order, and what is needed to say why."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from typing import overload, override

from ..domain.memory import Item
from ..domain.reading import Ranked
from .format import written
from .protocols import Hashes, Numbers, Signals

FIRST = 60
"""So many rows are looked at for what tells how a matter went on."""


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
    """The rows that may be used, best first; all else is row by row."""

    items: Sequence[Item]
    best: Sequence[int]
    """The rows that may be used, in order."""
    rest: Callable[[], Sequence[int]]
    """The best of the other rows."""
    signals: Signals
    answering: Hashes
    """See `Visible.answers`."""
    scores: Numbers
    shares: Shares
    zone: tzinfo = UTC
    """Where the operator's days begin."""
    asked: frozenset[str] | None = frozenset()
    """The telling terms of the question; None when it asks for everything."""

    @cached_property
    def first(self) -> Sequence[Item]:
        """The best items."""
        return [self.items[row] for row in self.best[:FIRST]]

    def line(self, row: int) -> tuple[str, int]:
        """The line of a row and its tokens: see `format.written`."""
        said = datetime.fromtimestamp(float(self.signals.said[row]), self.zone)
        return written(self.items[row], said.date())

    def ranked(self, row: int) -> Ranked:
        """The item of a row with its score and what each signal adds."""
        cosine = float(self.signals.cosine[row])
        return Ranked(
            item=self.items[row],
            score=float(self.scores[row]),
            **{each.name: float(getattr(self.shares, each.name)[row]) for each in fields(Shares)},
            words=float(self.signals.words[row]),
            cosine=None if math.isnan(cosine) else cosine,
        )


class Lazy[T](Sequence[T]):
    """A sequence that is made when it is first looked at: no reply waits for it."""

    def __init__(self, make: Callable[[], Iterable[T]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Sequence[T]:
        return tuple(self._make())

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    @override
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._made[at]

    @override
    def __len__(self) -> int:
        return len(self._made)
