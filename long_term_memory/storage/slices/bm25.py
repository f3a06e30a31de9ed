"""BM25 over the texts of a document: how well it fits some terms, and how much of them it has.

The statistics are those of the documents that are visible together, from however many slices. Each text has
its own mean length and weight (Robertson, Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted
fields").
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...domain.reading import Term
from .documents import Field
from .postings import Counts, Ints, hashes, matches
from .together import Numbers, Together, Weighing, one

K1 = 0.9
WEIGHTS = {Field.TEXT: 1.0, Field.QUOTES: 0.4, Field.NAMES: 0.5, Field.ANSWERS: 0.5}
LENGTH_SHARES = dict.fromkeys(Field, 0.4) | {Field.ANSWERS: 0.0}
"""That a question may be asked in many words makes none of them say less."""

_LITTLE = 1e-9

OF_ITEMS = Weighing(k1=K1, weights=WEIGHTS, length_shares=LENGTH_SHARES)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """For each document, by row."""

    words: Numbers
    """>= 0; 0 where no term is found."""
    coverage: Numbers
    """0..1: the share of the terms that is found, the rare ones counting more."""
    named: NDArray[np.bool_]
    """Whether a term is among its names, or is a day that it is about."""


def scores(slices: Together[Any], terms: Sequence[Term], weighing: Weighing = OF_ITEMS) -> Scores:
    """Look these terms, each given once, up in all slices."""
    documents = len(slices)
    if not documents or not terms:
        nothing = np.zeros(documents)
        return Scores(words=nothing, coverage=nothing, named=np.zeros(documents, np.bool_))
    found = _found(slices, terms, weighing)
    # The terms are few, so numbers by term are worked out one by one.
    rarity = [math.log1p((documents - size + 0.5) / (size + 0.5)) for size in found.with_term()]
    weights = [rare * term.weight * (weighing.k1 + 1) for rare, term in zip(rarity, terms, strict=True)]
    telling = [rare * term.tells for rare, term in zip(rarity, terms, strict=True)]
    whole = max(sum(telling), _LITTLE)
    fit = found.weight / (found.weight + weighing.k1)
    covered = np.bincount(found.rows, found.each([rare / whole for rare in telling]), documents)
    return Scores(
        words=np.bincount(found.rows, found.each(weights) * fit, documents),
        coverage=np.minimum(covered, 1.0),
        named=_named(found, terms, documents),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Found:
    """One line for each term and each document that has it."""

    sizes: Sequence[Ints]
    """For each part how many of its documents have each of the terms."""
    rows: Ints
    counts: Counts
    """How often the term is there, for each `Field`."""
    weight: Numbers
    """The same in all, each text by its weight and length."""

    def with_term(self) -> list[int]:
        """How many documents have each of the terms."""
        return sum(self.sizes[1:], start=self.sizes[0]).tolist()

    def each(self, values: Sequence[float]) -> Numbers:
        """For each line what is given for its term."""
        by_term = np.array(values)
        return one([by_term.repeat(sizes) for sizes in self.sizes], np.float64)


def _named(found: _Found, terms: Sequence[Term], documents: int) -> NDArray[np.bool_]:
    """The documents that have a telling term among their names, or are about a day."""
    named, names = np.zeros(documents, np.bool_), found.counts[Field.NAMES]
    if names.any():
        named[found.rows[(names > 0) & (found.each([term.tells for term in terms]) > 0)]] = True
    if any(term.day for term in terms):
        named[found.rows[found.each([term.day for term in terms]) > 0]] = True
    return named


def _found(slices: Together[Any], terms: Sequence[Term], weighing: Weighing) -> _Found:
    wanted = hashes([term.text for term in terms])
    asks = np.array([term.asks for term in terms], np.bool_)
    found = [matches(part, wanted, asks, offset) for part, offset in slices.parts]
    rows = one([each.rows for each in found], np.int64)
    counts = one([each.counts for each in found], np.uint8)
    return _Found(
        sizes=[each.sizes for each in found],
        rows=rows,
        counts=counts,
        weight=np.add.reduce(counts * slices.shares(weighing).take(rows, axis=1)),
    )
