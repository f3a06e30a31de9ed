import math
import random
import sys
from collections.abc import AsyncGenerator, Generator, Sequence
from functools import partial
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.storage.database import Database
from astrbot_plugin_ltm.long_term_memory.storage.index.cache import IndexCache
from astrbot_plugin_ltm.long_term_memory.storage.namespaces import Namespace
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded, unit
from astrbot_plugin_ltm.long_term_memory.write.protocols import VectorIndex

from tests.children import output
from tests.stores import ALICE, BOB, NOW, an_item, keep, opened

ROOT = Path(__file__).resolve().parents[2]
POINTS = {"north": (0.0, 2.0), "north-east": (1.0, 1.0), "east": (5.0, 0.0), "south": (0.0, -0.1)}


class PointEmbedder:
    """Knows a few words as points of the plane."""

    def __init__(self, model: str | None = "plane") -> None:
        self.model = model
        self.calls = 0

    def model_id(self) -> str | None:
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.calls += 1
        return [POINTS[text] for text in texts]


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[Database]:
    async with opened(file) as database:
        yield database


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database, lambda: NOW)


@pytest.fixture
def cache(database: Database) -> Generator[IndexCache]:
    cache = IndexCache(database)
    yield cache
    cache.close()


@pytest.fixture
async def items(store: Store) -> dict[str, Item]:
    """An item of Alice's for each point, with its vector."""
    made = {name: an_item(name) for name in POINTS}
    await keep(store, *made.values())
    await put(store, *made.values())
    return made


async def put(store: Store, *items: Item) -> None:
    vectors = [Embedded(key=one.memory_id, fact=one.fact, vector=POINTS[one.fact]) for one in items]
    await store.vectors.put("plane", vectors)


@pytest.fixture
def namespaces(store: Store, cache: IndexCache) -> VectorIndex:
    return partial(Namespace, store=store, embedder=PointEmbedder(), cache=cache)


async def nearest(
    namespaces: VectorIndex,
    items: dict[str, Item],
    point: tuple[float, ...],
    limit: int = 9,
    model: str = "plane",
    ref: ScopeRef = ALICE,
) -> dict[str, float]:
    found = await namespaces(ref).search(point, model_id=model, limit=limit)
    names = {item.memory_id: name for name, item in items.items()}
    return {names[memory_id]: cosine for memory_id, cosine in found.items()}


async def test_the_nearest_come_first_with_their_cosine(
    namespaces: VectorIndex, items: dict[str, Item]
) -> None:
    found = await nearest(namespaces, items, (0, 7))
    assert [*found] == ["north", "north-east", "east", "south"]
    assert found == pytest.approx(
        {"north": 1, "north-east": math.sqrt(0.5), "east": 0, "south": -1}, abs=1e-6
    )


async def test_so_many_are_found_at_most(namespaces: VectorIndex, items: dict[str, Item]) -> None:
    assert [*await nearest(namespaces, items, (0, 1), limit=2)] == ["north", "north-east"]
    assert await nearest(namespaces, items, (0, 1), limit=0) == {}


async def test_another_model_length_or_scope_has_no_vectors(
    namespaces: VectorIndex, items: dict[str, Item]
) -> None:
    assert await nearest(namespaces, items, (0, 1), model="another") == {}
    assert await nearest(namespaces, items, (0, 1, 0)) == {}
    assert await nearest(namespaces, items, (0, 1), ref=BOB) == {}
    assert len(await nearest(namespaces, items, (0, 1))) == 4


@pytest.mark.parametrize("question", [(), (0, 0), (math.nan, 1)])
async def test_a_question_without_direction_or_sense_is_refused(
    namespaces: VectorIndex, items: dict[str, Item], question: tuple[float, ...]
) -> None:
    with pytest.raises(InvalidInputError):
        await nearest(namespaces, items, question)


async def test_each_change_of_a_vector_is_seen_by_the_next_search(
    store: Store, namespaces: VectorIndex, items: dict[str, Item]
) -> None:
    assert len(await nearest(namespaces, items, (0, 1))) == 4
    await store.delete_vectors(ALICE, items["north"].memory_id)
    assert [*await nearest(namespaces, items, (0, 1), limit=1)] == ["north-east"]
    await put(store, items["north"])
    assert [*await nearest(namespaces, items, (0, 1), limit=1)] == ["north"]
    await store.vectors.drop("plane", limit=9)
    assert await nearest(namespaces, items, (0, 1)) == {}


async def test_a_namespace_is_named_after_its_scope(store: Store, cache: IndexCache) -> None:
    assert Namespace(ALICE, store, PointEmbedder(), cache).name == "ltm_user_telegram:alice"


async def test_the_host_can_use_a_namespace_as_one_of_its_vector_databases(
    store: Store, cache: IndexCache
) -> None:
    item = an_item("north")
    others = [an_item("east"), an_item("south")]
    await keep(store, item, *others)
    embedder = PointEmbedder()
    namespace = Namespace(ALICE, store, embedder, cache)
    assert await namespace.insert("north", {"any": "thing"}, item.memory_id) == 1
    ids = [other.memory_id for other in others]
    assert await namespace.insert_batch(["east", "south"], ids=ids, batch_size=8) == 2
    found = await namespace.retrieve("north", top_k=2)
    assert [match.data for match in found] == [{"doc_id": item.memory_id}, {"doc_id": ids[0]}]
    assert [match.similarity for match in found] == pytest.approx([1, 0])
    assert await namespace.delete(item.memory_id)
    assert not await namespace.delete(item.memory_id)
    assert [match.data["doc_id"] for match in await namespace.retrieve("north", top_k=1)] == [ids[0]]
    await namespace.close()


async def test_what_a_namespace_cannot_do_is_refused(
    store: Store, cache: IndexCache, items: dict[str, Item]
) -> None:
    namespace = Namespace(ALICE, store, PointEmbedder(), cache)
    with pytest.raises(ValueError, match="argument"):
        await namespace.insert_batch(["north"])
    with pytest.raises(NotFoundError):
        await namespace.insert("north")
    with pytest.raises(NotFoundError):
        await namespace.insert("south", id=items["north"].memory_id)
    with pytest.raises(InvalidInputError, match="metadata_filters"):
        await namespace.retrieve("north", metadata_filters={"user": "alice"})
    without = Namespace(ALICE, store, PointEmbedder(model=None), cache)
    with pytest.raises(UnavailableError, match="no embedding provider"):
        await without.retrieve("north")


async def test_a_large_index_is_searched_off_the_event_loop_and_as_plain_arithmetic_does(
    store: Store, namespaces: VectorIndex
) -> None:
    randomly = random.Random(1)  # noqa: S311 - points, not keys
    made = [an_item(str(number)) for number in range(70)]
    await keep(store, *made)
    for wide, model in ((8, "narrow"), (8_000, "wide")):
        points = [[randomly.gauss() for _ in range(wide)] for _ in made]
        vectors = [
            Embedded(key=item.memory_id, fact=item.fact, vector=point)
            for item, point in zip(made, points, strict=True)
        ]
        await store.vectors.put(model, vectors)
        question = [randomly.gauss() for _ in range(wide)]
        found = await namespaces(ALICE).search(question, model_id=model, limit=9)
        expected = {each.key: math.sumprod(unit(each.vector), unit(question)) for each in vectors}
        best = sorted(expected, key=lambda each: -expected[each])[:9]
        assert [*found] == best
        assert found == pytest.approx({each: expected[each] for each in best}, abs=1e-5)


async def test_faiss_is_not_loaded_before_there_is_a_vector(tmp_path: Path) -> None:
    script = """
import asyncio, sys
from pathlib import Path
from tests.stores import ALICE, NOW, an_item, keep, migrated, opened
from astrbot_plugin_ltm.long_term_memory.storage.index.cache import IndexCache
from astrbot_plugin_ltm.long_term_memory.storage.namespaces import Namespace
from astrbot_plugin_ltm.long_term_memory.storage.store import Store

async def main():
    async with opened(migrated(Path(sys.argv[1]) / "data.db")) as database:
        store = Store(database, lambda: NOW)
        await keep(store, an_item())
        namespace = Namespace(ALICE, store, None, IndexCache(database))
        assert await namespace.search([1.0], model_id="m", limit=1) == {}
    print("faiss" in sys.modules)

asyncio.run(main())
"""
    assert output([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT).strip() == "False"
