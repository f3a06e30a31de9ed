"""Ways in which a disk fails, and where they strike."""

import asyncio
import errno
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

from tests.faults.story import Outside
from tests.faults.trial import Around
from tests.torture.crashes.shim import CHANGES, Control, Operation, Strike, What
from tests.torture.damage.asking import Asking

OUTAGE, LOOK = 40.0, 5.0
"""Seconds of the loop's time for which the disk fails at most, and after which one looks whether it does."""
FULL = "the disk is full; free some space"
FAILING = "the disk reports errors; check whether it is full or failing"
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


def around(control: Control, strike: Strike, asking: Asking) -> Around:
    """Let this befall the files of a memory while an act is played, but no longer than `OUTAGE`.

    Its health is asked before the disk is well again.
    """

    @asynccontextmanager
    async def failing(outside: Outside) -> AsyncGenerator[None]:
        async def outage() -> None:
            while not control.struck:
                await asyncio.sleep(LOOK)
            await asyncio.sleep(OUTAGE)
            await asking.ask()
            control.disarm()

        control.arm(strike, under=outside.file.parent)
        over = asyncio.ensure_future(outage())
        try:
            yield
            if control.struck and not over.done():
                await asking.ask()
        finally:
            over.cancel()
            with suppress(asyncio.CancelledError):
                await over
            control.disarm()

    return failing


def stops_all_writing(strike: Strike) -> bool:
    """Whether from then on nothing can be written."""
    return strike.following and strike.what is not What.SHORT and Operation.READ not in strike.operations


def names(strike: Strike, *, starting: bool) -> Sequence[str]:
    """Of what health has to tell one of these; at a start SQLite does not tell a full disk from another."""
    if strike.error != errno.ENOSPC:
        return (FAILING,)
    return (FULL, FAILING) if starting else (FULL,)
