from dataclasses import replace
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import Hit, Omitted, Sifted
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType
from astrbot_plugin_ltm.long_term_memory.policies.read_policy import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.rank import rank, time_decay
from hypothesis import given
from hypothesis import strategies as st

from .fakes import NOW, hit, item

POLICY = MemoryReadPolicy()
SITUATIONAL = [MemoryType.PREFERENCE, MemoryType.TASK_STATE, MemoryType.EPISODE]


def order(sifted: Sifted) -> list[str]:
    return [each.item.memory_id for each in sifted.kept]


@st.composite
def hits(draw: st.DrawFn) -> list[Hit]:
    count = draw(st.integers(0, 12))
    return [
        hit(
            item(
                f"m{number}",
                kind=draw(st.sampled_from(MemoryType)),
                days_old=draw(st.integers(-2, 400)),
                importance=draw(st.floats(0, 1)),
            ),
            words=draw(st.just(0.0) | st.floats(0.01, 50)),
            cosine=draw(st.none() | st.floats(-1, 1)),
        )
        for number in range(count)
    ]


def test_standing_facts_are_recalled_though_they_share_no_word_with_the_question() -> None:
    name = item("name", "User's name is Alice", MemoryType.PROFILE)
    peanuts = item("peanuts", "User is allergic to peanuts", MemoryType.CONSTRAINT)
    assert sorted(order(rank([hit(name), hit(peanuts)], POLICY, now=NOW))) == ["name", "peanuts"]


@pytest.mark.parametrize("kind", SITUATIONAL)
def test_an_unrelated_situational_fact_stays_silent(kind: MemoryType) -> None:
    ranked = rank([hit(item("m", kind=kind), cosine=0.2)], POLICY, now=NOW)
    assert ranked == Sifted(kept=[], omitted=[Omitted(memory_id="m", rule="not_relevant")])


@pytest.mark.parametrize("kind", SITUATIONAL)
def test_a_situational_fact_with_a_shared_word_or_a_near_vector_is_recalled(kind: MemoryType) -> None:
    by_word, by_vector = item("word", kind=kind), item("vector", kind=kind)
    ranked = rank([hit(by_word, words=0.4), hit(by_vector, cosine=0.7)], POLICY, now=NOW)
    assert sorted(order(ranked)) == ["vector", "word"]


def test_the_score_is_the_weighted_sum_of_signals_on_one_scale() -> None:
    policy = MemoryReadPolicy(similarity_weight=3, importance_weight=4, recency_weight=3)
    best = hit(item("a", importance=0.5, days_old=30), words=8.0)
    half = hit(item("b", importance=1.0), words=4.0)
    first, second = rank([best, half], policy, now=NOW).kept
    assert (first.item.memory_id, first.similarity, first.importance, first.recency) == pytest.approx(
        ("b", 0.15, 0.4, 0.3)
    )
    assert second.score == pytest.approx(0.3 * 1 + 0.4 * 0.5 + 0.3 * 0.5)


def test_words_and_vectors_count_together() -> None:
    both, words_only, vector_only = item("both"), item("words"), item("vector")
    candidates = [
        hit(vector_only, words=0, cosine=0.9),
        hit(words_only, words=9, cosine=0.1),
        hit(both, words=6, cosine=0.8),
    ]
    assert order(rank(candidates, POLICY, now=NOW))[0] == "both"


def test_a_lone_vector_counts_as_what_it_is() -> None:
    assert rank([hit(item("a"), cosine=0.6)], POLICY, now=NOW).kept[0].similarity == pytest.approx(
        0.8 * 0.5 * 0.6
    )


def test_weights_of_nothing_leave_similarity() -> None:
    policy = MemoryReadPolicy(similarity_weight=0, importance_weight=0, recency_weight=0)
    assert rank([hit(item("a"), words=1)], policy, now=NOW).kept[0].score == 1.0


def test_equal_scores_go_by_the_last_confirmation_then_by_id() -> None:
    policy = MemoryReadPolicy(similarity_weight=1, importance_weight=0, recency_weight=0)
    candidates = [hit(item("c")), hit(item("b")), hit(item("a", days_old=3)), hit(item("d", days_old=1))]
    assert order(rank(candidates, policy, now=NOW)) == ["b", "c", "d", "a"]


@given(st.permutations([hit(item(name, days_old=age)) for name, age in [("a", 1), ("b", 1), ("c", 0)]]))
def test_the_order_of_candidates_is_of_no_matter(candidates: list[Hit]) -> None:
    assert order(rank(candidates, POLICY, now=NOW)) == ["c", "a", "b"]


@given(hits(), st.sampled_from([2.0**-20, 0.5, 8.0, 2.0**40]))
def test_the_scale_of_word_scores_is_of_no_matter(candidates: list[Hit], factor: float) -> None:
    scaled = [replace(each, words=each.words * factor) for each in candidates]
    assert rank(scaled, POLICY, now=NOW) == rank(candidates, POLICY, now=NOW)


@given(hits())
def test_every_candidate_is_kept_or_omitted_and_scores_lie_in_0_to_1(candidates: list[Hit]) -> None:
    ranked = rank(candidates, POLICY, now=NOW)
    assert sorted([*order(ranked), *(each.memory_id for each in ranked.omitted)]) == sorted(
        each.item.memory_id for each in candidates
    )
    assert all(-1e-9 <= each.score <= 1 + 1e-9 for each in ranked.kept)
    assert [each.score for each in ranked.kept] == sorted((each.score for each in ranked.kept), reverse=True)


def test_a_fact_fades_to_half_in_thirty_days_and_one_of_tomorrow_is_just_fresh() -> None:
    assert time_decay(timedelta(days=30)) == 0.5
    assert time_decay(timedelta(days=90)) == 0.25
    assert time_decay(timedelta(days=-1)) == 1.0
