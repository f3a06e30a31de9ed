from time import process_time

import pytest
from astrbot_plugin_ltm.long_term_memory.policies.own_claims import is_carried

ALICE, XIAO_MING = "User's name is Alice", "用户的名字是小明"
THIRTY, THIRTY_ZH = "User is 30 years old", "用户30岁"
GOOGLE, TENCENT = "User works at Google", "用户在腾讯工作"
ROME, BEIJING = "User lives in Rome", "用户住在北京"
CARRIED = [
    ("用户是老师", "我当了十年老师"),
    ("用户是单身", "我单身"),
    ("用户是大学生", "我现在是大学生"),
    ("User is 34 years old", "I'm 34 with two kids"),
    ("User is 29 years old", "I'm 29 from Berlin"),
    ("User is 17 years old", "I'm 17 btw"),
    ("User works at Amazon", "I work in customer service at Amazon"),
    ("User works at Google", "I'm a Google engineer"),
    ("User works for Uber", "I drive for Uber"),
    ("User works at Nike", "I run marketing at Nike"),
    ("用户叫小明", "我叫小明"),
    ("用户的名字是李雷", "我是李雷"),
    (ALICE, "My name is Alice"),
    (ALICE, "hi, my\nname  is\nalice!"),
    (ALICE, "I'm Alice"),
    (ALICE, "i am alice and you?"),
    (ALICE, "I'm Dr. Alice"),
    (ALICE, "Hi, this is Alice"),
    (ALICE, "Alice here"),
    (ALICE, "Alice is my first name"),
    (ALICE, "Alice"),
    ("User's name is Alice Smith", "I'm Alice Smith"),
    ("User wants to be called Al", "call me Al"),
    ("User goes by Max", "I go by Max"),
    ("User is called Sasha", "my friends call me Sasha"),
    (XIAO_MING, "我叫小明"),
    (XIAO_MING, "我是小明"),
    (XIAO_MING, "我的名字是小明"),
    ("用户叫Alice", "我叫 Alice"),
    ("用户希望被称为小明", "以后叫我小明"),
    (THIRTY, "I'm 30"),
    (THIRTY, "I'm thirty, and you?"),
    (THIRTY, "I am 30 and single"),
    (THIRTY, "I'm a 30 year old man"),
    (THIRTY, "a 30-year-old nurse"),
    (THIRTY, "I just turned 30 in May"),
    (THIRTY, "30 yo"),
    (THIRTY, "I'm Tom, 30, from Leeds"),
    (THIRTY, "My age is 30"),
    (THIRTY, "User is 30"),
    (THIRTY, "我今年30岁"),
    (THIRTY_ZH, "我三十岁"),
    (THIRTY_ZH, "我今年30了"),
    (THIRTY_ZH, "刚满30"),
    (GOOGLE, "I work at Google"),
    (GOOGLE, "i work for google as a nurse"),
    (GOOGLE, "I got a job at Google"),
    (GOOGLE, "I was hired by Google"),
    (GOOGLE, "I joined Google"),
    (GOOGLE, "I'm an engineer at Google"),
    (GOOGLE, "I'm a Google employee"),
    (GOOGLE, "I left Siemens and I work at Google"),
    (GOOGLE, "After I left Siemens I joined Google"),
    (GOOGLE, "I've been at Google since 2019"),
    (GOOGLE, "I do marketing for Google"),
    (GOOGLE, "我在 Google 上班"),
    ("User works at a hospital", "I'm at a hospital most days"),
    ("User works at the Google office", "my company is Google"),
    (TENCENT, "我在腾讯上班"),
    (TENCENT, "我刚入职腾讯"),
    (TENCENT, "我在腾讯做产品"),
    (TENCENT, "我的公司是腾讯"),
    ("用户在一家医院工作", "我在医院上班"),
    (ROME, "I live in Rome"),
    (ROME, "I moved from Oslo to Rome"),
    (ROME, "I'm from Rome and I still live in Rome"),
    (BEIJING, "我从上海搬到北京了"),
    (BEIJING, "我家在北京"),
    ("User likes tea", "tea"),
]
NOT_CARRIED = [
    ("用户叫小明", "我孙子叫小明"),
    ("用户叫小白", "我的车叫小白"),
    (ALICE, "Good morning Alice"),
    (ALICE, "Thanks Alice, I'm tired"),
    (ALICE, "I met Alice"),
    (ALICE, "I called Alice"),
    (ALICE, "I'm with Alice"),
    (ALICE, "I'm Alice's boss"),
    (ALICE, "this is Alice, my sister"),
    (ALICE, "I have a cat called Alice"),
    (ALICE, "the name of my cat is Alice"),
    (ALICE, "I love the name Alice"),
    ("User wants to be called Al", "Thanks Al"),
    (XIAO_MING, "你好小明"),
    (XIAO_MING, "我喜欢小明"),
    (XIAO_MING, "我是小明的妈妈"),
    (XIAO_MING, "小明真好"),
    (THIRTY, "I am 30 minutes late"),
    (THIRTY, "I'm 30% done"),
    (THIRTY, "I'm 30 weeks pregnant"),
    (THIRTY, "I have been married for 30 years"),
    (THIRTY, "I have 30 books"),
    (THIRTY, "My car is 30 years old"),
    (THIRTY, "I have a meeting at 30 past"),
    (THIRTY_ZH, "我等了30分钟"),
    ("用户2026年30岁", "我今年等了30分钟"),
    ("User is now 30 years old and single", "I am single and 30 minutes late"),
    (THIRTY_ZH, "我开车30年了"),
    (THIRTY_ZH, "我有30本书"),
    (GOOGLE, "I applied for a job at Google"),
    (GOOGLE, "I have an interview for a job at Google"),
    (GOOGLE, "I got a job offer from Google"),
    (GOOGLE, "I left my job at Google"),
    (GOOGLE, "I got fired from Google"),
    (GOOGLE, "Google is down"),
    (GOOGLE, "I work a lot, and I hate Google"),
    (GOOGLE, "I'm a fan of Google"),
    (GOOGLE, "I hate working with Google"),
    (GOOGLE, "I work near Google"),
    (GOOGLE, "I'd love a job at Google"),
    ("User joined Google", "Google is down"),
    (TENCENT, "我在腾讯有个面试"),
    (TENCENT, "我应聘了腾讯的工作"),
    (TENCENT, "我讨厌腾讯"),
    (TENCENT, "我从腾讯离职了"),
    (TENCENT, "我工作用腾讯文档"),
    ("用户加入了腾讯", "我讨厌腾讯"),
    (ROME, "I moved from Rome to Oslo"),
    (ROME, "I'm from Rome and moved to Oslo"),
    (ROME, "I live an hour from Rome"),
    (ROME, "I left Rome and moved to Oslo"),
    (BEIJING, "我从北京搬到上海了"),
    (BEIJING, "我离开北京搬家了"),
]


@pytest.mark.parametrize(("fact", "text"), CARRIED)
def test_words_at_the_value_carry_a_claim(fact: str, text: str) -> None:
    assert is_carried(fact, text)


@pytest.mark.parametrize(("fact", "text"), NOT_CARRIED)
def test_the_value_alone_carries_none(fact: str, text: str) -> None:
    assert not is_carried(fact, text)


def test_a_value_in_the_other_language_is_left_to_others() -> None:
    assert is_carried("User works at Tencent", "我在腾讯上班")


@pytest.mark.parametrize("unit", ["i'm ", "name ", "work ", "as a b ", "User's name is ", "在", "30 "])
def test_no_text_takes_long_to_look_through(unit: str) -> None:
    started = process_time()
    for fact in (ALICE, THIRTY, GOOGLE, ROME, XIAO_MING, TENCENT):
        is_carried(fact, unit * 2_000)
        is_carried(fact, unit * 100 + "Alice 30 Google Rome 小明 腾讯")
        is_carried(unit * 500, "Alice " * 1_000)
    assert process_time() - started < 1
