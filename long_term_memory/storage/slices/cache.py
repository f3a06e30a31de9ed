"""The slices in use, each as the store stands now: the longest unused go when there are too many."""

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from itertools import count
from operator import attrgetter

from sqlalchemy import Connection

from ..changes import EVERYTHING, Change
from ..database import Database
from .documents import Sight, Source
from .entry import Entry, Load
from .slice import Slice
from .together import Together

KEPT_DOCUMENTS = 30_000
KEPT_SLICES = 1_000
MOST_TOGETHER = 16
"""So many sets of slices, those asked for last, stay put together: several hold copies of what is in them."""
NO_LIMIT = 2**63 - 1


class Slices[S: Sight, T]:
    """Loads slices when they are asked for, and again what changed, before they are handed out.

    A slice is loaded once for all who wait for it; what changes during a load is looked at again.
    """

    def __init__(
        self,
        database: Database,
        source: Source[S, T],
        *,
        max_documents: int = KEPT_DOCUMENTS,
        max_slices: int = KEPT_SLICES,
        max_each: int = NO_LIMIT,
    ) -> None:
        """Keep slices of at most so many documents in all, and always those that were asked for last.

        What has grown to more than `max_each` by changes is loaded anew: the source may give less then.
        """
        self._database = database
        self._source = source
        self._max_documents = max_documents
        self._max_slices = max_slices
        self._max_each = max_each
        # No OrderedDict: going through one hashes every key again.
        self._entries = dict[S, Entry[S, T]]()
        self._numbers = count()
        self._of_scope = defaultdict[tuple[str, str], list[Entry[S, T]]](list)
        self._together = OrderedDict[tuple[S, ...], Together[T]]()
        self._end_listening = database.changes.listen(self._changed)

    async def get(
        self, sights: Sequence[S], *, now: datetime, model_id: str | None, else_model_id: str | None
    ) -> Together[T]:
        """A slice of each sight, no older than this call.

        They hold the vectors of `model_id`, or where that is None of any model; what has to be loaded then
        comes with those of `else_model_id`. Raises ClosedError, UnavailableError, UnusableStoreError.
        """
        entries = [self._entry(sight) for sight in sights]
        if any(entry.lock.locked() or entry.lacks(now, model_id) for entry in entries):
            try:
                await self._load(entries, now, model_id, else_model_id)
            finally:
                self._let_go(set(sights))
        return self._joined(tuple(sights), [entry.slice for entry in entries if entry.slice is not None])

    def close(self) -> None:
        """Let every slice go and hear of no more changes."""
        self._end_listening()
        self._entries.clear()
        self._of_scope.clear()
        self._together.clear()

    @property
    def documents(self) -> int:
        """How many documents are kept."""
        return sum(map(len, self._entries.values()))

    def _joined(self, sights: tuple[S, ...], slices: Sequence[Slice[T]]) -> Together[T]:
        """The slices as one; those that were asked for lately are put together once."""
        kept = self._together.pop(sights, None)
        if kept is None or kept.slices != slices:
            kept = Together(slices)
        self._together[sights] = kept
        while len(self._together) > MOST_TOGETHER:
            self._together.popitem(last=False)
        return kept

    def _entry(self, sight: S) -> Entry[S, T]:
        """Of this sight, which is now the one asked for last."""
        entry = self._entries.pop(sight, None)
        if entry is None:
            entry = Entry[S, T](sight, self._max_each, next(self._numbers))
            self._of_scope[sight.ref.scope, sight.ref.scope_id].append(entry)
        self._entries[sight] = entry
        return entry

    async def _load(
        self, entries: Sequence[Entry[S, T]], now: datetime, model_id: str | None, else_model_id: str | None
    ) -> None:
        """Load those that lack something in one go, in a reader's thread, once nobody else loads them."""
        async with AsyncExitStack() as locks:
            for entry in sorted(entries, key=attrgetter("number")):
                await locks.enter_async_context(entry.lock)
            lacking = [entry for entry in entries if entry.lacks(now, model_id)]
            loads = [entry.begin(now, model_id or entry.model_id or else_model_id) for entry in lacking]
            try:
                made: Sequence[Slice[T]] = []
                if loads:
                    async with self._database.read() as seat:
                        made = await seat.run(partial(_run, self._source, loads))
            except BaseException:
                for entry, load in zip(lacking, loads, strict=True):
                    entry.undo(load)
                raise
            for entry, each in zip(lacking, made, strict=True):
                entry.slice = each

    def _let_go(self, used: Collection[S]) -> None:
        documents = self.documents
        for sight, entry in [*self._entries.items()]:
            if documents <= self._max_documents and len(self._entries) <= self._max_slices:
                return
            if sight not in used:
                documents -= len(entry)
                self._forget(sight)

    def _forget(self, sight: S) -> None:
        entry = self._entries.pop(sight)
        self._take_apart(sight)
        scope = (sight.ref.scope, sight.ref.scope_id)
        self._of_scope[scope].remove(entry)
        if not self._of_scope[scope]:
            del self._of_scope[scope]

    def _take_apart(self, sight: S) -> None:
        """Forget the sets that it is part of: they hold on to its slice."""
        for sights in [each for each in self._together if sight in each]:
            del self._together[sights]

    def _changed(self, changes: Sequence[Change]) -> None:
        """Note what is to be looked at again. Who loads what is forgotten meanwhile still gets that."""
        if any(change.table == EVERYTHING for change in changes):
            self._entries.clear()
            self._of_scope.clear()
            self._together.clear()
        for change in changes:
            if change.table in self._source.tables:
                for entry in self._concerned(change):
                    if not entry.touch(change.row_id):
                        self._forget(entry.sight)

    def _concerned(self, change: Change) -> list[Entry[S, T]]:
        scope, owner = (change.scope, change.scope_id), (change.owner_scope, change.owner_scope_id)
        return [entry for key in {scope, owner} for entry in self._of_scope.get(key, ())]


def _run[S: Sight, T](
    source: Source[S, T], loads: Sequence[Load[S, T]], connection: Connection
) -> list[Slice[T]]:
    return [load.run(connection, source) for load in loads]
