"""One slice of the cache and what is known to have changed since it was loaded."""

import asyncio
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

    def run(self, connection: Connection, source: Source[S, T]) -> Slice[T]:
        """The slice as this connection sees the store."""
        found = source.load(connection, self.sight, self.wanted)
        if self.base is None or self.wanted.only is None:
            return loaded(self.sight.ref, source, self.wanted.model_id, found)
        return self.base.updated(self.wanted.only, found)


class Entry[S: Sight, T]:
    """Used on the event loop alone. Loads of one entry do not overlap."""

    def __init__(self, sight: S, max_documents: int) -> None:
        self.sight = sight
        self._max_documents = max_documents
        self.slice: Slice[T] | None = None
        self.begun = 0
        """How many loads have begun."""
        self.finished = 0
        """The number of the last one that ended well."""
        self._everything = False
        self._touched = set[int]()
        self._in_load = set[int]()
        self._idle = asyncio.Event()
        self._idle.set()

    def __len__(self) -> int:
        """How many documents it keeps in memory."""
        return 0 if self.slice is None else len(self.slice)

    def lacks(self, now: datetime, model_id: str | None) -> bool:
        """Whether something has to be looked at again; `model_id` None asks for no vectors."""
        kept = self.slice
        if kept is None or self._everything or self._touched or self._in_load:
            return True
        return kept.next_expiry <= moment(now) or (model_id is not None and model_id != kept.model_id)

    @property
    def loading(self) -> bool:
        """Whether somebody loads it at the moment."""
        return not self._idle.is_set()

    async def loaded(self) -> None:
        """Wait until whoever loads it has done so or given up."""
        await self._idle.wait()

    @property
    def model_id(self) -> str | None:
        """Whose vectors it keeps, if it keeps any."""
        return None if self.slice is None else self.slice.model_id

    def touch(self, row_id: int) -> None:
        """Say that a document may have changed, come or gone."""
        if self._everything:
            return
        self._touched.add(row_id)
        if len(self._touched) > self._most_touched:
            self._touched.clear()
            self.touch_everything()

    @property
    def _most_touched(self) -> int:
        return MOST_TOUCHED if self.slice is None else max(ONE_BY_ONE, len(self.slice) // 2)

    def touch_everything(self) -> None:
        """Say that any document may have changed."""
        self._everything = True
        self.slice = None

    def begin(self, now: datetime, model_id: str | None) -> Load[S, T]:
        """Begin a load; what is touched from now on is not in it."""
        self._idle.clear()
        self.begun += 1
        if self._everything:  # a load that was under way when it was touched has put the old one back
            self.slice = None
        base, only = self.slice, None
        if base is not None and base.model_id == model_id:
            only = frozenset(self._touched | base.expired(moment(now)))
        if base is None or only is None or len(only) > min(len(base) // 2, self._max_documents - len(base)):
            base = only = None
        self._in_load, self._touched, self._everything = self._touched, set[int](), False
        return Load(sight=self.sight, base=base, wanted=Wanted(now=now, model_id=model_id, only=only))

    def end(self, made: Slice[T] | None) -> None:
        """The load is over; None: it failed, and what it was to look at is still to be looked at."""
        if made is None:
            self._touched |= self._in_load
        else:
            self.slice = made
            self.finished = self.begun
        self._in_load = set[int]()
        self._idle.set()
