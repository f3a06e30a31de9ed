"""Memories that break their promise: the trials have to find each out."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import override

from astrbot_plugin_ltm.long_term_memory.domain.chat import Turn
from astrbot_plugin_ltm.long_term_memory.domain.errors import ClosedError
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

A_MOMENT = 0.5
"""Seconds of the loop."""


class Hasty(LTMManager):
    """Acknowledges a turn a moment before it begins to store it."""

    def __init__(self, memory: LTMManager) -> None:
        self._memory = memory
        self._working: set[asyncio.Future[None]] = set()

    @override
    async def record_turn(self, turn: Turn) -> None:
        work = asyncio.ensure_future(self._late(turn))
        self._working.add(work)
        work.add_done_callback(self._working.discard)

    async def _late(self, turn: Turn) -> None:
        await asyncio.sleep(A_MOMENT)
        with suppress(ClosedError):
            await self._memory.record_turn(turn)


class Piecemeal(LTMManager):
    """Stores a turn in two transactions."""

    def __init__(self, memory: LTMManager) -> None:
        self._memory = memory

    @override
    async def record_turn(self, turn: Turn) -> None:
        await self._memory.record_turn(replace(turn, user_text=""))
        await self._memory.record_turn(turn)
