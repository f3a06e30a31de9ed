import pytest
from astrbot_plugin_ltm.long_term_memory.policies.quotes import is_telling, locate
from hypothesis import given
from hypothesis import strategies as st


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


@pytest.mark.parametrize(
    ("quote", "text", "telling"),
    [
        ("I like", "I like tea", True),
        ("tea", "I like tea", False),
        ("tea", "Tea!", True),
        ("吃素", "我吃素", False),
        ("我吃素", "嗯我吃素", True),
        ("住 Rome", "我住 Rome", False),
    ],
)
def test_a_quote_tells_something_by_two_words_three_characters_or_all(
    quote: str, text: str, telling: bool
) -> None:
    assert is_telling(quote, text) is telling
