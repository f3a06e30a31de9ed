import pytest
from astrbot_plugin_ltm.long_term_memory.read.query_intent import (
    MAX_SENTENCES,
    STATEMENT_WEIGHT,
    weighted_sentences,
)
from hypothesis import given
from hypothesis import strategies as st


def weighed(text: str) -> list[tuple[str, float]]:
    return [(part.strip(), weight) for part, weight in weighted_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which tea?", [("Which tea?", 1.0)]),
        ("I had a long day. Which tea?", [("I had a long day.", STATEMENT_WEIGHT), ("Which tea?", 1.0)]),
        ("Which tea? And which cup?", [("Which tea?", 1.0), ("And which cup?", 1.0)]),
        ("我今天很累。喝什么茶？", [("我今天很累。", STATEMENT_WEIGHT), ("喝什么茶？", 1.0)]),
        ("我今天很累；想喝茶", [("我今天很累；", 1.0), ("想喝茶", 1.0)]),
        ("He asked “which tea?” Tell me.", [("He asked “which tea?", 1.0), ("” Tell me.", STATEMENT_WEIGHT)]),
        ("Version 3.12 or 3.13?", [("Version 3.12 or 3.13?", 1.0)]),
        ("", []),
    ],
)
def test_sentences_that_ask_count_more_than_what_is_told_beside_them(
    text: str, expected: list[tuple[str, float]]
) -> None:
    assert weighed(text) == expected


def test_of_many_the_last_are_looked_at() -> None:
    found = weighed(" ".join(f"Sentence {number}." for number in range(20)))
    assert len(found) == MAX_SENTENCES
    assert found[-1] == ("Sentence 19.", 1.0)


@given(st.text(st.sampled_from("a .?？。\n茶"), max_size=40))
def test_whatever_is_said_is_in_one_of_them(text: str) -> None:
    found = weighted_sentences(text)
    assert len(found) <= MAX_SENTENCES
    if len(found) < MAX_SENTENCES:
        assert "".join("".join(part.split()) for part, _ in found) == "".join(text.split())
