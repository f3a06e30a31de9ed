"""Which of somebody's memories have the words they ask about."""

from datetime import timedelta
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.enums import Role, Status
from astrbot_plugin_ltm.long_term_memory.domain.memory import EvidenceInContext, Item
from astrbot_plugin_ltm.long_term_memory.manager.why_not import with_words

from tests.stores import NOW, an_event, an_evidence, an_item

DAY = timedelta(days=1)


def found(words: str, *items: Item, quotes: str = "") -> list[str]:
    return [item.fact for item in with_words(words, [(item, [said(item, quotes)]) for item in items])[0]]


def said(item: Item, quote: str) -> EvidenceInContext:
    evidence = an_evidence(item, an_event(quote))
    return EvidenceInContext(
        **vars(evidence), role=Role.USER, sender_id="alice", sender_name="Alice", said_at=NOW, umo=""
    )


@pytest.mark.parametrize(
    ("words", "item"),
    [
        ("peanut", {"fact": "User is allergic to peanuts"}),
        ("why did you not mention my peanuts?", {"fact": "User is allergic to peanuts"}),
        ("花生", {"fact": "用户对花生过敏"}),
        ("你怎么不记得我对花生过敏", {"fact": "用户对花生过敏"}),
        ("猫", {"fact": "用户喜欢猫"}),
        ("Carol", {"fact": "is a cardiologist", "person": "Carol"}),
        ("father", {"fact": "is a cardiologist", "relationship": "father"}),
        ("Lisbon", {"fact": "is a cardiologist", "backstory": "They met in Lisbon"}),
        ("doctors", {"fact": "is a cardiologist", "tags": ("doctor",)}),
        ("name", {"fact": "User's name is Alice"}),
    ],
)
def test_words_are_found_in_the_fact_and_its_card(words: str, item: dict[str, Any]) -> None:
    assert found(words, an_item("User likes tea"), an_item(**item)) == [item["fact"]]


def test_words_are_found_in_what_was_said() -> None:
    assert found("peanuts", an_item("User has a food allergy"), quotes="no peanuts for me") == [
        "User has a food allergy"
    ]


def test_what_has_few_of_the_words_is_not_meant() -> None:
    both, one = an_item("User plays chess and cello in Oslo"), an_item("User plays chess")
    assert found("chess cello Oslo", one, both) == [both.fact]
    assert found("chess cello", one, both) == [both.fact, one.fact]


def test_most_words_come_first_then_what_is_live_then_what_changed_last() -> None:
    items = [
        an_item("gone tea", status=Status.SUPERSEDED, updated_at=NOW),
        an_item("old tea", updated_at=NOW - DAY),
        an_item("new tea", updated_at=NOW),
        an_item("green tea", updated_at=NOW - DAY),
    ]
    assert found("green tea", *items) == ["green tea", "new tea", "old tea", "gone tea"]


def test_words_that_say_little_find_nothing_beside_those_that_tell() -> None:
    items = [an_item("User likes tea"), an_item("User's favourite colour is blue")]
    assert found("favourite tea", *items) == ["User likes tea"]


def test_words_that_say_little_are_looked_for_where_there_are_no_others() -> None:
    assert found("user", an_item("User likes tea")) == ["User likes tea"]


def test_no_words_find_nothing() -> None:
    assert found("?!", an_item("User likes tea")) == []
    assert found("tea") == []
