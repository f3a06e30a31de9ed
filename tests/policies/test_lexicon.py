import pytest
from astrbot_plugin_ltm.long_term_memory.policies.lexicon import in_english, unrecognised


@pytest.mark.parametrize(
    ("fact", "text", "missing"),
    [
        ("User is allergic to peanuts", "我对花生过敏", ""),
        ("User is allergic to cats", "我对花生过敏", "cats"),
        ("User has 2 kids", "我有两个孩子", ""),
        ("User has 3 kids", "我有两个孩子", "3"),
        ("User dislikes dogs", "我不喜欢狗", ""),
        ("User is studying at Tsinghua", "我在清华学习", "tsinghua"),
        ("User works at Siemens", "我在 Siemens 上班", ""),
        ("用户对花生过敏", "I'm allergic to peanuts", ""),
        ("用户对海鲜过敏", "I'm allergic to peanuts", "海鲜"),
        ("用户有两个孩子", "I have two kids", ""),
        ("用户在 Siemens 工作", "I work at Siemens", ""),
        ("用户在 Bosch 工作", "I work at Siemens", "bosch"),
        ("用户的名字是爱丽丝", "My name is Alice", "爱"),
        ("用户是宇航员", "I am an astronaut", "宇"),
    ],
)
def test_a_fact_is_recognised_in_words_of_the_other_language(fact: str, text: str, missing: str) -> None:
    assert unrecognised(fact, text) == missing


def test_names_of_places_are_known_in_english() -> None:
    assert "beijing" in in_english("我住在北京").split()
