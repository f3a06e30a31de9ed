"""Cost of recall, start and memory by the number of people in one file."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from benchmarks.bulk import Texts, stored
from benchmarks.timing import Measuring, Milliseconds, cold, in_turn, memory_of, prepared, summary

EACH = 200
"""So many items a person has."""
AROUND = 50


async def of_people(folder: Path, sizes: Sequence[int], measuring: Measuring) -> Mapping[str, object]:
    """So many people of 200 items each; every size has a file and a memory of its own, asked in turn."""
    files = {size: folder / f"people_{size}.db" for size in sizes}
    figures: dict[int, dict[str, float]] = {}
    for size, file in files.items():
        await stored(file, {f"p{number}": EACH for number in range(size)})
        first = await cold(file, _some(size), measuring, f"cold_{size}_people")
        figures[size] = {"items": size * EACH, "file_mb": file.stat().st_size / 1e6, **summary("cold", first)}
        figures[size] |= await _resident(file, size)
    async with AsyncExitStack() as stack:
        memories = {size: await stack.enter_async_context(memory_of(file)) for size, file in files.items()}
        hot = await in_turn(
            {str(size): partial(prepared, memory, "p0") for size, memory in memories.items()},
            measuring.rounds,
        )
        for size, memory in memories.items():
            figures[size] |= summary("hot", hot[str(size)]) | summary("around", await _around(memory, size))
    least = min(sizes)
    flatness = {
        f"{kind}_over_{least}": max(each[f"{kind}_median_ms"] for each in figures.values())
        / figures[least][f"{kind}_median_ms"]
        for kind in ("hot", "cold")
    }
    return {str(size): each for size, each in figures.items()} | flatness


async def _around(memory: LTMManager, size: int) -> Milliseconds:
    people = _some(size)
    taken: Milliseconds = []
    for _ in range(3):
        taken = [
            await prepared(memory, person, question)
            for person, question in zip(people, Texts(5).questions(len(people)), strict=True)
        ]
    return taken


def _some(size: int) -> list[str]:
    """At most 50 people, spread over all."""
    step = max(1, size // AROUND)
    return [f"p{number}" for number in range(0, size, step)][:AROUND]


async def _resident(file: Path, people: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.resident", str(file), str(people)]
    ran = await asyncio.to_thread(
        subprocess.run, command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)
