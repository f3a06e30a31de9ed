"""From slices and a question to the signals of everything that is visible."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ...domain.reading import QueryVector, Term
from ...read.signals import Numbers, Signals
from .bm25 import OF_ITEMS, Weighing, scores
from .documents import Version
from .postings import Ints
from .slice import Slice
from .versions import shadowed


@dataclass(frozen=True, kw_only=True, eq=False)
class Seen[T]:
    """All documents of some slices, row by row."""

    signals: Signals
    threads: Ints
    """See `Documents.threads`."""
    documents: "Taken[T]"
    vectors: bool
    """Whether vectors took part."""


class Taken[T](Sequence[T]):
    """What the rows of some slices hold, one slice behind the other; each is made when it is taken."""

    def __init__(self, slices: Sequence[Slice[T]]) -> None:
        self._slices = slices
        self._ends = [*accumulate(map(len, slices))]

    def __len__(self) -> int:
        """How many there are."""
        return self._ends[-1] if self._ends else 0

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
        wanted = row + len(self) if row < 0 else row
        if not 0 <= wanted < len(self):
            raise IndexError(row)
        at = bisect_right(self._ends, wanted)
        return at, wanted - self._ends[at] + len(self._slices[at])


def search[T](
    slices: Sequence[Slice[T]],
    terms: Sequence[Term],
    vector: QueryVector | None,
    weighing: Weighing = OF_ITEMS,
) -> Seen[T]:
    """Work out the signals of every document; takes time in proportion to how many have a term or a vector.

    Each term is given once.
    """
    filled = [each for each in slices if len(each)]
    found = scores(filled, terms, weighing)
    cosine, vectors = _cosines(filled, vector)
    columns = [each.contents.columns for each in filled]
    return Seen(
        signals=Signals(
            words=found.words,
            coverage=found.coverage,
            cosine=cosine,
            named=found.named,
            kinds=_one([each.kinds for each in columns], np.int8),
            shadowed=_shadowed(filled),
            importance=_one([each.importance for each in columns], np.float64),
            said=_one([each.said for each in columns], np.float64),
            confirmed=_one([each.confirmed for each in columns], np.float64),
        ),
        threads=_one([each.threads for each in columns], np.int64),
        documents=Taken(filled),
        vectors=vectors,
    )


def words(slices: Sequence[Slice[Any]], terms: Sequence[Term]) -> Numbers:
    """The `words` alone that `search` gives for other terms."""
    return scores([each for each in slices if len(each)], terms).words


def _one[N: np.generic](columns: Sequence[NDArray[N]], kind: type[N]) -> NDArray[N]:
    if len(columns) == 1:
        return columns[0]
    return np.concatenate(columns) if columns else np.empty(0, kind)


def _cosines(slices: Sequence[Slice[Any]], vector: QueryVector | None) -> tuple[NDArray[np.float64], bool]:
    """The cosine of each document, NaN where it has no vector of this model, and whether any has."""
    cosines = np.full(sum(map(len, slices)), np.nan)
    question = None if vector is None else _unit(vector.numbers)
    if vector is None or question is None:
        return cosines, False
    offset, compared = 0, False
    for each in slices:
        held = each.contents.vectors
        if each.model_id == vector.model_id and held.values.shape[1] == len(question):
            # Not `@`: its threads wait for each other, for tens of milliseconds while the machine is busy.
            products = np.einsum("ij,j->i", held.values, question)
            cosines[held.rows + offset] = np.clip(products, -1.0, 1.0)
            compared = compared or len(held.rows) > 0
        offset += len(each)
    return cosines, compared


def _unit(numbers: Sequence[float]) -> NDArray[np.float32] | None:
    """The vector at norm 1; None when it points nowhere."""
    vector = np.array(numbers, np.float64)
    largest = np.abs(vector).max(initial=0.0)
    if largest == 0:
        return None
    vector /= largest  # so that the squares of very large or small numbers stay numbers
    return (vector / np.sqrt(vector @ vector)).astype(np.float32)


def _shadowed(slices: Sequence[Slice[Any]]) -> NDArray[np.bool_]:
    """What each slice knows of itself; those of one kind of scope are compared with each other too."""
    kinds = [each.ref.scope for each in slices]
    if len(set(kinds)) == len(kinds):
        return _one([each.shadowed for each in slices], np.bool_)
    taken = Taken(slices)
    return shadowed(_one([each.contents.columns.identities for each in slices], np.int64), taken.version)
