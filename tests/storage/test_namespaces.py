import asyncio
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import (
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.words import Scope
from astrbot_plugin_ltm.long_term_memory.storage.flat_index import FlatIndex
from astrbot_plugin_ltm.long_term_memory.storage.namespaces import Namespace, Namespaces
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded, Matrix, blob, unit
from hypothesis import given
from hypothesis import strategies as st

from tests.children import output
from tests.stores import ALICE, BOB, NOW, an_item, keep, migrated, opened

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
async def items(store: Store) -> dict[str, Item]:
    """An item of Alice's for each point, with its vector."""
    made = {name: an_item(name) for name in POINTS}
    await keep(store, *made.values())
    await put(store, *made.values())
    return made


async def put(store: Store, *items: Item) -> None:
    vectors = [Embedded(memory_id=one.memory_id, fact=one.fact, vector=POINTS[one.fact]) for one in items]
    await store.put_vectors("plane", vectors)


@pytest.fixture
def namespaces(store: Store) -> Namespaces:
    return Namespaces(store, PointEmbedder())


async def nearest(
    namespaces: Namespaces,
    items: dict[str, Item],
    point: tuple[float, ...],
    limit: int = 9,
    model: str = "plane",
    ref: ScopeRef = ALICE,
) -> dict[str, float]:
    found = await namespaces.search(ref, point, model_id=model, limit=limit)
    names = {item.memory_id: name for name, item in items.items()}
    return {names[memory_id]: cosine for memory_id, cosine in found.items()}


async def test_the_nearest_come_first_with_their_cosine(
    namespaces: Namespaces, items: dict[str, Item]
) -> None:
    found = await nearest(namespaces, items, (0, 7))
    assert [*found] == ["north", "north-east", "east", "south"]
    assert found == pytest.approx(
        {"north": 1, "north-east": math.sqrt(0.5), "east": 0, "south": -1}, abs=1e-6
    )


async def test_so_many_are_found_at_most(namespaces: Namespaces, items: dict[str, Item]) -> None:
    assert [*await nearest(namespaces, items, (0, 1), limit=2)] == ["north", "north-east"]
    assert await nearest(namespaces, items, (0, 1), limit=0) == {}


async def test_another_model_length_or_scope_has_no_vectors(
    namespaces: Namespaces, items: dict[str, Item]
) -> None:
    assert await nearest(namespaces, items, (0, 1), model="another") == {}
    assert await nearest(namespaces, items, (0, 1, 0)) == {}
    assert await nearest(namespaces, items, (0, 1), ref=BOB) == {}
    assert len(await nearest(namespaces, items, (0, 1))) == 4


async def test_a_question_without_direction_finds_nothing_and_one_without_sense_is_refused(
    namespaces: Namespaces, items: dict[str, Item]
) -> None:
    assert await nearest(namespaces, items, (0, 0)) == {}
    assert await nearest(namespaces, items, ()) == {}
    with pytest.raises(InvalidInputError):
        await nearest(namespaces, items, (math.nan, 1))


async def test_each_change_of_a_vector_is_seen_by_the_next_search(
    store: Store, namespaces: Namespaces, items: dict[str, Item]
) -> None:
    assert len(await nearest(namespaces, items, (0, 1))) == 4
    await store.delete_vectors(ALICE, items["north"].memory_id)
    assert [*await nearest(namespaces, items, (0, 1), limit=1)] == ["north-east"]
    await put(store, items["north"])
    assert [*await nearest(namespaces, items, (0, 1), limit=1)] == ["north"]
    await store.vectors.drop("plane", limit=9)
    assert await nearest(namespaces, items, (0, 1)) == {}


class CountingStore(Store):
    """Counts how often vectors had to be read again."""

    read = 0

    async def vectors_since(self, ref: ScopeRef, model_id: str, version: int | None) -> Matrix | None:
        matrix = await super().vectors_since(ref, model_id, version)
        self.read += matrix is not None
        return matrix


async def test_an_index_is_built_once_and_not_for_the_changes_of_others(tmp_path: Path) -> None:
    async def ask() -> None:
        await namespace.search((0, 1), model_id="plane", limit=1)

    async with opened(migrated(tmp_path / "counted.db")) as database:
        store = CountingStore(database, lambda: NOW)
        item, theirs = an_item("north"), an_item("east", owner=BOB)
        await keep(store, item)
        await put(store, item)
        namespace = Namespace(ALICE, store, PointEmbedder())
        await asyncio.gather(*(ask() for _ in range(5)))
        await keep(store, theirs, an_item("unrelated"))
        await put(store, theirs)
        await ask()
        assert store.read == 1
        await put(store, item)
        await ask()
        assert store.read == 2


async def test_the_longest_unused_namespaces_go_when_memory_is_full(store: Store) -> None:
    refs = [ScopeRef(scope=Scope.USER, scope_id=str(number)) for number in range(4)]
    for ref in refs:
        item = an_item("north", owner=ref)
        await keep(store, item)
        await put(store, item)
    namespaces = Namespaces(store, PointEmbedder(), max_numbers=4)
    made = [namespaces.of(ref) for ref in refs]

    async def use(number: int) -> None:
        await namespaces.search(refs[number], (0, 1), model_id="plane", limit=1)

    for number in (0, 1, 0, 2):
        await use(number)
    assert [namespace.size for namespace in made] == [2, 0, 2, 0]
    await namespaces.close()
    assert [namespace.size for namespace in made] == [0, 0, 0, 0]
    await use(3)
    assert namespaces.of(refs[3]).size == 2


async def test_one_namespace_may_be_larger_than_what_is_kept(store: Store, items: dict[str, Item]) -> None:
    namespaces = Namespaces(store, PointEmbedder(), max_numbers=1)
    assert len(await nearest(namespaces, items, (0, 1))) == 4
    assert len(await nearest(namespaces, items, (0, 1))) == 4


async def test_a_namespace_is_named_after_its_scope(store: Store) -> None:
    assert Namespace(ALICE, store, PointEmbedder()).name == "ltm_user_telegram:alice"


async def test_the_host_can_use_a_namespace_as_one_of_its_vector_databases(store: Store) -> None:
    item = an_item("north")
    others = [an_item("east"), an_item("south")]
    await keep(store, item, *others)
    embedder = PointEmbedder()
    namespace = Namespace(ALICE, store, embedder)
    await namespace.initialize()
    assert namespace.size == 0
    assert await namespace.insert("north", {"any": "thing"}, item.memory_id) == 1
    progress = list[tuple[int, int]]()

    async def heard(done: int, of: int) -> None:
        await asyncio.sleep(0)
        progress.append((done, of))

    ids = [other.memory_id for other in others]
    done = await namespace.insert_batch(["east", "south"], ids=ids, batch_size=1, progress_callback=heard)
    assert (done, progress) == (2, [(1, 2), (2, 2)])
    await namespace.initialize()
    assert namespace.size == 6
    found = await namespace.retrieve("north", top_k=2)
    assert [match.data for match in found] == [{"doc_id": item.memory_id}, {"doc_id": ids[0]}]
    assert [match.similarity for match in found] == pytest.approx([1, 0])
    assert await namespace.delete(item.memory_id)
    assert not await namespace.delete(item.memory_id)
    assert [match.data["doc_id"] for match in await namespace.retrieve("north", top_k=1)] == [ids[0]]
    await namespace.close()
    assert namespace.size == 0


async def test_what_a_namespace_cannot_do_is_refused(store: Store, items: dict[str, Item]) -> None:
    namespace = Namespace(ALICE, store, PointEmbedder())
    with pytest.raises(InvalidInputError, match="ids"):
        await namespace.insert_batch(["north"])
    with pytest.raises(InvalidInputError, match="ids"):
        await namespace.insert_batch(["north"], ids=[])
    with pytest.raises(NotFoundError):
        await namespace.insert("north")
    with pytest.raises(NotFoundError):
        await namespace.insert("south", id=items["north"].memory_id)
    with pytest.raises(InvalidInputError, match="metadata_filters"):
        await namespace.retrieve("north", metadata_filters={"user": "alice"})
    without = Namespace(ALICE, store, PointEmbedder(model=None))
    with pytest.raises(UnavailableError, match="no embedding provider"):
        await without.retrieve("north")


async def test_a_large_index_is_searched_off_the_event_loop(store: Store) -> None:
    namespaces = Namespaces(store, PointEmbedder())
    randomly = random.Random(1)  # noqa: S311 - points, not keys
    made = [an_item(str(number)) for number in range(70)]
    await keep(store, *made)
    vectors = [
        Embedded(memory_id=item.memory_id, fact=item.fact, vector=[randomly.gauss() for _ in range(8_000)])
        for item in made
    ]
    await store.put_vectors("wide", vectors)
    found = await namespaces.search(ALICE, vectors[7].vector, model_id="wide", limit=1)
    assert found == {made[7].memory_id: pytest.approx(1)}


VECTOR = st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3).filter(lambda v: math.hypot(*v) > 1e-3)


@given(st.lists(VECTOR, min_size=1, max_size=12), VECTOR, st.integers(1, 12))
def test_a_search_ranks_as_plain_arithmetic_does(
    vectors: list[list[float]], question: list[float], limit: int
) -> None:
    ids = [str(number) for number in range(len(vectors))]
    rows = b"".join(blob(unit(vector)) for vector in vectors)
    index = FlatIndex(Matrix(version=1, memory_ids=ids, dimension=3, rows=rows))
    found = index.search(blob(unit(question)), limit)
    expected = {one: math.sumprod(unit(vectors[int(one)]), unit(question)) for one in ids}
    assert len(found) == min(limit, len(expected))
    assert found == pytest.approx({one: expected[one] for one in found}, abs=1e-5)
    assert all(-1 <= cosine <= 1 for cosine in found.values())
    left_out = [cosine for one, cosine in expected.items() if one not in found]
    assert not left_out or max(left_out) <= min(found.values()) + 1e-5


def test_faiss_and_numpy_are_not_loaded_before_there_is_a_vector(tmp_path: Path) -> None:
    script = """
import asyncio, sys
from pathlib import Path
from tests.stores import ALICE, NOW, a_store, an_access, an_item, keep
from astrbot_plugin_ltm.long_term_memory.storage.namespaces import Namespaces

async def main():
    async with a_store(Path(sys.argv[1])) as store:
        await keep(store, an_item())
        namespaces = Namespaces(store, None)
        assert await namespaces.search(ALICE, [1.0], model_id="m", limit=1) == {}
    print(sorted({"numpy", "faiss"} & set(sys.modules)))

asyncio.run(main())
"""
    assert output([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT).strip() == "[]"
