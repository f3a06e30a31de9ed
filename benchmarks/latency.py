"""`python -m benchmarks.latency`: duration of a recall, without the call that embeds the question.

The plugin's own store and manager run on files of invented memories (`bulk.py`), with an embedding provider
without latency. Times are milliseconds from the call to its return. Alternatives are measured in turn in one
run. The machine's speed varies, so trust the ratios more than the times.

- `items`: recall by the number of items of one person. `hot`: recalled before, with a prefetched question.
  `unprepared`: without prefetch. `cold`: the first recall after a start, without prefetch. The floor is a
  bare FTS5 search and a matrix-vector product in one thread on the same texts (`floor.py`); `host` is the
  host's knowledge base (`host_kb.py`), at the smallest size. The same pause precedes each.
- `people`: recall by the number of persons with 200 items each in one file. `hot`: the same person each time.
  `around`: others who were recalled before. `cold`: others who were not. Also start time and memory.
- `stalls`: the longest stall of the event loop meanwhile, and when idle.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import islice
from pathlib import Path

if not __package__:  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parents[1])
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread for everybody; read when numpy is loaded

from astrbot_plugin_ltm.long_term_memory.manager import LTMManager

from benchmarks.at_once import DIMENSION, question_vector
from benchmarks.bulk import Texts, stored, vectors
from benchmarks.crowd import of_people
from benchmarks.figures import report
from benchmarks.floor import Floor
from benchmarks.host_kb import KnowledgeBases, knowledge_bases
from benchmarks.timing import (
    READY,
    Call,
    Measuring,
    alone,
    cold,
    in_turn,
    memory_of,
    prepared,
    ratio,
    summaries,
    summary,
    unprepared,
)

ITEMS = (200, 2_000, 20_000)
PEOPLE = (1, 100, 1_000, 5_000)
QUICK_ITEMS, QUICK_PEOPLE = (50, 200), (1, 5)


def main() -> int:
    """Measure, print a table, and write JSON where `--json` says."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.latency", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, nargs="+", default=ITEMS, help="items of one person")
    parser.add_argument("--people", type=int, nargs="+", default=PEOPLE, help="people of 200 items each")
    parser.add_argument("--rounds", type=int, default=300, help="recalls of each kind (300)")
    parser.add_argument("--starts", type=int, default=10, help="starts of each memory (10)")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see whether it works")
    parser.add_argument("--folder", type=Path, help="where the files go: 8 GB (the temporary folder)")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    items, people = (QUICK_ITEMS, QUICK_PEOPLE) if options.quick else (options.items, options.people)
    measuring = Measuring(20, 2) if options.quick else Measuring(options.rounds, options.starts)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        figures = asyncio.run(measure(Path(folder), items, people, measuring))
    report(figures, options.json)
    return 0


async def measure(
    folder: Path, items: Sequence[int], people: Sequence[int], measuring: Measuring
) -> dict[str, object]:
    """All figures."""
    async with measuring.watching("idle"):
        await asyncio.sleep(1)
    by_items = {str(size): await of_items(folder, size, measuring, host=size == min(items)) for size in items}
    by_people = await of_people(folder, people, measuring)
    return {"items": by_items, "people": by_people, "stalls": measuring.stalls}


async def of_items(folder: Path, size: int, measuring: Measuring, *, host: bool) -> dict[str, float]:
    """One person of so many items, beside the floor and the host."""
    file = folder / f"items_{size}.db"
    await stored(file, {"p0": size})
    first = await cold(file, ["p0"], measuring, f"cold_{size}_items")
    texts = [f"{each.fact} {each.quote}" for each in islice(Texts(0).memories(), size)]
    async with AsyncExitStack() as stack:
        floor = Floor(folder / f"floor_{size}.db", texts, vectors(size))
        stack.callback(floor.close)
        memory = await stack.enter_async_context(memory_of(file))
        ours = partial(prepared, memory, "p0")
        calls: dict[str, Call] = {
            "hot": ours,
            "floor": partial(_floor, floor),
            "unprepared": partial(_unannounced, memory),
        }
        if host:
            calls["host"] = partial(_host, await stack.enter_async_context(_host_base(folder, texts)))
        taken = await in_turn(calls, measuring.rounds)
        await alone(ours, measuring, f"hot_{size}_items")
    figures = {**summary("cold", first), **summaries(taken)}
    figures["over_floor"] = ratio(taken["hot"], taken["floor"])
    figures["unprepared_over_floor"] = ratio(taken["unprepared"], taken["floor"])
    return figures | ({"over_host": ratio(taken["hot"], taken["host"])} if host else {})


async def _unannounced(memory: LTMManager, question: str) -> float:
    await asyncio.sleep(READY)
    return await unprepared(memory, "p0", " ".join(reversed(question.split())))  # one nobody asked yet


async def _floor(floor: Floor, question: str) -> float:
    await asyncio.sleep(READY)
    return floor.search(question, question_vector())


async def _host(bases: KnowledgeBases, question: str) -> float:
    await asyncio.sleep(READY)
    began = time.perf_counter()
    await bases.search("bench", question, 15)
    return (time.perf_counter() - began) * 1000


@asynccontextmanager
async def _host_base(folder: Path, texts: Sequence[str]) -> AsyncGenerator[KnowledgeBases]:
    known = dict(zip(texts, vectors(len(texts)).tolist(), strict=True))
    asked: list[float] = question_vector().tolist()

    def embed(some: Sequence[str]) -> Sequence[Sequence[float]]:
        return [known.get(text, asked) for text in some]

    async with knowledge_bases(folder, embed, DIMENSION) as bases:
        await bases.add("bench", texts)
        yield bases


if __name__ == "__main__":
    sys.exit(main())
