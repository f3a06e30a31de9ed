"""Gives memory back to the system that is free, but that the C library keeps for later.

What is looked up is kept in arrays that are made anew as it changes, in several threads. glibc keeps the
holes that they leave behind, in each thread's own heap, and there are more of them each hour.
"""

import asyncio
import ctypes
from collections.abc import Awaitable, Callable
from datetime import timedelta

EVERY = timedelta(minutes=1)

type Trim = Callable[[], object]
"""Gives back what can be given back. Called in a thread; takes milliseconds, of a heap full of holes more."""


class GivingBack:
    """One endless job."""

    def __init__(self, trim: Trim, *, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """`pause` waits so many seconds."""
        self._trim = trim
        self._pause = pause

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._pause(EVERY.total_seconds())
            await asyncio.to_thread(self._trim)


def trim() -> None:
    """The real `Trim`: malloc_trim(3) of glibc, and nothing where the C library is another one."""
    try:
        malloc_trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # no such function; no such library; Windows
        return
    malloc_trim(ctypes.c_size_t(0))
