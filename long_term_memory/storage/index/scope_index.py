"""Rows of one scope in arrays: documents with their terms, or vectors."""

from array import array
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...text_analysis.terms import index_terms

type Row = Any  # a tuple as the driver gives it
type Ints = NDArray[np.int64]
type Columns = dict[str, NDArray[Any]]

_INDEXED_LENGTH = 4_000  # of a text: what a tool fetched may be a whole page
_WORD = 24  # what is longer is a sentence without spaces: it hardly comes again, and is not kept


class Field(IntEnum):
    """The searched texts of a document."""

    TEXT = 0  # what it states
    QUOTES = 1  # the words it rests on, as far as this view may show them
    NAMES = 2  # whom it is about
    ANSWERS = 3  # the words in which a person asks for what it answers; last, for not all questions count it


_COLUMNS = {
    "id": "i8",
    "kind": "i1",  # the place of its type in `read.protocols.KINDS`, or of its role in `ROLES`
    "level": "i1",
    "own": "?",  # whether it is of a person's own memory
    "shared": "?",  # whether it is a matter of a whole group or project
    "reworded": "?",  # whether it is in an operator's words, which nobody has said since
    "importance": "f8",
    "said": "f8",  # seconds since 1970, like the next two
    "confirmed": "f8",
    "expires": "f8",
    "identity": "i8",  # the hash of the fact that it is a version of
    "answers": "i8",  # the hash of what it answers; 0: nothing
    "thread": "i8",  # the hash of the talk that it is part of
}
"""What is known of each document, beside its `row` and the `lengths` of its texts in terms."""
_POSTINGS = (np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros((0, len(Field)), np.uint8))


class ScopeIndex:
    """Columns of the same rows, and their postings: by term, then by row. Searched in any thread."""

    def __init__(self, columns: Columns, *postings: Any, row_bytes: int = 0) -> None:  # noqa: ANN401
        """`postings` are hashes of `terms`, `places` of rows and `counts` by `Field`."""
        self.columns = columns
        self.terms, self.places, self.counts = self._postings = postings or _POSTINGS
        self._row_bytes = row_bytes
        arrays = (*columns.values(), *self._postings)
        self.nbytes = len(self) * row_bytes + sum(each.nbytes for each in arrays)
        self.next_expiry = float(columns["expires"].min(initial=np.inf))  # in seconds since 1970
        self.width = columns["vector"].shape[1] if "vector" in columns else 0
        self.merged: Any = None  # what was derived from this one, and others, last

    def __len__(self) -> int:
        return len(self.columns["id"])

    def expired(self, now: float) -> set[int]:
        """The ids of the rows that have expired."""
        return set(self.columns["id"][self.columns["expires"] <= now].tolist())

    def updated(self, touched: Collection[int], more: "ScopeIndex") -> "ScopeIndex":
        """The same with the touched rows replaced by those of `more`."""
        left = ~np.isin(self.columns["id"], [*touched])
        if not len(more) and left.all():
            return self
        if not left.any() or (len(more) and more.width != self.width):
            return more  # also where the model has another length now
        columns = {name: held[left] for name, held in self.columns.items()}
        if len(more):
            columns = {name: np.concatenate([held, more.columns[name]]) for name, held in columns.items()}
        places = np.where(left, left.cumsum() - 1, -1).astype(np.int32)[self.places]
        kept = places >= 0
        at = self.terms[kept].searchsorted(more.terms, "right")
        added = (more.terms, more.places + np.int32(left.sum()), more.counts)
        postings = zip((self.terms, places, self.counts), added, strict=True)
        merged = (np.insert(held[kept], at, new, axis=0) for held, new in postings)
        return ScopeIndex(columns, *merged, row_bytes=self._row_bytes)


def vectors_of(found: Sequence[tuple[int, bytes]]) -> ScopeIndex:
    """Unit vectors of rows by their ids."""
    numbers = np.frombuffer(b"".join(vector for _, vector in found), "<f4")
    # A copy: what numpy allocates lies in large pages where the system has them, and is read faster.
    matrix = numbers.reshape(len(found), len(numbers) // max(len(found), 1)).copy()
    ids, never = np.array([row for row, _ in found], np.int64), np.full(len(found), np.inf)
    return ScopeIndex({"id": ids, "vector": matrix, "expires": never})


def documents_of(
    rows: Sequence[Row], texts: Sequence[Sequence[str]], row_bytes: int = 0, **columns: ArrayLike
) -> ScopeIndex:
    """Index rows: for each `Field` the text of each row, for names of `_COLUMNS` a value of each row.

    `row_bytes` is the estimated size of a row.
    """
    held: Columns = {name: np.zeros(len(rows), kind) for name, kind in _COLUMNS.items()}
    for name, values in columns.items():
        held[name][:] = values
    held["row"] = np.fromiter(rows, object, len(rows))
    terms, lengths = array("q"), array("q")
    for text in chain.from_iterable(texts):
        before = len(terms)
        terms.extend(_terms(text[:_INDEXED_LENGTH]))
        lengths.append(len(terms) - before)
    held["lengths"] = np.array(lengths, np.float32).reshape(len(Field), len(rows)).T.copy()
    # One posting for each document and each of its terms.
    of = np.arange(len(lengths)).repeat(lengths)
    by_term, fields, places = np.array(terms, np.int64), *np.divmod(of, max(len(rows), 1))
    order = np.lexsort((places, by_term))
    by_term, fields, places = by_term[order], fields[order], places[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = (by_term[1:] != by_term[:-1]) | (places[1:] != places[:-1])
    counts = np.bincount((fresh.cumsum() - 1) * len(Field) + fields, minlength=fresh.sum() * len(Field))
    counts = np.minimum(counts, 255).astype(np.uint8).reshape(-1, len(Field))
    return ScopeIndex(held, by_term[fresh], places[fresh].astype(np.int32), counts, row_bytes=row_bytes)


def _terms(text: str) -> Iterator[int]:
    """The hashes of the terms of a text, word by word: no term spans a space, and words come again."""
    return chain.from_iterable(
        (_hashes if len(word) <= _WORD else _hashes.__wrapped__)(word) for word in text.split()
    )


@lru_cache(maxsize=16_384)
def _hashes(word: str) -> "array[int]":
    return array("q", map(hash, index_terms(word)))
