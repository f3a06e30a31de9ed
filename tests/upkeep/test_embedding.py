"""Items get their vectors in the background, from whatever provider there is."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import InvalidInputError, UnavailableError
from astrbot_plugin_ltm.long_term_memory.policies.embedded import alone, bare, in_context, spoken
from astrbot_plugin_ltm.long_term_memory.storage.missing_vectors import Embeddable
from astrbot_plugin_ltm.long_term_memory.storage.vectors import Embedded
from astrbot_plugin_ltm.long_term_memory.upkeep.embedding import (
    BATCH,
    DROPPED_AT_ONCE,
    EVERYTHING,
    GIVEN_UP,
    MAX_CHARS,
    MAX_RESTING,
    Embedding,
)

from tests.running import until

from .fakes import Hands

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass
class FakeVectorStore:
    """Two tables in dicts, by tag and id."""

    items: list[Embeddable]
    events: list[Embeddable] = field(default_factory=list[Embeddable])
    read_only: bool = False
    vectors: dict[tuple[str, str], Embedded] = field(default_factory=dict[tuple[str, str], Embedded])
    of_events: dict[tuple[str, str], Embedded] = field(default_factory=dict[tuple[str, str], Embedded])
    since: list[datetime | None] = field(default_factory=list[datetime | None])
    after: list[int] = field(default_factory=list[int])
    refuses: bool = False
    dropped: int = 0

    async def items_without(self, model_id: str, limit: int) -> Sequence[Embeddable]:
        tags = (model_id, bare(model_id))
        lacking = [one for one in self.items if any((tag, one.key) not in self.vectors for tag in tags)]
        return lacking[:limit]

    async def put(self, tag: str, embedded: Sequence[Embedded]) -> int:
        items = [one for one in embedded if one.fact is not None]
        if self.refuses and items:
            raise RuntimeError("a bug of the store")
        mine = {one.key for one in items}
        known = {len(one.vector) for (at, key), one in self.vectors.items() if at == tag and key not in mine}
        if items and known and known != {len(one.vector) for one in items}:
            raise InvalidInputError("vector", f"another length than {known}")
        self.vectors |= {(tag, one.key): one for one in items}
        self.of_events |= {(tag, one.key): one for one in embedded if one.fact is None}
        return len(embedded)

    async def last_event(self) -> int:
        return len(self.events)

    async def events_without(
        self, model_id: str, *, after: int, since: datetime | None, limit: int
    ) -> Sequence[Embeddable]:
        self.after.append(after)
        self.since.append(since)
        new = self.events[after:]
        return [one for one in new if (model_id, one.key) not in self.of_events][:limit]

    async def drop(self, model_id: str, *, limit: int) -> int:
        tags = (model_id, bare(model_id))
        gone = [key for key in self.vectors if key[0] in tags][:limit]
        self.dropped += len(gone)
        for key in gone:
            del self.vectors[key]
        return len(gone)

    async def progress(self, model_id: str) -> tuple[int, int]:
        lacking = await self.items_without(model_id, len(self.items))
        return len(self.items) - len(lacking), len(self.items)

    def embedded(self, model_id: str = "first") -> set[str]:
        return {key for tag, key in self.vectors if tag == model_id}


@dataclass
class FakeEmbedder:
    """Answers as its switches stand; `fault` breaks whole requests by their texts."""

    model: str | None = "first"
    answering: bool = True
    asked: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    more: Sequence[float] = (1.0,)
    """The numbers after the first of each vector."""
    broken: bool = False
    fault: Callable[[Sequence[str]], Any] = lambda _: None
    """What is raised or answered instead for these texts; None for nothing special."""

    def model_id(self) -> str | None:
        if self.broken:
            raise RuntimeError("secret of a provider")
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.asked.append(texts)
        await asyncio.sleep(0)
        if not self.answering:
            raise UnavailableError("down")
        special = self.fault(texts)
        if isinstance(special, Exception):
            raise special
        return [[float(len(text)), *self.more] for text in texts] if special is None else special


def some(number: int, *, start: int = 0) -> list[Embeddable]:
    return [an_item(f"m{place}", f"fact {place}") for place in range(start, start + number)]


def an_item(key: str, fact: str, quote: str = "", answered: str = "") -> Embeddable:
    said = spoken("Alice", quote) if quote else ""
    return Embeddable(key=key, fact=fact, texts=(alone(fact), in_context(fact, answered, said)))


def a_message(key: str, text: str = "words", *, by: str = "") -> Embeddable:
    return Embeddable(key=key, texts=(spoken(by, text),))


def embedding_of(
    store: FakeVectorStore, embedder: FakeEmbedder, hands: Hands | None = None, **more: Any
) -> Embedding:
    hands = hands or Hands()
    return Embedding(cast("Any", store), embedder, hands.clock, breathe=hands.breathe, **more)


async def work_off(embedding: Embedding) -> int:
    """Embed until there is nothing to do; returns in how many batches."""
    batches = 0
    while await embedding.embed_batch():
        batches += 1
        assert batches < 1_000
    return batches


async def run_until(embedding: Embedding, condition: Callable[[], bool]) -> None:
    task = asyncio.ensure_future(embedding.run())
    try:
        await until(condition)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_every_item_gets_its_vectors_in_batches() -> None:
    store, embedder = FakeVectorStore(some(BATCH + 3)), FakeEmbedder()
    embedding = embedding_of(store, embedder)
    assert await embedding.progress() == (0, BATCH + 3)
    assert [await embedding.embed_batch() for _ in range(3)] == [BATCH, 3, 0]
    assert [len(texts) for texts in embedder.asked] == [BATCH, 3]
    assert await embedding.progress() == (BATCH + 3, BATCH + 3)
    assert store.vectors["first", "m0"].fact == "fact 0"


async def test_an_item_is_embedded_in_its_context_and_its_fact_alone() -> None:
    store, embedder = FakeVectorStore([an_item("m", "User likes tea", "Green tea", "What?")]), FakeEmbedder()
    await work_off(embedding_of(store, embedder))
    alone, context = "User likes tea", "User likes tea\nWhat?\nAlice: Green tea"
    assert embedder.asked == [[alone, context]]
    assert store.vectors[bare("first"), "m"].vector == [len(alone), 1.0]
    assert store.vectors["first", "m"].vector == [len(context), 1.0]


async def test_a_request_has_so_many_characters_and_no_more() -> None:
    long = "x" * 600
    store = FakeVectorStore([an_item(f"m{n}", f"{n:02}{long}", f"{n}{long}") for n in range(BATCH)])
    embedder = FakeEmbedder()
    await work_off(embedding_of(store, embedder))
    assert len(embedder.asked) > 1
    assert max(sum(map(len, texts)) for texts in embedder.asked) <= MAX_CHARS
    assert len(store.embedded()) == BATCH


async def test_another_model_embeds_everything_anew_and_keeps_the_old_vectors() -> None:
    store, embedder = FakeVectorStore(some(1)), FakeEmbedder()
    embedding = embedding_of(store, embedder)
    await work_off(embedding)
    embedder.model = "second"
    assert embedding.model_id == "second"
    assert await embedding.progress() == (0, 1)
    await work_off(embedding)
    assert {tag for tag, _ in store.vectors} == {"first", bare("first"), "second", bare("second")}


async def test_what_a_model_embedded_while_another_came_is_not_taken_for_its_own() -> None:
    store, embedder = FakeVectorStore(some(2)), FakeEmbedder()

    def switch(_: Sequence[str]) -> None:
        embedder.model = "second"

    embedder.fault = switch
    embedding = embedding_of(store, embedder)
    with pytest.raises(UnavailableError, match="has changed meanwhile"):
        await embedding.embed_batch()
    assert store.vectors == {}
    await work_off(embedding)
    assert store.embedded("second") == {"m0", "m1"}
    assert not store.embedded("first")


async def test_nothing_is_asked_without_a_provider_or_while_nothing_may_be_written() -> None:
    embedder = FakeEmbedder()
    assert await embedding_of(FakeVectorStore(some(1), read_only=True), embedder).embed_batch() == 0
    embedder.model = None
    embedding = embedding_of(FakeVectorStore(some(1)), embedder)
    assert await embedding.embed_batch() == 0
    assert embedder.asked == []
    assert await embedding.progress() == (0, 0)
    assert embedding.model_id is None


async def test_the_running_job_embeds_what_it_is_told_of() -> None:
    store, embedder = FakeVectorStore([]), FakeEmbedder()
    embedding = embedding_of(store, embedder)

    async def say_there_is_more() -> None:
        await asyncio.sleep(0.01)
        store.items += some(1)
        embedding.notify()

    more = asyncio.ensure_future(say_there_is_more())
    await run_until(embedding, lambda: len(store.vectors) == 2)
    await more


async def test_a_stop_in_the_middle_of_a_batch_leaves_the_rest_for_the_next_start() -> None:
    store, embedder = FakeVectorStore(some(3)), FakeEmbedder()
    hang = asyncio.Event()

    class Hanging(FakeEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            self.asked.append(texts)
            await hang.wait()
            raise AssertionError(texts)

    hanging = Hanging()
    await run_until(embedding_of(store, hanging), lambda: bool(hanging.asked))
    assert store.vectors == {}
    await work_off(embedding_of(store, embedder))
    assert store.embedded() == {"m0", "m1", "m2"}


@pytest.mark.parametrize(("answering", "refuses"), [(False, False), (True, True)])
async def test_a_failure_is_logged_once_and_so_is_the_return(
    caplog: pytest.LogCaptureFixture, *, answering: bool, refuses: bool
) -> None:
    store, embedder = FakeVectorStore(some(1), refuses=refuses), FakeEmbedder(answering=answering)
    embedding = embedding_of(store, embedder)
    with caplog.at_level(logging.INFO):
        for _ in range(2):
            await run_until(embedding, lambda: bool(embedding.last_error))
        embedder.answering, store.refuses = True, False
        await run_until(embedding, lambda: not embedding.last_error)
    assert store.embedded() == {"m0"}
    assert caplog.text.count("Memories are not embedded for now") == 1
    assert caplog.text.count("Memories are embedded again.") == 1


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (UnavailableError("429"), "429"),
        (UnavailableError("refused"), "refused"),
        (InvalidInputError("vector", "is odd"), "vector: is odd"),
        ("with others", ""),
    ],
)
async def test_a_text_that_the_provider_does_not_take_keeps_no_other_waiting(fault: Any, why: str) -> None:
    def bad(texts: Sequence[str]) -> Any:
        if "fact 5" not in texts:
            return None
        if isinstance(fault, Exception):
            return fault
        return UnavailableError("of several lengths") if len(texts) > 1 else None

    hands, store, embedder = Hands(), FakeVectorStore(some(3 * BATCH)), FakeEmbedder(fault=bad)
    embedding = embedding_of(store, embedder, hands)
    await work_off(embedding)
    others = {one.key for one in store.items} - {"m5"}
    if fault == "with others":
        assert store.embedded() == others | {"m5"}
        return
    assert store.embedded() == others
    assert (len(embedding.given_up), embedding.last_error) == (0, "")
    for _ in range(GIVEN_UP - 1):
        hands.move(HOUR)
        await work_off(embedding)
    assert (len(embedding.given_up), embedding.last_error) == (1, why)
    asked = len(embedder.asked)
    await work_off(embedding)
    assert len(embedder.asked) == asked
    embedder.fault = lambda _: None
    hands.move(HOUR)
    await work_off(embedding)
    assert "m5" in store.embedded()
    assert (len(embedding.given_up), embedding.last_error) == (0, "")


async def test_once_the_text_at_fault_is_found_the_batches_grow_again() -> None:
    store, embedder = FakeVectorStore(some(8 * BATCH)), FakeEmbedder()
    embedder.fault = lambda texts: UnavailableError("refused") if "fact 0" in texts else None
    await work_off(embedding_of(store, embedder))
    assert len(store.embedded()) == 8 * BATCH - 1
    assert [len(texts) for texts in embedder.asked].count(BATCH) > 2


async def test_a_provider_that_takes_few_texts_at_once_gets_few() -> None:
    def at_most_10(texts: Sequence[str]) -> Any:
        return UnavailableError("too many") if len(texts) > 10 else None

    store, embedder = FakeVectorStore(some(8 * BATCH)), FakeEmbedder(fault=at_most_10)
    embedding = embedding_of(store, embedder)
    await work_off(embedding)
    assert len(store.embedded()) == 8 * BATCH
    assert sum(len(texts) > 10 for texts in embedder.asked) == 1
    assert not embedding.given_up


async def test_another_model_is_asked_for_what_the_one_before_did_not_take() -> None:
    def bad(texts: Sequence[str]) -> Any:
        return UnavailableError("refused") if "fact 0" in texts and embedder.model == "first" else None

    store, embedder = FakeVectorStore(some(2)), FakeEmbedder()
    embedder.fault = bad
    embedding = embedding_of(store, embedder)
    await work_off(embedding)
    assert store.embedded() == {"m1"}
    embedder.model = "second"
    await work_off(embedding)
    assert store.embedded("second") == {"m0", "m1"}


async def test_while_the_provider_is_down_no_text_is_blamed_and_little_is_asked() -> None:
    store, embedder = FakeVectorStore(some(2 * BATCH)), FakeEmbedder(answering=False)
    embedding = embedding_of(store, embedder)
    for _ in range(5):
        with pytest.raises(UnavailableError, match="down"):
            await embedding.embed_batch()
    assert len(embedder.asked) == 10
    embedder.answering = True
    assert await work_off(embedding) == 2


async def test_when_everything_but_a_harmless_text_fails_it_is_no_fault_of_the_texts() -> None:
    def bad(texts: Sequence[str]) -> Any:
        return UnavailableError("odd") if any(text.startswith("fact") for text in texts) else None

    store, embedder = FakeVectorStore(some(MAX_RESTING + 50)), FakeEmbedder(fault=bad)
    embedding = embedding_of(store, embedder)
    with pytest.raises(UnavailableError, match="odd"):
        await work_off(embedding)
    assert store.vectors == {}


async def test_a_new_dimension_drops_the_old_vectors_in_parts_and_embeds_everything_anew(
    caplog: pytest.LogCaptureFixture,
) -> None:
    number = DROPPED_AT_ONCE
    hands, store, embedder = Hands(), FakeVectorStore(some(number)), FakeEmbedder()
    embedding = embedding_of(store, embedder, hands)
    await work_off(embedding)
    store.items += [an_item("new", "something new")]
    embedder.more = (1.0, 2.0, 3.0)
    await work_off(embedding)
    assert {len(one.vector) for one in store.vectors.values()} == {4}
    assert len(store.embedded()) == number + 1
    assert (store.dropped, hands.breaths) == (2 * number, 2)
    assert caplog.text.count("now gives 4 numbers") == 1


async def test_one_answer_of_another_length_is_refused_with_the_reason_and_drops_nothing() -> None:
    store, embedder = FakeVectorStore(some(2)), FakeEmbedder()
    embedding = embedding_of(store, embedder)
    await work_off(embedding)
    store.items += [an_item("new", "something new")]
    embedder.fault = lambda texts: [[1.0, 2.0, 3.0]] if "something new" in texts else None
    await run_until(embedding, lambda: bool(embedding.last_error))
    assert embedding.last_error == "vector: another length than {2}"
    assert (store.dropped, store.embedded()) == (0, {"m0", "m1"})
    embedder.fault = lambda _: None
    await work_off(embedding)
    assert "new" in store.embedded()


async def test_dimensions_that_take_turns_do_not_throw_vectors_away_for_ever() -> None:
    store, embedder = FakeVectorStore(some(1)), FakeEmbedder()
    embedding = embedding_of(store, embedder)
    for number in range(3):
        store.items += some(1, start=10 + number)
        embedder.more = (1.0,) * (1 + number % 2)
        await embedding.embed_batch()
    dropped = store.dropped
    store.items += some(1, start=20)
    embedder.more = (1.0, 1.0)
    with pytest.raises(InvalidInputError, match="changing lengths"):
        await work_off(embedding)
    assert store.dropped == dropped


async def test_a_provider_that_raises_whatever_it_likes_does_not_end_the_job() -> None:
    store, embedder = FakeVectorStore(some(1)), FakeEmbedder(broken=True)
    embedding = embedding_of(store, embedder)
    assert embedding.model_id is None
    await run_until(embedding, lambda: embedding.last_error == "RuntimeError")
    embedder.broken = False
    await run_until(embedding, lambda: not embedding.last_error)
    assert embedding.model_id == "first"
    assert store.vectors


async def test_messages_are_embedded_after_the_items_and_only_where_the_transcript_is_searched() -> None:
    lines = [a_message(f"e{n}", f"words {n}", by="Alice") for n in range(BATCH + 1)]
    since = Hands().clock()
    store, embedder = FakeVectorStore(some(1), lines), FakeEmbedder()
    await work_off(embedding_of(store, embedder))
    assert store.of_events == {}
    await work_off(embedding_of(store, embedder, transcript_since=lambda: since))
    assert store.of_events["first", "e0"].vector == [len("Alice: words 0"), 1.0]
    assert len(store.of_events) == BATCH + 1
    assert set(store.since) == {since}
    assert [len(texts) for texts in embedder.asked] == [1, BATCH, 1]


async def test_once_all_messages_have_vectors_only_what_is_new_is_looked_through_for_a_while() -> None:
    hands, embedder = Hands(), FakeEmbedder()
    store = FakeVectorStore(some(1), [a_message("e")])
    embedding = embedding_of(store, embedder, hands, transcript_since=lambda: None)

    async def looked() -> list[int]:
        store.after.clear()
        await work_off(embedding)
        return [*store.after]

    assert await looked() == [0, 0]
    hands.move(EVERYTHING / 2)
    assert await looked() == [1]
    store.events.append(a_message("f"))
    assert await looked() == [1, 1]
    assert await looked() == [2]
    hands.move(EVERYTHING / 2)
    assert await looked() == [0]
    assert await looked() == [2]
    embedder.model = "second"
    assert await looked() == [0, 0]
    embedder.more = (1.0, 2.0)
    store.items += some(1, start=1)
    assert await looked() == [0]
    assert await looked() == [2]
    del store.events[1:]
    assert await looked() == [0]
    hands.move(-DAY)
    assert await looked() == [0]
    assert {key for _, key in store.of_events} == {"e", "f"}


async def test_a_message_that_rests_is_looked_for_again_with_all_the_others() -> None:
    hands, embedder = (
        Hands(),
        FakeEmbedder(fault=lambda texts: UnavailableError("no") if "words 1" in texts else None),
    )
    store = FakeVectorStore([], [a_message("e0", "words 0"), a_message("e1", "words 1")])
    embedding = embedding_of(store, embedder, hands, transcript_since=lambda: None)
    await work_off(embedding)
    assert {key for _, key in store.of_events} == {"e0"}
    embedder.fault = lambda _: None
    store.after.clear()
    hands.move(EVERYTHING - timedelta(seconds=1))
    await work_off(embedding)
    assert store.after == [2]
    hands.move(timedelta(seconds=1))
    await work_off(embedding)
    assert {key for _, key in store.of_events} == {"e0", "e1"}


async def test_a_message_that_the_provider_does_not_take_keeps_no_other_waiting() -> None:
    lines = [a_message(f"e{n}", f"words {n}") for n in range(BATCH)]
    store = FakeVectorStore([], lines)
    embedder = FakeEmbedder(fault=lambda texts: UnavailableError("no") if "words 3" in texts else None)
    await work_off(embedding_of(store, embedder, transcript_since=lambda: None))
    assert {key for _, key in store.of_events} == {one.key for one in lines} - {"e3"}
