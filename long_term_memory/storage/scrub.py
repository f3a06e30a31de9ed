"""Overwrites what deleted rows leave behind in the file.

`secure_delete` overwrites a deleted row where it stands. But when a page splits SQLite moves rows to another
page and leaves their old copies in the gap of the first, where nothing overwrites them later; the segments of
the full-text index keep the words of deleted texts until they are merged; and the write-ahead log keeps
earlier pages. So the tables that hold text are written anew: emptied, by which each of their pages is
overwritten, and filled again with the very same rows. Each table is written anew in a transaction of its own,
because that locks the file. What others write in between is new, so nothing erased returns.

An erasure leaves a mark in the store, in the transaction that deletes the rows. The mark goes once every page
that held them is overwritten and the write-ahead log is empty. A kill, a busy host and a read-only store
leave it to a later round of housekeeping and never let it be forgotten.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

from ..domain.errors import RefusedError, UnavailableError
from ..models import EVENTS, EVIDENCE, ITEMS, RECALLS
from . import meta
from .database import OnDatabase, reads, writes
from .schema import empty_the_log, exclusive

_INDEXED = "ltm_fts_content"
TEXTS = (ITEMS.name, EVIDENCE.name, EVENTS.name, RECALLS.name, _INDEXED)
"""Each has a row id as its first column. Of the index the rest is made of its content."""
_COPY = "ltm_rewritten"
TRIES = 5
"""How often in a row the log is asked for, a moment apart: the host reads and writes in between."""
MOMENT = timedelta(milliseconds=200)


class Scrubber(OnDatabase):
    """Overwrites erased text in the file and empties the write-ahead log."""

    mark = reads(meta.to_scrub)
    done = writes(meta.scrubbed)

    async def rewrite(self) -> None:
        """Overwrite what is left of deleted rows. Raises RefusedError, UnavailableError.

        Between two tables others write.
        """
        for table in TEXTS:
            await self._database.alone(partial(rewrite, table=table, may_go_on=lambda: not self.read_only))

    async def empty_the_log(self) -> bool:
        """Cut the write-ahead log to nothing; False while another connection is in its way."""
        return await self._database.alone(empty_the_log)


class Scrubbing:
    """Done after each erasure, and by housekeeping."""

    def __init__(self, store: Scrubber, forget: Callable[[], Awaitable[object]]) -> None:
        """`forget` removes all copies that lie beside the file; what raises there is tried again."""
        self._store = store
        self._forget = forget
        self._turn = asyncio.Lock()
        self._forgotten = set[str]()
        self._rewritten = ""

    async def work(self, *, forgotten: str = "") -> None:
        """Scrub until nothing erased is left. Raises UnavailableError while others keep the log busy.

        `forgotten` is the mark of an erasure of which the copies beside the file hold nothing any more.
        """
        self._forgotten.add(forgotten)
        async with self._turn:
            while mark := await self._store.mark():
                if not self._forgotten.issuperset(mark.split()):
                    await self._forget()
                    self._forgotten.update(mark.split())
                if mark != self._rewritten:
                    await self._store.rewrite()
                    self._rewritten = mark
                await self._empty_the_log()
                await self._store.done(mark)
            self._forgotten.clear()

    async def _empty_the_log(self) -> None:
        for _ in range(TRIES):
            if await self._store.empty_the_log():
                return
            await asyncio.sleep(MOMENT.total_seconds())
        raise UnavailableError("other connections keep the write-ahead log busy")


def rewrite(path: Path, table: str, may_go_on: Callable[[], bool]) -> None:
    """Write one of the tables that hold text anew, in one transaction; no row changes.

    The triggers would forbid it, and would have each row deleted by itself: they are put back after it.
    Raises RefusedError, and nothing has happened, when it may not go on at the end.
    """
    query = "SELECT type, name, sql FROM sqlite_master WHERE tbl_name = ? AND type = ? AND sql IS NOT NULL"
    with exclusive(path) as connection:
        run = connection.exec_driver_sql
        run("PRAGMA secure_delete = ON")
        apart = [*run(query, (table, "trigger")).fetchall(), *run(query, (table, "index")).fetchall()]
        for kind, name, _ in apart:
            run(f"DROP {kind} {name}")
        run(f"CREATE TABLE {_COPY} AS SELECT * FROM {table}")  # noqa: S608 - our own names
        run(f"DELETE FROM {table}")  # noqa: S608 - our own names
        run(f"INSERT INTO {table} SELECT * FROM {_COPY} ORDER BY rowid")  # noqa: S608 - our own names
        run(f"DROP TABLE {_COPY}")
        for _, _, sql in reversed(apart):
            run(sql)
        if table == _INDEXED:
            run("INSERT INTO ltm_fts (ltm_fts) VALUES ('rebuild')")
        if not may_go_on():
            raise RefusedError("emergency_read_only")
