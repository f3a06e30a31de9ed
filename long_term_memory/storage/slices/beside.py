"""What some documents of a slice have and others have not, such as vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .postings import GONE, Rows


@dataclass(frozen=True, kw_only=True, eq=False)
class Beside:
    """Values, and the row of the document that each belongs to."""

    rows: Rows
    values: NDArray[Any]
    """The first axis is as long as `rows`."""

    def followed(self, numbers: Rows, more: Self) -> Self:
        """What is left after the documents got new rows (GONE: none), and more behind it.

        Where the two are of different shapes, those that are left make way for nothing: more is dropped.
        """
        rows = numbers[self.rows]
        left = rows != GONE
        if not left.any():
            return more
        if more.values.shape[1:] != self.values.shape[1:]:
            return type(self)(rows=rows[left], values=self.values[left])
        return type(self)(
            rows=np.concatenate([rows[left], more.rows]),
            values=np.concatenate([self.values[left], more.values]),
        )


def vectors_beside(pairs: Sequence[tuple[int, bytes]], offset: int) -> Beside:
    """Vectors of documents whose rows begin at the offset; another length than the first's is left out."""
    size = len(pairs[0][1]) if pairs else 0
    fitting = [(row, vector) for row, vector in pairs if len(vector) == size]
    numbers = np.frombuffer(b"".join(vector for _, vector in fitting), "<f4")
    return Beside(
        rows=np.array([row + offset for row, _ in fitting], np.int32),
        # A copy: what numpy allocates lies in large pages where the system has them, and is read faster.
        values=numbers.reshape(len(fitting), size // 4).copy(),
    )
