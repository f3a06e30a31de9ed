"""Another program that locks the database: a process of its own."""

import asyncio
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.children import Child, child

_OTHER_PROGRAM = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
for line in sys.stdin:
    connection.execute(line)
    print("done", flush=True)
"""


class Locker:
    """Locks when it is told to, and lets go when it is told to or ends."""

    def __init__(self, program: Child) -> None:
        self._program = program

    async def lock(self, how: str = "IMMEDIATE") -> None:
        """Take the only lock for writing; `EXCLUSIVE` keeps readers out as well where there is no log."""
        await asyncio.to_thread(self._do, f"BEGIN {how}")

    async def let_go(self) -> None:
        """Let the others write."""
        await asyncio.to_thread(self._do, "ROLLBACK")

    def _do(self, statement: str) -> None:
        assert self._program.ask(statement) == "done"


@contextmanager
def a_locker(file: Path) -> Generator[Locker]:
    """One for this database, until the block ends."""
    with child([sys.executable, "-I", "-c", _OTHER_PROGRAM, str(file)]) as program:
        yield Locker(program)
