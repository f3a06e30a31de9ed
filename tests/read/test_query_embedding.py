"""The vector of a question comes ahead, in time or not at all, and a provider that is down is let be."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.errors import UnavailableError
from astrbot_plugin_ltm.long_term_memory.domain.reading import NoVector, QueryVector
from astrbot_plugin_ltm.long_term_memory.read.query_embedding import (
    KEPT,
    MAX_AT_ONCE,
    MAX_MISSES,
    QuestionEmbedder,
)
from astrbot_plugin_ltm.long_term_memory.read.scope import MAX_QUERY_CHARS
from astrbot_plugin_ltm.long_term_memory.upkeep.scheduler import Scheduler

from tests.running import FakeClock, until

from .fakes import NoEmbedder

SOON = timedelta(milliseconds=40)
REST = timedelta(minutes=1)
TEA, UNIT = [3.0, 4.0], [0.6, 0.8]


@dataclass
class Provider:
    """Answers with `answer` while it is let, else keeps everybody waiting."""

    model: str | None = "small"
    answer: Any = field(default_factory=lambda: [TEA])
    texts: list[str] = field(default_factory=list[str])
    lets: asyncio.Event = field(default_factory=asyncio.Event)
    ended: int = 0

    def __post_init__(self) -> None:
        self.lets.set()

    def model_id(self) -> str | None:
        if self.model == "broken":
            raise RuntimeError("secret of a provider")
        return self.model

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.texts.extend(texts)
        try:
            await self.lets.wait()
        finally:
            self.ended += 1
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.fixture
async def scheduler() -> AsyncGenerator[Scheduler]:
    scheduler = Scheduler()
    yield scheduler
    await scheduler.stop()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def ahead(provider: Provider, scheduler: Scheduler, clock: FakeClock) -> QuestionEmbedder:
    return QuestionEmbedder(provider, begin=scheduler.begin_optional, deadline=SOON, clock=clock)


def given(sought: QueryVector | NoVector) -> tuple[list[float] | None, str]:
    return (None, sought) if isinstance(sought, NoVector) else ([*sought.numbers], "")


async def test_what_was_prepared_is_there_at_once_and_is_asked_for_once(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    for _ in range(2):
        ahead.prepare("  Which tea? ")
    await until(lambda: provider.ended == 1)
    provider.lets.clear()
    assert given(await ahead.vector("Which tea?")) == (UNIT, "")
    ahead.prepare("Which tea?")
    assert given(await ahead.vector("Which tea?")) == (UNIT, "")
    assert provider.texts == ["Which tea?"]


async def test_what_was_not_prepared_is_waited_for(provider: Provider, ahead: QuestionEmbedder) -> None:
    found = await ahead.vector("喝什么茶？")
    assert given(found) == (UNIT, "")
    assert isinstance(found, QueryVector)
    assert found.model_id == "small"
    assert provider.texts == ["喝什么茶？"]


async def test_the_deadline_runs_from_when_the_reply_waits(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.lets.clear()
    ahead.prepare("tea")
    await asyncio.sleep(2 * SOON.total_seconds())
    asyncio.get_running_loop().call_later(SOON.total_seconds() / 4, provider.lets.set)
    assert given(await ahead.vector("tea")) == (UNIT, "")


async def test_what_comes_too_late_is_kept_for_the_next_time(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.lets.clear()
    assert given(await ahead.vector("tea")) == (None, "deadline")
    provider.lets.set()
    await until(lambda: provider.ended == 1)
    assert given(await ahead.vector("tea")) == (UNIT, "")
    assert provider.texts == ["tea"]


@pytest.mark.parametrize("size", [5.0, 1e-100, 1e100])
async def test_the_norm_of_an_answer_is_of_no_matter(
    provider: Provider, ahead: QuestionEmbedder, size: float
) -> None:
    provider.answer = [[0.6 * size, 0.8 * size]]
    assert given(await ahead.vector("tea")) == (pytest.approx(UNIT), "")


@pytest.mark.parametrize("text", ["", "  \n "])
async def test_without_a_question_nothing_is_asked(
    provider: Provider, ahead: QuestionEmbedder, text: str
) -> None:
    ahead.prepare(text)
    assert given(await ahead.vector(text)) == (None, "no_question")
    assert provider.texts == []


async def test_without_a_provider_nothing_is_asked(scheduler: Scheduler, clock: FakeClock) -> None:
    ahead = QuestionEmbedder(NoEmbedder(), begin=scheduler.begin_optional, deadline=SOON, clock=clock)
    ahead.prepare("tea")
    assert given(await ahead.vector("tea")) == (None, "no_provider")


async def test_a_long_question_is_embedded_by_its_two_ends(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    text = "Which tea? " + "x" * 5_000 + " green or black"
    ahead.prepare(text)
    await ahead.vector(text)
    [embedded] = provider.texts
    assert len(embedded) == MAX_QUERY_CHARS
    assert (embedded[:10], embedded[-14:]) == ("Which tea?", "green or black")


@pytest.mark.parametrize(
    "answer",
    [
        UnavailableError("429"),
        RuntimeError("secret of a provider"),
        None,
        [],
        [["a", "b"]],
    ],
    ids=repr,
)
async def test_without_a_usable_vector_words_answer_at_once_and_the_question_is_asked_anew_when_wanted(
    provider: Provider, ahead: QuestionEmbedder, answer: Any
) -> None:
    provider.answer = answer
    ahead.prepare("tea")
    await until(lambda: provider.ended == 1)
    await asyncio.sleep(0)
    assert given(await ahead.vector("tea")) == (None, "provider_down")
    assert provider.texts == ["tea", "tea"]
    provider.answer = [TEA]
    assert given(await ahead.vector("tea")) == (UNIT, "")


async def test_another_model_is_noticed_and_asked(provider: Provider, ahead: QuestionEmbedder) -> None:
    await ahead.vector("tea")
    provider.model, provider.answer = "large", [[1.0]]
    found = await ahead.vector("tea")
    assert isinstance(found, QueryVector)
    assert (found.model_id, list(found.numbers)) == ("large", [1.0])
    provider.model, provider.answer = "small", RuntimeError("never asked")
    assert given(await ahead.vector("tea")) == (UNIT, "")


async def test_a_vector_of_a_model_that_came_meanwhile_is_not_used(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.lets.clear()
    ahead.prepare("tea")
    await until(lambda: bool(provider.texts))
    provider.model = "large"
    provider.lets.set()
    await until(lambda: provider.ended == 1)
    provider.model = "small"
    assert given(await ahead.vector("tea")) == (UNIT, "")
    assert provider.texts == ["tea", "tea"]


async def test_a_provider_that_cannot_be_looked_at_is_down(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.model = "broken"
    ahead.prepare("tea")
    assert given(await ahead.vector("tea")) == (None, "provider_down")


async def test_after_some_misses_in_a_row_nobody_waits_until_it_answers_again(
    provider: Provider, ahead: QuestionEmbedder, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    provider.lets.clear()
    for number in range(MAX_MISSES):
        assert given(await ahead.vector(f"secret {number}")) == (None, "deadline")
    loop = asyncio.get_running_loop()
    began = loop.time()
    for _ in range(50):
        assert given(await ahead.vector("another")) == (None, "provider_down")
    assert loop.time() - began < 25 * SOON.total_seconds()
    assert len(provider.texts) == MAX_MISSES
    clock.move(REST)
    assert given(await ahead.vector("half open")) == (None, "deadline")
    assert given(await ahead.vector("open again")) == (None, "provider_down")
    clock.move(REST)
    provider.lets.set()
    assert given(await ahead.vector("back")) == (UNIT, "")
    assert given(await ahead.vector("still here")) == (UNIT, "")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        (
            "WARNING",
            "The embedding provider does not answer in time (TimeoutError): recall uses words alone.",
        ),
        ("INFO", "The embedding provider answers again: recall uses vectors."),
    ]


async def test_while_it_is_down_one_question_is_tried_and_its_answer_in_time_ends_the_rest(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.answer = UnavailableError("down")
    for number in range(MAX_MISSES):
        await ahead.vector(str(number))
    provider.answer = [TEA]
    provider.lets.clear()
    assert given(await ahead.vector("tea")) == (None, "provider_down")
    provider.lets.set()
    await until(lambda: provider.ended == MAX_MISSES + 1)
    assert given(await ahead.vector("tea")) == (UNIT, "")
    assert given(await ahead.vector("cake")) == (UNIT, "")


async def test_while_it_is_down_what_is_ready_counts(provider: Provider, ahead: QuestionEmbedder) -> None:
    await ahead.vector("tea")
    provider.lets.clear()
    for number in range(MAX_MISSES):
        await ahead.vector(str(number))
    assert given(await ahead.vector("tea")) == (UNIT, "")
    assert given(await ahead.vector("cake")) == (None, "provider_down")


async def test_an_answer_that_came_in_time_ends_the_row_of_misses(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    for number in range(3 * MAX_MISSES):
        provider.answer = [TEA] if number % MAX_MISSES == 0 else UnavailableError("429")
        await ahead.vector(str(number))
    provider.answer = [TEA]
    assert given(await ahead.vector("tea")) == (UNIT, "")


async def test_what_was_waited_for_in_time_ends_the_row_of_misses_however_early_it_was_asked(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.lets.clear()
    for number in range(MAX_MISSES - 1):
        await ahead.vector(str(number))
    ahead.prepare("tea")
    await asyncio.sleep(2 * SOON.total_seconds())
    asyncio.get_running_loop().call_later(SOON.total_seconds() / 4, provider.lets.set)
    assert given(await ahead.vector("tea")) == (UNIT, "")
    provider.lets.clear()
    assert [given(await ahead.vector(text)) for text in ("a", "b")] == [(None, "deadline")] * 2


async def test_while_it_is_down_one_question_at_a_time_is_tried(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.answer = UnavailableError("down")
    for number in range(MAX_MISSES):
        await ahead.vector(str(number))
    provider.lets.clear()
    for text in ("tea", "cake", "soup"):
        ahead.prepare(text)
        assert given(await ahead.vector(text)) == (None, "provider_down")
    await asyncio.sleep(0)
    assert provider.texts[MAX_MISSES:] == ["tea"]


async def test_a_slow_provider_is_not_waited_for_again_because_it_answered_late(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    for number in range(MAX_MISSES):
        provider.lets.clear()
        assert given(await ahead.vector(str(number))) == (None, "deadline")
        await asyncio.sleep(SOON.total_seconds() / 2)
        provider.lets.set()
        await until(lambda ended=number + 1: provider.ended == ended)
    provider.lets.clear()
    assert given(await ahead.vector("tea")) == (None, "provider_down")


async def test_of_another_model_nothing_bad_is_known(provider: Provider, ahead: QuestionEmbedder) -> None:
    provider.answer = UnavailableError("down")
    for number in range(MAX_MISSES):
        await ahead.vector(str(number))
    provider.model, provider.answer = "large", [TEA]
    assert given(await ahead.vector("tea")) == (UNIT, "")


async def test_only_so_many_questions_are_embedded_at_once(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.lets.clear()
    for number in range(5 * MAX_AT_ONCE):
        ahead.prepare(str(number))
    await asyncio.sleep(0)
    assert len(provider.texts) == MAX_AT_ONCE
    assert given(await ahead.vector("one more")) == (None, "deadline")


async def test_the_least_used_vectors_are_forgotten(provider: Provider, ahead: QuestionEmbedder) -> None:
    for number in range(KEPT + 1):
        await ahead.vector("tea")
        await ahead.vector(str(number))
    assert len(provider.texts) == KEPT + 2
    await ahead.vector("0")
    assert provider.texts[-1] == "0"


async def test_a_question_that_a_provider_broke_off_is_asked_again(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.answer = asyncio.CancelledError()
    assert given(await ahead.vector("tea")) == (None, "provider_down")
    provider.answer = [TEA]
    assert given(await ahead.vector("tea")) == (UNIT, "")


async def test_a_stop_breaks_off_what_is_under_way_and_nothing_begins_after_it(
    provider: Provider, ahead: QuestionEmbedder, scheduler: Scheduler
) -> None:
    provider.lets.clear()
    waiting = asyncio.ensure_future(ahead.vector("tea"))
    await until(lambda: bool(provider.texts))
    await scheduler.stop()
    assert given(await waiting) == (None, "provider_down")
    assert provider.ended == 1
    ahead.prepare("cake")
    assert given(await ahead.vector("cake")) == (None, "deadline")
    assert provider.texts == ["tea"]


async def test_what_was_prepared_is_told_of_when_it_arrives_however_late(
    provider: Provider, ahead: QuestionEmbedder
) -> None:
    provider.lets.clear()
    ahead.prepare("tea")
    arriving = asyncio.ensure_future(ahead.arrived(" tea "))
    await asyncio.sleep(2 * SOON.total_seconds())
    assert not arriving.done()
    provider.lets.set()
    arrived = await arriving
    assert arrived is not None
    assert arrived is await ahead.vector("tea")


async def test_of_what_does_not_come_nothing_arrives(provider: Provider, ahead: QuestionEmbedder) -> None:
    assert await ahead.arrived("tea") is None
    provider.answer = UnavailableError("down")
    ahead.prepare("tea")
    assert await ahead.arrived("tea") is None
    provider.model = "broken"
    assert await ahead.arrived("tea") is None
    provider.model = None
    assert await ahead.arrived("tea") is None
    assert provider.texts == ["tea"]
