"""The documents that one view shows of one scope, in arrays, and the vectors of a scope under one model."""

import json
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import chain, compress
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, func, select

from ...domain.chat import ScopeRef
from ...domain.words import Scope
from ...text_analysis.terms import index_terms
from .cache import Key

type Row = Any
"""A tuple as the driver gives it."""
type Query = Select[*tuple[Any, ...]]
type Ints = NDArray[np.int64]
type Columns = dict[str, NDArray[Any]]

_MAX_COUNT = 255
_INDEXED_LENGTH = 20_000
_WORD = 24
"""What is longer is a sentence without spaces: it hardly comes again, and is not kept."""


class Field(IntEnum):
    """The searched texts of a document."""

    TEXT = 0
    """What it states."""
    QUOTES = 1
    """The words it rests on, as far as this view may show them."""
    NAMES = 2
    """Whom it is about."""
    ANSWERS = 3
    """The words in which a person asks for what it answers; stands last, for not all questions count it."""


_COLUMNS = {
    "id": "i8",
    "kind": "i1",  # the place of its type in `read.protocols.KINDS`, or of its role in `ROLES`
    "level": "i1",
    "own": "?",  # whether it is of a person's own memory
    "importance": "f8",
    "said": "f8",  # seconds since 1970, like the next two
    "confirmed": "f8",
    "expires": "f8",
    "identity": "i8",  # the hash of the fact that it is a version of
    "answers": "i8",  # the hash of what it answers; 0: nothing
    "thread": "i8",  # the hash of the talk that it is part of
}
"""What is known of each document, beside the `lengths` of its texts in terms."""


@dataclass(frozen=True, kw_only=True)
class View(Key):
    """What somebody may see of one scope."""

    tables: ClassVar = frozenset[str]()
    row_bytes: ClassVar[int] = 0
    """Estimated size of a row."""
    weights: ClassVar[Sequence[float]] = (1.0,) * len(Field)
    """What each `Field` counts."""
    length_shares: ClassVar[Sequence[float]] = (0.0,) * len(Field)
    """How much a text longer than the others loses."""

    def taken(self, rows: Sequence[Row]) -> Sequence[Any]:
        """What the rows hold."""
        return rows

    def vectors(self, model_id: str) -> Key:
        """Where its `ScopeVectors` are."""
        raise NotImplementedError


class ScopeIndex:
    """Columns and rows of the same documents, and postings: by term, then by document."""

    def __init__(self, view: View, columns: Columns, rows: Sequence[Row], *postings: Any) -> None:  # noqa: ANN401
        """`postings` are hashes of `terms`, `places` of documents and `counts` by `Field`."""
        self.view = view
        self.columns = columns
        self.rows = rows
        self.terms, self.places, self.counts = postings
        arrays = (*columns.values(), *postings)
        self.nbytes = len(rows) * view.row_bytes + sum(each.nbytes for each in arrays)
        self.next_expiry = float(columns["expires"].min(initial=np.inf))

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.rows)

    def expired(self, now: float) -> set[int]:
        """See `Key`."""
        return set(self.columns["id"][self.columns["expires"] <= now].tolist())

    def updated(self, touched: Collection[int], more: Self) -> Self:
        """See `Key`."""
        if not len(self):
            return more
        left = ~np.isin(self.columns["id"], [*touched])
        places = np.where(left, left.cumsum() - 1, -1).astype(np.int32)[self.places]
        kept = places >= 0
        terms = self.terms[kept]
        at = terms.searchsorted(more.terms, "right")
        return type(self)(
            self.view,
            {name: np.concatenate([held[left], more.columns[name]]) for name, held in self.columns.items()},
            [*compress(self.rows, left.tolist()), *more.rows],
            np.insert(terms, at, more.terms),
            np.insert(places[kept], at, more.places + np.int32(left.sum())),
            np.insert(self.counts[kept], at, more.counts, axis=0),
        )


class ScopeVectors:
    """Unit vectors, a row each, of what has one."""

    next_expiry = np.inf

    def __init__(self, ids: Ints, matrix: NDArray[np.float32]) -> None:
        self.ids = ids
        self.matrix = matrix
        self.nbytes = ids.nbytes + matrix.nbytes

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self.ids)

    def updated(self, touched: Collection[int], more: Self) -> Self:
        """See `Key`."""
        left = ~np.isin(self.ids, [*touched])
        if not left.any() or (len(more) and more.matrix.shape[1] != self.matrix.shape[1]):
            return more  # also where the model has another length now
        ids, matrix = self.ids[left], self.matrix[left]
        if len(more):
            ids, matrix = np.concatenate([ids, more.ids]), np.concatenate([matrix, more.matrix])
        return type(self)(ids, matrix)


def scope_vectors(connection: Connection, query: Query) -> ScopeVectors:
    """The vectors of rows of an id and a stored vector or NULL."""
    found = [(row, vector) for row, vector in rows_of(connection, query) if vector is not None]
    numbers = np.frombuffer(b"".join(vector for _, vector in found), "<f4")
    # A copy: what numpy allocates lies in large pages where the system has them, and is read faster.
    matrix = numbers.reshape(len(found), len(numbers) // max(len(found), 1)).copy()
    return ScopeVectors(np.array([row for row, _ in found], np.int64), matrix)


def scope_index(
    view: View,
    rows: Sequence[Row],
    texts: Sequence[Sequence[str]],
    **columns: Any,  # noqa: ANN401
) -> ScopeIndex:
    """Index rows: for each `Field` the text of each row, for names of `_COLUMNS` a value of each row."""
    held: Columns = {name: np.zeros(len(rows), kind) for name, kind in _COLUMNS.items()}
    for name, values in columns.items():
        held[name][:] = values
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
    counts = np.minimum(counts, _MAX_COUNT).astype(np.uint8).reshape(-1, len(Field))
    return ScopeIndex(view, held, rows, by_term[fresh], places[fresh].astype(np.int32), counts)


NOTHING = scope_index(View(ref=ScopeRef(scope=Scope.GLOBAL, scope_id="")), (), ((),) * len(Field))
"""An index of no documents."""


def of_table(
    table: Table, seen: ColumnElement[bool], only: Collection[int] | None, *columns: ColumnElement[Any]
) -> Query:
    """What is seen of a table, oldest first; of `only` these ids absent ones are rows of NULL."""
    if only is None:
        return select(*columns).select_from(table).where(seen).order_by(table.c.id)
    wanted = func.json_each(json.dumps([*only])).table_valued("value", name="wanted")
    return select(*columns).join_from(wanted, table, and_(table.c.id == wanted.c.value, seen), isouter=True)


def rows_of(connection: Connection, query: Query) -> Iterator[Row]:
    """The rows one by one, without those of NULL."""
    rows = iter(cast("Iterable[Row]", connection.execute(query).cursor))
    return (row for row in rows if row[0] is not None)


def seconds(instants: Sequence[str | None]) -> NDArray[np.float64]:
    """Stored instants in seconds since 1970; none is infinitely far."""
    known = np.array([instant or "NaT" for instant in instants], "datetime64[us]")
    return np.where(np.isnat(known), np.inf, known.astype(np.int64) / 1e6)


def _terms(text: str) -> Iterator[int]:
    """The hashes of the terms of a text, word by word: no term spans a space, and words come again."""
    return chain.from_iterable(
        (_hashes if len(word) <= _WORD else _hashes.__wrapped__)(word) for word in text.split()
    )


@lru_cache(maxsize=16_384)
def _hashes(word: str) -> "array[int]":
    return array("q", map(hash, index_terms(word)))
