"""Ways in which a disk fails, and where they strike."""

import asyncio
import errno
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager

from tests.faults.story import Outside
from tests.torture.crashes.shim import CHANGES, Control, Operation, Strike, What

OUTAGE, LOOK = 40.0, 5.0
"""Seconds of the loop's time for which the disk fails at most, and after which one looks whether it does."""
_ROOM = Operation.WRITE | Operation.TRUNCATE

type Fails = Callable[[int], Strike]
"""What happens at the operation of this number."""


def _once(operations: Operation, error: int, what: What = What.FAIL) -> Fails:
    return lambda at: Strike(what=what, at=at, operations=operations, error=error)


def _from_then_on(operations: Operation, error: int, what: What = What.FAIL) -> Fails:
    return lambda at: Strike(what=what, at=at, operations=operations, error=error, following=True)


FAILURES: Mapping[str, Fails] = {
    "full for one write": _once(_ROOM, errno.ENOSPC),
    "full until there is room again": _from_then_on(_ROOM, errno.ENOSPC, What.FULL),
    "one write fails": _once(Operation.WRITE, errno.EIO),
    "one sync fails": _once(Operation.SYNC, errno.EIO),
    "one read fails": _once(Operation.READ, errno.EIO),
    "writes fail for a while": _from_then_on(Operation.WRITE, errno.EIO),
    "syncs fail for a while": _from_then_on(Operation.SYNC, errno.EIO),
    "reads fail for a while": _from_then_on(Operation.READ, errno.EIO),
    "read-only for a while": _from_then_on(CHANGES, errno.EROFS),
    "no permission for a while": _from_then_on(CHANGES, errno.EACCES),
    "one short write": _once(Operation.WRITE, 0, What.SHORT),
    "short writes": _from_then_on(Operation.WRITE, 0, What.SHORT),
}
"""By what an operator would call it."""


def around(control: Control, strike: Strike) -> Callable[[Outside], AbstractContextManager[None]]:
    """Let this befall the files of a memory while an act is played, but no longer than `OUTAGE`."""

    @contextmanager
    def failing(outside: Outside) -> Generator[None]:
        loop = asyncio.get_running_loop()

        def look() -> None:
            nonlocal timer
            struck = control.struck > 0
            timer = loop.call_later(OUTAGE, control.disarm) if struck else loop.call_later(LOOK, look)

        control.arm(strike, under=outside.file.parent)
        timer = loop.call_later(LOOK, look)
        try:
            yield
        finally:
            timer.cancel()
            control.disarm()

    return failing
