"""Sees to it that erased text leaves the file as well, whatever comes between.

An erasure leaves a mark in the store, in the transaction that deletes the rows. The mark goes once every page
that held them is overwritten and the write-ahead log is empty. A kill, a busy host and a read-only store
leave it to a later round of housekeeping and never let it be forgotten.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

from ..domain.errors import UnavailableError
from ..storage.scrub import Scrubber

TRIES = 5
"""How often in a row the log is asked for, a moment apart: the host reads and writes in between."""
MOMENT = timedelta(milliseconds=200)


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
