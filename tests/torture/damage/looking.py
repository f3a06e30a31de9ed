"""Looks at a sound store whose disk gives nothing: a process of its own, under the shim.

    python -m tests.torture.damage.looking STORE ONCE

Tells how often that was, and how often the store was taken for a damaged one.
"""

import errno
import os
import sys
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.storage.soundness import damage_in

from tests.torture.crashes.shim import COUNT_ONLY, VARIABLE, Control, Operation, Strike, What


def main(store: Path, *, once: bool) -> tuple[int, int]:
    """Have the disk fail at each read of a look in turn, for that one or from then on."""
    with Control(Path(os.environ[VARIABLE])) as control:
        control.arm(COUNT_ONLY, under=store)
        assert not damage_in(store)
        control.disarm()
        reads, mistaken = control.counts[Operation.READ], 0
        for at in range(1, reads + 1):
            strike = Strike(
                what=What.FAIL, at=at, operations=Operation.READ, error=errno.EIO, following=not once
            )
            control.arm(strike, under=store)
            mistaken += bool(damage_in(store))
            control.disarm()
    return reads, mistaken


if __name__ == "__main__":
    print(*main(Path(sys.argv[1]), once=sys.argv[2] == "once"))  # noqa: T201
