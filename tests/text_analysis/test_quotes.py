import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.quotes import (
    MAX_AROUND,
    best_sentence,
    find,
    surroundings,
)
from hypothesis import given
from hypothesis import strategies as st


def locate(quote: str, text: str) -> str | None:
    """The words of the text that the quote stands for."""
    span = find(quote, text)
    return text[span[0] : span[1]] if span else None


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("like tea", "I like tea", "like tea"),
        ("LIKE  TEA", "I like tea!", "like tea"),
        ("喜欢,猫", "我喜欢 猫", "喜欢 猫"),
        ("ﬁne wine", "I like fine wine", "fine wine"),
        ("am", "my name, I am", "am"),
        ("am", "my name", None),
        ("a.m", "my name", None),
        ("4", "42", None),
        ("tea", "", None),
        ("", "tea", None),
        (" ... ", "tea", None),
        ("coffee", "I like tea", None),
    ],
)
def test_a_quote_is_found_as_whole_words_and_given_back_verbatim(
    quote: str, text: str, found: str | None
) -> None:
    assert locate(quote, text) == found


@given(st.text(max_size=40), st.text(max_size=40))
def test_what_is_found_stands_in_the_text(quote: str, text: str) -> None:
    found = locate(quote, text)
    assert found is None or (found and found in text)


def test_a_quote_may_change_a_small_share_of_the_words_but_no_number() -> None:
    said = "Well, I have been living in a small flat in Oslo with my 2 cats since last May."
    near = "I have been living in a small apartment in Oslo with my 2 cats"
    assert locate(near, said) == "I have been living in a small flat in Oslo with my 2 cats"
    assert locate(near.replace("2", "3"), said) is None
    assert locate("I always charge the car at home", "I usually charge the car at home") is None
    assert (
        locate("我家住在成都市武侯区的老小区", "我家住在成都市武侯区的旧小区")
        == "我家住在成都市武侯区的旧小区"
    )


def test_the_best_sentence_of_a_message_has_most_of_the_facts_terms() -> None:
    said = "We had a long day. Please remember that I like tea. Good night!"
    assert best_sentence("User likes tea", said) == "Please remember that I like tea."
    assert best_sentence("User owns a llama", said) == said


@pytest.mark.parametrize(
    ("quote", "text", "around"),
    [
        ("my name is Hamlet", "In the play I say: my name is Hamlet.", ("In the play I say: ", ".")),
        ("I am Al", "I am Alice, not: I am Al", ("I am Alice, not: ", "")),
        ("I like tea", " I like tea\n", ("", "")),
        ("我吃素", "医生说：我吃素吗？", ("医生说：", "吗？")),
        ("coffee", "I like tea", ("", "")),
        ("", "I like tea", ("", "")),
    ],
)
def test_what_stands_around_a_quote_is_given_as_it_was_said(
    quote: str, text: str, around: tuple[str, str]
) -> None:
    assert surroundings(quote, text) == around


def test_of_a_long_message_so_much_is_given_as_stands_near_the_quote() -> None:
    before, after = surroundings("I like tea", "b" * 1_000 + " I like tea " + "a" * 1_000)
    assert before == "…" + "b" * (MAX_AROUND - 1) + " "
    assert after == " " + "a" * (MAX_AROUND - 1) + "…"


@given(st.text(max_size=40), st.text(max_size=80))
def test_a_quote_between_what_stands_around_it_is_the_message(quote: str, text: str) -> None:
    before, after = surroundings(quote, text)
    assert before in text
    assert after in text
    if before or after:
        assert before + (locate(quote, text) or "") + after in text
