"""The vectors of messages go as far as the messages, and those of models as far as the models."""

import math
import sqlite3
from array import array
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Extraction
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event, Item
from astrbot_plugin_ltm.long_term_memory.policies.embedded import bare
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded

from tests.stores import NOW, an_event, an_item, keep


def embedded(event: Event, *vector: float) -> Embedded:
    return Embedded(key=event.event_id, vector=vector)


async def said(store: Store, *events: Event) -> None:
    async with store.transaction() as tx:
        await tx.add_events(events)


def rows(folder: Path, *events: Event, model: str = "model") -> list[list[float]]:
    query = "SELECT vector FROM ltm_event_vectors WHERE event_id = ? AND model_id = ?"
    with closing(sqlite3.connect(folder / "data_v4.db")) as file:
        found = [file.execute(query, (event.event_id, model)).fetchone() for event in events]
    return [array("f", row[0]).tolist() for row in found if row]


async def test_a_vector_is_kept_at_norm_1_and_replaced_by_a_newer_one(store: Store, tmp_path: Path) -> None:
    event = an_event()
    await said(store, event)
    assert await store.vectors.put("model", [embedded(event, 3, 4)]) == 1
    assert rows(tmp_path, event) == [pytest.approx([0.6, 0.8])]
    assert await store.vectors.events_without("model", after=0, since=None, limit=9) == []
    assert await store.vectors.put("model", [embedded(event, 0, 9)]) == 1
    assert rows(tmp_path, event) == [[0, 1]]
    assert rows(tmp_path, event, model="another") == []
    assert len(await store.vectors.events_without("another", after=0, since=None, limit=9)) == 1


async def test_the_vector_of_a_message_that_is_gone_is_not_kept(store: Store, tmp_path: Path) -> None:
    event, gone = an_event(), an_event()
    await said(store, event)
    assert await store.vectors.put("model", [embedded(event, 1, 0), embedded(gone, 1, 0)]) == 1
    assert rows(tmp_path, event, gone) == [[1, 0]]


@pytest.mark.parametrize(
    ("vector", "why"),
    [
        ((1, 0, 0), "has 3 numbers, the others of this model have 2"),
        ((math.nan, 1), "finite"),
        ((0, 0), "direction"),
    ],
)
async def test_what_does_not_fit_is_refused_with_its_whole_batch(
    store: Store, tmp_path: Path, vector: tuple[float, ...], why: str
) -> None:
    one, two, three = an_event(), an_event(), an_event()
    await said(store, one, two, three)
    await store.vectors.put("model", [embedded(one, 1, 0)])
    with pytest.raises(InvalidInputError, match=why):
        await store.vectors.put("model", [embedded(two, 1, 0), embedded(three, *vector)])
    assert rows(tmp_path, one, two, three) == [[1, 0]]


async def test_a_message_that_is_dropped_takes_its_vector_along(store: Store, tmp_path: Path) -> None:
    event = an_event(created_at=NOW - timedelta(days=9))
    await said(store, event)
    await store.vectors.put("model", [embedded(event, 1, 0)])
    async with store.transaction() as tx:
        await tx.mark_events([event.event_id], Extraction.DONE)
    assert await store.sweeps.drop_events(before=NOW, limit=9) == 1
    assert rows(tmp_path, event) == []


async def test_vectors_of_one_model_are_dropped_in_parts(store: Store, tmp_path: Path) -> None:
    items, event = [an_item(str(number)) for number in range(3)], an_event()
    await keep(store, *items)
    await said(store, event)
    for model in ("old", "new"):
        for tag in (model, bare(model)):
            await store.vectors.put(tag, [_of(item) for item in items])
        await store.vectors.put(model, [embedded(event, 1, 0)])
    gone = [await store.vectors.drop("old", limit=4) for _ in range(3)]
    assert gone == [5, 2, 0]
    assert (await store.vectors.progress("new"))[0] == 3
    assert rows(tmp_path, event, model="old") == []
    assert rows(tmp_path, event, model="new") == [[1, 0]]


async def test_vectors_of_every_other_model_are_dropped_in_parts(store: Store, tmp_path: Path) -> None:
    items, event = [an_item(str(number)) for number in range(3)], an_event()
    await keep(store, *items)
    await said(store, event)
    for model in ("old", "older", "new"):
        for tag in (model, bare(model)):
            await store.vectors.put(tag, [_of(item) for item in items])
        await store.vectors.put(model, [embedded(event, 1, 0)])
    gone = [await store.vectors.drop("new", others=True, limit=8) for _ in range(3)]
    assert gone == [10, 4, 0]
    assert (await store.vectors.progress("new"))[0] == 3
    assert rows(tmp_path, event, model="new") == [[1, 0]]


def _of(item: Item) -> Embedded:
    return Embedded(key=item.memory_id, fact=item.fact, vector=[1, 0])
