from collections.abc import Sequence

from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.budget import fit
from astrbot_plugin_ltm.long_term_memory.read.format import block
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import token_tenths
from hypothesis import given
from hypothesis import strategies as st

from .fakes import in_this_order, item, line

FACTS = st.lists(st.text(st.sampled_from("好茶a 😀カ한"), max_size=60) | st.text(max_size=40), max_size=12)


def fitting(items: Sequence[Item], policy: MemoryReadPolicy) -> tuple[list[Item], list[str]]:
    """What is kept, and the rules of the rest."""
    ranking = in_this_order(items)
    outcome = list(fit(ranking, ((place, "") for place in range(len(items))), policy))
    assert [place for place, _, _ in outcome] == list(range(len(items)))
    return [items[place] for place, rule, _ in outcome if not rule], [rule for _, rule, _ in outcome if rule]


def tenths(items: Sequence[Item]) -> int:
    return token_tenths(block([line(each) for each in items]))


@given(FACTS, st.integers(1, 12), st.integers(0, 12), st.integers(-2, 3))
def test_the_budget_holds_and_nothing_more_would_have_fitted(
    facts: list[str], max_items: int, aim: int, spare: int
) -> None:
    best_first = [item(f"m{number}", fact) for number, fact in enumerate(facts)]
    max_tokens = max(1, tenths(best_first[:aim]) // 10 + spare)
    policy = MemoryReadPolicy(max_items=max_items, max_tokens=max_tokens)
    kept, _ = fitting(best_first, policy)
    assert kept == best_first[: len(kept)]
    assert len(kept) <= max_items
    assert tenths(kept) <= max_tokens * 10
    if len(kept) < min(len(best_first), max_items):
        assert tenths(best_first[: len(kept) + 1]) > max_tokens * 10


def test_a_block_of_exactly_the_budget_fits_and_one_letter_more_does_not() -> None:
    exact, over = item("exact", "x" * 10), item("over", "x" * 11)
    assert tenths([exact]) == 260
    policy = MemoryReadPolicy(max_tokens=26)
    assert fitting([exact], policy) == ([exact], [])
    assert fitting([over], policy) == ([], ["max_tokens"])


def test_thirty_long_chinese_facts_stay_below_800_tokens() -> None:
    facts = [item(f"m{number}", "用户喜欢喝绿茶" * 20) for number in range(30)]
    kept, rules = fitting(facts, MemoryReadPolicy())
    assert 0 < len(kept) < 15
    written = block([line(each) for each in kept])
    assert sum(0.7 if "\u4e00" <= char <= "\u9fff" else 0.2 for char in written) <= 800
    assert {*rules} == {"max_tokens"}


def test_short_facts_fill_the_tokens_before_they_are_too_many() -> None:
    facts = [
        item(f"m{number}", f"User likes the colour number {number} more than all the others that there are")
        for number in range(40)
    ]
    kept, rules = fitting(facts, MemoryReadPolicy())
    assert len(kept) > 20
    assert {*rules} == {"max_tokens"}


def test_a_smaller_fact_never_overtakes_the_one_that_does_not_fit() -> None:
    facts = [item("small", "tea"), item("big", "x" * 400), item("tiny", "a")]
    assert fitting(facts, MemoryReadPolicy(max_tokens=60)) == ([facts[0]], ["max_tokens", "max_tokens"])


def test_the_count_is_named_as_the_reason_when_it_is() -> None:
    facts = [item("a"), item("b"), item("c")]
    assert fitting(facts, MemoryReadPolicy(max_items=1)) == ([facts[0]], ["max_items", "max_items"])


def test_what_was_left_out_before_takes_no_place() -> None:
    ranking = in_this_order([item("a"), item("b"), item("c")])
    varied = [(0, "duplicate"), (1, ""), (2, "")]
    outcome = [(row, rule) for row, rule, _ in fit(ranking, varied, MemoryReadPolicy(max_items=1))]
    assert outcome == [(0, "duplicate"), (1, ""), (2, "max_items")]


def test_a_budget_smaller_than_the_frame_injects_nothing() -> None:
    assert fitting([item("a")], MemoryReadPolicy(max_tokens=3)) == ([], ["max_tokens"])
