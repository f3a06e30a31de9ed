"""An inverted index in arrays: which documents hold a term, and how often in each of their texts.

A term is known by its hash: an index keeps no words, and terms of several indexes compare as numbers.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ...text_analysis.terms import index_terms
from .documents import Field

type Ints = NDArray[np.int64]
type Rows = NDArray[np.int32]
type Counts = NDArray[np.uint8]
type Lengths = NDArray[np.float32]

GONE = -1
_MOST = 255
_INDEXED_LENGTH = 20_000
_NO_TERM = 2**63 - 1
"""Greater than any hash."""
_WORD = 24
"""What is longer is a sentence without spaces."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Postings:
    """By term, then by document."""

    terms: Ints
    """Each once, ascending, and behind them `_NO_TERM`, so that every look-up ends somewhere."""
    starts: Ints
    """Where the postings of each of those begin, and at last how many there are."""
    rows: Rows
    counts: Counts
    """How often the document has the term: a line for each `Field`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """Postings whose documents stand elsewhere by now."""

    postings: Postings
    numbers: Rows
    """The present row of each document, GONE when it is none any more."""
    gone: int
    """How many of them are gone."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Matches:
    """Documents that have a term, once for each such term, term by term."""

    sizes: Ints
    """How many have each of the terms that were asked for."""
    rows: Ints
    counts: Counts
    """A line for each `Field`."""


def hashes(terms: Sequence[str]) -> Ints:
    """The terms as an index knows them, in their order."""
    return np.fromiter(map(hash, terms), np.int64, len(terms))


def indexed(texts: Sequence[Sequence[str]]) -> tuple[Postings, Lengths]:
    """Index documents: for each `Field` the text of each. Also gives how many terms each text has."""
    terms = array("q")
    sizes = array("q")
    for column in texts:
        for text in column:
            before = len(terms)
            terms.extend(_terms(text[:_INDEXED_LENGTH]))
            sizes.append(len(terms) - before)
    lengths = np.array(sizes, np.int64)
    of = np.repeat(np.arange(len(sizes)), lengths)
    documents = len(texts[0])
    return (
        _counted(np.array(terms, np.int64), of, max(documents, 1)),
        lengths.reshape(len(Field), documents).astype(np.float32),
    )


def _terms(text: str) -> Iterator[int]:
    """The hashes of the terms of a text. No term spans a space, and words come again, unlike sentences."""
    words = text.split()
    longest = max(map(len, words), default=0)
    return chain.from_iterable(map(_known if longest <= _WORD else _hashes, words))


def _hashes(text: str) -> "array[int]":
    """In an array, since many are kept: words without spaces have dozens, and each would be an object."""
    return array("q", map(hash, index_terms(text)))


_known = lru_cache(maxsize=32_768)(_hashes)


def _counted(terms: Ints, of: Ints, documents: int) -> Postings:
    rows, fields = of % documents, of // documents
    order = np.lexsort((rows, terms))
    terms, rows, fields = terms[order], rows[order], fields[order]
    fresh = _begins(terms) | _begins(rows)
    group = np.cumsum(fresh) - 1
    size = int(fresh.sum())
    counts = np.bincount(fields * size + group, minlength=len(Field) * size).reshape(len(Field), size)
    return _grouped(terms[fresh], rows[fresh].astype(np.int32), np.minimum(counts, _MOST).astype(np.uint8))


def joined(parts: Sequence[Part], offset: int) -> Part:
    """One part of what is left in all of these, whose documents stand in rows from the offset on."""
    terms = np.concatenate([np.repeat(each.postings.terms, np.diff(each.postings.starts)) for each in parts])
    rows = np.concatenate([each.numbers[each.postings.rows] for each in parts])
    counts = np.concatenate([each.postings.counts for each in parts], axis=1)
    left = np.flatnonzero(rows != GONE)
    order = left[np.lexsort((rows[left], terms[left]))]
    size = sum(len(each.numbers) - each.gone for each in parts)
    return Part(
        postings=_grouped(terms[order], rows[order] - np.int32(offset), counts[:, order]),
        numbers=np.arange(offset, offset + size, dtype=np.int32),
        gone=0,
    )


def _grouped(terms: Ints, rows: Rows, counts: Counts) -> Postings:
    starts = np.flatnonzero(_begins(terms))
    return Postings(
        terms=np.append(terms[starts], _NO_TERM),
        starts=np.append(starts, [len(terms)] * 2),
        rows=rows,
        counts=counts,
    )


def _begins(values: Ints) -> NDArray[np.bool_]:
    """Where a value differs from the one before it."""
    differs = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=differs[1:])
    return differs


def matches(part: Part, wanted: Ints, asks: NDArray[np.bool_], offset: int) -> Matches:
    """The documents of a part that have any of these terms, whose rows begin at the offset.

    A term that does not ask for what somebody's own is does not find what merely answers that.
    """
    postings = part.postings
    at = postings.terms.searchsorted(wanted)
    begin = postings.starts[at]
    sizes = postings.starts[at + 1] - begin
    sizes[postings.terms[at] != wanted] = 0
    ends = sizes.cumsum()
    places: Ints = np.arange(ends[-1], dtype=np.int64)
    places += (begin - ends + sizes).repeat(sizes)
    rows = part.numbers[postings.rows[places]].astype(np.int64)
    counts = postings.counts.take(places, axis=1)
    left = _left(rows, counts, asks, sizes, gone=part.gone > 0)
    if left is not None:
        sizes = np.bincount(np.arange(len(wanted)).repeat(sizes)[left], minlength=len(wanted))
        rows, counts = rows[left], counts[:, left]
    if offset:
        rows += offset
    return Matches(sizes=sizes, rows=rows, counts=counts)


def _left(
    rows: Ints, counts: Counts, asks: NDArray[np.bool_], sizes: Ints, *, gone: bool
) -> NDArray[np.bool_] | None:
    """Which of the matches count; None: all."""
    left = rows != GONE if gone else None
    if asks.all() or not counts[Field.ANSWERS].any():
        return left
    counting = asks.repeat(sizes) | counts[: Field.ANSWERS].any(axis=0)
    return counting if left is None else left & counting
