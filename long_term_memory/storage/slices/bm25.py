"""BM25 over the texts of a document: how well it fits some terms, and how much of them it has.

The statistics are those of the documents that are visible together, from however many slices. Each text has
its own mean length and weight (Robertson, Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted
fields").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...domain.reading import Term
from .documents import Field
from .postings import Ints, Lengths, Matches, hashes, matches
from .slice import Slice

K1 = 0.9
"""How soon it stops to matter that a term is there once more."""
WEIGHTS = {Field.TEXT: 1.0, Field.QUOTES: 0.4, Field.NAMES: 0.5}
LENGTH_SHARES = dict.fromkeys(Field, 0.4)
"""How much a text longer than the others loses."""

_LITTLE = 1e-9

type Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Weighing:
    """What counts how much for a kind of documents."""

    k1: float
    """See `K1`, and so on."""
    weights: Mapping[Field, float]
    """0 where none is given, as in the next."""
    length_shares: Mapping[Field, float]


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


def scores(slices: Sequence[Slice[Any]], terms: Sequence[Term], weighing: Weighing = OF_ITEMS) -> Scores:
    """Look these terms, each given once, up in all slices."""
    documents = sum(map(len, slices))
    if not documents or not terms:
        nothing = np.zeros(documents)
        return Scores(words=nothing, coverage=nothing, named=np.zeros(documents, np.bool_))
    found = _found(slices, hashes([term.text for term in terms]), weighing)
    with_term = np.bincount(found.which, minlength=len(terms))
    rarity = np.log1p((documents - with_term + 0.5) / (with_term + 0.5))
    weights = rarity * np.array([term.weight for term in terms])
    tells = np.array([term.tells for term in terms])
    telling = rarity * tells
    named = np.zeros(documents, np.bool_)
    days = np.array([term.day for term in terms])
    named[found.rows[(found.named & tells[found.which]) | days[found.which]]] = True
    fit = found.weight * (weighing.k1 + 1) / (found.weight + weighing.k1)
    covered = np.bincount(found.rows, telling[found.which], documents)
    return Scores(
        words=np.bincount(found.rows, weights[found.which] * fit, documents),
        coverage=np.minimum(covered / max(telling.sum(), _LITTLE), 1.0),
        named=named,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Found:
    """One line for each term and each document that has it."""

    which: Ints
    """The place of the term."""
    rows: Ints
    weight: Numbers
    """How often the term is there, each text by its weight and length."""
    named: NDArray[np.bool_]
    """Whether the term is among the names."""


def _found(slices: Sequence[Slice[Any]], wanted: Ints, weighing: Weighing) -> _Found:
    totals: Numbers = np.sum([each.totals for each in slices], axis=0)
    filled: Ints = np.sum([each.filled for each in slices], axis=0)
    means = np.maximum(totals / np.maximum(filled, 1), _LITTLE)[:, None]
    found: list[Matches] = []
    lengths: list[Lengths] = []
    offset = 0
    for each in slices:
        for part in each.contents.parts:
            one = matches(part, wanted)
            lengths.append(each.contents.columns.lengths[:, one.rows])
            found.append(replace(one, rows=one.rows + offset))
        offset += len(each)
    counts = np.concatenate([each.counts for each in found], axis=1)
    shares, weights = _by_field(weighing.length_shares), _by_field(weighing.weights)
    share = 1 - shares + shares * np.concatenate(lengths, axis=1) / means
    return _Found(
        which=np.concatenate([each.which for each in found]),
        rows=np.concatenate([each.rows for each in found]),
        weight=(counts * weights / share).sum(axis=0),
        named=counts[Field.NAMES] > 0,
    )


def _by_field(values: Mapping[Field, float]) -> Numbers:
    return np.array([[values.get(each, 0.0)] for each in Field])
