import pytest
from astrbot_plugin_ltm.long_term_memory.policies.keys import (
    MAX_KEY,
    key_of,
    keys_of_fact,
    tells_more,
)
from astrbot_plugin_ltm.long_term_memory.text_analysis.word_forms import same_words
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("User's name is Alice!", "user s name is alice"),
        ("  User_Name ", "user name"),
        ("ＵＳＥＲ：小明", "user 小明"),
        ("用户的名字是小明。", "用户的名字是小明"),
    ],
)
def test_a_key_is_lower_case_without_punctuation(text: str, key: str) -> None:
    assert key_of(text) == key


def test_long_facts_with_the_same_beginning_have_two_keys() -> None:
    assert key_of("a" * 200 + "b") != key_of("a" * 200 + "c")


def test_text_without_words_still_has_a_key_of_its_own() -> None:
    assert key_of("👍") != key_of("👎")


@given(st.text())
def test_a_key_is_never_empty_nor_too_long_and_is_its_own_key(text: str) -> None:
    key = key_of(text)
    assert 0 < len(key) <= MAX_KEY
    assert key_of(key) == key


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_fact_has_the_proposed_key_first_and_a_last_resort(fact: str, proposed: str) -> None:
    keys = keys_of_fact(fact, proposed)
    assert len(set(keys)) == len(keys)
    assert key_of(fact) in keys
    if any(c.isalnum() for c in proposed):
        assert keys[0] == key_of(proposed)


def test_a_proposal_without_words_is_no_key() -> None:
    assert keys_of_fact("User likes tea", " -- ")[0] == "user likes tea"


@pytest.mark.parametrize(
    ("fact", "other", "same"),
    [
        ("User likes tea", "user likes TEA.", True),
        ("User likes tea", "User likes cats", False),
        ("用户喜欢猫", "用户喜欢猫。", True),
        ("👍", "👎", False),
    ],
)
def test_same_words_regards_neither_case_nor_punctuation(fact: str, other: str, same: bool) -> None:
    assert same_words(fact, other) is same


@pytest.mark.parametrize(
    ("key", "fact", "proposed", "more"),
    [
        ("user likes tea", "User likes tea!", "", False),
        ("User likes TEA", "User likes tea", "", False),
        ("favourite drink", "User likes tea", "Favourite drink", False),
        ("favourite drink", "User likes tea", "", True),
        ("surprise party", "User likes tea", "favourite drink", True),
        ("惊喜派对", "用户喜欢茶", "", True),
    ],
)
def test_a_key_tells_more_when_neither_the_fact_nor_the_proposal_has_its_words(
    key: str, fact: str, proposed: str, *, more: bool
) -> None:
    assert tells_more(key, fact, proposed=proposed) is more
