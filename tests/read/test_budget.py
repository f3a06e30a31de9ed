import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted, Sifted
from astrbot_plugin_ltm.long_term_memory.policies.read_policy import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.budget import fit, token_tenths
from astrbot_plugin_ltm.long_term_memory.read.format import block
from hypothesis import given
from hypothesis import strategies as st

from .fakes import item, ranked

FACTS = st.lists(st.text(st.sampled_from("好茶a 😀カ한"), max_size=60) | st.text(max_size=40), max_size=12)


@pytest.mark.parametrize(
    ("text", "tenths"),
    [("", 0), ("tea!", 12), ("绿茶", 12), ("绿tea", 15), ("😀", 20), ("カナ한", 18), ("，", 3), ("𠀀", 6)],
)
def test_tokens_are_estimated_as_the_host_does(text: str, tenths: int) -> None:
    assert token_tenths(text) == tenths


@given(FACTS, st.integers(1, 12), st.integers(0, 12), st.integers(-2, 3))
def test_the_budget_holds_and_nothing_more_would_have_fitted(
    facts: list[str], max_items: int, aim: int, spare: int
) -> None:
    best_first = [ranked(item(f"m{number}", fact)) for number, fact in enumerate(facts)]
    max_tokens = max(1, token_tenths(block(best_first[:aim])) // 10 + spare)
    policy = MemoryReadPolicy(max_items=max_items, max_tokens=max_tokens)
    fitting = fit(Sifted(kept=best_first, omitted=[]), policy)
    count = len(fitting.kept)
    assert fitting.kept == best_first[:count]
    assert count <= max_items
    assert token_tenths(block(fitting.kept)) <= max_tokens * 10
    if count < min(len(best_first), max_items):
        assert token_tenths(block(best_first[: count + 1])) > max_tokens * 10
    assert [each.memory_id for each in fitting.omitted] == [
        each.item.memory_id for each in best_first[count:]
    ]


def test_a_block_of_exactly_the_budget_fits_and_one_letter_more_does_not() -> None:
    exact, over = ranked(item("exact", "x" * 7)), ranked(item("over", "x" * 8))
    assert token_tenths(block([exact])) == 210
    policy = MemoryReadPolicy(max_tokens=21)
    assert fit(Sifted(kept=[exact], omitted=[]), policy).kept == [exact]
    assert fit(Sifted(kept=[over], omitted=[]), policy).kept == []


def test_fifteen_long_chinese_facts_stay_below_800_tokens() -> None:
    facts = [ranked(item(f"m{number}", "用户喜欢喝绿茶" * 20)) for number in range(15)]
    fitting = fit(Sifted(kept=facts, omitted=[]), MemoryReadPolicy())
    assert 0 < len(fitting.kept) < 15
    assert sum(0.6 if "\u4e00" <= char <= "\u9fff" else 0.3 for char in block(fitting.kept)) <= 800
    assert {each.rule for each in fitting.omitted} == {"max_tokens"}


def test_a_smaller_fact_never_overtakes_the_one_that_does_not_fit() -> None:
    facts = [ranked(item("small", "tea")), ranked(item("big", "x" * 400)), ranked(item("tiny", "a"))]
    fitting = fit(Sifted(kept=facts, omitted=[]), MemoryReadPolicy(max_tokens=60))
    assert [each.item.memory_id for each in fitting.kept] == ["small"]
    assert fitting.omitted == [
        Omitted(memory_id="big", rule="max_tokens"),
        Omitted(memory_id="tiny", rule="max_tokens"),
    ]


def test_the_count_is_named_as_the_reason_when_it_is() -> None:
    gone = Omitted(memory_id="gone", rule="shadowed")
    fitting = fit(
        Sifted(kept=[ranked(item("a")), ranked(item("b"))], omitted=[gone]), MemoryReadPolicy(max_items=1)
    )
    assert fitting.omitted == [gone, Omitted(memory_id="b", rule="max_items")]


def test_a_budget_smaller_than_the_frame_injects_nothing() -> None:
    fitting = fit(Sifted(kept=[ranked(item("a"))], omitted=[]), MemoryReadPolicy(max_tokens=3))
    assert block(fitting.kept) == ""
