import logging
from collections.abc import Sequence

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import QueryVector, UnrelatedCosines
from astrbot_plugin_ltm.long_term_memory.read.similarity_baseline import (
    BATCH,
    CHINESE,
    ENGLISH,
    MAX_TRIES,
    SimilarityBaseline,
)

from .fakes import Background, FakeEmbedder

QUESTION = QueryVector(model_id="fake", numbers=(1.0, 0.0))


def by_language(text: str) -> Sequence[float]:
    """English facts lie along the question or across it, Chinese ones across it."""
    if text in CHINESE:
        return (0.0, 2.0)
    return (1.0, 0.0) if ENGLISH.index(text) % 2 else (0.0, 1.0)


async def learnt(embedder: FakeEmbedder) -> SimilarityBaseline:
    background = Background()
    baseline = SimilarityBaseline(embedder, begin=background.begin)
    assert baseline.unrelated("tea?", QUESTION) is None
    await background.done()
    return baseline


async def test_a_question_is_compared_with_facts_of_its_language() -> None:
    baseline = await learnt(FakeEmbedder(by_language))
    english = baseline.unrelated("Which tea?", QUESTION)
    assert english is not None
    assert english.mean == pytest.approx(0.5)
    assert english.spread == pytest.approx(0.5, abs=0.01)
    assert baseline.unrelated("推荐一款green tea", QUESTION) == UnrelatedCosines(mean=0.0, spread=0.01)


async def test_they_are_embedded_once_and_in_small_batches() -> None:
    embedder = FakeEmbedder(by_language)
    baseline = await learnt(embedder)
    baseline.unrelated("tea", QUESTION)
    assert [text for batch in embedder.batches for text in batch] == [*ENGLISH, *CHINESE]
    assert all(len(batch) <= BATCH for batch in embedder.batches)


async def test_a_vector_of_another_length_is_not_compared() -> None:
    baseline = await learnt(FakeEmbedder(by_language))
    assert baseline.unrelated("tea", QueryVector(model_id="fake", numbers=(1.0, 0.0, 0.0))) is None


async def test_a_model_that_gives_vectors_of_another_length_is_learnt_anew() -> None:
    embedder, background = FakeEmbedder(by_language), Background()
    baseline = SimilarityBaseline(embedder, begin=background.begin)
    longer = QueryVector(model_id="fake", numbers=(1.0, 0.0, 0.0))
    baseline.unrelated("tea", QUESTION)
    await background.done()
    embedder.answer = lambda text: (*by_language(text), 0.0)
    baseline.unrelated("tea", longer)
    await background.done()
    assert baseline.unrelated("tea", longer) is not None
    for _ in range(MAX_TRIES):
        baseline.unrelated("tea", QUESTION)
        await background.done()
    assert len(embedder.batches) == MAX_TRIES * 4


@pytest.mark.parametrize(
    "embedder",
    [
        FakeEmbedder(fails=True),
        FakeEmbedder(lambda text: ()),  # noqa: ARG005
        FakeEmbedder(lambda text: (1.0,) * len(text)),
    ],
    ids=["fails", "empty", "of several lengths"],
)
async def test_a_provider_that_gives_nothing_usable_is_asked_a_few_times_and_no_more(
    embedder: FakeEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    background = Background()
    baseline = SimilarityBaseline(embedder, begin=background.begin)
    with caplog.at_level(logging.INFO):
        for _ in range(MAX_TRIES + 2):
            assert baseline.unrelated("tea", QUESTION) is None
            await background.done()
    assert len(embedder.batches) <= MAX_TRIES * 4
    assert not background.waiting
    assert not caplog.records


async def test_while_the_background_takes_no_more_nothing_is_learnt_and_later_it_is() -> None:
    background = Background(takes=False)
    baseline = SimilarityBaseline(FakeEmbedder(by_language), begin=background.begin)
    assert baseline.unrelated("tea", QUESTION) is None
    background.takes = True
    baseline.unrelated("tea", QUESTION)
    baseline.unrelated("tea", QUESTION)
    assert len(background.waiting) == 1
    await background.done()
    assert baseline.unrelated("tea", QUESTION) is not None


async def test_what_came_from_another_model_meanwhile_is_not_kept() -> None:
    embedder, background = FakeEmbedder(by_language), Background()
    baseline = SimilarityBaseline(embedder, begin=background.begin)
    baseline.unrelated("tea", QUESTION)
    embedder.model = "other"
    await background.done()
    assert baseline.unrelated("tea", QUESTION) is None


async def test_another_model_takes_the_place_of_the_one_before() -> None:
    embedder, background = FakeEmbedder(by_language), Background()
    baseline = SimilarityBaseline(embedder, begin=background.begin)
    vectors = [QueryVector(model_id=f"model {number}", numbers=(1.0, 0.0)) for number in range(2)]
    for vector in vectors:
        embedder.model = vector.model_id
        baseline.unrelated("tea", vector)
        await background.done()
    assert [baseline.unrelated("tea", vector) is not None for vector in vectors] == [False, True]
