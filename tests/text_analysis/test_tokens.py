import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import token_tenths, tokens
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "tenths"),
    [
        ("", 0),
        ("tea", 6),
        ("喝茶", 14),
        ("喝 tea", 15),
        ("お茶", 14),
        ("차", 7),
        ("чай", 12),
        ("🍵", 20),
        ("2026", 32),
        ('"a": "b"', 10 + 2 + 10 + 2 + 10 + 2 + 10),
        ("喝茶。\n", 26),
    ],
)
def test_each_character_costs_what_its_script_does(text: str, tenths: int) -> None:
    assert token_tenths(text) == tenths


def test_a_sum_of_tenths_is_rounded_up() -> None:
    assert (tokens(""), tokens("t"), tokens("tea tea tea"), tokens("喝" * 6)) == (0, 1, 3, 5)


@given(st.lists(st.text(st.sampled_from("ab 1)(,.好。😀é\n"))))
def test_the_lines_of_a_text_cost_what_the_whole_does(lines: list[str]) -> None:
    assert token_tenths("\n".join(lines)) == sum(map(token_tenths, lines)) + 2 * max(0, len(lines) - 1)
