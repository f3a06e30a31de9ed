import pytest
from astrbot_plugin_ltm.long_term_memory.policies.embedded import (
    MAX_ANSWERED,
    MAX_FACT,
    MAX_MESSAGE,
    MAX_QUOTE,
    Line,
    alone,
    bare,
    in_context,
    of_message,
)

FACT = "User's favourite colour is blue"
QUOTE = Line(name="Alice", text="Blue, of course")


@pytest.mark.parametrize(
    ("fact", "quote", "answered", "text"),
    [
        (FACT, None, None, FACT),
        (FACT, None, Line(name="Bob", text="Which colour?"), FACT),
        (FACT, QUOTE, None, f"{FACT}\nAlice: Blue, of course"),
        (
            FACT,
            QUOTE,
            Line(name="", text="Which colour do you like?"),
            f"{FACT}\nWhich colour do you like?\nAlice: Blue, of course",
        ),
        (
            "用户最喜欢蓝色",
            Line(name="小明", text="当然是蓝色"),
            Line(name="小红", text="你喜欢什么颜色？"),
            "用户最喜欢蓝色\n小红: 你喜欢什么颜色？\n小明: 当然是蓝色",
        ),
    ],
)
def test_a_fact_is_embedded_with_its_words_and_what_they_answer(
    fact: str, quote: Line | None, answered: Line | None, text: str
) -> None:
    assert in_context(fact, quote, answered) == text


def test_each_part_is_bounded_and_of_what_is_answered_the_end_counts() -> None:
    long = Line(name="", text="x" * 10_000 + "?")
    text = in_context("f" * 10_000, Line(name="", text="q" * 10_000), long)
    assert text == "\n".join(("f" * MAX_FACT, "x" * (MAX_ANSWERED - 1) + "?", "q" * MAX_QUOTE))
    assert alone("f" * 10_000) == "f" * MAX_FACT
    assert of_message(long) == "x" * MAX_MESSAGE


def test_a_message_is_embedded_with_the_name_of_who_says_it() -> None:
    assert of_message(QUOTE) == "Alice: Blue, of course"


def test_facts_alone_have_a_tag_of_their_own() -> None:
    assert bare("provider/model") not in {"provider/model", bare("provider/other")}
