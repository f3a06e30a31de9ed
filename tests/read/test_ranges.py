import pytest
from astrbot_plugin_ltm.long_term_memory.read.query_dates import so_many
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ("一", 1, 1),
        ("An", 1, 1),
        ("seven", 7, 7),
        ("12", 12, 12),
        ("两", 2, 2),
        ("二十五", 25, 25),
        ("一两", 1, 2),
        ("两三", 2, 3),
        ("三五", 3, 5),
        ("七八", 7, 8),
        ("一二十", 10, 20),
        ("十七八", 17, 18),
        ("二十七八", 27, 28),
        ("十几", 10, 20),
        ("三十几", 30, 40),
        ("几十", 20, 90),
        ("two or three", 2, 3),
    ],
)
def test_a_count_lies_between_two_numbers(said: str, least: int, most: int) -> None:
    assert so_many(said) == (least, most)


@pytest.mark.parametrize(
    "said", ["几", "few", "couple of", "couple\nof", "八三", "几几", "几十几", "three or two", ""]
)
def test_what_is_no_number_is_a_few(said: str) -> None:
    assert so_many(said) == (2, 5)


@given(st.text("一两二三四五六七八九十几", max_size=6) | st.text(max_size=9))
def test_any_words_are_so_many_and_the_fewest_are_no_more_than_the_most(said: str) -> None:
    least, most = so_many(said)
    assert least <= most
