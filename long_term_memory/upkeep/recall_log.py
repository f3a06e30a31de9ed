"""Counts what was injected, after the request has gone out."""

import asyncio
import logging
from collections import deque
from datetime import timedelta

from ..domain.reading import Recall
from ..domain.time import Clock
from ..read.reader import MemoryReader

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_WAITING = 1_000
SETTLE = timedelta(seconds=1)
"""How long after a recall the counting begins: the turn it belongs to ends first."""


class RecallLog:
    """A bounded queue between the hot path and the store: when it is full, a count is lost, never a reply.

    So is what waits at a stop: an unload must not wait for a busy store because of a count.
    """

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._waiting = deque[Recall]()
        self._news = asyncio.Event()
        self._working = True

    def put(self, recall: Recall) -> None:
        """Note that this went out."""
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(recall)
            self._news.set()

    async def run(self) -> None:
        """Write the counts, for ever."""
        try:
            while True:
                await self._news.wait()
                await asyncio.sleep(SETTLE.total_seconds())
                self._news.clear()
                while self._waiting:
                    await self._count(self._waiting.popleft())
        finally:
            if self._waiting:
                logger.info("Stopped: %d recalls are not counted.", len(self._waiting))

    async def _count(self, recall: Recall) -> None:
        try:
            await self._reader.injected(recall, at=self._clock())
        except Exception as error:  # noqa: BLE001  the outer edge: whatever broke, the next one is counted
            self._note(working=False, why=type(error).__name__)
        else:
            self._note(working=True)

    def _note(self, *, working: bool, why: str = "") -> None:
        """Log once when it stops and once when it goes on."""
        if working and not self._working:
            logger.info("What is injected is counted again.")
        elif not working and self._working:
            logger.warning("What is injected is not counted for now: %s", why)
        self._working = working
