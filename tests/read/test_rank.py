import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC

import numpy as np
import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType, Origin, Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Query, Request, UnrelatedCosines
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import DEFAULT_WEIGHTS, MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.protocols import KINDS, OF_ANSWERS, Visible
from astrbot_plugin_ltm.long_term_memory.read.rank import (
    BESIDE,
    DATED,
    DUE,
    NAMED,
    PLANNED,
    UNASKED,
    Ranking,
    best_rows,
    rank,
    time_decay,
)
from astrbot_plugin_ltm.long_term_memory.read.relevance import SMALL_MEMORY
from astrbot_plugin_ltm.long_term_memory.read.retrieve import Retrieved
from astrbot_plugin_ltm.long_term_memory.read.scope import request_of
from hypothesis import given
from hypothesis import strategies as st

from .fakes import NOW, alices_access, in_this_order, item, visible

POLICY = MemoryReadPolicy()
CHOSEN = MemoryReadPolicy(similarity_weight=0.3, importance_weight=0.4, recency_weight=0.3)
UNRELATED = UnrelatedCosines(mean=0.2, spread=0.1)
SITUATIONAL = [MemoryType.PREFERENCE, MemoryType.TASK_STATE, MemoryType.EPISODE]
TEA = MemoryType.PREFERENCE


def asked(text: str) -> Request:
    return request_of(alices_access(), Query(text=text, at=NOW), zone=UTC)


def ranked(
    items: Sequence[Item],
    text: str = "",
    cosines: Mapping[str, float] = {},
    *,
    policy: MemoryReadPolicy = POLICY,
    seen: Visible | None = None,
) -> Ranking:
    request = asked(text)
    found = Retrieved(visible=seen or visible(items, request.terms, cosines), unrelated=UNRELATED)
    return rank(found, request, policy)


def order(ranking: Ranking) -> list[str]:
    return [ranking.visible.items[row].memory_id for row in ranking.best]


def beside(ranking: Ranking) -> dict[str, bool]:
    """What may not be used, and whether that is because another version counts."""
    return {
        ranking.visible.items[row].memory_id: bool(ranking.visible.signals.shadowed[row])
        for row in ranking.rest()
    }


def test_standing_facts_come_along_though_they_share_no_word_with_the_question() -> None:
    name = item("name", "User's name is Alice", MemoryType.PROFILE)
    peanuts = item("peanuts", "User is allergic to peanuts", MemoryType.CONSTRAINT)
    assert sorted(order(ranked([name, peanuts], "Why is the sky blue?"))) == ["name", "peanuts"]


def test_how_to_answer_comes_along_and_takes_no_place_of_what_is_to_be_heeded() -> None:
    limits = [item(f"limit{number}", "User eats no pork", MemoryType.CONSTRAINT) for number in range(UNASKED)]
    manners = [item(f"manner{number}", "User wants short answers", TEA, importance=1) for number in range(7)]
    seen = visible([*limits, *manners], asked("Why is the sky blue?").terms, {})
    kinds = np.where(
        np.arange(len(seen.items)) < UNASKED, KINDS.index(MemoryType.CONSTRAINT), KINDS.index(OF_ANSWERS)
    )
    seen = replace(seen, signals=replace(seen.signals, kinds=kinds.astype(np.int8)))
    found = order(ranked([], "Why is the sky blue?", seen=seen))
    assert {each.memory_id for each in limits} <= {*found}
    assert len([*filter(lambda each: each.startswith("manner"), found)]) == UNASKED


@pytest.mark.parametrize("kind", SITUATIONAL)
def test_an_unrelated_situational_fact_stays_silent(kind: MemoryType) -> None:
    ranking = ranked([item("m", "likes tea", kind)], "Why is the sky blue?", {"m": 0.25})
    assert (order(ranking), beside(ranking)) == ([], {"m": False})


@pytest.mark.parametrize("kind", SITUATIONAL)
def test_a_situational_fact_with_a_shared_word_or_a_near_vector_is_recalled(kind: MemoryType) -> None:
    items = [item("word", "likes tea", kind), item("vector", "enjoys sencha", kind)]
    assert sorted(order(ranked(items, "Which tea?", {"vector": 0.8}))) == ["vector", "word"]


def test_words_and_vectors_count_together() -> None:
    items = [
        item("vector", "enjoys sencha", TEA),
        item("words", "drinks green tea", TEA),
        item("both", "likes green tea a lot", TEA),
    ]
    cosines = {"vector": 0.9, "words": 0.3, "both": 0.85}
    assert order(ranked(items, "Which green tea?", cosines))[0] == "both"


def test_where_there_is_no_vector_words_stand_for_it() -> None:
    items = [item("a", "green tea", TEA), item("b", "green tea", TEA), item("c", "else", TEA)]
    ranking = ranked(items, "green tea?", {"b": 0.8, "c": 0.1})
    assert ranking.ranked(0).similarity == pytest.approx(ranking.ranked(1).similarity)
    assert [ranking.ranked(place).cosine for place in (0, 1)] == [None, 0.8]


def test_a_lone_vector_counts_as_what_it_is() -> None:
    (only,) = (ranked([item("a", "x", TEA)], "tea?", {"a": 0.8}).ranked(0),)
    assert only.similarity == pytest.approx(DEFAULT_WEIGHTS.similarity * 0.45 * 0.8)


def test_the_score_is_the_sum_of_its_shares() -> None:
    tea = item("a", "Bob likes tea", TEA, importance=0.5, days_old=30, person="Bob")
    best = ranked([tea], "Did I say in May that Bob likes tea?").ranked(0)
    assert best.score == pytest.approx(
        best.similarity + best.importance + best.recency + best.named + best.timing
    )
    weights = DEFAULT_WEIGHTS
    assert best.similarity == pytest.approx(weights.similarity)
    assert (best.importance, best.recency) == pytest.approx((weights.importance * 0.5, weights.recency * 0.5))
    assert (best.named, best.timing) == (NAMED, DATED)
    assert best.words is not None
    assert best.words > 0


def test_whom_the_question_names_comes_before_others_of_the_same_words() -> None:
    items = [item("own", "likes Bob's tea", TEA), item("bobs", "likes tea", TEA, person="Bob")]
    assert order(ranked(items, "Which tea does Bob like?")) == ["bobs", "own"]


def test_what_was_only_learnt_today_is_not_about_today() -> None:
    kept = replace(item("kept", "User keeps bees", MemoryType.EPISODE), origin=Origin.USER_EXPLICIT)
    lost = item("lost", "User lost bees", MemoryType.EPISODE)
    items = [item("job", "User keeps bees", MemoryType.PROFILE), kept, lost]
    for question in ("How are the bees today?", "bees tonight?", "今天 bees 怎么样"):
        ranking = ranked(items, question)
        assert [ranking.ranked(row).timing for row in range(3)] == [0, 0, DATED], question
    assert ranked(items, "What of the bees this week?").ranked(0).timing == DATED


@pytest.mark.parametrize(
    ("fact", "question"), [("ate soup", "What soup did I eat last week?"), ("喝了汤", "上周我喝的什么汤？")]
)
def test_what_was_told_in_the_days_that_are_asked_about_comes_first(fact: str, question: str) -> None:
    items = [
        item("now", fact, MemoryType.EPISODE),
        item("then", fact, MemoryType.EPISODE, days_old=9),
    ]
    assert order(ranked(items, question)) == ["then", "now"]


def test_what_is_asked_for_by_its_day_alone_comes_before_what_just_stands() -> None:
    then = item("then", "saw a play", MemoryType.EPISODE, days_old=1)
    standing = [item(f"fact {number}", f"knows {number}", MemoryType.PROFILE) for number in range(4)]
    assert order(ranked([*standing, then], "What did I tell you yesterday?"))[0] == "then"


def test_of_sixty_standing_facts_the_related_come_first_and_a_few_others_go_along() -> None:
    profile = [item(f"m{number}", f"fact number {number}", importance=number / 100) for number in range(60)]
    tea = item("tea", "drinks tea with milk", importance=0.0, days_old=300)
    ranking = ranked([*profile, tea], "How is tea made?")
    assert order(ranking) == ["tea", *(f"m{number}" for number in (59, 58, 57, 56, 55))]
    assert len(beside(ranking)) == BESIDE


def test_what_just_stands_does_not_come_before_what_is_asked_for() -> None:
    stands = [item(f"m{number}", "User is somebody", importance=1.0) for number in range(40)]
    items = [*stands, item("tea", "drinks tea", TEA, importance=0.0, days_old=300)]
    assert order(ranked(items, "Which tea?"))[0] == "tea"
    assert len(order(ranked(items, "How is tea made?"))) == 1 + UNASKED


def test_a_standing_fact_that_is_related_comes_before_one_that_is_not() -> None:
    items = [item("stands", "User is somebody", importance=1.0), item("tea", "drinks tea and milk")]
    items += [item(f"m{number}", "milk milk milk", TEA) for number in range(3)]
    names = order(ranked(items, "milk"))
    assert names.index("tea") < names.index("stands")


def test_what_another_version_takes_the_place_of_is_not_used() -> None:
    low = item("low", "likes tea", TEA, key="drink", level=Level.PUBLIC)
    high = item("high", "likes coffee", TEA, key="drink")
    ranking = ranked([low, high], "Which tea?")
    assert (order(ranking), beside(ranking)) == ([], {"low": True, "high": False})


def test_no_type_keeps_more_rows_than_are_looked_at() -> None:
    items = [item(f"m{number:03}", "likes tea", TEA) for number in range(200)]
    assert len(order(ranked(items, "tea"))) == POLICY.max_per_type + BESIDE


def test_weights_that_an_operator_chose_count_brought_to_sum_1() -> None:
    policy = MemoryReadPolicy(similarity_weight=0.0, importance_weight=1.0, recency_weight=1.0)
    items = [item("a", "likes tea", TEA, importance=0.4, days_old=30)]
    assert ranked(items, "tea", policy=policy).ranked(0).score == pytest.approx(0.5 * 0.4 + 0.5 * 0.5)


def test_equal_scores_go_by_the_last_confirmation_then_by_place() -> None:
    policy = MemoryReadPolicy(similarity_weight=1, importance_weight=0, recency_weight=0)
    items = [item("c"), item("b"), item("a", days_old=3), item("d", days_old=1)]
    assert order(ranked(items, policy=policy)) == ["c", "b", "d", "a"]


@given(
    st.lists(st.tuples(st.floats(0, 50), st.floats(-1, 1) | st.just(float("nan"))), max_size=12), st.data()
)
def test_whatever_the_signals_are_each_row_has_one_place_and_scores_fall(
    values: list[tuple[float, float]], data: st.DataObject
) -> None:
    kinds = [data.draw(st.sampled_from(MemoryType)) for _ in values]
    items = [item(f"m{number}", kind=kind) for number, kind in enumerate(kinds)]
    words, cosine = [word for word, _ in values], [each for _, each in values]
    plain = visible(items)
    signals = replace(
        plain.signals,
        words=np.array(words, np.float64),
        coverage=np.array([min(word, 1.0) for word in words], np.float64),
        cosine=np.array(cosine, np.float64),
    )
    policy = data.draw(st.sampled_from([POLICY, CHOSEN]))
    ranking = ranked(items, "tea", policy=policy, seen=replace(plain, signals=signals))
    assert sorted([*ranking.best, *ranking.rest()]) == list(range(len(items)))
    scores = ranking.scores[list(ranking.best)].tolist()
    assert scores == sorted(scores, reverse=True)
    assert all(-1e-9 <= score <= 1 + 1e-9 for score in scores)


@given(st.sampled_from([2.0**-20, 0.5, 8.0, 2.0**40]))
def test_the_scale_of_word_scores_is_of_no_matter(factor: float) -> None:
    items = [item("a", "green tea", TEA), item("b", "tea and more tea", TEA), item("c", "green", TEA)]
    plain = visible(items, asked("green tea").terms, {"a": 0.4, "b": 0.7})
    scaled = replace(plain, signals=replace(plain.signals, words=plain.signals.words * factor))
    one, other = ranked(items, "green tea", seen=plain), ranked(items, "green tea", seen=scaled)
    assert order(one) == order(other)
    assert one.scores.tolist() == pytest.approx(other.scores.tolist())


def test_whoever_searches_finds_what_has_a_word_that_tells_something_not_one_of_its_characters() -> None:
    items = [
        item("tea", "早上喝绿茶", TEA),
        item("little", "推荐过一家店", TEA),
        item("other", "绿色的车", TEA),
    ]
    request = asked("推荐绿茶")
    found = Retrieved(visible=visible(items, request.terms), unrelated=UNRELATED)
    assert order(rank(found, request, POLICY, searching=True)) == ["tea"]


def test_nothing_visible_ranks_nothing() -> None:
    assert [*ranked([], "tea").best, *ranked([], "tea").rest()] == []


def test_a_fact_fades_to_half_in_thirty_days_and_one_of_tomorrow_is_just_fresh() -> None:
    days = np.array([30.0, 90.0, -1.0]) * 86_400
    assert time_decay(days).tolist() == [0.5, 0.25, 1.0]


def test_of_very_many_that_score_alike_the_last_confirmed_are_taken() -> None:
    alike = MemoryReadPolicy(similarity_weight=1.0, importance_weight=0.0, recency_weight=0.0)
    ages = [number * 7 % 300 for number in range(300)]
    items = [item(f"{age}", "likes tea", TEA, days_old=age) for age in ages]
    standing = [item(f"s{age}", "fact", MemoryType.PROFILE, days_old=age) for age in ages]
    ranking = ranked([*items, *standing], "Which tea?", policy=alike)
    taken = alike.max_per_type + BESIDE
    assert order(ranking) == [*(f"{age}" for age in range(taken)), *(f"s{age}" for age in range(UNASKED))]
    assert [*beside(ranking)] == [f"s{age}" for age in range(UNASKED, UNASKED + BESIDE)]


@pytest.mark.parametrize("count", [0, 1, 40, 150])
def test_the_order_and_the_share_of_each_type_are_those_of_a_plain_sort(count: int) -> None:
    draw = random.Random(count)  # noqa: S311  no secret
    kinds = [draw.choice(list(MemoryType)[:2]) for _ in range(count)]
    items = [
        item(f"m{number}", "tea", kind, days_old=draw.randrange(3), importance=draw.choice([0.0, 1.0]))
        for number, kind in enumerate(kinds)
    ]
    plain = visible(items, asked("tea").terms)
    seen = replace(plain, signals=replace(plain.signals, shadowed=np.zeros(count, np.bool_)))
    ranking = ranked(items, "tea", seen=seen)
    by_score = sorted(range(count), key=lambda row: (-ranking.scores[row], -seen.signals.confirmed[row], row))
    expected = [
        row
        for place, row in enumerate(by_score)
        if sum(kinds[other] is kinds[row] for other in by_score[:place]) < POLICY.max_per_type + BESIDE
    ]
    assert list(ranking.best) == expected


def test_a_question_about_oneself_brings_what_a_small_memory_has_of_ones_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    items = [item("tea", "User likes green tea", TEA), item("band", "User plays in a band", TEA)]
    assert order(ranked(items, "Which tea do I like?")) == ["tea", "band"]
    assert order(ranked(items, "Which tea is good?")) == ["tea", "band"]
    for question in (
        "How is tea made?",
        "What's the difference of tea and coffee?",
        "Write a poem about tea",
    ):
        assert order(ranked(items, question)) == ["tea"], question
    for question in (
        "What should I do about the leaking roof?",
        "my kid has a music test, thoughts?",
        "wife's coming over. any ideas?",
        "我该带点什么",
        "下周有啥安排",
        "帮我捋一下12月的事",
        "30号早上要带点啥",
        "anything planned for next week?",
    ):
        assert len(order(ranked(items, question))) == 2, question
    for question in (
        "How do I fix a leaking roof?",
        "Why does my Docker container exit?",
        "帮我写一首诗",
        "我的容器为什么退出",
        "What is a pension plan?",
        "How was the weather yesterday?",
        "给小孩子解释光合作用",
        "What's on TV tonight?",
    ):
        assert order(ranked(items, question)) == [], question
    monkeypatch.setattr("astrbot_plugin_ltm.long_term_memory.read.rank.SMALL_MEMORY", 1)
    assert order(ranked(items, "Which tea do I like?")) == ["tea"]


def test_it_brings_what_is_of_the_whole_group_too_but_not_what_is_of_somebody_in_it() -> None:
    group = ScopeRef(scope=Scope.GROUP, scope_id="g")
    ours = item("rota", "Kim does the bins on Sunday", MemoryType.TASK_STATE, owner=group)
    theirs = item("bob", "Bob likes wine", TEA, owner=group, person="Bob")
    items = [item("tea", "User likes green tea", TEA), ours, theirs]
    assert set(order(ranked(items, "What should I do about the leaking roof?"))) == {"tea", "rota"}
    assert order(ranked(items, "How is tea made?")) == ["tea"]


def test_what_was_only_asked_to_be_kept_goes_along_with_no_question_that_has_nothing_of_it() -> None:
    wifi = replace(item("wifi", "my wifi is called Llama", MemoryType.EPISODE), origin=Origin.USER_EXPLICIT)
    items = [item("tea", "User likes green tea", TEA), wifi]
    assert order(ranked(items, "What should I cook?")) == ["tea"]
    assert set(order(ranked(items, "what's my wifi called?"))) == {"tea", "wifi"}
    assert set(order(ranked(items, "What do you know about me?"))) == {"tea", "wifi"}


def test_what_is_planned_comes_first_where_plans_are_asked_for() -> None:
    items = [
        item("tea", "User likes green tea", TEA),
        item("trip", "User flies to Oslo", MemoryType.TASK_STATE),
    ]
    assert order(ranked(items, "what do i still have to sort out?"))[0] == "trip"
    assert order(ranked(items, "what tea do i like?"))[0] == "tea"
    knee = item("knee", "User may not kneel", MemoryType.CONSTRAINT)
    planned = ranked([*items, knee], "what do i still have to sort out?")
    assert [each.timing for each in map(planned.ranked, range(3))] == [0, PLANNED, PLANNED]


def test_of_what_is_planned_that_with_a_day_comes_first() -> None:
    trips = [
        item(name, f"User flies to Oslo {day}", MemoryType.TASK_STATE)
        for name, day in (("open", "soon"), ("day", "on Friday"), ("other", "some day"))
    ]
    planned = ranked(trips, "When do I fly to Oslo, and what else have I got to do by then?")
    assert order(planned)[0] == "day"
    dated = [each.timing for each in map(planned.ranked, range(3))]
    assert dated == [PLANNED, PLANNED + DUE, PLANNED]
    assert not any(each.timing for each in map(ranked(trips, "Is Oslo nice?").ranked, range(3)))


@pytest.mark.parametrize("near", [{}, {"good0": 0.3, "peanuts": 0.25}], ids=["words", "vectors"])
def test_an_idle_word_in_common_takes_no_place_of_what_matters(near: dict[str, float]) -> None:
    limits = [
        item(f"good{number}", f"User wants good notice of {number}", MemoryType.CONSTRAINT, importance=0.2)
        for number in range(UNASKED + 3)
    ]
    peanuts = item("peanuts", "User is allergic to peanuts", MemoryType.CONSTRAINT, importance=0.9)
    assert "peanuts" in order(ranked([*limits, peanuts], "Can you recommend a good dinner?", near))


def test_of_what_goes_along_in_a_small_memory_the_latest_tasks_come_first() -> None:
    matched = item("matched", "User paints the shed", MemoryType.TASK_STATE, days_old=60)
    along = [
        item("old", "User orders a fence", MemoryType.TASK_STATE, importance=0.8, days_old=60),
        item("new", "User fetches the gate", MemoryType.TASK_STATE, importance=0.7, days_old=1),
        item("name", "User's name is Alice", MemoryType.PROFILE, importance=0.7, days_old=1),
    ]
    assert order(ranked([matched, *along], "Is my shed done?")) == ["matched", "new", "old", "name"]
    many = [
        item(f"m{number}", f"User lists {number}", MemoryType.TASK_STATE) for number in range(SMALL_MEMORY)
    ]
    ranking = ranked([*along, *many], "Is my shed done?")
    assert not any(ranking.shares["recency"] > DEFAULT_WEIGHTS.recency)


def test_of_what_goes_along_in_a_small_memory_profiles_come_last() -> None:
    kinds = (MemoryType.PROFILE, MemoryType.EPISODE, MemoryType.CONSTRAINT)
    along = [item(kind.value, f"User {kind.value}", kind, importance=0.7, days_old=9) for kind in kinds]
    items = [item("matched", "User paints the shed", MemoryType.TASK_STATE), *along]
    ranking = ranked(items, "Is my shed done?")
    assert order(ranking) == ["matched", "constraint", "episode", "profile"]
    near = dict.fromkeys(("profile", "episode", "constraint"), 0.1) | {"matched": 0.9}
    assert order(ranked(items, "Is my shed done?", near)) == ["matched", "constraint", "episode", "profile"]
    episode_of_many = [
        *items,
        *(item(f"m{number}", f"User lists {number}", TEA) for number in range(SMALL_MEMORY)),
    ]
    assert "episode" not in order(ranked(episode_of_many, "Is my shed done?"))[:4]
    same = [replace(each, importance=0.7 + 0.1 * (each.type is MemoryType.PROFILE)) for each in along]
    assert order(ranked(same, "What do you know about me?"))[0] == "profile"


def test_what_only_its_words_find_brings_a_small_memory_along_with_any_vectors() -> None:
    items = [item("shed", "User paints the shed", TEA), item("gate", "User fetches the gate", TEA)]
    assert sorted(order(ranked(items, "Is the shed done?", {"shed": 0.0, "gate": 0.0}))) == ["gate", "shed"]


def test_by_words_alone_an_open_matter_that_is_asked_about_comes_before_what_just_stands() -> None:
    items = [
        item("nurse", "User works as a nurse", MemoryType.PROFILE, importance=0.9),
        item("note", "User sends Juniper Table the final count and menu", MemoryType.TASK_STATE),
        item("cake", "The cake of the party is Juniper roses", MemoryType.TASK_STATE, importance=0.6),
    ]
    question = "Could you draft the note to Juniper Table with the final count and the menu?"
    assert order(ranked(items, question)) == ["note", "cake", "nurse"]


def test_former_default_weights_in_a_settings_file_count_as_the_present_defaults() -> None:
    tea = item("a", "User likes tea", TEA, importance=1.0)
    old = MemoryReadPolicy(similarity_weight=0.94, importance_weight=0.03, recency_weight=0.03)
    assert ranked([tea], "tea?", policy=old).ranked(0).importance == DEFAULT_WEIGHTS.importance


@pytest.mark.parametrize("size", [3, 40, 2_000])
def test_the_best_of_few_and_of_many_rows_are_those_that_come_first_when_all_are_sorted(size: int) -> None:
    chance = np.random.default_rng(size)
    score, at = chance.integers(0, 20, (2, size)).astype(np.float64)  # many are equal
    rows = chance.permutation(size)[: size - 1]
    expected = sorted(rows.tolist(), key=lambda row: (-score[row], -at[row], row))[:5]
    assert best_rows(rows, score, at, 5).tolist() == expected


def test_a_line_shows_the_day_on_which_its_words_were_said_not_that_on_which_they_were_read() -> None:
    ranking = in_this_order([item("trip", "went to Rome", MemoryType.EPISODE)])
    ranking.visible.signals.said[0] -= 3 * 86_400
    assert "went to Rome (said 2025-05-29)" in ranking.line(0)[0]


def test_of_constraints_that_have_no_word_of_the_question_the_most_important_two_are_put_first() -> None:
    orders = [
        item(f"c{n}", f"User {word}", MemoryType.CONSTRAINT, importance=n / 10, days_old=9)
        for n, word in enumerate(("eats no nuts", "fears dogs", "parks outside", "sits left"), start=4)
    ]
    plan = item("plan", "User fetches the gate", MemoryType.TASK_STATE, importance=0.5, days_old=1)
    matched = item("matched", "User paints the shed", MemoryType.TASK_STATE)
    found = order(ranked([matched, plan, *orders], "Is my shed done?"))
    assert found == ["matched", "c7", "c6", "plan", "c5", "c4"]


def test_a_private_constraint_that_is_left_out_takes_nobodys_place() -> None:
    pills = [
        item(f"p{n}", f"User takes {name} 5 mg", MemoryType.CONSTRAINT, importance=0.9, days_old=9)
        for n, name in enumerate(("apixaban", "sertraline"))
    ]
    nuts = item("nuts", "User eats no nuts", MemoryType.CONSTRAINT, importance=0.8, days_old=9)
    plan = item("plan", "User fetches the gate", MemoryType.TASK_STATE, importance=0.5, days_old=1)
    matched = item("matched", "User paints the shed", MemoryType.TASK_STATE)
    found = order(ranked([matched, plan, *pills, nuts], "Is my shed done?"))
    assert found[:2] == ["matched", "nuts"]
