"""What goes on beside the talk: an operator's looks, housekeeping, and the host's own writes."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.dashboard_routes.calling import Api

from .crowded import Crowd

_PAGES = ("items", "stats", "events", "review", "recalls", "audit", "people", "jobs", "health")
_HOST_WAITS = 30
"""Seconds for which the host waits for a lock."""


@dataclass
class Beside:
    """What goes on beside the talk until it is over."""

    crowd: Crowd
    api: Api
    rest: float
    """Seconds between two looks of an operator."""
    pages: int = 0
    rounds: int = 0
    files: int = 0

    async def looks(self) -> None:
        """An operator looks at one page after the other, and takes everything out now and then."""
        while True:
            for page in _PAGES:
                await self.api.get(page)
                self.pages += 1
                await asyncio.sleep(self.rest)
            made = await self.crowd.memory.transferring.export(None)
            made.path.unlink()
            await self.crowd.memory.transferring.snapshot(actor="operator")
            self.files += 2

    async def tidies(self) -> None:
        """One round of housekeeping after the other."""
        while True:
            await self.crowd.housekeeping.work()
            self.rounds += 1
            await asyncio.sleep(self.rest)


class HostWrites:
    """The host writes into the same file, from a thread of its own."""

    def __init__(self, file: Path, rest: float) -> None:
        self._file = file
        self._rest = rest
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.written = 0
        self.failed: list[str] = []

    def __enter__(self) -> Self:
        """Write until the block ends."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        with closing(sqlite3.connect(self._file, timeout=_HOST_WAITS, isolation_level=None)) as connection:
            connection.execute("create table if not exists conversations (number integer, content text)")
            while not self._end.wait(self._rest):
                try:
                    connection.execute("insert into conversations values (?, ?)", (self.written, "x" * 500))
                    self.written += 1
                except sqlite3.Error as error:
                    self.failed.append(str(error))
