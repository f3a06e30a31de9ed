from time import process_time

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Origin, Role
from astrbot_plugin_ltm.long_term_memory.write.rules import explicit, read
from hypothesis import given
from hypothesis import strategies as st

from tests.write.fakes import event

STATED = [
    ("My name is Alice", ["User's name is Alice"]),
    ("My name is Alice and I'm allergic to peanuts", ["User's name is Alice", "User is allergic to peanuts"]),
    ("my name is alice", ["User's name is alice"]),
    ("Hi, my name's Jean-Luc Picard!", ["User's name is Jean-Luc Picard"]),
    ("My name is Ludwig van Beethoven", ["User's name is Ludwig van Beethoven"]),
    ("Hello there! My name is Alice. What's yours?", ["User's name is Alice"]),
    ("I have a deadly peanut allergy", ["User is allergic to peanuts"]),
    ("I have an extreme bee allergy", ["User is allergic to bees"]),
    ("I work as a team lead", ["User works as a team lead"]),
    ("I'm 5'10\" tall. I live in Oslo", ["User lives in Oslo"]),
    ("My wife is called Anna", ["User's wife is called Anna"]),
    ("I prefer straight bourbon", ["User prefers straight bourbon"]),
    ("I prefer still water", ["User prefers still water"]),
    ("I hate in-laws", ["User hates in-laws"]),
    ("我家猫叫小鸡", ["用户的猫叫小鸡"]),
    ("Please call me Al", ["User wants to be called Al"]),
    ("Call me June", ["User wants to be called June"]),
    ("just call me Mr Sunday please", ["User wants to be called Mr Sunday"]),
    ("My dog's name is Friday", ["User's dog is called Friday"]),
    (
        "I'm severely allergic to peanuts, shellfish and milk.",
        ["User is allergic to peanuts, shellfish and milk"],
    ),
    ("I'm allergic to peanuts, recommend a dessert", ["User is allergic to peanuts"]),
    ("I'm allergic to peanuts, by the way", ["User is allergic to peanuts"]),
    ("I’m allergic to cats", ["User is allergic to cats"]),
    ("I'm allergic to nuts and love Thai food", ["User is allergic to nuts"]),
    ("I live in New York with my wife", ["User lives in New York"]),
    ("I live in Berlin, what's the weather like?", ["User lives in Berlin"]),
    ("I work as a nurse", ["User works as a nurse"]),
    ("I work at Siemens", ["User works at Siemens"]),
    ("I really like hiking and cooking", ["User likes hiking and cooking"]),
    ("I don't like cilantro", ["User does not like cilantro"]),
    ("I prefer tea over coffee", ["User prefers tea over coffee"]),
    ("My birthday is on May 5", ["User's birthday is May 5"]),
    ("I was born in March 1990", ["User was born on March 1990"]),
    ("I'm a vegetarian", ["User is vegetarian"]),
    ("我叫闫妮", ["用户的名字是闫妮"]),
    ("我叫小明，我对花生过敏", ["用户的名字是小明", "用户对花生过敏"]),
    ("你好，我叫李雷，你叫什么？", ["用户的名字是李雷"]),
    ("我的名字是王小明。我住在北京，有什么好玩的吗？", ["用户的名字是王小明", "用户住在北京"]),
    ("我叫Tom", ["用户的名字是Tom"]),
    ("叫我小张就好", ["用户希望被称为小张"]),
    ("叫我小龙虾就好", ["用户希望被称为小龙虾"]),
    ("我叫黄小鱼", ["用户的名字是黄小鱼"]),
    ("我叫小米", ["用户的名字是小米"]),
    ("我家猫叫小笼包", ["用户的猫叫小笼包"]),
    ("我对花生、牛奶过敏", ["用户对花生、牛奶过敏"]),
    ("我有花粉过敏", ["用户对花粉过敏"]),
    ("我现在住在上海哦", ["用户住在上海"]),
    ("我是一名程序员", ["用户的职业是程序员"]),
    ("我的职业是教师", ["用户的职业是教师"]),
    ("我在腾讯公司上班", ["用户在腾讯公司工作"]),
    ("我喜欢火锅，不过我讨厌香菜", ["用户喜欢火锅", "用户讨厌香菜"]),
    ("我很喜欢看小说", ["用户喜欢看小说"]),
    ("我不吃猪肉", ["用户不吃猪肉"]),
    ("我吃素", ["用户吃素"]),
    ("我的生日是5月20日", ["用户的生日是5月20日"]),
    ("我的名字是建国", ["用户的名字是建国"]),
    ("我叫欧阳娜娜", ["用户的名字是欧阳娜娜"]),
    ("我叫阿依·古丽", ["用户的名字是阿依·古丽"]),
    ("我有严重的花粉过敏", ["用户对花粉过敏"]),
    ("My birthday is 12/25, like Jesus", ["User's birthday is 12/25"]),
    ("My birthday is May 5, 1990", ["User's birthday is May 5, 1990"]),
    ("I like tea, lol :)", ["User likes tea"]),
    ("我是1990年3月出生的", ["用户的生日是1990年3月"]),
    ("I have a peanut allergy", ["User is allergic to peanuts"]),
    ("I have a severe pollen allergy", ["User is allergic to pollen"]),
    ("I'm lactose intolerant", ["User is lactose intolerant"]),
    ("I'm a nurse", ["User works as a nurse"]),
    ("Hi, I'm a software engineer", ["User works as a software engineer"]),
    ("I am a medical student", ["User is a medical student"]),
    ("I'm from Spain", ["User is from Spain"]),
    ("I come from New Zealand", ["User is from New Zealand"]),
    ("I am 34", ["User is 34 years old"]),
    ("I'm 34 years old", ["User is 34 years old"]),
    ("I have two kids", ["User has two kids"]),
    ("I have a daughter", ["User has a daughter"]),
    ("My wife's name is Anna", ["User's wife is called Anna"]),
    ("我花生过敏", ["用户对花生过敏"]),
    ("我吃虾过敏", ["用户对虾过敏"]),
    ("我对芒果过敏", ["用户对芒果过敏"]),
    ("我乳糖不耐", ["用户乳糖不耐受"]),
    ("我是学生", ["用户是学生"]),
    ("我是一个大学生", ["用户是大学生"]),
    ("我是高中老师", ["用户的职业是高中老师"]),
    ("我今年30岁", ["用户30岁"]),
    ("我今年三十岁了", ["用户30岁"]),
    ("我来自上海", ["用户来自上海"]),
    ("我在北京工作", ["用户的工作地点是北京"]),
    ("我老婆叫王小红", ["用户的老婆叫王小红"]),
    ("我养了一只猫", ["用户养了一只猫"]),
    ("我有两个孩子", ["用户有两个孩子"]),
    # where somebody lives, and in what kind of place
    ("I live in student housing", ["User lives in student housing"]),
    ("I live in downtown Chicago", ["User lives in downtown Chicago"]),
    ("I live in Portland, OR", ["User lives in Portland, OR"]),
    ("I live in Rome as a student", ["User lives in Rome"]),
    ("我住北京", ["用户住在北京"]),
    ("我住上海浦东", ["用户住在上海浦东"]),
    ("我家住绍兴", ["用户住在绍兴"]),
    ("我家在山东", ["用户住在山东"]),
    ("我住朝阳区", ["用户住在朝阳区"]),
    ("我定居成都", ["用户住在成都"]),
    ("我住在马德里", ["用户住在马德里"]),
    ("我住在清远", ["用户住在清远"]),
    ("我住五楼", ["用户住在五楼"]),
    ("我家在农村", ["用户住在农村"]),
    ("我住在三楼", ["用户住在三楼"]),
    ("我住在婆婆家", ["用户住在婆婆家"]),
    # birthdays, however they are begun
    ("我于1990年3月出生", ["用户的生日是1990年3月"]),
    ("我是农历八月十五出生的", ["用户的生日是农历八月十五"]),
    ("我是阳历1990年3月5日生的", ["用户的生日是1990年3月5日"]),
    ("我1990年3月在北京出生", ["用户的生日是1990年3月"]),
    ("I was born in May 1990 in Oslo", ["User was born on May 1990"]),
    ("My birthday is the 5th of May", ["User's birthday is the 5th of May"]),
    # allergens with what is said of them
    ("我有非常严重的花粉过敏", ["用户对花粉过敏"]),
    ("我对所有坚果过敏", ["用户对所有坚果过敏"]),
    ("我有青霉素过敏史", ["用户对青霉素过敏"]),
    ("I'm allergic to most nuts", ["User is allergic to most nuts"]),
    ("I have mild cat allergies", ["User is allergic to cats"]),
    ("I have a tree nut allergy", ["User is allergic to tree nuts"]),
    # words of a kind that is mostly something else
    ("My name is Dawn French", ["User's name is Dawn French"]),
    ("I can't stand cilantro", ["User cannot stand cilantro"]),
    ("我是高中老师，不是外人", ["用户的职业是高中老师"]),
    ("我的工作是前端开发", ["用户的职业是前端开发"]),
    ("我的工作是护士", ["用户的职业是护士"]),
    ("我是一名用户研究员", ["用户的职业是用户研究员"]),
    ("我是1990年3月5日晚上在上海出生的", ["用户的生日是1990年3月5日"]),
    ("我是一名技术人员", ["用户的职业是技术人员"]),
    ("我是一位全职妈妈", ["用户的职业是全职妈妈"]),
    ("我的职业是自由撰稿人", ["用户的职业是自由撰稿人"]),
    ("我对牛奶过敏", ["用户对牛奶过敏"]),
    ("我住在不来梅", ["用户住在不来梅"]),
    ("我不吃香菜", ["用户不吃香菜"]),
    ("我喜欢酒吧", ["用户喜欢酒吧"]),
]

NOTHING = [
    "My birthday is May 32",
    "I have horrible allergies",
    "I have chronic seasonal allergies",
    "我叫黄焖鸡",
    # questions
    "what is my name?",
    "do you remember that I like tea?",
    "Do you remember my name",
    "do you like tea",
    "My name is Alice?",
    "I live in Berlin, right?",
    "Is it true, I live in Berlin, what do you think?",
    "Did you know, I live in Berlin, what can I see there?",
    "remember that?",
    "你记住了吗",
    "我叫什么",
    "我叫什么名字？",
    "你还记得我叫小明吗？",
    "你喜欢猫吗",
    "我对什么过敏",
    "我住在北京，对吗？",
    # suppositions, doubt
    "if I lived in Berlin",
    "If I live in Berlin, what then?",
    "I think I'm allergic to nuts",
    "如果我住在北京",
    "我可能对花生过敏",
    # negation, the past
    "I don't live in Berlin",
    "I no longer live in Berlin",
    "I used to live in Paris",
    "I'm not allergic to peanuts",
    "I'm allergic to nothing",
    "Don't call me Al",
    "my name is not important",
    "我不住在北京",
    "我以前住在北京",
    "我对花生不过敏",
    "我不吃了",
    # others
    "he said 'my name is Bob'",
    "he said my name is Bob",
    "He said, my name is Bob",
    'She told me "I live in Rome"',
    "My sister is allergic to peanuts",
    "My wife and I live in Berlin",
    "他说我叫小明",
    "他叫小明",
    "我妈妈对花生过敏",
    "我叫他小明",
    "「我叫小红」",
    "我喜欢《红楼梦》",
    # errands, talk about remembering
    "remember to be nice",
    "remember to buy milk",
    "don't forget to call",
    "Remember that time we went to Rome",
    "remember me",
    "remember my name",
    "Remember I told you",
    "I remember that my name is Bob",
    '"remember that I am king"',
    "记住了",
    "记住密码",
    "记住这一点",
    "别忘了带伞",
    "别忘了明天要带伞",
    "我记住了你的名字",
    # not in earnest
    "*my name is Sir Galahad*",
    "(my name is Bob)",
    "```\nmy name is Bob\n```",
    "`my name is Bob`",
    "```my name is Bob",
    "> my name is Bob",
    "Let's roleplay. My name is Galahad.",
    "Imagine it. Remember that I am king.",
    "Translate: my name is Alice",
    "How do you say I live in Berlin in German",
    "I'm allergic to nuts, just kidding",
    "我们来角色扮演，我叫孙悟空",
    "翻译：我叫小明",
    "比如我叫小明",
    # vague, passing
    "I like it",
    "I love you",
    "I like your answer",
    "I'd like a coffee",
    "I like the second one",
    "I prefer option B",
    "call me later",
    "call me Maybe",
    "please call me ASAP",
    "Call me Monday",
    "just call me Friday",
    "You can call me Sat",
    "Call me October",
    "Call me Uber",
    "please call me Lyft",
    "call me a cab",
    "CALL ME TONIGHT",
    "CALL ME BACK",
    "Call me EOD please",
    "my name is on the list",
    "my name is changing",
    "my name is spelled with a very strange combination of letters",
    "my name is 12345",
    "I live in a small town",
    "I live in Berlin until May",
    "I work at night",
    "I work for free",
    "My birthday is tomorrow",
    "I was born in Paris",
    "我叫了外卖",
    "我叫小龙虾",
    "我叫黄焖鸡",
    "我叫牛排吧",
    "我叫小笼包",
    "我叫大盘鸡",
    "我叫不出名字",
    "叫我起床",
    "我喜欢你",
    "我喜欢这个",
    "我爱你",
    "我在认真工作",
    "我住在酒店",
    "我的工作是路人",
    "我的生日是明天啊",
    # afterthoughts
    "I live in Berlin... NOT",
    "I live in Berlin. Not!",
    "I live in Paris, just kidding",
    "My name is Bob. Haha, no.",
    "I'm allergic to peanuts, but not really",
    "I'm allergic to peanuts no more",
    "I'm allergic to peanuts is what he told me",
    "My name is Bob, said the knight",
    "我叫张三，才怪",
    "我叫张三。才怪！",
    "我叫张三，其实不是",
    "我住在上海。骗你的",
    "我喜欢火锅，对吧",
    "我对花生不再过敏",
    "我才不喜欢吃香菜",
    # stories, texts to work on
    "Here is my essay. My name is Tom. I live in Rome",
    "Summarise this: My name is Peter Parker. I live in New York.",
    "I live in New York. My name is Peter. Summarize the following",
    "Fix the typos: I live in Berlin",
    "In my novel, I live in Rome",
    "Answer as if you were my mother. I'm allergic to peanuts",
    "Hypothetically, I'm allergic to peanuts",
    "Let's play a game: my name is Gandalf",
    'My friend wrote "Hi.\nI live in Oslo.\nBye"',
    "在我的小说里，我叫龙傲天",
    "续写：我叫龙傲天，我住在天龙城",
    "总结一下这段话：我叫张三，我住在上海",
    "下面是小说片段：我叫龙傲天，我住在天龙城",
    "我昨天做了个梦，梦里我住在上海",
    # mockery
    "Oh great, I love waiting in line",
    "Sure, I love being woken at 5am",
    "I love being woken at 5am",
    "I'm allergic to Mondays",
    "I live in sin",
    "我最喜欢被老板骂",
    "我喜欢个屁",
    "我爱吃不吃",
    "我对上班过敏",
    "我住在火星",
    # words that look like it
    "我叫醒了孩子",
    "我叫苦连天",
    "我叫家长来",
    "我叫老王帮忙",
    "我叫小王来",
    "我叫老师",
    "我叫服务员",
    "我叫救命",
    "我爱人是医生",
    "我爱人在银行工作",
    "我有点过敏",
    "我有严重过敏",
    "我是一名程序员的妻子",
    "我是一位失败者",
    "我的名字是秘密",
    "My birthday is like Jesus'",
    "I'm a fan",
    "I'm a bit tired",
    "I'm a good cook",
    "I'm a doctor's wife",
    "I'm a terrible driver",
    "I'm from the support team",
    "I'm from Customer Support",
    "I'm from the future",
    "I'm from a small town",
    "I'm 34 minutes late",
    "I'm 1 year old",
    "I'm 300 years old",
    "I have severe allergies",
    "I have a food allergy",
    "I have two left feet",
    "I have three questions",
    "My wife's name is a secret",
    "我是说明天",
    "我是来问问题的",
    "我是来找医生",
    "我是好学生",
    "我是他的学生",
    "我是学生家长",
    "我是假医生",
    "我是你老师",
    "我妈花生过敏",
    "我皮肤过敏",
    "我老婆叫我回家",
    "我妈妈叫小王来",
    "我来自客服部",
    "我来自未来",
    "我在家工作",
    "我在努力工作",
    "我3岁的时候",
    "我快30岁了吧",
    "我二百岁",
    "我有一个问题",
    "我有两个建议",
    # where somebody lives is not said, or only for a while
    "I live in exile",
    "I live in constant fear",
    "I live in sweatpants",
    "I live in interesting times",
    "I live in Excel all day",
    "I live in Berlin half the year",
    "I live in Rome or Paris",
    "I live in Rome for two weeks",
    "I live in Rome for the summer",
    "I live in your head rent free",
    "我住得很远",
    "我住得挺好",
    "我住院两周",
    "我住院了",
    "我住校三年",
    "我住不惯",
    "我住不起",
    "我住过北京",
    "我住进新房",
    "我住民宿",
    "我定居下来",
    "我家在装修",
    "我家在办喜事",
    "我家在上海开店",
    "我住在家里",
    "我住在回忆里",
    "我住在很远的地方",
    "我住在北京吧",
    "我住在北京还是上海",
    "我住在北京三天",
    "我住在北京不习惯",
    # whose birthday it is, and when
    "我女儿2020年5月出生",
    "我爸1965年3月出生",
    "我家猫2023年5月出生",
    "我2020年5月生的老二",
    "我的生日是女儿2020年5月",
    "我的生日是比你早3天5月2日",
    "我的生日是5月20日前后",
    "My birthday is 2 days after Dec 25",
    "My birthday is March 50",
    "I was born in Marchwood in 1990",
    "My daughter was born in May 2020",
    # vague ages
    "我四五十岁了",
    "我十七八岁",
    # how many allergies, and what they are like
    "I have zero allergies",
    "I have few allergies",
    "I have a few allergies",
    "I have three allergies",
    "I have a bunch of allergies",
    "I have horrible allergies",
    "I have bad allergies",
    "I have seasonal allergies",
    "I have chronic allergies",
    "I have developed allergies",
    "I have outgrown allergies",
    "I'm allergic to few things",
    "I'm allergic to mornings",
    "I'm allergic to small talk",
    "我有很多过敏",
    "我有两种过敏",
    "我有家族过敏史",
    "我有季节性过敏",
    "我有个同事对花生过敏",
    "我有时会过敏",
    "我对很多东西过敏",
    "我对老板过敏",
    "我对开会过敏",
    # work that is no line of work, and places that are no employer
    "I work as a team",
    "I work as a last resort",
    "I work as a team in Oslo",
    "I work as a rule mostly from home",
    "I work for Free",
    "I'm a backseat driver",
    "I'm an ex student",
    "I'm a shower singer",
    "我的工作是一团糟",
    "我的工作是朝九晚五",
    "我的职业是摸鱼",
    "我是一名乘客",
    "我是一位母亲",
    "我是一位单亲妈妈",
    "我是一名党员",
    "我是一名乐观主义者",
    "我是王老师",
    "我是灵魂歌手",
    "我是打工人",
    "我在大公司上班",
    "我在一家公司工作",
    "我在大城市工作",
    # what is said of a name, or ordered by it
    "My name is taken",
    "My name is misspelled",
    "My name is French",
    "My name is Bob's",
    "Call me Skeptical",
    "我的名字是奶奶取的",
    "我的名字是三个字",
    "我叫黄焖鸡",
    "我叫牛肉面",
    # idioms, asides and what somebody else goes on to say
    "I can't stand up",
    "I can't stand straight for long",
    "I can't stand still anymore",
    "I can't stand straight",
    "I hate to ask",
    "I prefer later",
    "I come from Money",
    "I love tea /s",
    "He's like, I live in Rome",
    "She goes, I like tea",
    "我不吃亏",
    "我不吃惊",
    "我不吃饭",
    "我不喝多",
    "我爱情不顺",
    "我喜欢前者",
    "我喜欢火锅还是烧烤好",
    "我不吃火锅会死",
    "我来自隔壁",
    "我来自抖音",
    "hello",
    "  。",
    "",
]


@pytest.mark.parametrize(("text", "facts"), STATED)
def test_a_plain_statement_becomes_a_compact_fact(text: str, facts: list[str]) -> None:
    found = read(event(text), 0)
    assert [candidate.fact for candidate in found] == facts
    assert all(candidate.origin is Origin.RULE for candidate in found)
    assert all(candidate.quote and candidate.quote in text for candidate in found)


@pytest.mark.parametrize("text", NOTHING)
def test_what_states_nothing_plainly_gives_no_fact(text: str) -> None:
    assert read(event(text), 0) == []


def test_a_message_is_read_up_to_the_last_sentence_within_the_limit() -> None:
    words = "The weather was nice. " * 43
    told = read(event(f"{words}I live in Rome. My name is Alice and I like tea in the morning"), 0)
    assert [c.fact for c in told] == ["User lives in Rome"]
    assert read(event("word " * 300 + ". My name is Alice."), 0) == []


def test_what_a_long_message_asks_for_at_its_end_counts_for_all_of_it() -> None:
    pasted = "My name is Alice. " + "The weather was nice. " * 100
    assert len(read(event(pasted), 0)) == 1
    assert read(event(pasted + "Translate this into French."), 0) == []


RUNS = [
    "a,",
    " ",
    ", ",
    "'a ",
    '"',
    "'",
    "“",
    "(",
    "[",
    "*a ",
    "`",
    "``` ",
    "我",
    "我叫",
    "我喜欢",
    "过敏",
    "请",
    "记住",
    "and i ",
    "hi ",
    "please ",
    "I like a and ",
    "lol ",
    "啊",
    "~",
    "I!",
    "我吃!",
    ".a",
    "1",
    "十",
    "…",
    "\n",
    "，",
    "不",
    "I'm ",
    "my boss ",
    "next week ",
    "三",
    "my sister's ",
    "北京",
    "2020年5月",
    "like,",
]


@pytest.mark.parametrize("unit", RUNS)
@pytest.mark.parametrize(
    "opening", ["", "a,", "I like ", "I live in ", "remember that I ", "我叫", "我住", "记住我"]
)
def test_no_message_takes_long_to_read(unit: str, opening: str) -> None:
    message = event((opening + unit * 8_000)[:8_000] + "x")
    started = process_time()
    read(message, 0)
    assert process_time() - started < 0.2


def test_a_cue_saves_its_own_sentence_and_leaves_the_next_to_the_rules() -> None:
    found = read(event("Remember that Bob is my boss. I live in Rome."), 0)
    assert [(c.fact, c.origin) for c in found] == [
        ("Bob is my boss", Origin.USER_EXPLICIT),
        ("User lives in Rome", Origin.RULE),
    ]


def test_the_quote_is_the_exact_clause() -> None:
    found = read(event("Hi! My name is Alice, and I'm allergic to peanuts."), 0)
    assert [c.quote for c in found] == ["My name is Alice", "and I'm allergic to peanuts"]


def test_what_can_have_one_value_only_names_its_slot() -> None:
    found = read(event("My name is Alice. I'm allergic to nuts. I live in Rome."), 0)
    assert [c.slot for c in found] == ["name", "", "home_city"]
    found = read(event("我今年30岁。我是学生。我的生日是5月20日。I work at Siemens."), 0)
    assert [c.slot for c in found] == ["age", "job", "birthday", "employer"]


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL])
def test_only_people_are_read(role: Role) -> None:
    assert read(event("My name is Alice", role), 0) == []


def test_one_message_gives_a_bounded_number_of_facts() -> None:
    text = ". ".join(f"I like fruit number {n}" for n in range(50))
    assert len(read(event(text), 0)) == 10


def test_a_saved_fact_that_is_one_plain_statement_takes_its_type_and_slot() -> None:
    saved = explicit("I live in Rome.", quote="/ltm add I live in Rome.")
    assert (saved.fact, saved.type, saved.slot) == ("I live in Rome", MemoryType.PROFILE, "home_city")
    assert saved.fact_key == "User lives in Rome"


@pytest.mark.parametrize(
    "words", ["I live in Rome with my cat Tom", "I live in Rome, near the big park", "my bike is blue"]
)
def test_a_saved_fact_that_is_more_than_a_plain_statement_has_no_key_but_its_words(words: str) -> None:
    saved = explicit(words, quote="x")
    assert (saved.fact, saved.fact_key) == (words, "")


def test_a_saved_fact_of_several_statements_takes_no_slot() -> None:
    assert explicit("I live in Rome. My name is Bob.", quote="x").slot == ""


@given(st.text(max_size=300) | st.text(alphabet="我叫是a I'm\"*`「」，,.?？!记住 name my", max_size=200))
def test_no_text_breaks_the_rules_and_quotes_are_always_verbatim(text: str) -> None:
    for candidate in read(event(text), 0):
        assert candidate.quote in text
        assert candidate.fact
