import pytest
from astrbot_plugin_ltm.long_term_memory.policies.roles import roles_agree
from hypothesis import given
from hypothesis import strategies as st

SAME = [
    ("用户更喜欢成都", "相比北京，成都更适合我"),
    ("用户更喜欢小明", "比起小红，小明更让我喜欢"),
    ("用户更喜欢茶而不是咖啡", "比起咖啡我更喜欢茶"),
    ("Bob is User's boss", "Bob is my boss"),
    ("User is Bob's boss", "I am Bob's boss"),
    ("User's boss is Bob", "my boss is Bob"),
    ("Bob is User's boss", "my boss Bob"),
    ("Tom is User's cat", "I have a cat named Tom"),
    ("Bob taught User French", "Bob taught me French"),
    ("User taught Bob French", "I taught Bob French"),
    ("Bob taught User French", "I was taught French by Bob"),
    ("User was hit by Bob", "Bob hit me"),
    ("Bob was hit by User", "I hit Bob"),
    ("User lives in Rome", "My wife and I live in Rome"),
    ("Anna is User's wife", "I married Anna"),
    ("Bob is User's friend", "I am Bob's friend"),
    ("User's manager is Bob", "Bob manages me"),
    ("User's flight goes to Tokyo", "my flight to Tokyo is on Friday"),
    ("小明是用户的老板", "小明是我的老板"),
    ("小明是用户的老板", "我老板是小明"),
    ("用户是小明的老板", "我是小明的老板"),
    ("小明教用户法语", "小明教我法语"),
    ("用户教小明法语", "我教小明法语"),
    ("小明打了用户", "我被小明打了"),
    ("用户打了小明", "小明被我打了"),
    ("用户的老婆叫小红", "我老婆叫小红"),
    ("用户对花粉过敏", "我有花粉过敏"),
    ("User's boss is Bob", "我的老板是Bob"),
]
TURNED = [
    ("用户是小明的老板", "比起以前，小明是我的老板"),
    ("用户教小明法语", "小明教我法语，相比之下小红很轻松"),
    ("Bob is User's boss", "I am Bob's boss"),
    ("Bob is User's boss", "I'm Bob's boss"),
    ("User is Bob's boss", "Bob is my boss"),
    ("User's boss is Bob", "I'm the boss of Bob"),
    ("Bob taught User French", "I taught Bob French"),
    ("User taught Bob French", "Bob taught me French"),
    ("Bob is taller than User", "I am taller than Bob"),
    ("User lent Bob money", "Bob lent me money"),
    ("User hit Bob", "I was hit by Bob"),
    ("小明是用户的老板", "我是小明的老板"),
    ("用户是小明的老板", "小明是我的老板"),
    ("小明比用户高", "我比小明高"),
    ("小明教用户法语", "我教小明法语"),
    ("用户教小明法语", "小明教我法语"),
    ("用户打了小明", "我被小明打了"),
    ("小明打了用户", "小明被我打了"),
    ("用户欠小红钱", "小红欠我钱"),
    ("用户是小明的爸爸", "小明是我爸爸"),
    ("Bob is User's boss", "我是Bob的老板"),
    ("User is Bob's boss", "Bob是我老板"),
]


@pytest.mark.parametrize(("fact", "words"), SAME)
def test_the_same_tie_in_other_words_agrees(fact: str, words: str) -> None:
    assert roles_agree(fact, words)


@pytest.mark.parametrize(("fact", "words"), TURNED)
def test_a_tie_turned_round_does_not_agree(fact: str, words: str) -> None:
    assert not roles_agree(fact, words)


@given(st.text(max_size=80))
def test_words_agree_with_themselves_whatever_they_are(text: str) -> None:
    assert roles_agree(f"User likes {text}", f"I like {text}") in (True, False)
