from dataclasses import replace
from datetime import UTC
from time import process_time
from typing import Any

import pytest
from astrbot_plugin_ltm.long_term_memory.domain.memory import Event
from astrbot_plugin_ltm.long_term_memory.domain.words import MemoryType, Origin, Role
from astrbot_plugin_ltm.long_term_memory.domain.writing import Candidate, Grounded
from astrbot_plugin_ltm.long_term_memory.policies.quotes import MAX_QUOTE
from astrbot_plugin_ltm.long_term_memory.write.ground import ground, ground_all
from astrbot_plugin_ltm.long_term_memory.write.rules import read
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.written import FULL_DATES
from tests.write.fakes import ALICE, BOB, GROUP, event
from tests.write.test_rules import RUNS, STATED

ASSISTANT, TOOL = Role.ASSISTANT, Role.TOOL


def fact(text: str, quote: str = "", *evidence: int, about: str = "", person: str = "") -> Candidate:
    return Candidate(
        type=MemoryType.PROFILE,
        fact=text,
        confidence=0.9,
        importance=0.5,
        origin=Origin.LLM_EXTRACT,
        quote=quote,
        evidence=evidence,
        about=about,
        person=person,
    )


def grounded(candidate: Candidate, *events: Event) -> Grounded:
    return ground(candidate, events)


@pytest.mark.parametrize(
    ("said", "text", "quote", "kept"),
    [
        ("My name is Alice!", "User's name is Alice", "My name is Alice", "My name is Alice"),
        ("hi, MY  NAME is\nAlice!", "User's name is Alice", "my name is alice", "MY  NAME is\nAlice"),
        ("My name is Alice.", "User's name is Alice", '"my name, is: Alice"', "My name is Alice"),
        ("我叫小明，我对花生过敏", "用户对花生过敏", "我对花生过敏。", "我对花生过敏"),
        ("我叫 小明", "用户的名字是小明", "我叫小明", "我叫 小明"),
        ("我住在ＡＢＣ大楼", "用户住在ABC大楼", "我住在ABC大楼", "我住在ＡＢＣ大楼"),
        ("Alice", "User's name is Alice", "Alice", "Alice"),
        ("I'm allergic to nuts", "User has a nut allergy", "I'm allergic to nuts", "I'm allergic to nuts"),
        ("Don't forget I like tea", "User likes tea", "I like tea", "I like tea"),
        ("I don't smoke, I like tea", "User likes tea", "I like tea", "I like tea"),
        ("I don't like tea", "User dislikes tea", "I don't like tea", "I don't like tea"),
    ],
)
def test_a_quote_that_was_said_grounds_the_fact_verbatim(said: str, text: str, quote: str, kept: str) -> None:
    found = grounded(fact(text, quote, 0), event(said))
    assert (found.quote, found.doubt) == (kept, "")


def test_a_wrong_event_number_does_not_matter_when_the_quote_was_said() -> None:
    said = event("My name is Alice", event_id="e2")
    found = grounded(fact("User's name is Alice", "My name is Alice", 0, 99, -1), event("hello"), said)
    assert (found.event, found.doubt) == (said, "")


def test_the_cited_event_is_preferred_when_several_hold_the_quote() -> None:
    events = [event("I like tea", event_id=f"e{n}") for n in range(3)]
    assert grounded(fact("User likes tea", "I like tea", 1), *events).event is events[1]
    assert grounded(fact("User likes tea", "I like tea", -1, 7), *events).event is events[0]


@pytest.mark.parametrize(
    ("said", "text", "kept"),
    [
        ("Hello! My name is Alice. Bye.", "User's name is Alice", "My name is Alice."),
        ("你好！我对花生过敏。", "用户对花生过敏", "我对花生过敏。"),
        ("I prefer Python over Java", "Prefers Python over Java", "I prefer Python over Java"),
    ],
)
def test_without_a_quote_the_sentence_that_overlaps_most_is_the_evidence(
    said: str, text: str, kept: str
) -> None:
    found = grounded(fact(text), event("what's up", event_id="e0"), event(said))
    assert (found.quote, found.doubt) == (kept, "")


@pytest.mark.parametrize(
    ("said", "text", "quote", "doubt"),
    [
        ("what's the weather like", "User owns a yacht", "", "ungrounded"),
        ("今天天气怎么样", "用户有一艘游艇", "", "ungrounded"),
        ("what's the weather like", "User owns a yacht", "I own a yacht", "quote_not_found"),
        ("what's the weather like", "User owns a yacht", "the weather like", "quote_unrelated"),
        ("我叫小明", "用户的名字是小红", "我叫小明", "quote_unrelated"),
        ("what's the weather like for a yacht", "User owns a yacht", "yacht", "quote_says_nothing"),
        ("I live in Rome", "User lives in Rome", "I", "quote_says_nothing"),
        ("he said my name is Bob", "User's name is Bob", "my name is Bob", "quote_out_of_context"),
        ("if I lived in Rome", "User lived in Rome", "I lived in Rome", "quote_out_of_context"),
        ("I don't like cats", "User likes cats", "like cats", "quote_out_of_context"),
        ("我不喜欢猫", "用户喜欢猫", "喜欢猫", "quote_out_of_context"),
        ("I don't like cats", "User likes cats", "I don't like cats", "negation_differs"),
        ("I do not like cats", "User likes cats", "", "negation_differs"),
        ("我不喜欢猫咪", "用户喜欢猫咪", "我不喜欢猫咪", "negation_differs"),
        ("I'm 42 years old", "User is 43 years old", "I'm 42 years old", "not_in_evidence:43"),
        ("I live in Rome", "User lives in Rome near Paris", "I live in Rome", "not_in_evidence:Paris"),
        ("我今年42岁", "用户今年43岁", "我今年42岁", "not_in_evidence:43"),
    ],
)
def test_what_was_not_said_waits_with_its_reason(said: str, text: str, quote: str, doubt: str) -> None:
    found = grounded(fact(text, quote, 0), event(said))
    assert found.doubt == doubt
    assert found.quote
    assert found.quote in said


def test_the_evidence_of_an_ungrounded_fact_is_a_bounded_piece_of_a_message() -> None:
    said = "word " * 1000
    found = grounded(fact("User owns a yacht"), event(said))
    assert len(found.quote) == MAX_QUOTE
    assert found.quote in said


def test_names_and_numbers_that_were_said_are_no_doubt() -> None:
    said = "Since 2019 I've used Python 3.12 at Siemens"
    text = "User has used Python 3.12 at Siemens since 2019"
    assert grounded(fact(text, said, 0), event(said)).doubt == ""


def test_the_speakers_own_name_and_the_day_need_not_be_said() -> None:
    said = "I moved to Rome today"
    text = "Alice moved to Rome on 2025-03-01"
    assert grounded(fact(text, said, 0), event(said)).doubt == ""


def test_the_bots_own_words_are_never_evidence() -> None:
    events = (event("ok"), event("Your name is Alice", ASSISTANT, event_id="e2"))
    found = grounded(fact("User's name is Alice", "Your name is Alice", 1), *events)
    assert (found.event, found.doubt) == (events[0], "quote_not_found")


def test_a_tools_result_is_evidence_but_not_to_be_trusted() -> None:
    events = (event("look me up"), event("Alice Smith, born 1990", TOOL, event_id="e2"))
    found = grounded(fact("User was born 1990", "Alice Smith, born 1990", 1), *events)
    assert (found.event, found.doubt, found.owner) == (events[1], "tool_result", ALICE)


def test_what_a_person_said_outweighs_a_tool_that_says_the_same() -> None:
    events = (event("I was born in Rome", TOOL, event_id="e1"), event("I was born in Rome", event_id="e2"))
    found = grounded(fact("User was born in Rome", "I was born in Rome", 0), *events)
    assert (found.event, found.doubt) == (events[1], "")


def test_a_fact_that_cannot_be_checked_costs_no_other(caplog: pytest.LogCaptureFixture) -> None:
    secret: Any = ["my secret"]
    odd = [replace(fact("User likes cake"), quote=secret)] * 2
    facts, broken = ground_all([odd[0], fact("User likes tea"), odd[1]], [event("I like tea")], UTC)
    assert [each.candidate.fact for each in facts] == ["User likes tea"]
    assert broken == ["not_checked", "not_checked"]
    assert len(caplog.messages) == 1
    assert "2 of 3" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("role", [ASSISTANT, TOOL])
def test_without_a_persons_words_there_is_nothing_to_rest_on(role: Role) -> None:
    with pytest.raises(ValueError, match="person's words"):
        ground(fact("User likes tea", "likes tea", 0), [event("likes tea", role)])


@pytest.mark.parametrize("about", ["", "user", "The user", "U1", "alice", "Alice", "我", "用户", "ME"])
def test_a_fact_of_oneself_goes_to_ones_own_scope(about: str) -> None:
    found = grounded(fact("User likes tea", "I like tea", 0, about=about), event("I like tea", in_group=True))
    assert (found.owner, found.person) == (ALICE, "")


def test_the_owner_is_who_said_it_whoever_else_is_in_the_chat() -> None:
    events = (event("hi", in_group=True), event("I like tea", sender="bob", event_id="e2", in_group=True))
    assert grounded(fact("User likes tea", "I like tea", 1, about="U2"), *events).owner == BOB


@pytest.mark.parametrize(("about", "person"), [("U2", "Bob"), ("bob", "Bob"), ("Carol", "Carol")])
def test_what_one_says_of_another_in_a_group_is_the_groups_and_names_the_person(
    about: str, person: str
) -> None:
    events = (
        event("Bob and Carol like tea", in_group=True),
        event("hi", sender="bob", event_id="e2", in_group=True),
    )
    found = grounded(fact("Likes tea", "Bob and Carol like tea", 0, about=about), *events)
    assert (found.owner, found.person, found.doubt) == (GROUP, person, "")


def test_in_private_what_one_says_of_another_stays_ones_own_and_names_the_person() -> None:
    said = "my father is allergic to nuts"
    found = grounded(fact("Is allergic to nuts", said, 0, person="my father"), event(said))
    assert (found.owner, found.person, found.doubt) == (ALICE, "User's father", "")


def test_a_person_whom_nobody_named_is_doubtful() -> None:
    found = grounded(fact("Likes tea", "she likes tea", 0, person="Carol"), event("she likes tea"))
    assert found.doubt == "not_in_evidence:Carol"


def test_a_nameless_sender_is_known_by_the_id() -> None:
    nameless = replace(event("hi", sender="bob", event_id="e2", in_group=True), sender_name="")
    found = grounded(
        fact("Likes tea", "she likes tea", 0, about="U2"), event("she likes tea", in_group=True), nameless
    )
    assert found.person == "bob"


NOT_SAID = [
    (
        "Oh great, I love being woken by drills",
        "User loves being woken by drills",
        "I love being woken by drills",
    ),
    ("他在群里发了“小明是骗子”，气死我了", "小明是骗子”，气死我了", "小明是骗子”，气死我了"),
    ("我对花生不过敏", "用户对花生过敏", "我对花生不过敏"),
    ("我今晚住在青岛的酒店", "用户住在青岛", "我今晚住在青岛的酒店"),
    ("我叫外卖了", "用户的名字是外卖", "我叫外卖了"),
    ("I dreamt that I had a twin in Chile", "User has a twin in Chile", "I had a twin in Chile"),
    ("I like tea", "User likes coffee", "I like tea"),
    ("I love cats", "User is a cat", "I love cats"),
    ("I love peanuts", "User hates peanuts", "I love peanuts"),
    ("I love peanuts", "User is allergic to peanuts", "I love peanuts"),
    ("Am I allergic to peanuts?", "User is allergic to peanuts", "allergic to peanuts"),
    ("am i allergic to peanuts", "User is allergic to peanuts", "allergic to peanuts"),
    ("Do you think I live in Berlin?", "User lives in Berlin", "I live in Berlin"),
    ("我不喜欢花生", "User likes peanuts", "我不喜欢花生"),
    ("我不喜欢 Python", "User likes Python", "我不喜欢 Python"),
    ("我有三个孩子要养", "用户有两个孩子", "我有三个孩子要养"),
    ("i have two kids and a dog", "User has three kids", "i have two kids"),
    ("我有3个孩子", "用户有两个孩子", "我有3个孩子"),
    ("My sister is allergic to peanuts", "User is allergic to peanuts", "allergic to peanuts"),
    ("My sister is allergic to peanuts", "User is allergic to peanuts", "My sister is allergic to peanuts"),
    ("Bob is allergic to peanuts", "User is allergic to peanuts", "allergic to peanuts"),
    ("我妈妈对花生过敏", "用户对花生过敏", "我妈妈对花生过敏"),
    ("我妈妈对花生过敏", "用户对花生过敏", "对花生过敏"),
    ("If I were rich I would buy a boat", "User is rich and bought a boat", "I would buy a boat"),
    (
        "Write a story where I am married to a pirate",
        "User is married to a pirate",
        "I am married to a pirate",
    ),
    ('Bob told me: "I am married to a pirate"', "User is married to a pirate", "I am married to a pirate"),
    (
        'Bob told me: "I am married to a pirate"',
        "User is married to a pirate",
        'Bob told me: "I am married to a pirate"',
    ),
    ("Bob told me: I am married to a pirate", "User is married to a pirate", "I am married to a pirate"),
    ("nobody would ever say I am married", "User is married", "I am married"),
    (
        "i met bob and carol in paris",
        "User is the father of bob and hates carol",
        "i met bob and carol in paris",
    ),
    ("I want to quit smoking", "User smokes", "quit smoking"),
    ("yes", "User likes jazz", "yes"),
    ("我对花生过敏", "User is allergic to cats", "我对花生过敏"),
    ("I live in Berlin... NOT", "User lives in Berlin", "I live in Berlin"),
    ("I'm allergic to peanuts, but not really", "User is allergic to peanuts", "I'm allergic to peanuts"),
    ("在我的小说里，我叫龙傲天", "用户的名字是龙傲天", "我叫龙傲天"),
    ("总结一下这段话：我叫张三，我住在上海", "用户住在上海", "我住在上海"),
    ("Hypothetically, I am allergic to peanuts", "User is allergic to peanuts", "I am allergic to peanuts"),
    ("I used to live in Rome", "User lives in Rome", "live in Rome"),
    ("I want to live in Paris", "User lives in Paris", "I want to live in Paris"),
    ("我想去巴黎住", "用户住在巴黎", "我想去巴黎住"),
    ("我叫张三，才怪", "用户的名字是张三", "我叫张三"),
    ("I heard that I live in Rome. My dog lives in Oslo", "User lives in Oslo", "My dog lives in Oslo"),
]
SAID = [
    ("Guess what, I moved to Rome", "User moved to Rome", "I moved to Rome"),
    ("告诉你们，我结婚了", "用户结婚了", "我结婚了"),
    (
        "I'm allergic to nuts, so no satay please",
        "User is allergic to nuts",
        "I'm allergic to nuts, so no satay",
    ),
    ("我养了一只狗真不容易", "用户养了一只狗", "我养了一只狗真不容易"),
    ("我以前住在成都，现在住在重庆", "用户住在重庆", "现在住在重庆"),
    ("我特别喜欢猫", "用户喜欢猫", "喜欢猫"),
    ("不过我喜欢猫", "用户喜欢猫", "喜欢猫"),
    ("I'm 42", "User is 42 years old", "I'm 42"),
    ("我今年42岁", "User is 42", "我今年42岁"),
    ("我在 Siemens 上班", "User works at Siemens", "我在 Siemens 上班"),
    ("I have two kids and a dog", "User has 2 kids", "I have two kids"),
    ("我有两个孩子", "用户有2个孩子", "我有两个孩子"),
    (
        "My sister is allergic to peanuts",
        "User's sister is allergic to peanuts",
        "My sister is allergic to peanuts",
    ),
    ("我妈妈对花生过敏", "用户的妈妈对花生过敏", "我妈妈对花生过敏"),
    ("My wife and I live in Rome", "User lives in Rome", "My wife and I live in Rome"),
    ("I love tea but I hate coffee", "User hates coffee", "I love tea but I hate coffee"),
    ("I love tea and hate coffee", "User loves tea and hates coffee", "I love tea and hate coffee"),
    ("I hate my job as a nurse", "User works as a nurse", "I hate my job as a nurse"),
    ("I can't stand cilantro", "User dislikes cilantro", "I can't stand cilantro"),
    ("我讨厌香菜", "用户不喜欢香菜", "我讨厌香菜"),
    ("I live in Berlin, what can I see there?", "User lives in Berlin", "I live in Berlin"),
    ("我住在北京，有什么好玩的吗？", "用户住在北京", "我住在北京"),
    ("我能说法语", "用户能说法语", "我能说法语"),
    ("I told you: I like tea", "User likes tea", "I like tea"),
    ("说实话，我住在上海", "用户住在上海", "我住在上海"),
    ("I'm a nurse in healthcare", "User works in healthcare", "I'm a nurse in healthcare"),
    (
        "My doctor told me to avoid gluten",
        "User was told to avoid gluten by a doctor",
        "My doctor told me to avoid gluten",
    ),
    ("I want to learn Spanish", "User wants to learn Spanish", "I want to learn Spanish"),
    ("我打算去日本", "用户打算去日本", "我打算去日本"),
    ("Bob is my brother", "User's brother is Bob", "Bob is my brother"),
    ("My wife is called Anna", "User is married to Anna", "My wife is called Anna"),
    ("I moved to Berlin last year", "User lives in Berlin", "I moved to Berlin last year"),
    ("The weather is nice (I live in Rome)", "User lives in Rome", "I live in Rome"),
    ("I like tea, not coffee", "User likes tea", "I like tea"),
    ("I work as a translator and live in Rome", "User lives in Rome", "live in Rome"),
    ("I don't eat meat", "User does not eat meat", "I don't eat meat"),
    (
        "Python is my favourite language",
        "User's favourite language is Python",
        "Python is my favourite language",
    ),
    ("I drink tea daily", "User likes tea", "I drink tea daily"),
    (
        "my flight to Tokyo is on Friday",
        "User is flying to Tokyo on Friday",
        "my flight to Tokyo is on Friday",
    ),
    ("我有三个孩子", "User has three children", "我有三个孩子"),
    ("Today is my birthday", "User has a birthday on 2025-03-01", "Today is my birthday"),
]


@pytest.mark.parametrize(("said", "text", "quote"), NOT_SAID)
def test_verbatim_words_that_do_not_say_the_fact_leave_a_doubt(said: str, text: str, quote: str) -> None:
    assert grounded(fact(text, quote, 0), event(said)).doubt


@pytest.mark.parametrize(("said", "text", "quote"), SAID)
def test_what_was_plainly_said_in_other_words_leaves_no_doubt(said: str, text: str, quote: str) -> None:
    assert grounded(fact(text, quote, 0), event(said)).doubt == ""


@pytest.mark.parametrize(("said", "text", "quote"), [row for row in NOT_SAID if "kids" not in row[0]])
def test_without_a_quote_they_leave_a_doubt_as_well(said: str, text: str, quote: str) -> None:
    assert quote
    assert grounded(fact(text), event(said)).doubt


@pytest.mark.parametrize("said", [said for said, _ in STATED])
def test_what_the_rules_read_is_grounded_in_its_own_message(said: str) -> None:
    for candidate in read(event(said), 0):
        assert grounded(candidate, event(said)).doubt == ""


def test_what_drowns_in_marks_is_not_found_without_a_quote() -> None:
    said = "! " * 70 + "I like green tea"
    assert grounded(fact("User likes green tea"), event(said)).doubt == "ungrounded"


def test_words_far_from_the_quote_are_no_evidence_for_it() -> None:
    said = "Siemens is big. " + "The weather is nice. " * 60 + "I work as a nurse"
    found = grounded(fact("User works as a nurse at Siemens", "I work as a nurse", 0), event(said))
    assert found.doubt == "not_in_evidence:Siemens"


HOSTILE = [
    *RUNS,
    "Bob ",
    "in 3 ",
    "next ",
    "Nov 1 ",
    "用户的",
    "小明是",
    "I was by Bob ",
    "周",
    "2-3 ",
    "两",
    "in the ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_no_message_and_no_fact_takes_long_to_compare(unit: str) -> None:
    said, told = (unit * 8_000)[:8_000], (unit * 500)[:500]
    events = [event(f"I like tea {said}"), event(said, TOOL, event_id="e2")]
    started = process_time()
    grounded(fact(f"{told} Bob is User's boss next Wednesday 周三", "I like tea", person=told[:60]), *events)
    grounded(fact(told, told), *events)
    grounded(fact(told), *events)
    assert process_time() - started < 1


texts = st.text(max_size=80) | st.sampled_from(["I like tea", "我喜欢猫", "he said I like tea", "I am 42"])


@given(texts, texts, texts, texts)
def test_the_stored_quote_is_always_verbatim_from_what_a_person_said(
    said: str, echo: str, text: str, quote: str
) -> None:
    events = [event(said), event(echo, ASSISTANT, event_id="e2")]
    found = grounded(fact(text, quote, 1), *events)
    assert found.event is events[0]
    assert found.quote in said


@given(
    FULL_DATES, FULL_DATES, st.sampled_from(["I live in Oslo. {}", "{} I like tea", "我住在奥斯陆。{}", "{}"])
)
def test_no_date_keeps_a_fact_from_its_words(date: str, other: str, around: str) -> None:
    said = event(around.format(date))
    assert grounded(fact("User lives in Oslo", "I live in Oslo", 0), said).quote in said.text
    assert grounded(fact(f"User's visa ends {other}", date, 0), said).quote in said.text
    for candidate in read(said, 0):
        assert grounded(candidate, said).quote in said.text


@pytest.mark.parametrize(
    "date", ["2026-06-31", "2026年6月31日", "Feb 29, 2025", "1234-56-78", "0000-00-00", "99 Dec 2020"]
)
def test_a_day_that_there_is_not_is_no_doubt_of_what_is_said_beside_it(date: str) -> None:
    said = event(f"My visa ends {date}. I live in Oslo.")
    assert grounded(fact("User lives in Oslo", "I live in Oslo", 0), said).doubt == ""
    assert grounded(fact(f"User's visa ends {date}", f"My visa ends {date}", 0), said).doubt == ""


@pytest.mark.parametrize(
    ("said", "text", "quote"),
    [
        ("I stopped eating meat", "User eats meat", "eating meat"),
        ("Neither I nor my wife eats meat", "User eats meat", "eats meat"),
        ("Neither I nor my wife eats meat", "User eats meat", "Neither I nor my wife eats meat"),
        ("My boss hates dogs", "User hates dogs", "hates dogs"),
        ("My neighbour is allergic to cats", "User is allergic to cats", "allergic to cats"),
        ("My boss is married", "User is married", "My boss is married"),
        ("My cat hates dogs", "User hates dogs", "My cat hates dogs"),
        ("我同事有两个孩子", "用户有两个孩子", "我同事有两个孩子"),
        ("haha sure, I'm the king of France", "User is the king of France", "I'm the king of France"),
        ("哈哈当然，我是法国国王", "用户是法国国王", "我是法国国王"),
        ("I have 3 cats and 5 dogs", "User has 5 cats and 3 dogs", "I have 3 cats and 5 dogs"),
        ("我有三只猫两条狗", "用户有两只猫三条狗", "我有三只猫两条狗"),
        ("我工资八千", "用户工资八万", "我工资八千"),
        ("我有五十万存款", "用户有五千万存款", "我有五十万存款"),
    ],
)
def test_what_a_short_quote_leaves_out_is_read_with_it(said: str, text: str, quote: str) -> None:
    assert grounded(fact(text, quote, 0), event(said)).doubt


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("我爸爸是老师", "用户的父亲是老师"),
        ("我老婆是医生", "用户的妻子是医生"),
        ("我姐是护士", "用户的姐姐是护士"),
        ("my mom is a nurse", "User's mother is a nurse"),
        ("My wife had a baby", "User has a baby"),
        ("My dog is called Rex", "User has a dog called Rex"),
        ("My sister loves our dog", "User has a dog"),
        ("My wife and I have two kids", "User has two kids"),
        ("我有三只猫两条狗", "用户有三只猫和两条狗"),
        ("我工资八千", "用户工资8000"),
    ],
)
def test_the_same_in_other_words_is_no_doubt(said: str, text: str) -> None:
    assert grounded(fact(text, said, 0), event(said)).doubt == ""


def test_a_full_statement_after_the_bot_spoke_to_another_is_no_answer() -> None:
    hello = event("hello", sender="carol", event_id="e1", in_group=True)
    bot = event("Hi, how are you?", ASSISTANT, sender="carol", event_id="e2", in_group=True)
    said = event("Carol hates peas", sender="bob", event_id="e3", in_group=True)
    found = grounded(fact("Carol hates peas", said.text, 2, person="Carol"), hello, bot, said)
    assert (found.teller, found.doubt) == ("Bob", "")
    own = event("Dave hates peas", sender="carol", event_id="e3", in_group=True)
    assert grounded(fact("Dave hates peas", own.text, 2, person="Dave"), hello, bot, own).doubt == ""
    mere = event("peas", sender="carol", event_id="e3", in_group=True)
    assert grounded(fact("User hates peas", mere.text, 2), hello, bot, mere).doubt == "answer_only"
