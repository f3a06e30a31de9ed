"""The recall log as a whole: what is written to it, how much it holds, and what leaves it."""

from collections.abc import Sequence
from datetime import datetime

from ..domain.recalls import LoggedRecall, RecallCounts
from . import recalls
from .database import Database
from .late import ErasedPersons


class StoredRecallLog:
    """Implements the stores of `upkeep.recall_log` and `upkeep.recall_retention`."""

    def __init__(self, database: Database, erased: ErasedPersons) -> None:
        self._database = database
        self._erased = erased

    @property
    def read_only(self) -> bool:
        """Whether nothing is written at the moment."""
        return self._database.read_only

    async def noted(self, rows: Sequence[LoggedRecall], *, kept: bool) -> None:
        """Count one use of each memory that was given, and keep the rows if they are to be kept.

        All of it happens, or nothing; and nothing while the store is read-only. Left out is what people asked
        who were erased since.
        """
        if self._database.read_only:
            return
        async with self._database.write() as connection:
            known = [each for each in rows if not self._erased.includes(each.owner, each.at)]
            await recalls.count_uses(connection, known)
            if kept:
                await recalls.add(connection, known)

    async def counts(self, *, since: datetime) -> RecallCounts:
        """How many recalls there were from then on, and how many of them gave nothing."""
        async with self._database.read() as connection:
            return await recalls.counts(connection, since=since)

    async def old(self, *, before: datetime | None, keep: int, limit: int) -> Sequence[int]:
        """Row ids of what is older than that, and of all but the newest `keep` rows; the oldest first."""
        async with self._database.read() as connection:
            return await recalls.old(connection, before=before, keep=keep, limit=limit)

    async def drop(self, rows: Sequence[int]) -> None:
        """Delete these rows."""
        async with self._database.write() as connection:
            await recalls.drop(connection, rows)
