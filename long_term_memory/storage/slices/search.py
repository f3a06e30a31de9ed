"""From slices and a question to the signals of everything that is visible."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...domain.reading import QueryVector, Term
from ...read.signals import Numbers, Signals
from .bm25 import OF_ITEMS, scores
from .postings import Ints
from .together import Taken, Together, Weighing

_dots = getattr(np, "vecdot", partial(np.einsum, "ij,j->i"))
"""The product of each row with a vector; vecdot, which numpy has since 2.0, is the faster one.

Not `@`: its threads wait for each other, for tens of milliseconds while the machine is busy.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Seen[T]:
    """All documents of some slices, row by row."""

    signals: Signals
    threads: Ints
    """See `Documents.threads`."""
    documents: Taken[T]
    vectors: bool
    """Whether vectors took part."""
    asked: tuple[Sequence[Term], QueryVector | None]
    """What for."""


def search[T](
    slices: Together[T],
    terms: Sequence[Term],
    vector: QueryVector | None,
    weighing: Weighing = OF_ITEMS,
) -> Seen[T]:
    """Work out the signals of every document; takes time in proportion to how many have a term or a vector.

    Each term is given once.
    """
    found = scores(slices, terms, weighing)
    cosine, vectors = _cosines(slices, vector)
    seen = slices.latest = Seen(
        signals=Signals(
            words=found.words,
            coverage=found.coverage,
            cosine=cosine,
            named=found.named,
            kinds=slices.kinds,
            shadowed=slices.shadowed,
            importance=slices.importance,
            said=slices.said,
            confirmed=slices.confirmed,
        ),
        threads=slices.threads,
        documents=slices.documents,
        vectors=vectors,
        asked=(terms, vector),
    )
    return seen


def seen_before[T](slices: Together[T], terms: Sequence[Term], vector: QueryVector | None) -> Seen[T] | None:
    """What `search` found last in these very slices, if it was asked with these very terms and vector."""
    latest: Seen[T] | None = slices.latest
    return latest if latest and latest.asked[0] is terms and latest.asked[1] is vector else None


def words(slices: Together[Any], terms: Sequence[Term]) -> Numbers:
    """The `words` alone that `search` gives for other terms."""
    return scores(slices, terms).words


def _cosines(slices: Together[Any], vector: QueryVector | None) -> tuple[NDArray[np.float64], bool]:
    """The cosine of each document, NaN where it has no vector of this model, and whether any has."""
    cosines = np.full(len(slices), np.nan)
    question = None if vector is None else _unit(vector.numbers)
    if vector is None or question is None:
        return cosines, False
    offset, compared = 0, False
    for each in slices.filled:
        held = each.contents.vectors
        if each.model_id == vector.model_id and held.values.shape[1] == len(question):
            products: NDArray[np.float32] = _dots(held.values, question)
            cosines[held.rows + offset] = np.minimum(np.maximum(products, -1.0), 1.0)
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
