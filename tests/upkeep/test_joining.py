"""Which items may become one, and what the one is then."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Origin
from astrbot_plugin_ltm.long_term_memory.domain.memory import Item
from astrbot_plugin_ltm.long_term_memory.upkeep.duplicates import joined, paired, say_the_same

from tests.stores import NOW, an_item

LATER = NOW + timedelta(days=5)


def kept(one: Item, other: Item) -> str | None:
    """The fact that stays, whichever way round the two are asked about."""
    pair, turned = paired(one, other, now=NOW), paired(other, one, now=NOW)
    assert pair == turned
    return pair and pair[0].fact


@pytest.mark.parametrize(
    ("fact", "other", "cosine", "same"),
    [
        ("User likes tea", "user likes tea.", None, True),
        ("用户喜欢喝绿茶", "用户喜欢绿茶", None, True),
        ("User is a software engineer", "User develops software for a living", 0.93, True),
        ("User is a software engineer", "User develops software for a living", 0.85, False),
        ("User is a software engineer", "User develops software for a living", None, False),
        ("User likes cats", "User dislikes cats", 0.97, False),
        ("用户喜欢猫", "用户不喜欢猫", 0.97, False),
        ("User likes cats", "User likes dogs", 0.97, False),
        ("User has 2 cats", "User has 3 cats", 0.99, False),
        ("User met Tom on Monday", "User met Ben on Monday", 0.99, False),
    ],
)
def test_facts_are_one_by_words_or_vectors_but_never_across_a_number_a_name_or_a_denial(
    fact: str, other: str, cosine: float | None, same: bool
) -> None:
    assert say_the_same(fact, other, cosine) is same
    assert say_the_same(other, fact, cosine) is same


def test_the_one_more_worth_keeping_stays() -> None:
    assert kept(an_item("more", importance=0.9), an_item("less", importance=0.1)) == "more"
    assert kept(an_item("more", access_count=9), an_item("less")) == "more"


def test_of_two_worth_the_same_always_the_same_one_stays() -> None:
    one, other = an_item("one", memory_id="b"), an_item("other", memory_id="a")
    assert kept(one, other) == "one"


def test_what_a_person_saved_in_their_own_words_always_stays() -> None:
    saved = {"origin": Origin.USER_EXPLICIT, "importance": 0.0}
    assert kept(an_item("saved", **saved), an_item("learnt", importance=1.0)) == "saved"
    assert kept(an_item("saved", **saved), an_item("saved too", **saved)) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"relationship": "father"},
        {"slot": "home_city"},
        {"expires_at": NOW},
    ],
)
def test_nothing_of_a_family_is_joined_across_what_keeps_memories_apart(changes: dict[str, Any]) -> None:
    one = an_item(relationship="dentist", slot="drink")
    other = an_item("other", relationship="Dentist", slot="drink")
    assert kept(one, other)
    assert kept(one, replace(other, **changes)) is None


def test_the_one_rests_on_all_and_is_as_sure_as_both_together() -> None:
    keeper = an_item("keeps", confidence=0.9, evidence_count=3, importance=0.5, access_count=10)
    gone = an_item(
        "goes", confidence=0.5, evidence_count=1, importance=0.6, emotion=0.7, access_count=1,
        relationship="dentist", backstory="b", slot="s", last_confirmed_at=LATER, last_accessed_at=LATER,
    )  # fmt: skip
    pair = paired(keeper, gone, now=NOW)
    assert pair
    assert pair == (keeper, gone)
    assert joined(*pair, 4, now=LATER) == replace(
        keeper,
        confidence=pytest.approx(0.8),
        evidence_count=4,
        importance=0.6,
        emotion=0.7,
        access_count=11,
        relationship="dentist",
        backstory="b",
        slot="s",
        updated_at=LATER,
        last_confirmed_at=LATER,
        last_accessed_at=LATER,
    )


@pytest.mark.parametrize(
    ("one", "other", "ends"), [(LATER, NOW + timedelta(days=9), 9), (None, LATER, None), (LATER, LATER, 5)]
)
def test_the_one_lives_as_long_as_the_longer(one: Any, other: Any, ends: int | None) -> None:
    pair = paired(an_item("a", expires_at=one), an_item("b", expires_at=other), now=NOW)
    assert pair
    expires_at = joined(*pair, 0, now=NOW).expires_at
    assert expires_at == (None if ends is None else NOW + timedelta(days=ends))
