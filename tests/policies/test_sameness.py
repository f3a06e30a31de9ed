import pytest
from astrbot_plugin_ltm.long_term_memory.policies.sameness import (
    Relation,
    is_about,
    relation,
    relation_of_near,
    same_value,
    shares_value,
)
from hypothesis import given
from hypothesis import strategies as st

SAME = [
    ("User likes cats", "User loves cats"),
    ("User likes coffee", "User likes to drink coffee"),
    ("User does not like cats", "User hates cats"),
    ("User is allergic to peanuts", "User has a peanut allergy"),
    ("User is a diabetic", "User has diabetes"),
    ("User has two cats", "User has 2 cats"),
    ("User likes tea and coffee", "User likes coffee and tea"),
    ("User plans a trip to Japan in October", "User is planning a trip to Japan in October"),
    ("用户喜欢咖啡", "用户爱喝咖啡"),
    ("用户喜欢吃香菜", "用户喜欢香菜"),
    ("用户不喜欢猫", "用户讨厌猫"),
    ("用户对花生过敏", "用户花生过敏"),
    ("用户养了两只猫", "用户养了2只猫"),
    ("", ""),
]
CONTRARY = [
    ("User likes cats", "User hates cats"),
    ("User drinks coffee", "User no longer drinks coffee"),
    ("User likes coffee", "User doesn't like coffee anymore"),
    ("User smokes", "User quit smoking"),
    ("User eats meat", "User does not eat meat"),
    ("User lives in Beijing", "User no longer lives in Beijing"),
    ("用户喜欢香菜", "用户讨厌香菜"),
    ("用户喜欢吃香菜", "用户不吃香菜"),
    ("用户喝咖啡", "用户不再喝咖啡了"),
    ("用户抽烟", "用户戒烟了"),
    ("用户会游泳", "用户不会游泳"),
]
DIFFERENT = [
    ("User likes cats", "User likes dogs"),
    ("My dentist is Dr. Lee", "My father's dentist is Dr. Lee"),
    ("my dog is called Rex", "my sister's dog is called Rex"),
    ("I owe Bob 50", "Bob owes me 50"),
    ("我爸的牙医是王医生", "我的牙医是王医生"),
    ("User likes tea", "User likes green tea"),
    ("User likes cats", "User hates black cats"),
    ("User hates cats", "User has a cat"),
    ("User likes chicken", "User likes chickpeas"),
    ("User likes chicken", "User does not like chickpeas"),
    ("User takes antibiotics", "User takes antidepressants"),
    ("User likes coconut", "User hates cocoa"),
    ("User has hypertension", "User has hyperthyroidism"),
    ("User studies psychology", "User studies psychiatry"),
    ("User likes watermelon", "User likes watercolor"),
    ("User likes cooking", "User dislikes cookies"),
    ("User has two cats", "User has three cats"),
    ("User lives in Beijing", "User lives in Shanghai"),
    ("User prefers tea to coffee", "User prefers coffee to tea"),
    ("User used to like cats", "User likes cats"),
    ("User used to smoke", "User smokes"),
    ("User's dentist is Dr. Wang", "User's dentist is Dr. Li"),
    ("User meets Ann on Monday", "User meets Ann on Tuesday"),
    ("User is allergic to milk", "User drinks milk"),
    (
        "User used to work as a nurse at a hospital in Leeds",
        "User works as a nurse at a hospital in Leeds",
    ),
    ("用户住在北京", "用户住在上海"),
    ("用户的女儿叫小美", "用户的女儿叫小梅"),
    ("用户周一健身", "用户周二健身"),
    ("用户有3个孩子", "用户有2个孩子"),
    ("小明喜欢小红", "小红喜欢小明"),
    ("👍", "👎"),
]
PAIRS = [
    *((*pair, Relation.SAME) for pair in SAME),
    *((*pair, Relation.CONTRARY) for pair in CONTRARY),
    *((*pair, Relation.DIFFERENT) for pair in DIFFERENT),
]


@pytest.mark.parametrize(("fact", "other", "expected"), PAIRS)
def test_two_facts_say_the_same_or_the_contrary_or_something_else(
    fact: str, other: str, expected: Relation
) -> None:
    assert (relation(fact, other), relation(other, fact)) == (expected, expected)


@pytest.mark.parametrize(
    ("fact", "other", "expected"),
    [
        ("User owns a car", "User has a car", Relation.SAME),
        ("User enjoys hiking", "User is fond of walking in the mountains", Relation.SAME),
        ("用户热爱爬山", "用户喜欢登山", Relation.SAME),
        ("用户在腾讯上班", "用户在腾讯工作", Relation.SAME),
        ("User is fond of felines", "User hates cats", Relation.CONTRARY),
        ("User likes cats", "User hates cats", Relation.CONTRARY),
        ("User hates cats", "User has a cat", Relation.DIFFERENT),
        ("User hates felines", "User keeps a cat at home", Relation.DIFFERENT),
        ("User likes cats", "User likes dogs", Relation.DIFFERENT),
        ("User has 2 kids", "User has three children", Relation.DIFFERENT),
        ("User lives in Shanghai", "用户住在上海", Relation.DIFFERENT),
        ("用户喜欢猫", "用户喜欢狗", Relation.DIFFERENT),
        ("用户的女儿叫小美", "用户的女儿叫小梅", Relation.DIFFERENT),
        ("用户在北京大学读书", "用户在上海大学读书", Relation.DIFFERENT),
        ("用户来自北京，在读书", "用户是上海人，还是个学生", Relation.DIFFERENT),
    ],
)
def test_a_near_vector_counts_unless_the_words_say_otherwise(
    fact: str, other: str, expected: Relation
) -> None:
    assert (relation_of_near(fact, other), relation_of_near(other, fact)) == (expected, expected)


@pytest.mark.parametrize(
    ("fact", "other", "same", "shares"),
    [
        ("User lives in Shanghai", "User resides in Shanghai", True, True),
        ("User works as a nurse", "User is a nurse", True, True),
        ("User's name is alice", "User's name is Alice", True, True),
        ("用户住在上海", "用户居住在上海市", True, True),
        ("用户的职业是老师", "用户是一名老师", True, True),
        ("User lives in Beijing", "User lives in Haidian, Beijing", False, True),
        ("User lives in York", "User lives in New York", False, True),
        ("用户的名字是张三", "用户的名字是张三丰", False, True),
        ("User works as a nurse", "User works as a barista", False, False),
        ("User is 30 years old", "User is 31 years old", False, False),
        ("User lives in Oslo", "User used to live in Oslo", False, True),
    ],
)
def test_the_same_question_is_answered_alike_or_not(fact: str, other: str, same: bool, shares: bool) -> None:
    assert (same_value(fact, other), same_value(other, fact)) == (same, same)
    assert (shares_value(fact, other), shares_value(other, fact)) == (shares, shares)


@pytest.mark.parametrize(
    ("fact", "other", "about"),
    [
        ("The deadline is Friday", "The deadline is Monday", True),
        ("项目的截止日期是周五", "项目的截止日期是周一", True),
        ("User likes tea", "User likes coffee", False),
        ("User plans to move the deadline", "The deadline is Monday", False),
    ],
)
def test_what_replaces_is_about_what_it_replaces(fact: str, other: str, about: bool) -> None:
    assert is_about(fact, other) is about


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_relation_is_the_same_both_ways_and_a_fact_is_the_same_as_itself(fact: str, other: str) -> None:
    assert relation(fact, other) is relation(other, fact)
    assert relation_of_near(fact, other) is relation_of_near(other, fact)
    assert relation(fact, fact) is Relation.SAME
