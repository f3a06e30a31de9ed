"""Corrections, and sentences about something else: a fact, and what is put in its place."""

CORRECTIONS = (
    ("I live in Rome", "I moved to Milan last month"),
    ("my name is Anna", "it's Anne, not Anna"),
    ("my locker number is 214", "my locker is 241"),
    ("I have a dog", "I have a cat, not a dog"),
    ("I work as a nurse", "I am a doctor now"),
    ("I like jazz", "I no longer like jazz"),
    ("I like jazz", "I like rock, not jazz"),
    ("I like jaz", "I like jazz"),
    ("I am allergic to nuts", "I am allergic to peanuts only, other nuts are fine"),
    ("I play tennis", "I play tennis every Tuesday with my brother"),
    ("my sister lives in Oslo", "my sister has moved to Bergen"),
    ("我住在上海", "我搬到杭州了"),
    ("我喜欢爵士乐", "我不喜欢爵士乐了"),
    ("我养了一只狗", "我养的是猫"),
    ("我对花生过敏", "我对花生和虾都过敏"),
    ("我在银行上班", "我现在是老师"),
    ("我每天跑五公里", "我每天跑十公里"),
    ("我女儿叫小雨", "我女儿的名字是小语"),
)
MISSED = (
    ("I have a golden retriever called Bo", "my dog Bo is a labrador"),
    ("I usually wake up at six", "I get up at seven these days"),
)
"""Corrections without a word in common: what was named is kept, and the answer tells how to forget it."""
OTHERS = (
    ("I like jazz", "I am allergic to nuts"),
    ("I live in Rome", "I am allergic to nuts"),
    ("I like jazz", "I work as a nurse"),
    ("I have a dog", "I have a headache every Monday"),
    ("my sister lives in Oslo", "I live in Bergen"),
    ("I play tennis", "my exam is on Friday"),
    ("my locker number is 214", "I want to learn the piano"),
    ("I work as a nurse", "I have two kids"),
    ("my car is red", "my wife is called Anna"),
    ("I drink coffee every morning", "I go to church every Sunday"),
    ("I am afraid of spiders", "I was born in 1990"),
    ("I hate horror movies", "my bike was stolen"),
    ("我喜欢爵士乐", "我对花生过敏"),
    ("我住在上海", "我对花生过敏"),
    ("我养了一只狗", "我下周要考试"),
    ("我在银行上班", "我每天早上跑步"),
    ("我喜欢吃辣", "我女儿上小学"),
    ("我女儿叫小雨", "我的车是红色的"),
    ("我每天跑五公里", "我每天喝两杯咖啡"),
    ("我怕高", "我的手机号是13800001111"),
)
