import pytest
from astrbot_plugin_ltm.long_term_memory.policies.fulfilment import is_as_fulfilled

NOT_SO = [
    ("用户有老公", "我跟老公离婚了"),
    ("User has a boyfriend", "I broke up with my boyfriend after he moved"),
    ("User has kids", "I want kids"),
    ("User is divorced", "I want a divorce"),
    ("User has a cat", "I would like a cat"),
    ("User has a cat", "I would like a cat for my kids"),
    ("User has a dog", "I want my own dog"),
    ("User has a dog", "I am looking for a dog"),
    ("User lives in Berlin", "I am looking for an apartment in Berlin"),
    ("User works at Google", "I applied for a job at Google"),
    ("User hired a lawyer", "I need a lawyer"),
    ("用户有一辆车", "我需要一辆车"),
    ("用户有一只猫", "我要一只猫"),
    ("用户住在北京", "我在北京找房子"),
    ("User is pregnant", "I hope I am pregnant"),
    ("User is pregnant", "I am worried I am pregnant"),
    ("User is allergic to nuts", "I suspect I am allergic to nuts"),
    ("用户对花生过敏", "我怀疑我对花生过敏"),
    ("用户得了抑郁症", "我担心自己得了抑郁症"),
    ("用户怀孕了", "我怕我怀孕了"),
    ("User moved to Berlin", "I almost moved to Berlin"),
    ("User is married", "I nearly got married"),
    ("User is divorced", "We're getting divorced"),
    ("User has diabetes", "I tested negative for diabetes"),
    ("用户搬到北京", "我差点搬到北京"),
    ("User has a car", "I sold my car"),
    ("User has a dog", "My dog died"),
    ("User works at Siemens", "I resigned from Siemens"),
    ("User works at Siemens", "I left Siemens"),
    ("User works as a nurse", "I lost my job as a nurse"),
    ("用户有一只狗", "我家狗去世了"),
    ("用户有女朋友", "我和女朋友分手了"),
    ("用户在腾讯工作", "我从腾讯离职了"),
    ("用户有车", "我把车卖了"),
]
SO = [
    ("用户在腾讯工作", "我离开阿里以后加入腾讯"),
    ("User is vegan", "I'm a vegan looking for dinner ideas"),
    ("User is allergic to nuts", "I'm allergic to nuts and looking for safe snacks"),
    ("User is a nurse", "I'm a nurse looking for a new apartment in Berlin"),
    ("User lives in Leeds", "I moved out of my parents' house and live in Leeds now"),
    ("User lives alone", "I live alone since my husband passed away"),
    ("User runs every morning", "I lost 10 kg by running every morning"),
    ("User is lactose intolerant", "I'm lactose intolerant and would like a dairy-free cake recipe"),
    ("User wants kids", "I want kids"),
    ("User wants a divorce", "I want a divorce"),
    ("User is looking for a dog", "I am looking for a dog"),
    ("User's nickname is Al", "I want you to call me Al"),
    ("User avoids gluten", "I need to avoid gluten"),
    ("User has a dog", "I need a vet for my dog"),
    ("User has a daughter called Emma", "I'm looking for a gift for my daughter Emma"),
    ("用户有一只狗", "我要给我的狗买狗粮"),
    ("用户想要一只猫", "我要一只猫"),
    ("用户有两个孩子", "我要照顾两个孩子"),
    ("用户下周三要考试", "我下周三要考试"),
    ("User has a cat", "I'm worried about my cat"),
    ("User cannot eat gluten", "I'm afraid I can't eat gluten"),
    ("用户有一只猫", "我担心我的猫"),
    ("User almost moved to Berlin", "I almost moved to Berlin"),
    ("User has lived in Rome for ten years", "I have lived in Rome for almost ten years"),
    ("User drinks coffee", "I drink coffee almost every day"),
    ("用户差点搬到北京", "我差点搬到北京"),
    ("User's dog died", "My dog died"),
    ("User lost 10 kg", "I lost 10 kg"),
    ("User left home at 18", "I left home at 18"),
    ("User is divorced with two kids", "I'm divorced with two kids"),
    ("用户和女朋友分手了", "我和女朋友分手了"),
    ("用户喜欢猫", "我爱死猫了"),
]


@pytest.mark.parametrize(("fact", "words"), NOT_SO)
def test_what_is_wished_feared_nearly_so_or_over_is_not_so(fact: str, words: str) -> None:
    assert not is_as_fulfilled(fact, words)


@pytest.mark.parametrize(("fact", "words"), SO)
def test_a_fact_that_says_so_too_or_tells_of_something_else_is_so(fact: str, words: str) -> None:
    assert is_as_fulfilled(fact, words)
