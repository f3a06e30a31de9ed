"""Stalls of the event loop during an operation."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

TICK = 0.001


@dataclass
class Stall:
    """The longest so far."""

    milliseconds: float = 0.0


@asynccontextmanager
async def watched() -> AsyncGenerator[Stall]:
    """Measure, until the block ends, how much too late a task wakes that sleeps for a millisecond."""
    stall = Stall()
    ticker = asyncio.ensure_future(_tick(stall))
    try:
        yield stall
    finally:
        ticker.cancel()
        with suppress(asyncio.CancelledError):
            await ticker


async def _tick(stall: Stall) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(TICK)
        late = time.perf_counter() - began - TICK
        stall.milliseconds = max(stall.milliseconds, late * 1000)
