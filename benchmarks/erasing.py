"""`python -m benchmarks.erasing`: how long an erasure blocks other writers.

Each file holds a number of people with 200 embedded memories each. One person is erased while another
connection requests the write lock repeatedly, as AstrBot's own does. `erased_ms` is the time until no byte is
left, `longest_wait_ms` the longest wait of the other connection. The floor is one VACUUM of the same file; a
ratio is the longest wait over that.
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

from benchmarks.at_once import AtOnce
from benchmarks.bulk import stored
from benchmarks.figures import report
from benchmarks.memory import at_work, chat_of, world_of

MEMORIES = 200
_PATIENCE = 600
"""Seconds that the other waits for the lock at most."""
_PAUSE = 0.002


def main() -> int:
    """Measure files of each size."""
    parser = argparse.ArgumentParser(prog="benchmarks.erasing", description=__doc__)
    parser.add_argument("--people", type=int, nargs="*", default=[20, 200, 2_000], help="so many in a file")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    arguments = parser.parse_args()
    report(asyncio.run(_measure(arguments.people)), arguments.json)
    return 0


async def _measure(sizes: Sequence[int]) -> dict[str, object]:
    figures: dict[str, object] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            figures[f"people_{size}"] = await _erasing(Path(folder, "store.db"), size)
    return figures


async def _erasing(file: Path, size: int) -> dict[str, float]:
    await stored(file, {f"p{number}": MEMORIES for number in range(size)})
    figures = await asyncio.to_thread(_vacuumed, file)
    async with at_work(world_of(file, AtOnce()), {}, read_only=False) as memory:
        await memory.recall(chat_of("p0"), "Hello?")
        async with _waiting(file) as longest:
            began = time.perf_counter()
            await memory.erasing.own(chat_of("p0"))
            await asyncio.to_thread(_wait_until_clean, file)
            figures["erased_ms"] = (time.perf_counter() - began) * 1000
    figures["longest_wait_ms"] = longest[0]
    figures["longest_wait_over_vacuum"] = longest[0] / figures["vacuum_ms"]
    return figures


def _wait_until_clean(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        while connection.execute("SELECT 1 FROM ltm_meta WHERE name = 'to_scrub'").fetchone():
            time.sleep(_PAUSE)


def _vacuumed(file: Path) -> dict[str, float]:
    with closing(sqlite3.connect(file)) as connection:
        began = time.perf_counter()
        connection.execute("VACUUM")
        taken = (time.perf_counter() - began) * 1000
    return {"megabytes": file.stat().st_size / 1e6, "vacuum_ms": taken}


@asynccontextmanager
async def _waiting(file: Path) -> AsyncGenerator[list[float]]:
    """Yields a list whose one number is the longest wait in milliseconds, whole once it is left."""
    longest, is_over = [0.0], asyncio.Event()

    def ask_again_and_again() -> None:
        with closing(sqlite3.connect(file, isolation_level=None, timeout=_PATIENCE)) as connection:
            while not is_over.is_set():
                began = time.perf_counter()
                connection.execute("BEGIN IMMEDIATE")
                longest[0] = max(longest[0], (time.perf_counter() - began) * 1000)
                connection.execute("COMMIT")
                time.sleep(_PAUSE)

    asking = asyncio.create_task(asyncio.to_thread(ask_again_and_again))
    try:
        yield longest
    finally:
        is_over.set()
        await asking


if __name__ == "__main__":
    sys.exit(main())
