from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.chat import Access
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.domain.reading import Omitted, Query, Recall
from astrbot_plugin_ltm.long_term_memory.domain.words import Level, MemoryType
from astrbot_plugin_ltm.long_term_memory.policies.read_policy import MemoryReadPolicy
from astrbot_plugin_ltm.long_term_memory.read.protocols import Embedder
from astrbot_plugin_ltm.long_term_memory.read.reader import MemoryReader
from astrbot_plugin_ltm.long_term_memory.read.retrieve import Retriever

from .fakes import (
    NOW,
    FakeAccessLog,
    FakeEmbedder,
    FakeReadStore,
    FakeVectorIndex,
    NoEmbedder,
    alices_access,
    item,
)

GROUP_CHAT = "plat_a:GroupMessage:g"


def reader(
    items: Sequence[Item],
    *,
    embedder: Embedder | None = None,
    cosines: dict[str, float] | None = None,
    policy: Callable[[], MemoryReadPolicy] = MemoryReadPolicy,
    log: FakeAccessLog | None = None,
) -> MemoryReader:
    retriever = Retriever(
        store=FakeReadStore(items),
        vectors=FakeVectorIndex(cosines=cosines or {}),
        embedder=embedder or NoEmbedder(),
        deadline=timedelta(milliseconds=20),
    )
    return MemoryReader(retriever=retriever, log=log or FakeAccessLog(), policy=policy)


async def ask(of: MemoryReader, text: str, access: Access | None = None) -> Recall:
    return await of.recall(access or alices_access(), Query(text=text, at=NOW))


@pytest.mark.parametrize(
    ("name", "allergy", "tea", "question"),
    [
        ("User's name is Alice", "User is allergic to peanuts", "Likes green tea", "What should I cook?"),
        ("用户叫小红", "用户对花生过敏", "喜欢喝绿茶", "我今天该做什么菜？"),
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
        f"- [profile] {name} (confidence: 0.95)\n"
        f"- [constraint] {allergy} (confidence: 0.95)\n"
        "[End Memory]"
    )
    assert [each.item.memory_id for each in recall.injected] == ["name", "allergy"]
    assert recall.omitted == [Omitted(memory_id="tea", rule="not_relevant")]
    assert not recall.vectors


@pytest.mark.parametrize(
    ("fact", "question"), [("Likes green tea", "Which tea do I want?"), ("喜欢喝绿茶", "推荐一款绿茶")]
)
async def test_a_related_preference_is_injected(fact: str, question: str) -> None:
    recall = await ask(reader([item("tea", fact, MemoryType.PREFERENCE)]), question)
    assert fact in recall.block


async def test_a_near_vector_brings_up_what_shares_no_word() -> None:
    tea = item("tea", "Likes sencha", MemoryType.PREFERENCE)
    recall = await ask(reader([tea], embedder=FakeEmbedder(), cosines={"tea": 0.7}), "Something to drink?")
    assert "Likes sencha" in recall.block
    assert recall.vectors


async def test_an_embedding_provider_that_hangs_leaves_words() -> None:
    recall = await ask(reader([item("name")], embedder=FakeEmbedder(hangs=True)), "my name?")
    assert "Alice" in recall.block
    assert not recall.vectors


async def test_what_was_said_in_private_does_not_surface_in_a_group() -> None:
    recall = await ask(reader([item("name", level=Level.PUBLIC)]), "my name?", alices_access(umo=GROUP_CHAT))
    assert recall == Recall(block="", injected=[], omitted=[], vectors=False)


async def test_a_new_policy_holds_from_the_next_recall_on() -> None:
    policies = [MemoryReadPolicy(), MemoryReadPolicy(max_items=1), MemoryReadPolicy(enable=False)]
    reading = reader([item("a", "fact a"), item("b", "fact b")], policy=lambda: policies.pop(0))
    assert [len((await ask(reading, "hello")).injected) for _ in range(3)] == [2, 1, 0]


async def test_only_what_was_injected_is_counted_and_only_when_told() -> None:
    log = FakeAccessLog()
    reading = reader([item("name"), item("tea", "Likes tea", MemoryType.PREFERENCE)], log=log)
    recall = await ask(reading, "hello")
    assert log.counted == []
    await reading.injected(recall, at=NOW)
    assert log.counted == [(["name"], NOW)]


async def test_nothing_injected_counts_nothing() -> None:
    log = FakeAccessLog()
    reading = reader([], log=log)
    await reading.injected(await ask(reading, "hello"), at=NOW)
    assert log.counted == []
