import math
import sys
from array import array
from dataclasses import replace

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.models import VECTORS
from astrbot_plugin_ltm.long_term_memory.storage.store import Store
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded, unit
from hypothesis import assume, given
from hypothesis import strategies as st
from sqlalchemy import select

from tests.stores import ALICE, BOB, an_item, keep


def embedded(item: Item, *vector: float) -> Embedded:
    return Embedded(key=item.memory_id, fact=item.fact, vector=vector)


async def rows(store: Store, model_id: str = "model") -> dict[str, list[float]]:
    query = select(VECTORS.c.memory_id, VECTORS.c.vector).where(VECTORS.c.model_id == model_id)
    async with store._database.read() as seat:  # pyright: ignore[reportPrivateUsage]
        return {each.memory_id: array("f", each.vector).tolist() for each in await seat.execute(query)}


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50))
def test_any_vector_with_a_direction_gets_norm_1(vector: list[float]) -> None:
    norm = math.hypot(*vector)
    assume(sys.float_info.min < norm < math.inf)
    assert math.hypot(*unit(vector)) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    "vector", [[], [0.0], [0.0, 0.0], [math.nan, 1.0], [math.inf, 0.0], [-math.inf], [1.7e308, 1.7e308]]
)
def test_what_points_nowhere_is_refused(vector: list[float]) -> None:
    with pytest.raises(InvalidInputError, match="vector"):
        unit(vector)


async def test_a_vector_is_kept_at_norm_1_and_replaced_by_a_newer_one(store: Store) -> None:
    item = an_item()
    await keep(store, item)
    assert await rows(store) == {}
    assert await store.vectors.put("model", [embedded(item, 3, 4)]) == 1
    assert await rows(store) == {item.memory_id: pytest.approx([0.6, 0.8])}
    assert await store.vectors.put("model", [embedded(item, 0, 9)]) == 1
    assert await rows(store) == {item.memory_id: [0, 1]}
    assert await rows(store, "another model") == {}


async def test_a_vector_of_another_length_is_refused_and_nothing_of_its_batch_is_kept(store: Store) -> None:
    one, two, three = an_item("1"), an_item("2"), an_item("3")
    await keep(store, one, two, three)
    await store.vectors.put("model", [embedded(one, 1, 0)])
    with pytest.raises(InvalidInputError, match="has 3 numbers, the others of this model have 2"):
        await store.vectors.put("model", [embedded(two, 1, 0), embedded(three, 1, 0, 0)])
    assert [*await rows(store)] == [one.memory_id]
    assert await store.vectors.put("another model", [embedded(three, 1, 0, 0)]) == 1


async def test_a_vector_that_is_no_vector_is_refused(store: Store) -> None:
    item = an_item()
    await keep(store, item)
    with pytest.raises(InvalidInputError, match="finite"):
        await store.vectors.put("model", [embedded(item, math.nan, 1)])


async def test_the_vector_of_a_fact_that_has_changed_meanwhile_is_not_kept(store: Store) -> None:
    item = an_item("Beijing")
    await keep(store, item)
    async with store.transaction() as transaction:
        await transaction.update_item(replace(item, fact="Shanghai"))
    assert await store.vectors.put("model", [embedded(item, 1, 0), embedded(an_item(), 1, 0)]) == 0
    assert await rows(store) == {}


async def test_vectors_are_deleted_in_their_own_scope_only(store: Store) -> None:
    item = an_item()
    await keep(store, item)
    await store.vectors.put("model", [embedded(item, 1, 0)])
    assert not await store.delete_vectors(BOB, item.memory_id)
    assert await store.delete_vectors(ALICE, item.memory_id)
    assert not await store.delete_vectors(ALICE, item.memory_id)
