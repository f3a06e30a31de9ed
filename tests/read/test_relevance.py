"""What is injected has to do with the question: real sentences, through the whole reader."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import STANDING_TYPES, MemoryType
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import (
    Period,
    Query,
    Recall,
    Request,
    Term,
    UnrelatedCosines,
)
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read import rank
from astrbot_plugin_ltm.long_term_memory.read.reader import MemoryReader
from astrbot_plugin_ltm.long_term_memory.read.relevance import (
    FILL,
    LONG_QUESTION,
    NEAR,
    NEAR_OWN,
    SMALL_MEMORY,
    relevant,
)
from astrbot_plugin_ltm.long_term_memory.read.retrieve import Retriever
from astrbot_plugin_ltm.long_term_memory.read.similarity_baseline import SimilarityBaseline

from . import questions
from .fakes import NOW, Background, FakeAhead, FakeEmbedder, FakeMemory, alices_access, item, visible

UNRELATED = UnrelatedCosines(mean=0.2, spread=0.1)


def kept(facts: Sequence[tuple[MemoryType, str]]) -> list[Item]:
    items = [item(f"m{number}", fact, kind) for number, (kind, fact) in enumerate(facts)]
    return [replace(each, slot=questions.SLOTS.get(each.fact, "")) for each in items]


ENGLISH = kept([*questions.STANDING_EN, *questions.FACTS_EN])
CHINESE = kept([*questions.STANDING_ZH, *questions.FACTS_ZH])


async def recalled(items: Sequence[Item], question: str) -> Recall:
    baseline = SimilarityBaseline(FakeEmbedder(), begin=Background().begin)
    memory: Any = FakeMemory(items)
    retriever = Retriever(memory=memory, seek=FakeAhead().vector, baseline=baseline)
    reader = MemoryReader(retriever=retriever, policy=MemoryReadPolicy)
    # What a small memory brings along beside what the gate finds is tested in test_rank.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank, "SMALL_MEMORY", 0)
        return await reader.recall(alices_access(), Query(text=question, at=NOW))


def situational(recall: Recall) -> list[str]:
    return [each.item.fact for each in recall.injected if each.item.type not in STANDING_TYPES]


@pytest.mark.parametrize(("question", "expected"), questions.RELATED_EN)
async def test_a_related_question_finds_its_memory(question: str, expected: str) -> None:
    found = situational(await recalled(ENGLISH, question))
    assert any(expected in fact for fact in found)
    assert len(found) <= 4


@pytest.mark.parametrize(("question", "expected"), questions.RELATED_ZH)
async def test_a_related_question_in_chinese_finds_its_memory(question: str, expected: str) -> None:
    found = situational(await recalled(CHINESE, question))
    assert any(expected in fact for fact in found)
    assert len(found) <= 3


@pytest.mark.parametrize("question", questions.UNRELATED_EN)
async def test_an_unrelated_question_finds_nothing_situational(question: str) -> None:
    assert situational(await recalled(ENGLISH, question)) == []


@pytest.mark.parametrize("question", questions.UNRELATED_ZH)
async def test_an_unrelated_question_in_chinese_finds_nothing_situational(question: str) -> None:
    assert situational(await recalled(CHINESE, question)) == []


@pytest.mark.parametrize(
    ("items", "question"), [(ENGLISH, questions.UNRELATED_EN[1]), (CHINESE, questions.UNRELATED_ZH[1])]
)
async def test_what_stands_goes_along_all_the_same(items: Sequence[Item], question: str) -> None:
    recall = await recalled(items, question)
    assert {each.item.type for each in recall.injected} == {*STANDING_TYPES}


@pytest.mark.parametrize(("items", "question"), [(ENGLISH, "What do I like?"), (CHINESE, "我喜欢什么？")])
async def test_a_question_about_oneself_that_says_nothing_else_is_taken_at_its_word(
    items: Sequence[Item], question: str
) -> None:
    assert len(situational(await recalled(items, question))) >= 3


def asked(*terms: str, period: Period | None = None, tells: bool = True) -> Request:
    access = alices_access()
    wanted = [Term(term, tells=tells) for term in terms]
    return Request(access=access, at=NOW, text="", terms=wanted, period=period)


def passing(
    items: Sequence[Item],
    request: Request,
    cosines: Mapping[str, float] = {},
    unrelated: UnrelatedCosines | None = UNRELATED,
) -> list[str]:
    seen = visible(items, request.terms, cosines)
    flags = relevant(seen.signals, request, unrelated)
    return [each.memory_id for each, passes in zip(items, flags.tolist(), strict=True) if passes]


def other_items(number: int) -> list[Item]:
    return [item(f"m{at}", f"other {at}") for at in range(number)]


def test_a_vector_far_above_what_unrelated_texts_have_is_enough() -> None:
    items = [item("one"), item("none")]
    usual = 0.2 + 0.1 * 0.3  # one memory is not enough to make much usual
    assert passing(items, asked("tea"), {"one": usual + 0.1 * NEAR}) == ["one"]
    assert passing(items, asked("tea"), {"one": 0.19 + 0.1 * NEAR}) == []


@pytest.mark.parametrize("question", ["Which is my tea?", "我喝的是哪一种？"])
def test_less_is_enough_when_the_question_is_about_something_of_ones_own(question: str) -> None:
    cosines = {"one": 0.22 + 0.1 * (NEAR_OWN + NEAR) / 2}
    items = [item("one"), item("none")]
    assert passing(items, replace(asked("tea"), text=question), cosines) == ["one"]
    assert passing(items, replace(asked("tea"), text="Which is it? 帮我选"), cosines) == []


def test_a_word_in_common_with_a_question_about_ones_own_is_less_of_a_coincidence() -> None:
    items = [item("one", "likes green tea"), *other_items(9)]
    as_far_as_unrelated = {"one": 0.2, **{f"m{number}": 0.2 for number in range(9)}}
    assert passing(items, asked("tea"), as_far_as_unrelated) == []
    own = replace(asked("tea"), text="Where is my tea?")
    assert passing(items, own, as_far_as_unrelated) == ["one"]
    assert passing(items, own, dict.fromkeys(as_far_as_unrelated, -0.2)) == []


def test_what_is_near_to_everything_is_not_meant_by_its_vector() -> None:
    items = other_items(40)
    everything = cosines_of(0.55 + number / 1_000 for number in range(40))
    assert passing(items, asked("tea"), {**everything, "m3": 0.75}) == []
    assert passing(items, asked("tea"), {"m3": 0.75}) == ["m3"]


def test_a_shared_word_is_a_coincidence_where_the_vector_is_no_nearer_than_unrelated_ones() -> None:
    items = [item("one", "likes tea", MemoryType.PREFERENCE), item("other", "new")]
    assert passing(items, asked("tea"), {"one": 0.35, "other": 0.2}) == ["one"]
    assert passing(items, asked("tea"), {"one": 0.25, "other": 0.2}) == []
    assert passing(items, asked("tea"), {"other": 0.2}) == ["one"]


def test_what_is_about_the_day_goes_along_and_opens_nothing() -> None:
    items = [item("day", "sees the dentist on 2025-06-01"), *other_items(20)]
    cosines = {**cosines_of(0.2 for _ in range(20)), "day": 0.2, "m3": 0.4}
    request = asked("weather")
    seen = visible(items, request.terms, cosines)
    seen.signals.named[0] = True
    for terms in (request.terms, [Term("2025-06-01", tells=False, day=True)]):
        found = relevant(seen.signals, replace(request, terms=terms), UNRELATED)
        assert found.nonzero()[0].tolist() == [0]


def test_whom_the_question_names_opens_the_way_for_what_stands_out() -> None:
    items = [item("bob", "keeps bees", person="Bob"), *other_items(20)]
    cosines = {**cosines_of(0.2 for _ in range(20)), "bob": 0.1, "m3": 0.4}
    assert passing(items, asked("bob"), cosines) == ["bob", "m3"]


def test_several_shared_words_are_none_even_to_a_model_that_does_not_know_the_language() -> None:
    items = [item("one", "likes green tea", MemoryType.PREFERENCE), item("other", "new")]
    assert passing(items, asked("green", "tea"), {"one": 0.1, "other": 0.1}) == ["one"]


def test_beside_what_is_surely_meant_a_shared_word_is_none() -> None:
    items = [item(name, "likes tea", MemoryType.PREFERENCE) for name in ("near", "far")]
    assert passing(items, asked("tea"), {"near": 0.35, "far": 0.1}) == ["near", "far"]


def test_beside_what_is_surely_meant_goes_what_stands_out_among_the_memories() -> None:
    items = [item("meant", "likes tea"), *other_items(20)]
    cosines = {**cosines_of(0.2 for _ in range(20)), "meant": 0.7, "m3": 0.4}
    assert passing(items, asked("tea"), cosines) == ["meant", "m3"]
    assert passing(items, asked("milk"), {**cosines, "meant": 0.5}) == []


def test_words_that_tell_nothing_open_nothing() -> None:
    assert passing([item("a", "good tea")], asked("good", tells=False)) == []


def test_of_a_long_text_more_than_one_word_must_match() -> None:
    others = other_items(20)
    one, three = item("one", "likes tea"), item("three", "likes tea with milk and honey")
    chatter = [f"word{number}" for number in range(3 * LONG_QUESTION)]
    assert passing([one, *others], asked("tea", "milk", "honei", *chatter)) == []
    assert passing([one, *others], asked("tea", "milk", "honei")) == ["one"]
    assert passing([one, three, *others], asked("tea", "milk", "honei", *chatter)) == ["three"]


def test_whom_the_question_names_that_is_it_about() -> None:
    items = [item("bob", "likes tea", person="Bob"), item("own", "likes tea")]
    assert passing(items, asked("bob")) == ["bob"]


def days_ago(first: float, last: float) -> Period:
    return Period(start=NOW - timedelta(days=first), end=NOW - timedelta(days=last))


def test_what_was_told_in_the_days_asked_about_is_meant_when_nothing_else_is_asked() -> None:
    items = [item("old", days_old=9), item("then", days_old=3), item("now")]
    assert passing(items, asked(period=days_ago(4, 2))) == ["then"]
    assert passing(items, asked("tea", period=days_ago(4, 2))) == []


def test_the_first_moment_of_a_period_is_in_it_and_the_last_is_not() -> None:
    items = [item("first", days_old=4), item("last", days_old=2)]
    assert passing(items, asked(period=days_ago(4, 2))) == ["first"]


def cosines_of(values: Iterator[float]) -> dict[str, float]:
    return {f"m{number}": value for number, value in enumerate(values)}


def test_while_unrelated_texts_are_not_known_a_vector_must_be_near_and_stand_out() -> None:
    items = [item(f"m{number}") for number in range(12)]
    alike = cosines_of(0.8 + number / 1_000 for number in range(12))
    assert passing(items, asked("tea"), alike, None) == []
    assert passing(items, asked("tea"), {**alike, "m3": 0.95}, None) == ["m3"]
    low = cosines_of(0.1 + number / 1_000 for number in range(12))
    assert passing(items, asked("tea"), {**low, "m3": 0.45}, None) == []


def test_among_very_few_nothing_stands_out_and_near_is_enough() -> None:
    items = [item("a"), item("b")]
    assert passing(items, asked("tea"), {"a": 0.7, "b": 0.2}, None) == ["a"]


def test_nothing_visible_is_nothing_relevant() -> None:
    for unrelated in (None, UNRELATED):
        assert passing([], asked("tea"), {}, unrelated) == []


def test_what_was_told_today_is_not_meant_by_every_question_for_today() -> None:
    today = Period(start=datetime(2025, 6, 1, tzinfo=UTC), end=datetime(2025, 6, 2, tzinfo=UTC))
    assert passing([item("now")], asked(period=today)) == []


def test_of_several_days_up_to_now_what_was_told_in_them_is_meant() -> None:
    days = Period(start=NOW - timedelta(days=3), end=NOW + timedelta(hours=1))
    assert passing([item("then", days_old=2), item("old", days_old=5)], asked(period=days)) == ["then"]


def test_of_many_memories_the_best_by_words_go_along_with_what_is_surely_meant() -> None:
    wanted = [Term("tea"), Term("milk", 0.1, tells=False), Term("good", 0.01, tells=False)]
    request = Request(access=alices_access(), at=NOW, text="", terms=wanted)
    alike = [item(f"a{at}", "milk") for at in range(FILL - 1)]
    items = [item("tea", "likes strong tea"), *alike]
    less = [item(f"l{at}", f"good {at}") for at in range(20)]
    whole = passing([*items, *less, *other_items(SMALL_MEMORY)], request)
    assert whole == ["tea", *(each.memory_id for each in alike)]
    assert passing([*alike, *other_items(SMALL_MEMORY)], request) == []
