"""Waiting for a condition, never for a time."""

import time
from collections.abc import Callable


def wait_for[T](condition: Callable[[], T | None], timeout: float = 30.0, *, every: float = 0.02) -> T:
    """Ask until the answer is true, and return it; the longer it takes, the less often is asked.

    Raises:
        TimeoutError: the answer stayed false for `timeout` seconds; its last value is in the message.
    """
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            message = f"still {value!r} after {timeout} s"
            raise TimeoutError(message)
        time.sleep(every)
        every = min(1.5 * every, max(every, 0.15))
