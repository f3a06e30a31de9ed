from collections.abc import Mapping, Sequence

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.writing import Grounded
from astrbot_plugin_ltm.long_term_memory.policies.embedded import bare
from astrbot_plugin_ltm.long_term_memory.storage.namespaces import Namespace
from astrbot_plugin_ltm.long_term_memory.write.stages import MAX_NEAR, NEAR, Neighbours

from tests.write.fakes import ALICE
from tests.write.made import a_grounded


class OneNumber:
    """Embeds a text as its length."""

    def __init__(self, *, model: str | None = "small", error: Exception | None = None) -> None:
        self.model = model
        self.error = error
        self.asked: list[Sequence[str]] = []

    def model_id(self) -> str | None:
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.asked.append(texts)
        if self.error:
            raise self.error
        return [[float(len(text))] for text in texts]


class Found(Namespace):
    """Of any scope: every search finds the same."""

    def __init__(self, found: Mapping[str, float]) -> None:
        self.found = found
        self.searched: list[tuple[ScopeRef, float, int]] = []

    def __call__(self, ref: ScopeRef) -> Namespace:
        self.ref = ref
        return self

    async def search(self, vector: Sequence[float], *, model_id: str, limit: int) -> Mapping[str, float]:
        assert model_id == bare("small")
        self.searched.append((self.ref, vector[0], limit))
        return self.found


async def near_of(neighbours: Neighbours, *facts: Grounded) -> list[tuple[str, ...]]:
    return [fact.near for fact in await neighbours.found(facts)]


async def test_all_facts_are_embedded_at_once_and_each_is_looked_for_in_its_owners_scope() -> None:
    embedder, index = OneNumber(), Found({"same": NEAR + 0.01, "almost": NEAR, "far": 0.1})
    near = await near_of(Neighbours(embedder, index), a_grounded("tea"), a_grounded("coffee"))
    assert near == [("same",), ("same",)]
    assert embedder.asked == [["tea", "coffee"]]
    assert index.searched == [(ALICE, 3.0, MAX_NEAR), (ALICE, 6.0, MAX_NEAR)]


async def test_without_facts_or_without_a_model_nobody_is_asked() -> None:
    for embedder, facts in ((OneNumber(), []), (OneNumber(model=None), [a_grounded()])):
        assert await near_of(Neighbours(embedder, Found({"m": 1.0})), *facts) == [()] * len(facts)
        assert embedder.asked == []


@pytest.mark.parametrize(
    "embedder",
    [OneNumber(error=UnavailableError("down")), OneNumber(error=RuntimeError("secret"))],
)
async def test_whatever_a_provider_does_facts_go_on_without_neighbours(embedder: OneNumber) -> None:
    neighbours = Neighbours(embedder, Found({"m": 1.0}))
    for _ in range(2):
        assert await near_of(neighbours, a_grounded()) == [()]
    embedder.error = None
    assert await near_of(neighbours, a_grounded()) == [("m",)]


async def test_a_provider_that_gives_too_few_vectors_gives_none() -> None:
    class Short(OneNumber):
        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            return [[1.0] for _ in texts[1:]]

    assert await near_of(Neighbours(Short(), Found({"m": 1.0})), a_grounded(), a_grounded()) == [(), ()]
