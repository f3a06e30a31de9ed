import pytest
from astrbot_plugin_ltm.long_term_memory.write.clauses import head, sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("My dentist is Dr. Lee. Nice", ["My dentist is Dr. Lee", "Nice"]),
        ("Bob lives in St. Ives", ["Bob lives in St. Ives"]),
        ("Mr. Smith is my boss", ["Mr. Smith is my boss"]),
        ("I live in Washington D.C. and work at Acme Inc. in sales",) * 2,
        ("J. R. R. Tolkien wrote it. Yes", ["J. R. R. Tolkien wrote it", "Yes"]),
        ("I live on Main St. I like tea", ["I live on Main St", "I like tea"]),
        ("I work at Acme Inc. My boss is Bob", ["I work at Acme Inc", "My boss is Bob"]),
        ("I take vitamin C. My dog does not", ["I take vitamin C", "My dog does not"]),
        ("I live in the U.S. I work", ["I live in the U.S", "I work"]),
        ("between you and I. Berlin is nice", ["between you and I", "Berlin is nice"]),
    ],
)
def test_the_full_stop_of_an_abbreviation_ends_no_sentence(text: str, parts: list[str] | str) -> None:
    wanted = [parts] if isinstance(parts, str) else parts
    assert [sentence.text for sentence in sentences(text)] == wanted


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("Hello. My dentist is Dr. Lee, I think", 26, "Hello."),
        ("My dentist is Dr. Lee, I think", 18, ""),
        ("Hello. Bye.", 8, "Hello."),
        ("Hello. Bye.", 20, "Hello. Bye."),
    ],
)
def test_a_beginning_ends_with_a_sentence(text: str, limit: int, kept: str) -> None:
    assert head(text, limit) == kept
