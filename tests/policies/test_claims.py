import pytest
from astrbot_plugin_ltm.long_term_memory.policies.claims import is_claimed, is_of_its_time


@pytest.mark.parametrize(
    ("fact", "text", "claimed"),
    [
        ("User is allergic to peanuts", "I love peanuts", False),
        ("User is allergic to peanuts", "peanuts give me hives", True),
        ("User is allergic to peanuts", "我对花生过敏", True),
        ("User is Bob's father", "I met Bob", False),
        ("User is a father", "my kid is ill", True),
        ("User is married", "my wife is here", True),
        ("User lives in Berlin", "Berlin is nice", False),
        ("User lives in Berlin", "I moved to Berlin", True),
        ("用户已婚", "我和朋友吃饭", False),
        ("User likes tea", "tea", True),
    ],
)
def test_a_claim_needs_words_of_its_kind(fact: str, text: str, claimed: bool) -> None:
    assert is_claimed(fact, text) is claimed


@pytest.mark.parametrize(
    ("fact", "words", "fits"),
    [
        ("User lives in Paris", "I want to live in Paris", False),
        ("User wants to live in Paris", "I want to live in Paris", True),
        ("User lives in Rome", "I used to live in Rome", False),
        ("用户住在巴黎", "我打算住在巴黎", False),
        ("用户打算去巴黎", "我想去巴黎", True),
        ("User lives in Paris", "I live in Paris", True),
    ],
)
def test_a_wish_or_the_past_is_no_fact_of_today(fact: str, words: str, fits: bool) -> None:
    assert is_of_its_time(fact, words) is fits
