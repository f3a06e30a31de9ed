"""The documents of a slice: their rows, their index, and numbers of each in parallel arrays."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .beside import Beside, vectors_beside
from .documents import Documents, Row
from .postings import GONE, Ints, Lengths, Part, Rows, indexed, joined

_SMALL = 500
"""The index of so few documents is in one part: what changes is sorted into it at once."""
_WORN = 4
"""Once one in so many has changed, the index of more documents is sorted anew too."""
_MICROSECOND = 1e-6


@dataclass(frozen=True, kw_only=True, eq=False)
class Columns:
    """Numbers of each document; the last axis is the documents."""

    lengths: Lengths
    """How many terms each `Field` has."""
    kinds: NDArray[np.int8]
    importance: NDArray[np.float64]
    said: NDArray[np.float64]
    """In seconds since 1970, like the next."""
    confirmed: NDArray[np.float64]
    expires: Ints
    """As `moment` gives it."""
    identities: Ints
    answers: Ints
    """0 where a document answers nothing."""
    threads: Ints
    """0 where documents are no talk."""

    def followed(self, left: Ints, more: Self) -> Self:
        """The documents in the rows that are left, and more behind them."""
        pairs = ((each.name, getattr(self, each.name), getattr(more, each.name)) for each in fields(self))
        return type(self)(
            **{name: np.concatenate([mine[..., left], others], axis=-1) for name, mine, others in pairs}
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Contents:
    """Never changed once made, so they may be searched in one thread while another makes the next."""

    ids: Sequence[int]
    rows: Sequence[Row]
    parts: Sequence[Part]
    columns: Columns
    vectors: Beside

    def followed(self, touched: Collection[int], found: Documents) -> "Contents":
        """The contents after these documents were looked at again, and found to be so or no more."""
        left = [row for row, each in enumerate(self.ids) if each not in touched]
        # The last place answers for GONE, which is -1.
        numbers = np.full(len(self.ids) + 1, GONE, np.int32)
        numbers[left] = np.arange(len(left))
        more = contents(found, offset=len(left))
        return Contents(
            ids=[*map(self.ids.__getitem__, left), *more.ids],
            rows=[*map(self.rows.__getitem__, left), *more.rows],
            parts=_tidied([*(_renumbered(part, numbers) for part in self.parts), *more.parts]),
            columns=self.columns.followed(np.array(left, np.int64), more.columns),
            vectors=self.vectors.followed(numbers, more.vectors),
        )


def contents(found: Documents, *, offset: int = 0) -> Contents:
    """The contents of documents whose rows begin at the offset; takes time in proportion to their texts."""
    postings, lengths = indexed(found.texts)
    size = len(found.ids)
    return Contents(
        ids=found.ids,
        rows=found.rows,
        parts=[Part(postings=postings, numbers=np.arange(offset, offset + size, dtype=np.int32), gone=0)],
        columns=Columns(
            lengths=lengths,
            kinds=np.array(found.kinds, np.int8),
            importance=np.array(found.importance, np.float64),
            said=np.array(found.said, np.float64) * _MICROSECOND,
            confirmed=np.array(found.confirmed, np.float64) * _MICROSECOND,
            expires=np.array(found.expires, np.int64),
            identities=np.array(found.identities, np.int64),
            answers=np.array(found.answers or np.zeros(size), np.int64),
            threads=np.array(found.threads or np.zeros(size), np.int64),
        ),
        vectors=vectors_beside(found.vectors, offset),
    )


def _renumbered(part: Part, numbers: Rows) -> Part:
    moved = numbers[part.numbers]
    return Part(postings=part.postings, numbers=moved, gone=int(np.count_nonzero(moved == GONE)))


def _tidied(parts: Sequence[Part]) -> Sequence[Part]:
    """One part of a few documents or where much has changed, else the first as it is and one of the rest.

    The documents of each part stand behind those of the part before it.
    """
    first, *rest = parts
    before = len(first.numbers) - first.gone
    changed = first.gone + sum(len(part.numbers) - part.gone for part in rest)
    if before <= _SMALL or changed * _WORN > len(first.numbers):
        return [joined(parts, 0)]
    return [first, joined(rest, before)]
