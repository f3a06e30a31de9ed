import pytest
from astrbot_plugin_ltm.long_term_memory.policies.overlap import (
    coverage,
    in_two_languages,
    unsupported,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("fact", "text", "share"),
    [
        ("User's name is Alice", "my name is Alice", 1.0),
        ("User has a peanut allergy", "I'm allergic to peanuts", 1.0),
        ("User owns a yacht", "nice weather", 0.0),
        ("用户的名字是小明", "我叫小明", 1.0),
        ("用户的名字是小红", "我的名字是小明", 0.0),
        ("用户喜欢", "我喜欢", 1.0),
        ("Пользователь живёт в Москве", "Я живу в Москве", 1 / 3),
        ("用户用 Python", "我用python写代码", 1.0),
        ("User has 3 kids", "I have three kids", 1.0),
        ("User is 42 years old", "I'm 42", 1.0),
        ("Nutzer wohnt in der Gartenstraße", "in der GARTENSTRASSE wohnt der Nutzer", 1.0),
        ("User is a dance teacher", "teaching people to dance", 1.0),
        ("Chickpeas", "chicken", 0.0),
        ("Antidepressants", "antibiotics", 0.0),
        ("Cookies", "cooking", 0.0),
        ("Watercolor", "watermelon", 0.0),
        ("the", "the", 0.0),
        ("", "", 0.0),
    ],
)
def test_coverage_is_the_share_of_content_words(fact: str, text: str, share: float) -> None:
    assert coverage(fact, text) == pytest.approx(share)


@given(st.text(max_size=60), st.text(max_size=60))
def test_coverage_is_a_share(fact: str, text: str) -> None:
    assert 0 <= coverage(fact, text) <= 1


@pytest.mark.parametrize(
    ("fact", "text", "missing"),
    [
        ("User lives in Rome", "i live in rome", ""),
        ("User lives in Rome", "I live here", "Rome"),
        ("User's name is Alice", "I'm Alice", ""),
        ("Prefers tea. Works in Rome", "tea in Rome", ""),
        ("Alice likes tea", "I like tea", "Alice"),
        ("User is 42", "I am 42", ""),
        ("User is 42", "I am ４２", ""),
        ("User is 42", "I am 421", "42"),
        ("User wakes at 7:30", "up at 7:30", ""),
        ("用户用 Python", "我用python写代码", ""),
        ("User uses C++", "I use C++", ""),
        ("User has no names", "", ""),
        ("User has three kids", "I have two kids", "3"),
        ("用户有两个孩子", "我有三个孩子", "2"),
        ("User has 1 kid", "I have a kid", ""),
        ("User's name is José", "I'm José", ""),
        ("User lives in apartment 4B", "I live in apartment 4b", ""),
        ("User lives in apartment 4B", "I live in apartment 5B", "4"),
    ],
)
def test_names_and_numbers_must_stand_in_the_text(fact: str, text: str, missing: str) -> None:
    assert unsupported(fact, text) == missing


@pytest.mark.parametrize(
    ("fact", "text", "two"),
    [
        ("用户喜欢猫", "我喜欢猫", False),
        ("User likes cats", "我喜欢猫", True),
        ("用户喜欢猫", "I like cats", True),
        ("用户用 Python", "I use Python", True),
        ("42", "42", False),
    ],
)
def test_a_fact_may_be_in_another_language_than_its_words(fact: str, text: str, two: bool) -> None:
    assert in_two_languages(fact, text) is two
