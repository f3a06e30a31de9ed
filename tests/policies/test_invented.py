import pytest
from astrbot_plugin_ltm.long_term_memory.policies.invented import invented

INVENTED = [
    ("User is allergic to shellfish and nuts", "I am allergic to nuts", "shellfish"),
    ("User has a dog and a cat", "I have a dog", "cat"),
    ("User likes jazz, blues and rock", "I like jazz", "blues"),
    ("用户对海鲜、花生过敏", "我对花生过敏", "海鲜"),
    ("用户会英语和法语", "我会英语", "法语"),
    ("User takes antidepressant medication", "I take medication", "antidepressant"),
    ("User likes green tea", "I like tea", "green"),
    ("User is a senior software engineer", "I'm a software engineer", "senior"),
    ("User fired Bob", "I met Bob", "fired"),
    ("用户的老板是王强", "我的老板是王刚", "王强"),
    ("用户的女儿叫小梅", "我女儿叫小美", "小梅"),
    ("用户的女儿名字是小梅", "我女儿叫小美", "小梅"),
    ("用户的哥哥叫李小明", "我哥哥叫李小红", "李小明"),
    ("用户养了一只狗和一只猫", "我养了一只狗", "猫"),
]
SAID = [
    ("User is allergic to shellfish and nuts", "I'm allergic to nuts and shellfish"),
    ("User has two children and a dog", "I have two kids and a dog"),
    ("User is married and has two kids", "My wife and I have two kids"),
    ("User takes antidepressants", "I'm on antidepressants"),
    ("User has celiac disease", "I'm celiac"),
    ("User has a nut allergy", "I'm allergic to nuts"),
    ("User likes tea", "I love tea"),
    ("User enjoys playing chess", "I love chess"),
    ("User has taught maths for 10 years", "I've been teaching maths for ten years"),
    ("User works as a software engineer", "I'm a software engineer"),
    ("User owns a house in Oslo", "I bought a house in Oslo"),
    ("用户对花生、海鲜过敏", "我对海鲜和花生过敏"),
    ("用户和妻子住在杭州", "我和妻子住在杭州"),
    ("用户和女朋友分手了", "我和女朋友分手了"),
    ("用户的女儿叫小美，5岁", "我女儿叫小美，今年五岁"),
    ("用户的老板是王刚", "王刚是我的老板"),
    ("用户是韩国人", "我来自韩国"),
    ("同事都叫用户Rainy", "同事都叫我Rainy"),
    ("用户是高中老师", "我在高中当老师"),
    ("User works as a nurse", "我是护士"),
]


@pytest.mark.parametrize(("fact", "text", "word"), INVENTED)
def test_a_word_that_makes_the_fact_and_was_not_said_is_named(fact: str, text: str, word: str) -> None:
    assert invented(fact, text) == word


@pytest.mark.parametrize(("fact", "text"), SAID)
def test_what_was_said_in_other_words_is_not_invented(fact: str, text: str) -> None:
    assert invented(fact, text) == ""
