import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError
from astrbot_plugin_ltm.long_term_memory.domain.reading import Found, Query
from astrbot_plugin_ltm.long_term_memory.domain.words import Level, MemoryType, Scope
from astrbot_plugin_ltm.long_term_memory.read.protocols import Embedder
from astrbot_plugin_ltm.long_term_memory.read.retrieve import Retriever
from astrbot_plugin_ltm.long_term_memory.read.scope import scope

from .fakes import ALICE, NOW, FakeEmbedder, FakeReadStore, FakeVectorIndex, NoEmbedder, alices_access, item

TEA = item("tea", "Likes green tea", MemoryType.PREFERENCE)
CAT = item("cat", "养了一只橘猫", MemoryType.PROFILE)


def retriever(store: FakeReadStore, embedder: Embedder, vectors: FakeVectorIndex | None = None) -> Retriever:
    return Retriever(
        store=store,
        vectors=vectors or FakeVectorIndex(cosines={"tea": 0.8, "cat": 0.1}),
        embedder=embedder,
        deadline=timedelta(milliseconds=20),
    )


async def ask(of: Retriever, text: str = "Which tea?") -> Found:
    return await of.retrieve(scope(alices_access(), Query(text=text, at=NOW)), min_confidence=0.5)


def signals(found: Found) -> dict[str, tuple[float, float | None]]:
    return {hit.item.memory_id: (hit.words, hit.cosine) for hit in found.hits}


async def test_without_an_embedding_provider_words_answer_alone() -> None:
    found = await ask(retriever(FakeReadStore([TEA, CAT]), NoEmbedder()))
    assert signals(found) == {"tea": (1.0, None), "cat": (0.0, None)}
    assert not found.vectors


async def test_with_one_each_visible_item_carries_both_signals() -> None:
    found = await ask(retriever(FakeReadStore([TEA, CAT]), FakeEmbedder()), "绿茶还是橘猫 tea")
    assert signals(found) == {"tea": (1.0, 0.8), "cat": (1.0, 0.1)}
    assert found.vectors


async def test_vectors_are_searched_among_visible_items_only_scope_by_scope() -> None:
    old = ScopeRef(scope=Scope.USER, scope_id="plat_a:FriendMessage:alice")
    bob = ScopeRef(scope=Scope.USER, scope_id="plat_a:bob")
    store = FakeReadStore(
        [TEA, replace(CAT, owner=old), item("high", level=Level.RESTRICTED), item("bobs", owner=bob)]
    )
    vectors = FakeVectorIndex(cosines={"tea": 0.8, "cat": 0.1, "high": 0.9, "bobs": 0.9})
    access = replace(alices_access(), readable=(ALICE, old))
    request = scope(access, Query(text="tea", at=NOW))
    found = await retriever(store, FakeEmbedder(), vectors).retrieve(request, min_confidence=0.5)
    assert signals(found) == {"tea": (1.0, 0.8), "cat": (0.0, 0.1)}
    assert vectors.searched == [(ALICE, ("tea",)), (old, ("cat",))]


@pytest.mark.parametrize(
    "embedder",
    [
        FakeEmbedder(fails=True),
        FakeEmbedder(hangs=True),
        FakeEmbedder(vectors=()),
        FakeEmbedder(vectors=((),)),
        FakeEmbedder(vectors=((1.0, float("nan")),)),
        FakeEmbedder(vectors=((1.0,), (1.0,))),
    ],
    ids=["fails", "hangs", "none", "empty", "not-finite", "too-many"],
)
async def test_when_no_usable_vector_comes_in_time_words_answer_alone(embedder: FakeEmbedder) -> None:
    found = await ask(retriever(FakeReadStore([TEA]), embedder))
    assert signals(found) == {"tea": (1.0, None)}
    assert not found.vectors


class WithoutModel(FakeEmbedder):
    def model_id(self) -> str | None:
        raise RuntimeError("secret of a provider")


class AnswersWithNothing(FakeEmbedder):
    async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ARG002
        return None


class AnswersWithWords(FakeEmbedder):
    async def embed(self, texts: Sequence[str]) -> Any:
        return [list(text) for text in texts]


class RefusingIndex(FakeVectorIndex):
    async def search(
        self,
        ref: ScopeRef,  # noqa: ARG002
        vector: Sequence[float],  # noqa: ARG002
        *,
        model_id: str,  # noqa: ARG002
        allowed: Sequence[str],  # noqa: ARG002
        limit: int,  # noqa: ARG002
    ) -> Mapping[str, float]:
        raise InvalidInputError("vector", "has no direction")


@pytest.mark.parametrize(
    ("embedder", "vectors"),
    [
        (WithoutModel(), FakeVectorIndex()),
        (AnswersWithNothing(), FakeVectorIndex()),
        (AnswersWithWords(), FakeVectorIndex()),
        (FakeEmbedder(vectors=((1e308, 1e308),)), RefusingIndex()),
    ],
    ids=["no-model", "nothing", "words", "no-direction"],
)
async def test_whatever_breaks_around_the_embedding_words_answer_and_it_is_logged_once(
    caplog: pytest.LogCaptureFixture, embedder: FakeEmbedder, vectors: FakeVectorIndex
) -> None:
    reading = retriever(FakeReadStore([TEA]), embedder, vectors)
    for _ in range(2):
        found = await ask(reading)
        assert signals(found) == {"tea": (1.0, None)}
    assert len(caplog.records) == 1
    assert "secret" not in caplog.text


async def test_it_is_logged_once_when_the_provider_goes_and_once_when_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    embedder = FakeEmbedder()
    reading = retriever(FakeReadStore([TEA]), embedder)
    for fails in (False, True, True, False, False):
        embedder.fails = fails
        await ask(reading, "my secret tea")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", "The embedding provider does not answer (UnavailableError): recall uses words alone."),
        ("INFO", "The embedding provider answers again: recall uses vectors."),
    ]


@pytest.mark.parametrize(("items", "text"), [([], "tea"), ([TEA], "   ")], ids=["no-items", "no-text"])
async def test_nothing_is_embedded_in_vain(items: Sequence[object], text: str) -> None:
    embedder = FakeEmbedder()
    found = await ask(retriever(FakeReadStore([TEA] if items else []), embedder), text)
    assert len(found.hits) == len(items)
    assert not embedder.texts
    assert not found.vectors


async def test_a_question_without_content_words_is_not_looked_up_by_words() -> None:
    store = FakeReadStore([TEA])
    found = await ask(retriever(store, NoEmbedder()), "你好")
    assert signals(found) == {"tea": (0.0, None)}
    assert not store.asked


async def test_items_of_another_model_leave_vectors_out() -> None:
    found = await ask(retriever(FakeReadStore([TEA]), FakeEmbedder(), FakeVectorIndex()))
    assert not found.vectors
