"""The image of what one sight sees of one scope."""

from collections.abc import Collection
from typing import Any

import numpy as np

from ...domain.chat import ScopeRef
from .contents import Contents, contents
from .documents import NEVER, Documents, Source, Version
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
        self.totals = lengths.sum(axis=1, dtype=np.float64)
        """For each `Field` how many terms there are in all."""
        self.filled = np.count_nonzero(lengths, axis=1)
        """For each `Field` how many documents have any."""
        self.shadowed = shadowed(contents.columns.identities, self.version)
        self.next_expiry = int(contents.columns.expires.min(initial=NEVER))
        """From this `moment` on one of the documents is no longer to be seen."""
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

    def expired(self, now: int) -> set[int]:
        """The ids of what is no longer to be seen at this `moment`."""
        return {
            self.contents.ids[row] for row in np.flatnonzero(self.contents.columns.expires <= now).tolist()
        }

    def updated(self, touched: Collection[int], found: Documents) -> "Slice[T]":
        """The slice after these documents were looked at again, and found to be so or no more."""
        return Slice(self.ref, self.source, self.model_id, self.contents.followed(touched, found))


def loaded[T](ref: ScopeRef, source: Source[Any, T], model_id: str | None, found: Documents) -> Slice[T]:
    """A slice of all these documents."""
    return Slice(ref, source, model_id, contents(found))
