"""An end to work without end: what takes a hundred times its usual time fails, however slow the machine."""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

SECONDS = 20.0


@contextmanager
def cpu_limit(seconds: float = SECONDS) -> Generator[None]:
    """Raise when what is inside uses more than `seconds` of this process's own time on the processor.

    It measures nothing: the bound is far above what linear work takes, and far below what work takes that
    grows with the square of a text. Only in the main thread.

    Raises:
        TimeoutError: the bound was reached.
    """

    def over(_number: int, _frame: FrameType | None) -> None:
        message = f"still at work after {seconds} s on the processor"
        raise TimeoutError(message)

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
