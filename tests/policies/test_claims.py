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
        ("User lives in Rome", "When I lived in Rome I ate pizza", False),
        ("User lives in Rome", "As a kid I lived in Rome", False),
        ("User lived in Rome", "When I lived in Rome I ate pizza", True),
        ("User lives in Berlin", "I have lived in Berlin for 3 years", True),
        ("User lives in Berlin", "I've always lived in Berlin", True),
        ("User loves trains", "I've loved trains since I was a child", True),
        ("User gets migraines when skipping meals", "I get migraines when I skip meals", True),
        ("User broke an arm", "When I was a kid I broke my arm", True),
        ("User works out", "I worked out today", True),
        ("User lives in Oslo", "I lived in Rome but now I live in Oslo", True),
        ("User lives in Rome", "I lived in Rome but now I live in Oslo", False),
        ("User lives in Oslo", "I used to live in Rome, now I live in Oslo", True),
        ("User lives in Rome", "I used to live in Rome, now I live in Oslo", False),
        ("用户住在罗马", "我以前住在巴黎，现在住在罗马", True),
        ("用户住在巴黎", "我以前住在巴黎，现在住在罗马", False),
        ("用户住在北京", "我小时候住在北京", False),
        ("用户小时候住在北京", "我小时候住在北京", True),
        ("用户住在北京", "我在北京住过三年", False),
        ("用户在北京住过三年", "我在北京住过三年", True),
        ("用户在腾讯工作", "我在腾讯工作过三年", False),
        ("用户养了一只狗", "我上大学的时候养过一只狗", False),
        ("用户跑步时喜欢听音乐", "我跑步的时候喜欢听音乐", True),
        ("用户在北京长大", "我小时候在北京长大", True),
        ("用户在联想工作", "我在联想上班", True),
        ("用户写代码", "我用联想电脑写代码", True),
        ("用户写代码", "我想写代码", False),
    ],
)
def test_a_wish_or_the_past_is_no_fact_of_today(fact: str, words: str, fits: bool) -> None:
    assert is_of_its_time(fact, words) is fits
