"""Counts what was injected, after the request has gone out."""

import asyncio
import logging
from datetime import timedelta

from ..domain.errors import LtmError
from ..domain.reading import Recall
from ..domain.time import Clock
from ..read.reader import MemoryReader

logger = logging.getLogger("astrbot.plugin.astrbot_plugin_ltm")

MAX_WAITING = 1_000
SETTLE = timedelta(milliseconds=300)
"""How long after a recall it is counted: the turn it belongs to ends first."""


class RecallLog:
    """A bounded queue between the hot path and the store: when it is full, a count is lost, never a reply."""

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._waiting: asyncio.Queue[Recall] = asyncio.Queue(MAX_WAITING)

    def put(self, recall: Recall) -> None:
        """Note that this went out."""
        if not self._waiting.full():
            self._waiting.put_nowait(recall)

    async def run(self) -> None:
        """Write the counts, for ever."""
        while True:
            recall = await self._waiting.get()
            await asyncio.sleep(SETTLE.total_seconds())
            try:
                await self._reader.injected(recall, at=self._clock())
            except LtmError as error:
                logger.warning("What was injected is not counted: %s", type(error).__name__)
