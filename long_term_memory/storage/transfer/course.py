"""Work in a thread that tells how far it has come and ends when nobody waits for it any more."""

import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta

from ...domain.transfer import Phase, Progress

BREATH = timedelta(milliseconds=1)
"""How long the thread rests between steps: Python lets but one thread work at a time."""


class StoppedError(Exception):
    """The work was called off; nothing came of it."""


class Course:
    """Shared by the thread that works and the loop that waits."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self._stop = threading.Event()

    def stop(self) -> None:
        """Have the work end at its next step."""
        self._stop.set()

    def tell(self, phase: Phase, done: int, total: int) -> None:
        """Note how far it has come. Raises StoppedError when it is called off."""
        self.progress = Progress(phase=phase, done=min(done, total), total=total)
        self.go_on()

    def go_on(self) -> None:
        """Let the loop have its turn, and raise StoppedError when it is called off."""
        if self._stop.wait(BREATH.total_seconds()):
            raise StoppedError


async def in_thread[T](work: Callable[[], T], course: Course) -> T:
    """Do it in a thread; a cancelled caller has it stopped, and goes only once it has ended."""
    doing = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        course.stop()
        await asyncio.wait({doing})
        if not doing.cancelled():
            doing.exception()  # it is of no interest any more
        raise
