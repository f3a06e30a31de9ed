import pytest
from astrbot_plugin_ltm.long_term_memory.policies.embedded import MAX_FACT, alone, bare, in_context, spoken

FACT = "User's favourite colour is blue"
QUOTE = "Alice: Blue, of course"


@pytest.mark.parametrize(
    ("answered", "quote", "text"),
    [
        ("", "", FACT),
        ("Bob: Which colour?", "", FACT),
        ("", QUOTE, f"{FACT}\n{QUOTE}"),
        ("Which colour do you like?", QUOTE, f"{FACT}\nWhich colour do you like?\n{QUOTE}"),
    ],
)
def test_a_fact_is_embedded_with_its_words_and_what_they_answer(answered: str, quote: str, text: str) -> None:
    assert in_context(FACT, answered, quote) == text


def test_a_long_fact_is_bounded() -> None:
    assert alone("f" * 10_000) == in_context("f" * 10_000, "", "") == "f" * MAX_FACT


def test_words_have_the_name_of_who_says_them() -> None:
    assert spoken("小明", "当然是蓝色") == "小明: 当然是蓝色"
    assert spoken("", "Blue") == "Blue"


def test_facts_alone_have_a_tag_of_their_own() -> None:
    assert bare("provider/model") not in {"provider/model", bare("provider/other")}
