from collections.abc import Mapping
from datetime import UTC
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.reading import Query
from astrbot_plugin_ltm.long_term_memory.read.retrieve import Retrieved, Retriever
from astrbot_plugin_ltm.long_term_memory.read.scope import request_of
from astrbot_plugin_ltm.long_term_memory.read.similarity_baseline import SimilarityBaseline

from .fakes import NOW, Background, FakeAhead, FakeEmbedder, FakeMemory, alices_access, item

TEA = item("tea", "Likes green tea", MemoryType.PREFERENCE)
CAT = item("cat", "养了一只橘猫", MemoryType.PROFILE)


def retriever(memory: Any, ahead: FakeAhead, background: Background | None = None) -> Retriever:
    begin = (background or Background()).begin
    return Retriever(
        memory=memory, seek=ahead.vector, baseline=SimilarityBaseline(FakeEmbedder(), begin=begin)
    )


async def ask(of: Retriever, text: str = "Which tea?") -> Retrieved:
    return await of.retrieve(
        request_of(alices_access(), Query(text=text, at=NOW), zone=UTC), min_confidence=0.5
    )


async def test_without_a_vector_words_answer_alone_and_it_is_said_why() -> None:
    memory = FakeMemory([TEA, CAT], cosines={"tea": 0.8})
    found = await ask(retriever(memory, FakeAhead()))
    assert not found.visible.vectors
    assert (found.why, found.unrelated) == ("no_provider", None)
    assert found.visible.signals.words[0] > 0 == found.visible.signals.words[1]


async def test_with_a_vector_both_take_part() -> None:
    found = await ask(
        retriever(FakeMemory([TEA, CAT], cosines={"tea": 0.8, "cat": 0.1}), FakeAhead((1.0, 0.0)))
    )
    assert found.visible.vectors
    assert found.visible.signals.cosine.tolist() == [0.8, 0.1]
    assert found.why == ""


def about_tea(*, cosines: Mapping[str, float]) -> FakeMemory:
    """Five that match best, two that match less, and one that has no word of the question."""
    beside = [item(f"beside {at}", f"tea, tea: kettle {at}") for at in range(4)]
    return FakeMemory(
        [
            item("best", "tea, tea: 4 5"),
            *beside,
            item("other", "tea on a rainy Monday at school"),
            item("alike", "tea from the old blue kettle"),
            item("without", "the kettle broke"),
        ],
        cosines=cosines,
    )


async def test_where_there_is_no_vector_words_of_the_best_count_beside_those_of_the_question() -> None:
    words = (await ask(retriever(about_tea(cosines={}), FakeAhead()))).visible.signals.words.tolist()
    *best, other, alike, without = words
    assert words.index(max(words)) == 0
    assert min(best) > alike > other > without == 0.0


async def test_without_a_vector_a_character_of_another_word_counts_more_than_with_one() -> None:
    rent, moon = (
        item("rent", "房租每个月5号交", MemoryType.PROFILE),
        item("moon", "喜欢下雨", MemoryType.PROFILE),
    )
    alone = await ask(retriever(FakeMemory([rent, moon]), FakeAhead()), "租子交给谁")
    beside = await ask(
        retriever(FakeMemory([rent, moon], cosines={"rent": 0.5}), FakeAhead([1.0])), "租子交给谁"
    )
    assert alone.visible.signals.words[0] > beside.visible.signals.words[0] > 0
    assert alone.visible.signals.words[1] == 0


async def test_with_a_vector_they_do_not() -> None:
    memory = about_tea(cosines={"other": 0.5})
    words = (await ask(retriever(memory, FakeAhead((1.0, 0.0))))).visible.signals.words
    assert words[5] == pytest.approx(words[6])


async def test_what_is_unrelated_is_learnt_in_the_background_and_known_at_the_next_question() -> None:
    background = Background()
    asking = retriever(FakeMemory([TEA], cosines={"tea": 0.8}), FakeAhead((1.0, 0.0)), background)
    assert (await ask(asking)).unrelated is None
    await background.done()
    assert (await ask(asking)).unrelated is not None


@pytest.mark.parametrize("text", ["Which tea?", ""])
async def test_only_what_the_access_reaches_is_found(text: str) -> None:
    memory = FakeMemory([TEA, item("high", level=Level.RESTRICTED), item("unsure", confidence=0.4)])
    found = await ask(retriever(memory, FakeAhead()), text)
    assert list(found.visible.items) == [TEA]


@pytest.mark.parametrize(
    ("talk", "question", "asked"),
    [
        ("I painted the kitchen wall green and the kitchen door green. ", "Which tea?", "likes strong tea"),
        ("我把厨房的墙和厨房的门刷成了绿色。", "推荐一款红茶？", "喜欢喝红茶"),
    ],
)
async def test_what_is_asked_does_not_drown_in_the_talk_before_it(
    talk: str, question: str, asked: str
) -> None:
    wall = item("wall", "painted the kitchen wall and door green 把厨房的墙和门刷成了绿色")
    memory = FakeMemory([wall, item("tea", asked)])
    found = await ask(retriever(memory, FakeAhead()), talk + question)
    wall_words, tea_words = found.visible.signals.words.tolist()
    assert tea_words > wall_words > 0
    assert len(memory.asked) == 1


async def test_talk_that_finds_nothing_leaves_no_scores() -> None:
    found = await ask(retriever(FakeMemory([TEA]), FakeAhead()), "The sky was blue. Was the sea blue?")
    assert found.visible.signals.words.tolist() == [0.0]


async def test_one_sentence_is_looked_up_once() -> None:
    memory = FakeMemory([TEA, CAT])
    await ask(retriever(memory, FakeAhead()), "How are you? Which tea?")
    assert len(memory.asked) == 1
