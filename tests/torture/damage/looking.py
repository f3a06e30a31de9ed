"""Looks at a sound store whose disk gives nothing: a process of its own, under the shim.

    python -m tests.torture.damage.looking STORE LOOK ONCE

Tells how often that was, and how often the store was taken for a damaged one.
"""

import asyncio
import errno
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError, UnusableStoreError
from astrbot_plugin_ltm.long_term_memory.storage.condition import is_damaged
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.schema import is_current

from tests.torture.crashes.shim import COUNT_ONLY, VARIABLE, Control, Operation, Strike, What

type Look = Callable[[Path], bool]
"""Whether the store is taken for a damaged one."""


def at_a_start(store: Path) -> bool:
    """As a start looks whether its tables are those of this version."""
    try:
        return not asyncio.run(is_current(store))
    except UnavailableError:
        return False
    except UnusableStoreError:
        return True


def as_it_is_opened(store: Path) -> bool:
    """As a start opens it."""
    try:
        asyncio.run(_opened(store))
    except UnavailableError:
        return False
    except UnusableStoreError:
        return True
    return False


async def _opened(store: Path) -> None:
    database = Database(store)
    await database.open()
    await database.close()


def main(store: Path, look: Look, *, once: bool) -> tuple[int, int]:
    """Have the disk fail at each read of a look in turn, for that one or from then on."""
    with Control(Path(os.environ[VARIABLE])) as control:
        control.arm(COUNT_ONLY, under=store)
        assert not look(store)
        control.disarm()
        reads, mistaken = control.counts[Operation.READ], 0
        for at in range(1, reads + 1):
            strike = Strike(
                what=What.FAIL, at=at, operations=Operation.READ, error=errno.EIO, following=not once
            )
            control.arm(strike, under=store)
            mistaken += look(store)
            control.disarm()
    return reads, mistaken


LOOKS: Mapping[str, Look] = {
    "for damage": is_damaged,
    "at a start": at_a_start,
    "as it is opened": as_it_is_opened,
}

if __name__ == "__main__":
    print(*main(Path(sys.argv[1]), LOOKS[sys.argv[2]], once=sys.argv[3] == "once"))  # noqa: T201
