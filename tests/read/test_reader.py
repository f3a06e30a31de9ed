from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access, ScopeRef
from astrbot_plugin_ltm.long_term_memory.domain.enums import Level, MemoryType, Scope
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Query, Recall
from astrbot_plugin_ltm.long_term_memory.policies.memory_policies import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.reader import IN_THREAD_ABOVE, MemoryReader
from astrbot_plugin_ltm.long_term_memory.read.retrieve import Retriever
from astrbot_plugin_ltm.long_term_memory.read.similarity_baseline import SimilarityBaseline

from .fakes import ALICE, NOW, Background, FakeAhead, FakeEmbedder, FakeMemory, alices_access, item

GROUP_CHAT = "plat_a:GroupMessage:g"


def reader(
    items: Sequence[Item],
    *,
    cosines: dict[str, float] | None = None,
    policy: Callable[[], MemoryReadPolicy] = MemoryReadPolicy,
    zone: tzinfo = UTC,
) -> MemoryReader:
    memory: Any = FakeMemory(items, cosines=cosines or {})
    retriever = Retriever(
        memory=memory,
        seek=FakeAhead((1.0, 0.0) if cosines else None).vector,
        baseline=SimilarityBaseline(FakeEmbedder(), begin=Background().begin),
    )
    return MemoryReader(retriever=retriever, policy=policy, zone=zone)


async def ask(of: MemoryReader, text: str, access: Access | None = None) -> Recall:
    return await of.recall(access or alices_access(), Query(text=text, at=NOW))


def rules(recall: Recall) -> dict[str, str]:
    return {each.memory_id: each.rule for each in recall.omitted()}


@pytest.mark.parametrize(
    ("name", "allergy", "tea", "question"),
    [
        (
            "User's name is Alice",
            "User is allergic to peanuts",
            "Likes green tea",
            "What can be cooked in a wok?",
        ),
        ("用户叫小红", "用户对花生过敏", "喜欢喝绿茶", "炒锅能做什么菜？"),
    ],
)
async def test_what_always_matters_is_injected_and_the_unrelated_is_not(
    name: str, allergy: str, tea: str, question: str
) -> None:
    items = [
        item("name", name, MemoryType.PROFILE, importance=0.9),
        item("allergy", allergy, MemoryType.CONSTRAINT),
        item("tea", tea, MemoryType.PREFERENCE),
    ]
    recall = await ask(reader(items), question)
    assert recall.block == (
        "[Long-term Memory]\n"
        f"- [constraint] {allergy} (confidence: 0.95)\n"
        f"- [profile] {name} (confidence: 0.95)\n"
        "[End Memory]"
    )
    assert [each.item.memory_id for each in recall.injected] == ["allergy", "name"]
    assert rules(recall) == {"tea": "not_relevant"}
    assert not recall.vectors
    assert recall.reason == "no_provider"


@pytest.mark.parametrize(
    ("fact", "question"), [("Likes green tea", "Which tea do I want?"), ("喜欢喝绿茶", "推荐一款绿茶")]
)
async def test_a_related_preference_is_injected(fact: str, question: str) -> None:
    recall = await ask(reader([item("tea", fact, MemoryType.PREFERENCE)]), question)
    assert fact in recall.block


async def test_a_near_vector_brings_up_what_shares_no_word() -> None:
    tea = item("tea", "Likes sencha", MemoryType.PREFERENCE)
    recall = await ask(reader([tea], cosines={"tea": 0.7}), "Something to drink?")
    assert "Likes sencha" in recall.block
    assert recall.vectors
    assert recall.reason == ""


async def test_what_was_said_in_private_does_not_surface_in_a_group() -> None:
    recall = await ask(reader([item("name", level=Level.PUBLIC)]), "my name?", alices_access(umo=GROUP_CHAT))
    assert recall == Recall(block="", injected=(), vectors=False, reason="nothing_remembered")


async def test_when_nothing_is_let_through_that_is_the_reason() -> None:
    recall = await ask(reader([item("tea", "Likes tea", MemoryType.PREFERENCE)]), "Why is the sky blue?")
    assert (recall.block, list(recall.injected), recall.reason) == ("", [], "nothing_relevant")
    assert rules(recall) == {"tea": "not_relevant"}


async def test_a_new_policy_holds_from_the_next_recall_on() -> None:
    policies = [MemoryReadPolicy(), MemoryReadPolicy(max_items=1), MemoryReadPolicy(enable=False)]
    reading = reader([item("a", "fact a"), item("b", "fact b")], policy=lambda: policies.pop(0))
    assert [len((await ask(reading, "hello")).injected) for _ in range(3)] == [2, 1, 0]


async def test_the_days_of_a_question_are_those_of_the_operators_zone() -> None:
    told = item("soup", "ate soup", MemoryType.EPISODE, days_old=0.9)  # 31 May, 14:24 UTC
    assert (await ask(reader([told]), "What happened yesterday?")).block
    auckland = reader([told], zone=ZoneInfo("Pacific/Auckland"))
    assert not (await ask(auckland, "What happened on 31 May?")).block


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", "2025-05-31"), ("Pacific/Auckland", "2025-06-01"), ("America/Lima", "2025-05-31")],
)
async def test_an_episode_shows_the_day_of_the_operators_zone(zone: str, day: str) -> None:
    told = item("soup", "ate soup", MemoryType.EPISODE, days_old=0.9)  # 31 May, 14:24 UTC
    assert f"ate soup (said {day})" in (await ask(reader([told], zone=ZoneInfo(zone)), "soup")).block


ALL_KINDS = [
    item("plain", "User's name is Alice", importance=0.2),
    item("dear", "Loves the sea", MemoryType.PREFERENCE, importance=0.9),
    item("trip", "went to Rome", MemoryType.EPISODE, importance=0.6),
    item("known", "Knows everything about what to remember", MemoryType.PREFERENCE, importance=0.1),
]


@pytest.mark.parametrize("question", ["What do you know about me?", "你还记得我什么？"])
async def test_who_asks_for_all_that_is_remembered_of_them_is_given_it_the_best_first(question: str) -> None:
    recall = await ask(reader(ALL_KINDS, cosines={"known": 0.9}), question)
    assert [each.item.memory_id for each in recall.injected] == ["dear", "trip", "plain", "known"]
    assert (rules(recall), recall.vectors, recall.reason) == ({}, False, "no_question")


async def test_all_that_is_remembered_is_bounded_as_ever_and_accounted_for() -> None:
    recall = await ask(reader(ALL_KINDS, policy=lambda: MemoryReadPolicy(max_items=2)), "Who am I?")
    assert [each.item.memory_id for each in recall.injected] == ["dear", "trip"]
    assert rules(recall) == {"plain": "max_items", "known": "max_items"}


async def test_what_is_a_groups_is_not_what_is_remembered_of_the_one_who_asks() -> None:
    group = ScopeRef(scope=Scope.GROUP, scope_id="g")
    ours = item("ours", "knows what to remember about me", MemoryType.PREFERENCE, owner=group)
    access = replace(alices_access(), readable=(ALICE, group))
    recall = await ask(reader([ALL_KINDS[1], ours]), "What do you know about me?", access)
    assert [each.item.memory_id for each in recall.injected] == ["dear"]
    assert rules(recall) == {"ours": "not_relevant"}


async def test_what_does_not_fit_is_cut_and_accounted_for() -> None:
    items = [item(f"m{number}", f"likes tea number {number}", MemoryType.PREFERENCE) for number in range(20)]
    recall = await ask(reader(items, policy=lambda: MemoryReadPolicy(max_items=4)), "tea")
    assert len(recall.injected) == 4
    assert len(rules(recall)) == 16
    assert set(rules(recall).values()) == {"max_items", "max_per_type"}


async def test_the_order_is_the_same_where_there_are_so_many_that_a_thread_ranks_them() -> None:
    common = [
        item(f"m{number}", "likes tea", MemoryType.PREFERENCE, days_old=number % 90) for number in range(50)
    ]
    few = await ask(reader(common), "tea")
    more = [item(f"n{number}", "x", MemoryType.EPISODE, key="n") for number in range(IN_THREAD_ABOVE)]
    reading = reader([*common, *more], policy=lambda: MemoryReadPolicy(recency_weight=1.0))
    many = await ask(reading, "tea")
    assert [each.item.memory_id for each in few.injected] == [each.item.memory_id for each in many.injected]
