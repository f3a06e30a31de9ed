"""Items get their vectors in the background, from whatever provider there is."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from astrbot_plugin_ltm.long_term_memory.upkeep.embedding import BATCH, Embedding

from tests.read.fakes import item


@dataclass
class FakeVectorStore:
    items: list[Item]
    read_only: bool = False
    vectors: dict[tuple[str, str], Embedded] = field(default_factory=dict[tuple[str, str], Embedded])
    refuses: bool = False
    dropped: int = 0

    async def without_vector(self, model_id: str, limit: int) -> Sequence[Item]:
        return [one for one in self.items if (model_id, one.memory_id) not in self.vectors][:limit]

    async def put_vectors(self, model_id: str, embedded: Sequence[Embedded]) -> int:
        if self.refuses:
            raise RuntimeError("a bug of the store")
        known = {len(one.vector) for (model, _), one in self.vectors.items() if model == model_id}
        if known and known != {len(one.vector) for one in embedded}:
            raise InvalidInputError("vector", "has 2 numbers, the others of this model have 3")
        self.vectors |= {(model_id, one.memory_id): one for one in embedded}
        return len(embedded)

    async def drop_vectors(self, model_id: str) -> None:
        self.dropped += 1
        self.vectors = {key: one for key, one in self.vectors.items() if key[0] != model_id}


@dataclass
class FakeEmbedder:
    model: str | None = "first"
    answering: bool = True
    asked: int = 0
    more: Sequence[float] = (1.0,)
    """The numbers after the first of each vector."""
    broken: bool = False

    def model_id(self) -> str | None:
        if self.broken:
            raise RuntimeError("secret of a provider")
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.asked += 1
        if not self.answering:
            raise UnavailableError("down")
        return [[float(len(text)), *self.more] for text in texts]


def some(number: int) -> list[Item]:
    return [replace(item(f"m{place}"), fact=f"fact {place}") for place in range(number)]


async def run_until(embedding: Embedding, condition: asyncio.Event) -> None:
    task = asyncio.ensure_future(embedding.run())
    try:
        async with asyncio.timeout(5):
            await condition.wait()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_every_item_gets_the_vector_of_its_fact_in_batches() -> None:
    store, embedder = FakeVectorStore(some(BATCH + 3)), FakeEmbedder()
    embedding = Embedding(store, embedder)
    assert await embedding.embed_batch() == BATCH
    assert await embedding.embed_batch() == 3
    assert await embedding.embed_batch() == 0
    assert embedder.asked == 2
    assert store.vectors["first", "m0"].fact == "fact 0"


async def test_another_model_embeds_everything_anew_and_keeps_the_old_vectors() -> None:
    store, embedder = FakeVectorStore(some(1)), FakeEmbedder()
    embedding = Embedding(store, embedder)
    await embedding.embed_batch()
    embedder.model = "second"
    assert embedding.model_id == "second"
    await embedding.embed_batch()
    assert set(store.vectors) == {("first", "m0"), ("second", "m0")}


async def test_nothing_is_asked_without_a_provider_or_while_nothing_may_be_written() -> None:
    embedder = FakeEmbedder()
    assert await Embedding(FakeVectorStore(some(1), read_only=True), embedder).embed_batch() == 0
    embedder.model = None
    assert await Embedding(FakeVectorStore(some(1)), embedder).embed_batch() == 0
    assert embedder.asked == 0


async def test_the_running_job_embeds_what_it_is_told_of() -> None:
    store, embedder = FakeVectorStore([]), FakeEmbedder()
    embedding, done = Embedding(store, embedder), asyncio.Event()

    async def say_there_is_more() -> None:
        store.items += some(1)
        embedding.notify()
        while not store.vectors:
            await asyncio.sleep(0)
        done.set()

    more = asyncio.ensure_future(say_there_is_more())
    await run_until(embedding, done)
    await more


@pytest.mark.parametrize(("answering", "refuses"), [(False, False), (True, True)])
async def test_a_failure_is_logged_once_and_so_is_the_return(
    caplog: pytest.LogCaptureFixture, *, answering: bool, refuses: bool
) -> None:
    store, embedder = FakeVectorStore(some(1), refuses=refuses), FakeEmbedder(answering=answering)
    embedding, done = Embedding(store, embedder), asyncio.Event()

    async def fail_twice_then_recover() -> None:
        for asked in (1, 2):
            while embedder.asked < asked:
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            embedding.notify()
        embedder.answering, store.refuses = True, False
        while not store.vectors:
            embedding.notify()
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        done.set()

    with caplog.at_level(logging.INFO):
        other = asyncio.ensure_future(fail_twice_then_recover())
        await run_until(embedding, done)
        await other
    assert caplog.text.count("Memories are not embedded for now") == 1
    assert caplog.text.count("Memories are embedded again.") == 1


async def test_a_new_dimension_drops_the_old_vectors_once_and_embeds_everything_anew(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store, embedder = FakeVectorStore(some(BATCH + 3)), FakeEmbedder()
    embedding = Embedding(store, embedder)
    while await embedding.embed_batch():
        pass
    store.items += [replace(item("new"), fact="something new")]
    embedder.more = (1.0, 2.0, 3.0)
    while await embedding.embed_batch():
        pass
    assert {len(one.vector) for one in store.vectors.values()} == {4}
    assert (len(store.vectors), store.dropped) == (BATCH + 4, 1)
    assert caplog.text.count("now gives 4 numbers") == 1


async def test_dimensions_that_take_turns_do_not_throw_vectors_away_for_ever() -> None:
    store, embedder = FakeVectorStore(some(1)), FakeEmbedder()
    embedding = Embedding(store, embedder)
    for number in range(3):
        store.items += [replace(item(f"n{number}"), fact="new")]
        embedder.more = (1.0,) * (1 + number % 2)
        await embedding.embed_batch()
    store.items += [replace(item("one more"), fact="new")]
    embedder.more = (1.0, 1.0)
    with pytest.raises(InvalidInputError, match="changing lengths"):
        await embedding.embed_batch()
    assert store.dropped == 2


@pytest.mark.parametrize(
    ("vectors", "why"),
    [
        ([[1.0, 2.0], [1.0]], "vectors of different lengths at once"),
        ([[1.0, 2.0], [0.0, 0.0]], "a vector without a direction"),
        ([[1.0, 2.0], [float("nan"), 1.0]], "a vector without a direction"),
    ],
)
async def test_unusable_vectors_are_an_error_that_says_why_and_drop_nothing(
    vectors: Sequence[Sequence[float]], why: str
) -> None:
    class Unusable(FakeEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            assert len(texts) == len(vectors)
            return vectors

    store = FakeVectorStore(some(2))
    embedding = Embedding(store, Unusable())
    with pytest.raises(InvalidInputError, match=why):
        await embedding.embed_batch()
    await run_until_it_says(embedding, f"vector: the provider gives {why}")
    assert (store.vectors, store.dropped) == ({}, 0)


async def test_a_provider_that_raises_whatever_it_likes_does_not_end_the_job() -> None:
    store, embedder = FakeVectorStore(some(1)), FakeEmbedder(broken=True)
    embedding = Embedding(store, embedder)
    assert embedding.model_id is None
    await run_until_it_says(embedding, "RuntimeError")
    embedder.broken = False
    await run_until_it_says(embedding, "")
    assert embedding.model_id == "first"
    assert store.vectors


async def run_until_it_says(embedding: Embedding, error: str) -> None:
    done = asyncio.Event()

    async def watch() -> None:
        while embedding.last_error != error:
            await asyncio.sleep(0)
        done.set()

    watching = asyncio.ensure_future(watch())
    await run_until(embedding, done)
    await watching
