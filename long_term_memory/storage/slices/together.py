"""Some slices as one: what every search of them needs is worked out once and kept as long as they are hot."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ...domain.words import Scope
from .documents import Field, Version
from .postings import Part
from .slice import Slice
from .versions import shadowed

_LITTLE = 1e-9

type Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Weighing:
    """What counts how much for a kind of documents."""

    k1: float
    """How soon it stops to matter that a term is there once more."""
    weights: Mapping[Field, float]
    """0 where none is given, as in the next."""
    length_shares: Mapping[Field, float]
    """How much a text longer than the others loses."""


class Taken[T](Sequence[T]):
    """What the rows of some slices hold, one slice behind the other; each is made when it is taken."""

    def __init__(self, slices: Sequence[Slice[T]]) -> None:
        self._slices = slices
        self._ends = [*accumulate(map(len, slices))]
        self._size = self._ends[-1] if slices else 0

    def __len__(self) -> int:
        """How many there are."""
        return self._size

    @overload
    def __getitem__(self, row: int) -> T: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[T]: ...
    def __getitem__(self, row: int | slice) -> T | Sequence[T]:
        """One or some of them."""
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        at, place = self._place(row)
        return self._slices[at].take(place)

    def version(self, row: int) -> Version:
        """Which version of what a row holds."""
        at, place = self._place(row)
        return self._slices[at].version(place)

    def _place(self, row: int) -> tuple[int, int]:
        """Which slice, and where in it."""
        wanted = row + self._size if row < 0 else row
        if not 0 <= wanted < self._size:
            raise IndexError(row)
        at = bisect_right(self._ends, wanted)
        return at, wanted - self._ends[at] + len(self._slices[at])


class Together[T]:
    """All documents of some slices, row by row. Frozen, so it may be searched in a thread."""

    def __init__(self, slices: Sequence[Slice[T]]) -> None:
        """Put the slices one behind the other; what they are made of is not copied where one has it all."""
        self.slices = [*slices]
        self.filled = [each for each in slices if len(each)]
        """Those that have any documents."""
        columns = [each.contents.columns for each in self.filled]
        self.documents = Taken(self.filled)
        self.parts = _parts(self.filled)
        """Of all indexes, each with the row in which its slice begins."""
        self.kinds = one([each.kinds for each in columns], np.int8)
        self.importance = one([each.importance for each in columns], np.float64)
        self.said = one([each.said for each in columns], np.float64)
        self.confirmed = one([each.confirmed for each in columns], np.float64)
        self.answers = one([each.answers for each in columns], np.int64)
        self.threads = one([each.threads for each in columns], np.int64)
        self.shadowed = _shadowed(self.filled)
        owners = [np.full(len(each), each.ref.scope is Scope.USER, np.bool_) for each in self.filled]
        self.own = one(owners, np.bool_)
        """What is of a person's own memory."""
        self.latest: Any = None
        """What was found in them last (`search.Seen`), kept for who asks the same again."""
        self._shares: dict[Weighing, Numbers] = {}

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.documents)

    def shares(self, weighing: Weighing) -> Numbers:
        """What a term counts for in each `Field` of each document: the less, the longer the text is."""
        kept = self._shares.get(weighing)
        if kept is None:
            kept = self._shares[weighing] = _shares(self.filled, weighing)
        return kept


def one[N: np.generic](columns: Sequence[NDArray[N]], kind: type[N]) -> NDArray[N]:
    """The columns one behind the other, which may be none; their last axis is the documents."""
    if len(columns) == 1:
        return columns[0]
    return np.concatenate(columns, axis=-1) if columns else np.empty(0, kind)


def _parts(slices: Sequence[Slice[Any]]) -> list[tuple[Part, int]]:
    offsets = accumulate(map(len, slices), initial=0)
    return [
        (part, offset) for each, offset in zip(slices, offsets, strict=False) for part in each.contents.parts
    ]


def _shares(slices: Sequence[Slice[Any]], weighing: Weighing) -> Numbers:
    totals: Numbers = np.sum([each.totals for each in slices], axis=0)
    filled = np.sum([each.filled for each in slices], axis=0)
    means = np.maximum(totals / np.maximum(filled, 1), _LITTLE)[:, None]
    lengths = one([each.contents.columns.lengths for each in slices], np.float32)
    share = _by_field(weighing.length_shares)
    return _by_field(weighing.weights) / (1 - share + share * lengths / means)


def _by_field(values: Mapping[Field, float]) -> Numbers:
    return np.array([[values.get(each, 0.0)] for each in Field])


def _shadowed(slices: Sequence[Slice[Any]]) -> NDArray[np.bool_]:
    """What each slice knows of itself; those of one kind of scope are compared with each other too."""
    kinds = [each.ref.scope for each in slices]
    if len(set(kinds)) == len(kinds):
        return one([each.shadowed for each in slices], np.bool_)
    identities = one([each.contents.columns.identities for each in slices], np.int64)
    return shadowed(identities, Taken(slices).version)
