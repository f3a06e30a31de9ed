import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.tokens import token_tenths, tokens


@pytest.mark.parametrize(
    ("text", "tenths"),
    [("", 0), ("tea", 9), ("喝茶", 12), ("喝 tea", 18), ("お茶", 12), ("차", 6), ("🍵", 20)],
)
def test_each_character_costs_what_its_script_does(text: str, tenths: int) -> None:
    assert token_tenths(text) == tenths


def test_a_sum_of_tenths_is_rounded_up() -> None:
    assert (tokens(""), tokens("t"), tokens("tea tea tea"), tokens("喝" * 5)) == (0, 1, 4, 3)
