"""`python -m benchmarks.resident FILE PEOPLE`: start time and memory of a store, in its own process.

Prints one line of JSON: the milliseconds until the first answer, and the additional megabytes when idle,
after one person was recalled, and after a thousand were.
"""

import asyncio
import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.at_once import AtOnce
from benchmarks.bulk import Texts
from benchmarks.memory import at_work, chat_of, world_of

MANY = 1_000
_PROCESS: Any = import_module("psutil").Process()  # the host brings it


def main() -> int:
    """Measure one file."""
    print(json.dumps(asyncio.run(_measure(Path(sys.argv[1]), int(sys.argv[2])))))
    return 0


async def _measure(file: Path, people: int) -> dict[str, float]:
    import_module("numpy")
    before = _megabytes()
    (question,) = Texts(3).questions(1)
    world = world_of(file, AtOnce())
    async with at_work(world, {}, read_only=False):
        pass  # the very first start has more to do than any other
    began = time.perf_counter()
    async with at_work(world, {}, read_only=False) as memory:
        figures = {"start_ms": (time.perf_counter() - began) * 1000, "idle_mb": _megabytes() - before}
        await memory.recall(chat_of("p0"), question)
        figures["one_recalled_mb"] = _megabytes() - before
        for number in range(1, min(people, MANY)):
            await memory.recall(chat_of(f"p{number}"), question)
        figures["many_recalled_mb"] = _megabytes() - before
    return figures


def _megabytes() -> float:
    return _PROCESS.memory_info().rss / 1e6


if __name__ == "__main__":
    sys.exit(main())
