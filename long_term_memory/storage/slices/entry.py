"""One slice of the cache and what is known to have changed since it was loaded."""

import asyncio
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from .documents import Sight, Source, Wanted, moment
from .slice import Slice, loaded

MOST_TOUCHED = 10_000
"""What has changed in more places during its first load is let go until it is asked for again."""
ONE_BY_ONE = 100
"""So does what has changed by more than half, which is loaded anew anyway, unless it is this little."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Load[S: Sight, T]:
    """What a thread is to do about one slice."""

    sight: S
    base: Slice[T] | None
    """What is brought up to date; None: all is read."""
    wanted: Wanted
    touched: AbstractSet[int]
    """What had changed before it."""

    def run(self, connection: Connection, source: Source[S, T]) -> Slice[T]:
        """The slice as this connection sees the store."""
        found = source.load(connection, self.sight, self.wanted)
        if self.base is None or self.wanted.only is None:
            return loaded(self.sight.ref, source, self.wanted.model_id, found)
        return self.base.updated(self.wanted.only, found)


class Entry[S: Sight, T]:
    """Used on the event loop alone, and loaded by who holds its lock."""

    def __init__(self, sight: S, max_documents: int, number: int = 0) -> None:
        """Locks of several entries are taken in the order of their numbers."""
        self.sight = sight
        self.number = number
        self.slice: Slice[T] | None = None
        self.lock = asyncio.Lock()
        self._max_documents = max_documents
        self._touched = set[int]()

    def __len__(self) -> int:
        """How many documents it keeps in memory."""
        return 0 if self.slice is None else len(self.slice)

    def lacks(self, now: datetime, model_id: str | None) -> bool:
        """Whether something has to be looked at again; `model_id` None asks for no vectors."""
        kept = self.slice
        if kept is None or self._touched:
            return True
        return kept.next_expiry <= moment(now) or (model_id is not None and model_id != kept.model_id)

    @property
    def model_id(self) -> str | None:
        """Whose vectors it keeps, if it keeps any."""
        return None if self.slice is None else self.slice.model_id

    def touch(self, row_id: int) -> bool:
        """Say that a document may have changed, come or gone; False when so much has that it is of no use."""
        self._touched.add(row_id)
        most = MOST_TOUCHED if self.slice is None else max(ONE_BY_ONE, len(self.slice) // 2)
        return len(self._touched) <= most

    def begin(self, now: datetime, model_id: str | None) -> Load[S, T]:
        """Begin a load; what is touched from now on is not in it."""
        base, only = self.slice, None
        if base is not None and base.model_id == model_id:
            only = frozenset(self._touched | base.expired(moment(now)))
        if base is None or only is None or len(only) > min(len(base) // 2, self._max_documents - len(base)):
            base = only = None
        self._touched, looked_at = set[int](), self._touched
        wanted = Wanted(now=now, model_id=model_id, only=only)
        return Load(sight=self.sight, base=base, wanted=wanted, touched=looked_at)

    def undo(self, load: Load[S, T]) -> None:
        """The load failed: what it was to look at is still to be looked at."""
        self._touched |= load.touched
