"""`python -m benchmarks.silence`: leaks of others' memories, and injection of unrelated ones.

    .venv/bin/python -m benchmarks.silence --embedding minilm --json OUT

- `near_duplicates`: one person's questions before and after another person's scope gets 10,000
  near-duplicates of their memories. `changed` counts the questions whose best five differ, scores included.
- `gate`: a person has 30 situational memories (`chatter.json`, English and Chinese apart). Of the unrelated
  questions, `unrelated_injected` counts those that injected any. Of the questions about one memory,
  `related_injected` counts those that injected any, `related_right` those that injected it.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

if not __package__:  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from astrbot_plugin_ltm.long_term_memory.domain.enums import MemoryType
from astrbot_plugin_ltm.long_term_memory.manager import LTMManager
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

from benchmarks.embedders import MODELS, RememberingEmbedder, embedder
from benchmarks.figures import report
from benchmarks.memory import chat_of, embed, experienced, scope_of, world_of
from tests.running import World
from tests.stores import NOW, an_item, keep, migrated, opened

STANDING = (
    (MemoryType.PROFILE, {"en": "Lives in Utrecht with a partner", "zh": "和伴侣住在苏州"}),
    (MemoryType.CONSTRAINT, {"en": "Is allergic to peanuts", "zh": "对花生过敏"}),
)
BEST = 5
CHATTER = Path(__file__).with_name("chatter.json")


@dataclass(frozen=True, kw_only=True)
class Chatter:
    """What somebody remembers in one language, and what is asked."""

    language: str
    facts: Mapping[str, tuple[str, str]]
    """Type and text, by name."""
    related: Sequence[tuple[str, str]]
    """Each with the name of the fact it asks about."""
    unrelated: Sequence[str]


def main() -> int:
    """Measure, print a table, and write JSON where `--json` says."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.silence", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--embedding", choices=["none", *MODELS], default="none", help="the model (none)")
    parser.add_argument("--near-duplicates", type=int, default=10_000, help="so many of another's (10000)")
    parser.add_argument("--show", action="store_true", help="print the questions that went wrong")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        figures = asyncio.run(measure(path, options.embedding, options.near_duplicates, show=options.show))
    report(figures, options.json)
    return 0


async def measure(folder: Path, embedding: str, near_duplicates: int, *, show: bool) -> dict[str, object]:
    """All figures."""
    file = migrated(folder / "data_v4.db")
    chatters = [Chatter(language=name, **of) for name, of in json.loads(CHATTER.read_text("utf-8")).items()]
    asked = [text for each in chatters for text in (*each.unrelated, *(text for text, _ in each.related))]
    model = embedder(embedding, asked)
    for each in chatters:
        await _remember(file, each)
    world = world_of(file, model)
    world.clock.now = NOW
    before = await _asked(world, model, chatters)
    await _crowd(file, chatters, near_duplicates)
    after = await _asked(world, model, chatters)
    changed = [each for each in before if _best(before[each]) != _best(after[each])]
    if show:
        print(
            *(f"changed: {each[1]}: {_best(before[each])} {_best(after[each])}" for each in changed), sep="\n"
        )
    return {
        "embedding": embedding,
        "near_duplicates": {"stored": near_duplicates, "n": len(before), "changed": len(changed)},
        "gate": {each.language: _gate(each, before, show=show) for each in chatters},
    }


type Brought = Sequence[tuple[str, MemoryType, float]]
"""What a question brought: memory id, type and score, best first."""


async def _remember(file: Path, chatter: Chatter) -> None:
    facts = [(name, MemoryType(kind), text) for name, (kind, text) in chatter.facts.items()]
    facts += [(kind.value, kind, text[chatter.language]) for kind, text in STANDING]
    await _store(file, chatter.language, facts)


async def _crowd(file: Path, chatters: Sequence[Chatter], number: int) -> None:
    """Give another person memories that are almost those of these people."""
    source = random.Random(number)  # noqa: S311  it need not be hard to guess
    texts = [(kind, text) for each in chatters for kind, text in each.facts.values()]
    some = [(at, *source.choice(texts)) for at in range(number)]
    await _store(file, "other", [(str(at), MemoryType(kind), f"{text} ({at})") for at, kind, text in some])


async def _store(file: Path, person: str, facts: Sequence[tuple[str, MemoryType, str]]) -> None:
    pattern = an_item(owner=scope_of(person), origin_umo=chat_of(person).umo)
    items = [
        replace(pattern, memory_id=f"{person}/{name}", type=kind, fact=text, fact_key=name)
        for name, kind, text in facts
    ]
    async with opened(file) as database:
        await keep(Store(database, lambda: NOW), *items)


async def _asked(
    world: World, model: RememberingEmbedder | None, chatters: Sequence[Chatter]
) -> dict[tuple[str, str], Brought]:
    """What each question brings, by language and text."""
    if model:
        await embed(world.file, model)
    async with experienced(world, {}, model, chatters[0].language, read_only=False) as memory:
        return {
            (each.language, text): await _brought(memory, each.language, text)
            for each in chatters
            for text in (*each.unrelated, *(text for text, _ in each.related))
        }


async def _brought(memory: LTMManager, person: str, text: str) -> Brought:
    recall = await memory.recall(chat_of(person), text)
    return [(each.item.memory_id, each.item.type, each.score) for each in recall.injected]


def _best(brought: Brought) -> Brought:
    return brought[:BEST]


def _gate(chatter: Chatter, asked: Mapping[tuple[str, str], Brought], *, show: bool) -> dict[str, float]:
    situational = {
        text: [one for one, kind, _ in brought if kind not in dict(STANDING)]
        for (language, text), brought in asked.items()
        if language == chatter.language
    }
    alarms = [text for text in chatter.unrelated if situational[text]]
    silent = [text for text, _ in chatter.related if not situational[text]]
    wrong = [text for text, name in chatter.related if f"{chatter.language}/{name}" not in situational[text]]
    if show:
        print(*(f"unrelated: {text}: {situational[text]}" for text in alarms), sep="\n")
        print(*(f"related: {text}: {situational[text]}" for text in wrong), sep="\n")
    number = len(chatter.related)
    return {
        "unrelated": len(chatter.unrelated),
        "unrelated_injected": len(alarms),
        "related": number,
        "related_injected": number - len(silent),
        "related_right": number - len(wrong),
    }


if __name__ == "__main__":
    sys.exit(main())
