"""The image of what one sight sees of one scope."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...domain.chat import ScopeRef
from .contents import Contents, contents
from .documents import NEVER, Documents, Source, Version
from .postings import Ints
from .versions import shadowed

_KEPT_MADE = 256


class Slice[T]:
    """Frozen, so it may be searched in a thread while its successor is made."""

    def __init__(
        self, ref: ScopeRef, source: Source[Any, T], model_id: str | None, contents: Contents
    ) -> None:
        """Work out what the documents have in common; `model_id` is whose vectors they have."""
        self.ref = ref
        self.source = source
        self.model_id = model_id
        self.contents = contents
        lengths = contents.columns.lengths
        self.totals: NDArray[np.float64] = lengths.sum(axis=1, dtype=np.float64)
        """For each `Field` how many terms there are in all."""
        self.filled: Ints = np.count_nonzero(lengths, axis=1)
        """For each `Field` how many documents have any."""
        self.shadowed = shadowed(contents.columns.identities, self.version)
        self.next_expiry = int(contents.columns.expires.min(initial=NEVER))
        """From this `moment` on one of the documents is no longer to be seen."""
        self._newest = int(contents.rests_on.values.max(initial=-1))
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.contents.ids)

    def take(self, row: int) -> T:
        """What a row holds; what was taken lately is made once."""
        made = self._made.get(row)
        if made is None:
            if len(self._made) >= _KEPT_MADE:
                self._made.clear()
            made = self._made[row] = self.source.make(self.contents.rows[row])
        return made

    def version(self, row: int) -> Version:
        """Which version of what a row holds."""
        return self.source.version(self.contents.rows[row])

    def expired(self, now: int) -> set[str]:
        """The ids of what is no longer to be seen at this `moment`."""
        return self._ids(np.flatnonzero(self.contents.columns.expires <= now))

    def resting_on(self, others: Ints) -> set[str]:
        """The ids of documents that rest on one of these rows of another table, which are in order."""
        if not len(others) or others[0] > self._newest:
            return set()
        beside = self.contents.rests_on
        return self._ids(beside.rows[np.isin(beside.values, others)])

    def updated(self, touched: Collection[str], found: Documents) -> "Slice[T]":
        """The slice after these documents were looked at again, and found to be so or no more."""
        return Slice(self.ref, self.source, self.model_id, self.contents.followed(touched, found))

    def _ids(self, rows: NDArray[np.signedinteger]) -> set[str]:
        return {self.contents.ids[int(row)] for row in rows}


def loaded[T](ref: ScopeRef, source: Source[Any, T], model_id: str | None, found: Documents) -> Slice[T]:
    """A slice of all these documents."""
    return Slice(ref, source, model_id, contents(found))
