"""Sees to it that erased text leaves the file as well, whatever comes between.

An erasure leaves a mark in the store, in the transaction that deletes the rows. The mark goes once every page
that held them is overwritten and the write-ahead log is empty; so a kill, a busy host and a read-only store
put it off and never let it be forgotten.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta

from ..domain.errors import UnavailableError
from ..storage.scrub import Scrubber
from .scheduler import FailureLog

TRIES = 5
"""How often in a row the log is asked for, a moment apart: the host reads and writes in between."""
MOMENT = timedelta(milliseconds=200)
RETRY = timedelta(minutes=1)
NOT_YET = "What was erased is not overwritten in the file yet"


class Scrubbing:
    """One long-lived job: give `run()` to whoever owns the tasks."""

    def __init__(
        self,
        store: Scrubber,
        *,
        forget: Callable[[], Awaitable[object]] | None = None,
        moment: timedelta = MOMENT,
        retry: timedelta = RETRY,
    ) -> None:
        """`forget` removes all copies that lie beside the file; what raises there is tried again."""
        self._store = store
        self._forget = forget
        self._moment = moment.total_seconds()
        self._retry = retry.total_seconds()
        self._wake = asyncio.Event()
        self._clean = asyncio.Event()
        self._ended = False
        self._rewritten = ""
        self._forgotten = set[str]()
        self._failure = FailureLog(
            f"{NOT_YET}, and is tried again: %s", "What was erased is overwritten in the file."
        )

    def notes(self) -> Sequence[str]:
        """A line for the operator while bytes of what was erased may still lie in the file."""
        return [f"{NOT_YET}: {self._failure.why}"] if self._failure.why else []

    def wake(self) -> None:
        """Have it look for what is to be overwritten."""
        self._clean.clear()
        self._wake.set()

    async def settle(self, patience: timedelta, *, forgotten: str = "") -> bool:
        """Whether the file is clean by then; if not, the job goes on by itself, or with the next start.

        Waits no longer than the job runs.
        `forgotten` is the mark of an erasure of which the copies beside the file hold nothing any more.
        """
        self._forgotten.add(forgotten)
        self.wake()
        with suppress(TimeoutError):
            async with asyncio.timeout(0 if self._ended else patience.total_seconds()):
                await self._clean.wait()
        return self._clean.is_set() and not self._ended

    async def run(self) -> None:
        """Work whenever something was erased, for ever; what a last process left undone comes first."""
        try:
            await self._run()
        finally:
            self._ended = True
            self._clean.set()  # nobody waits for what will not come

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            with self._failure.outer_edge():
                await self.work()
            if not self._failure.why and not self._wake.is_set():
                self._clean.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._retry if self._failure.why else None):
                    await self._wake.wait()

    async def work(self) -> None:
        """Scrub until nothing erased is left. Raises UnavailableError while others keep the log busy."""
        while mark := await self._store.mark():
            if mark != self._rewritten:
                if self._forget is not None and not self._forgotten.issuperset(mark.split()):
                    await self._forget()
                await self._store.rewrite()
                self._rewritten = mark
            for _ in range(TRIES):
                if await self._store.empty_the_log():
                    break
                await asyncio.sleep(self._moment)
            else:
                raise UnavailableError("other connections keep the write-ahead log busy")
            await self._store.done(mark)
        self._forgotten.clear()
