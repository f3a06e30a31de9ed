"""Fills a store with very many memories fast.

The plugin stores one memory; its rows are the template for all others, so that new columns need no change
here. Indexes and triggers are dropped meanwhile and rebuilt at the end.
"""

import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import batched, count, islice
from pathlib import Path

import numpy as np
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction, MemoryType
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from numpy.typing import NDArray

from benchmarks.at_once import DIMENSION, AtOnce, question_vector
from benchmarks.memory import chat_of, embed, scope_of
from tests.stores import NOW, an_event, an_evidence, an_item, migrated, opened

FACT_WORDS, NEW_WORDS = 12, 4
QUESTION_WORDS = 6
_DISTINCT_VECTORS = 20_000
_TYPES = (
    *(MemoryType.EPISODE,) * 4,
    *(MemoryType.PREFERENCE,) * 3,
    MemoryType.PROFILE,
    MemoryType.CONSTRAINT,
    MemoryType.TASK_STATE,
)

type Row = dict[str, object]
type Pattern = Mapping[str, Sequence[Row]]
"""By table, the rows that one memory has there."""


@dataclass(frozen=True, kw_only=True)
class Text:
    """One memory: the fact and the words it rests on."""

    fact: str
    quote: str


class Texts:
    """Sentences of made-up words that are as unevenly used as real ones."""

    def __init__(self, seed: int) -> None:
        source = random.Random("words")  # noqa: S311  the same words every time
        syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
        words = {"".join(source.choices(syllables, k=3)): None for _ in range(8_000)}
        self._words = np.array(list(words))
        weights = 1 / (np.arange(len(words)) + 20)
        self._shares = weights / weights.sum()
        self._random = np.random.default_rng(seed)

    def memories(self) -> Iterator[Text]:
        """Without end; the quote shares most words with its fact."""
        while True:
            for row in self._sample(1_000, FACT_WORDS + NEW_WORDS):
                yield Text(fact=" ".join(row[:FACT_WORDS]), quote=" ".join(row[NEW_WORDS:]))

    def questions(self, number: int) -> list[str]:
        """So many."""
        return [" ".join(row) for row in self._sample(number, QUESTION_WORDS)]

    def _sample(self, number: int, length: int) -> list[list[str]]:
        return self._random.choice(self._words, size=(number, length), p=self._shares).tolist()


def vectors(number: int) -> NDArray[np.float32]:
    """So many unit vectors, one a row, whose cosines with the question spread as those of real texts do."""
    rows = np.random.default_rng(2).standard_normal((number, DIMENSION)).astype(np.float32)
    rows += 6 * question_vector()
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


async def stored(file: Path, people: Mapping[str, int]) -> None:
    """Make a file in which each of these people has so many memories, all embedded."""
    pattern = await _pattern(migrated(file))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        set_aside = _put_aside(connection)
        for batch in batched(_memories(people), 10_000):
            _insert(connection, pattern, batch)
        for statement in set_aside:
            connection.execute(statement)
        connection.commit()


async def _pattern(file: Path) -> Pattern:
    """Store one memory and return its rows, by table."""
    owner, chat = scope_of("pattern"), chat_of("pattern")
    event = an_event("a b", at_scope=owner, owner=owner, umo=chat.umo, extraction=Extraction.DONE)
    item = an_item("a b", owner=owner, origin_umo=chat.umo)
    async with opened(file) as database, Store(database, lambda: NOW).transaction() as transaction:
        await transaction.add_events([event])
        await transaction.insert_item(item, [an_evidence(item, event)])
    await embed(file, AtOnce())
    tables = ("ltm_events", "ltm_evidence", "ltm_items", "ltm_vectors")
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in tables}  # noqa: S608


def _put_aside(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
    ).fetchall()
    for kind, name, _ in found:
        connection.execute(f"DROP {kind} {name}")
    return [sql for _, _, sql in found]


def _memories(people: Mapping[str, int]) -> Iterator[tuple[int, str, Text]]:
    """A number, whose it is, and what it says."""
    numbers, texts = count(2), Texts(0).memories()
    for person, size in people.items():
        for text in islice(texts, size):
            yield next(numbers), person, text


def _insert(connection: sqlite3.Connection, pattern: Pattern, batch: Sequence[tuple[int, str, Text]]) -> None:
    rows: dict[str, list[Row]] = {name: [] for name in (*pattern, "ltm_fts")}
    unit_vectors = _vectors()
    for number, person, text in batch:
        for table, own in _rows(number, person, text).items():
            rows[table] += [like | own for like in pattern.get(table, [{}])]
        for row in rows["ltm_vectors"][-len(pattern["ltm_vectors"]) :]:
            row["vector"] = unit_vectors[number % _DISTINCT_VECTORS].tobytes()
    for table, some in rows.items():
        _write(connection, table, some)


def _write(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    columns = [name for name in rows[0] if name != "id"] if table != "ltm_items" else list(rows[0])
    names, values = ", ".join(columns), ", ".join("?" * len(columns))
    statement = f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608  names of our own
    connection.executemany(statement, ([row[name] for name in columns] for row in rows))


def _rows(number: int, person: str, text: Text) -> Mapping[str, Row]:
    memory_id, event_id = f"memory {number:08d}", f"event {number:08d}"
    scope_id, umo = scope_of(person).scope_id, chat_of(person).umo
    at = f"{NOW - timedelta(hours=number % 8_000):%Y-%m-%d %H:%M:%S.%f}"
    item: Row = {
        "id": number,
        "memory_id": memory_id,
        "scope_id": scope_id,
        "type": _TYPES[number % len(_TYPES)].value,
        "fact": text.fact,
        "fact_key": text.fact,
        "origin_umo": umo,
        "created_at": at,
        "updated_at": at,
        "last_confirmed_at": at,
    }
    said = {"event_id": event_id, "created_at": at}
    return {
        "ltm_events": {
            **said,
            "scope_id": scope_id,
            "owner_scope_id": scope_id,
            "content": f'{{"text": "{text.quote}", "tool": "", "quoted": ""}}',
            "session_id": umo,
        },
        "ltm_evidence": {
            **said,
            "evidence_id": f"evidence {number:08d}",
            "memory_id": memory_id,
            "quote": text.quote,
        },
        "ltm_items": item,
        "ltm_vectors": {"memory_id": memory_id},
        "ltm_fts": {"rowid": number, "text": f"{text.fact} {text.quote}"},
    }


@cache
def _vectors() -> NDArray[np.float32]:
    return vectors(_DISTINCT_VECTORS)
