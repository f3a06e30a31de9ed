from time import process_time

import pytest
from astrbot_plugin_ltm.long_term_memory.write.ground import ground
from astrbot_plugin_ltm.long_term_memory.write.pasted import pasted
from astrbot_plugin_ltm.long_term_memory.write.rules import read

from tests.write.fakes import event
from tests.write.made import a_candidate

OTHERS = [
    ("周涛：\n我住在北京", "用户住在北京", "我住在北京"),
    ("Faraday:\nI live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("My sister: I told her I am allergic to nuts", "User is allergic to nuts", "I am allergic to nuts"),
    ("My mom: I am allergic to nuts, tell them", "User is allergic to nuts", "I am allergic to nuts"),
    ("My brother: I love her, we are married", "User is married", "we are married"),
    ("My parents: we live in Rome", "User lives in Rome", "we live in Rome"),
    ("Bob: I see\n\n" * 220 + "Bob: I live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("My best friend: I live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("My older sister: I am allergic to nuts", "User is allergic to nuts", "I am allergic to nuts"),
    ("My ex-wife: I am allergic to nuts", "User is allergic to nuts", "I am allergic to nuts"),
    ("我前女友：我对花生过敏", "用户对花生过敏", "我对花生过敏"),
    ("我嫂子：我对花生过敏", "用户对花生过敏", "我对花生过敏"),
    ("Bob:\n" + "blah blah blah. " * 80 + "I live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("小明 10:32:11\n" + "今天天气不错。" * 160 + "我住在北京。", "用户住在北京", "我住在北京"),
    ("My mom: I am allergic to nuts", "User is allergic to nuts", "I am allergic to nuts"),
    ("我妈：\n我对花生过敏", "用户对花生过敏", "我对花生过敏"),
    ("[10:32] Bob\nI live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("小明:\n我住在北京\n\n小红:\n我对花生过敏", "用户住在北京", "我住在北京"),
    ("小明 10:32:11\n我住在北京", "用户住在北京", "我住在北京"),
    ("小明(10001) 2026/11/18 10:32:11\n我住在北京", "用户住在北京", "我住在北京"),
    ("2026-11-18 10:32:11 小明\n我住在北京", "用户住在北京", "我住在北京"),
    ("小明：我住在北京", "用户住在北京", "小明：我住在北京"),
    ("老板：我离婚了", "用户离婚了", "我离婚了"),
    ("Bob — Today at 10:32\nI live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("Bob, [18.11.2026 10:32]\nI live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("Bob:\nI live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("[18/11/2026, 10:32] Bob: I live in Oslo", "User lives in Oslo", "I live in Oslo"),
    ("Bob: I am married", "User is married", "Bob: I am married"),
    ("Bob Smith: I am married", "User is married", "I am married"),
    ("anna: i live in oslo", "User lives in Oslo", "i live in oslo"),
    ("Look:\nBob: I am a nurse\nAnn: I live in Rome", "User lives in Rome", "I live in Rome"),
]
ONES_OWN = [
    ("My kids: I have two, and they are vegan", "User has two kids"),
    ("Everyday: I take insulin", "User takes insulin"),
    ("Holiday: I am off to Rome", "User is off to Rome"),
    ("My brother: he taught me chess, I love him", "User loves their brother"),
    ("Monday 10:30\nI am allergic to nuts", "User is allergic to nuts"),
    ("周一 10:30\n我对花生过敏", "用户对花生过敏"),
    ("Fact: I am vegan", "User is vegan"),
    ("PS: I moved to Oslo", "User moved to Oslo"),
    ("Remember: I am allergic to nuts", "User is allergic to nuts"),
    ("Good news: I got married", "User got married"),
    ("Note to self: I am allergic to nuts", "User is allergic to nuts"),
    ("To be honest: I hate tea", "User hates tea"),
    ("Hi Bob: I live in Oslo", "User lives in Oslo"),
    ("Alice: I live in Oslo", "User lives in Oslo"),
    ("Some facts about me:\nI live in Oslo", "User lives in Oslo"),
    ("Diet: vegan\nI live in Oslo", "User lives in Oslo"),
    ("The meeting is at 10:30\nI live in Oslo", "User lives in Oslo"),
    ("顺便说一下：我搬到上海了", "用户搬到上海了"),
    ("备注：我对花生过敏", "用户对花生过敏"),
    ("好消息：我结婚了", "用户结婚了"),
    ("关于我：\n我住在北京", "用户住在北京"),
    ("我明天的会在 10:30\n我住在北京", "用户住在北京"),
]


@pytest.mark.parametrize(("said", "fact", "quote"), OTHERS)
def test_what_a_pasted_chat_says_is_not_the_pasters(said: str, fact: str, quote: str) -> None:
    assert read(event(said), 0) == []
    assert ground(a_candidate(fact, quote=quote), [event(said)]).doubt


@pytest.mark.parametrize(("said", "fact"), ONES_OWN)
def test_a_label_or_an_hour_leaves_the_words_ones_own(said: str, fact: str) -> None:
    assert ground(a_candidate(fact, quote=said), [event(said)]).doubt == ""


def test_a_single_line_that_looks_like_anothers_takes_no_other_with_it() -> None:
    said = "Zog: I have two kids\nI'm allergic to nuts"
    assert [said[begin:end] for begin, end in pasted(said, "Alice")] == ["Zog: I have two kids"]
    both = "Bob: I am married\nAnn: I am not\nwell"
    assert [both[begin:end] for begin, end in pasted(both, "Alice")] == [both]


@pytest.mark.parametrize("label", ["Location", "Pets", "Honestly", "家庭", "体重"])
def test_a_label_is_no_name_and_emily_is(label: str) -> None:
    assert [*pasted(f"{label}: I live in Oslo", "Alice")] == []
    assert [*pasted("Emily, [18.11.2026 10:32]\nI live in Rome", "Alice")]


def test_what_follows_an_empty_line_is_ones_own_again() -> None:
    said = event("Bob:\nI live in Oslo\n\nI live in Rome")
    assert [candidate.fact for candidate in read(said, 0)] == ["User lives in Rome"]


def test_a_nickname_is_known_however_it_is_written() -> None:
    assert list(pasted("ALICE: I live in Oslo", "alice")) == []
    assert list(pasted("bob: I live in Oslo", "alice")) == [(0, 19)]


@pytest.mark.parametrize(
    "unit", ["Bob:\n", "Bob: I ", "10:32 ", "小明 10:32:11\n", "a ", "\n", "[18.11.2026 "]
)
def test_no_message_takes_long_to_be_told_apart(unit: str) -> None:
    started = process_time()
    list(pasted((unit * 8_000)[:8_000], "Alice"))
    assert process_time() - started < 0.1
