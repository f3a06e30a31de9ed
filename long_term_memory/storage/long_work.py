"""Work in a thread that is stopped when nobody waits for it any more, and work that goes to its end."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from datetime import timedelta

BREATH = timedelta(milliseconds=1)
"""How long the thread rests between steps: Python lets but one thread work at a time."""


class StoppedError(Exception):
    """The work was called off; nothing came of it."""


class StopSignal(threading.Event):
    """Shared by the thread that works and the loop that waits: set when the work is to stop."""

    def go_on(self) -> None:
        """Let the loop have its turn, and raise StoppedError when it is called off."""
        if self.wait(BREATH.total_seconds()):
            raise StoppedError


async def in_thread[T](work: Callable[[], T], stop_signal: StopSignal) -> T:
    """Do it in a thread; a cancelled caller has it stopped, and goes only once it has ended."""
    return await finish_despite_cancel(asyncio.to_thread(work), cancelled=stop_signal.set)


async def finish_despite_cancel[T](
    work: Coroutine[object, object, T], *, cancelled: Callable[[], None] = lambda: None
) -> T:
    """Do all of it, and only then let a cancellation through, of which `cancelled` hears at once."""
    doing = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        cancelled()
        await asyncio.wait({doing})
        if not doing.cancelled():
            doing.exception()  # it is of no interest any more
        raise
