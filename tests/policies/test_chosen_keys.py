import unicodedata

import pytest
from astrbot_plugin_ltm.long_term_memory.policies.keys import (
    chosen_key,
    is_chosen,
    key_of,
    shown_key,
    waiting_key,
    waiting_prefix,
    waits,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("user-name", "user-name"),
        ("  user-name\n", "user-name"),
        ("a\tb\r\nc", "a b c"),
        ("cafe\u0301", "caf\u00e9"),
        ("na\u200bme\u202e", "name"),
        ("口味", "口味"),
        ("K", "K"),
        ("\u0000\u200b", ""),
        (" ", ""),
    ],
)
def test_a_key_is_kept_on_one_line_as_it_is_seen(text: str, key: str) -> None:
    assert chosen_key(text) == key


@given(st.text())
def test_a_key_is_composed_and_choosing_it_again_changes_nothing(text: str) -> None:
    key = chosen_key(text)
    assert chosen_key(key) == key
    assert unicodedata.is_normalized("NFC", key)
    assert not waits(key)


@given(st.text(), st.text())
def test_a_version_that_waits_has_a_key_that_nobody_can_choose_and_that_tells_for_what(
    text: str, fact: str
) -> None:
    key = chosen_key(text)
    waiting = waiting_key(key, fact)
    assert waits(waiting)
    assert chosen_key(waiting) != waiting
    assert (shown_key(waiting), shown_key(key)) == (key, key)
    assert waiting.startswith(waiting_prefix(key))


def test_two_texts_that_wait_for_one_key_have_two_keys() -> None:
    assert waiting_key("k", "a") != waiting_key("k", "b")


@given(st.text())
def test_the_key_of_a_facts_words_is_not_a_chosen_one(fact: str) -> None:
    assert not is_chosen(key_of(fact))


@pytest.mark.parametrize("key", ["user-name", "pref_tea", "Key", "a\nb"])
def test_what_no_words_make_was_chosen(key: str) -> None:
    assert is_chosen(key)
