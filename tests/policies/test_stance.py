import pytest
from astrbot_plugin_ltm.long_term_memory.policies.stance import deny_alike

ALIKE = [
    ("User likes cats", "I like cats"),
    ("User does not like cats", "I don't like cats"),
    ("User hates cats", "I can't stand cats"),
    ("User hates cats", "I do not like cats"),
    ("User does not hate cats", "I don't hate cats"),
    ("User dislikes nuts", "I can't eat nuts"),
    ("User works as a nurse", "I hate my job as a nurse"),
    ("User loves tea", "I can't live without tea"),
    ("User hates coffee", "I love tea but I hate coffee"),
    ("User likes tea and hates coffee", "I like tea, I hate coffee"),
    ("User quit smoking", "I stopped smoking"),
    ("用户喜欢猫", "不过我喜欢猫"),
    ("用户讨厌猫", "我不喜欢猫"),
    ("用户不吃猪肉", "我不吃猪肉"),
    ("User dislikes peanuts", "我不喜欢花生"),
    ("User stopped smoking", "I stopped smoking"),
    ("User hates sushi", "I used to love sushi but now I hate it"),
    ("用户讨厌寿司", "我以前喜欢寿司，但现在讨厌了"),
    ("用户喜欢别墅", "我喜欢别墅"),
    ("用户关注性别平等", "我关注男女性别平等"),
    ("用户是男性", "我的性别是男"),
    ("", ""),
]
DIFFERENT = [
    ("User likes cats", "I don't like cats"),
    ("User likes cats", "I hate cats"),
    ("User hates peanuts", "I love peanuts"),
    ("User avoids peanuts", "I love peanuts"),
    ("User hates Bob", "I met Bob"),
    ("User has a cat", "I don't like cats"),
    ("User smokes", "I quit smoking"),
    ("User likes coffee", "I like tea but I hate coffee"),
    ("用户喜欢猫", "我不喜欢猫"),
    ("用户喜欢猫", "我讨厌猫"),
    ("User likes sushi", "I used to love sushi but now I hate it"),
    ("用户给他打电话", "男性别给他打电话"),
    ("用户买那个", "这个别买"),
    ("User likes peanuts", "我不喜欢花生"),
]


@pytest.mark.parametrize(("fact", "words"), ALIKE)
def test_they_agree_when_both_like_or_deny(fact: str, words: str) -> None:
    assert deny_alike(fact, words)


@pytest.mark.parametrize(("fact", "words"), DIFFERENT)
def test_they_differ_when_one_likes_or_denies_what_the_other_does_not(fact: str, words: str) -> None:
    assert not deny_alike(fact, words)
