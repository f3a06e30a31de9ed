import pytest
from astrbot_plugin_ltm.long_term_memory.domain.reading import Term
from astrbot_plugin_ltm.long_term_memory.read.query_intent import of_ones_own
from astrbot_plugin_ltm.long_term_memory.read.query_terms import (
    CHARACTER,
    MAX_TERMS,
    SMALL,
    query_terms,
)
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import index_terms
from hypothesis import given
from hypothesis import strategies as st


def told(text: str) -> list[str]:
    return [term.text for term in query_terms(text) if term.tells]


def beside(text: str) -> list[str]:
    return [term.text for term in query_terms(text) if not term.tells]


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("What should I cook?", ["cook"]),
        ("Any tips for my driving test?", ["driv"]),
        ("What's a good way to learn calculus?", ["calculus"]),
        ("推荐一款绿茶", ["绿茶"]),
        ("我的猫叫什么名字？", ["猫叫", "猫"]),
        ("我喝什么茶", ["茶"]),
        ("孩子不喜欢上学怎么办", ["孩子", "子不", "上学"]),
        ("怎么快速记住英语单词", ["快速", "英语", "语单", "单词"]),
        ("推荐一家中国菜", ["一家", "家中", "国菜"]),
        ("你喜欢喝茶吗", ["喝茶", "茶"]),
        ("图书馆", ["图书", "书馆"]),
        ("我家猫多大了", ["猫"]),
        ("我的猫咪多大了", ["猫咪", "猫"]),
        ("大家猫在家里", ["猫", "家里"]),
        ("项目的目的是什么", ["项目", "目的"]),
        ("没有机会", ["机会"]),
        ("墨西哥", ["墨西", "西哥"]),
        ("Please note it and don't forget", []),
        ("What does Will like?", ["Will"]),
        ("Will it rain?", ["rain"]),
        ("Paris. Will it rain?", ["paris", "rain"]),
        ("What does May like about May?", ["May"]),
        ("flowers of spring, like May", ["flower", "spring"]),
        ("c++, C# or C and R&D?", ["C++", "C#", "C"]),
        ("my dad's father", ["father"]),
        ("Straße und STRASSE", ["strass", "und"]),
        ("What is 17 times 23?", []),
    ],
)
def test_what_tells_something_is_told_from_what_does_not(text: str, telling: list[str]) -> None:
    assert told(text) == telling


@pytest.mark.parametrize(
    "text",
    [
        "Good morning! How are you?",
        "Thanks, that was great",
        "早上好，你好吗？",
        "谢谢你！",
        "你喜欢你的工作吗？",
    ],
)
def test_small_talk_tells_nothing(text: str) -> None:
    assert told(text) == []


def test_words_that_say_little_count_for_the_order_only() -> None:
    assert query_terms("a good tea") == (Term("good", SMALL, tells=False), Term("tea"))


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("What do I like?", ["lik"]),
        ("我喜欢什么？", ["喜欢"]),
        ("What do you like?", []),
        ("我最喜欢什么？", ["最喜"]),
        ("How can I remember names?", ["nam"]),
        ("What did I ask you to remember?", ["ask", "remember"]),
        ("我让你记住了什么", ["记住"]),
        ("还记得我喜欢什么吗", ["喜欢"]),
    ],
)
def test_asked_about_oneself_a_word_that_says_little_tells_all_there_is(
    text: str, telling: list[str]
) -> None:
    assert told(text) == telling


def test_a_noun_of_one_character_stands_for_itself_and_counts_less() -> None:
    assert Term("茶", SMALL) in query_terms("爱喝茶吗")


def test_a_noun_within_a_longer_word_does_not() -> None:
    assert "书" not in told("图书馆在哪里")


@pytest.mark.parametrize(
    "text", ["When is my exam?", "OUR house", "我的猫叫什么", "我们家在哪里", "我国庆去了哪里", "我的世界观"]
)
def test_what_is_about_something_of_ones_own_is_told(text: str) -> None:
    assert of_ones_own(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tell me about mythology",
        "I want a poem",
        "帮我写诗",
        "给我们讲个笑话",
        "我想知道答案",
        "我国的首都",
        "自我介绍",
        "我的世界怎么联机",
        "幫我寫詩",
    ],
)
def test_what_is_only_asked_by_oneself_is_not(text: str) -> None:
    assert not of_ones_own(text)


def test_the_words_of_a_date_are_looked_for_and_tell_nothing() -> None:
    terms = query_terms("What did I do in tea class", "May 2023 tea")
    assert [term for term in terms if not term.tells] == [Term("2023", SMALL, tells=False)]
    assert query_terms("What did I do?", "last week") == (
        Term("last", SMALL, tells=False),
        Term("week", SMALL, tells=False),
    )


def test_a_long_text_is_bounded() -> None:
    text = " ".join(f"word{number}" for number in range(2 * MAX_TERMS))
    assert len(query_terms(text)) == MAX_TERMS


def test_beside_another_month_no_month_is_a_person() -> None:
    assert [term.text for term in query_terms("What did I tell June", "last May") if term.tells] == []
    assert [term.text for term in query_terms("What did I tell June", "last week") if term.tells] == ["June"]


@pytest.mark.parametrize(
    "text",
    [
        "Which hotels did I book in Rome?",
        "我的橘猫在哪里看病",
        "café 用户 C++",
        "My mum and Will's Straße",
        "我老爸家的狗",
        "我的老家和手机号",
    ],
)
def test_an_index_of_the_same_text_holds_the_terms(text: str) -> None:
    assert {term.text for term in query_terms(text)} <= {*index_terms(text)}


@given(st.text(max_size=300), st.text(max_size=30))
def test_terms_are_distinct_and_weighed_for_any_text(text: str, dates: str) -> None:
    terms = query_terms(text, dates)
    assert len({term.text for term in terms}) == len(terms) <= MAX_TERMS
    assert all(term.text and 0 < term.weight <= 1 for term in terms)


def test_where_a_question_names_days_its_small_words_tell_nothing() -> None:
    assert [term for term in query_terms("What did I learn", "last month") if term.tells] == []
    assert told("What did I learn?") == ["learn"]


def test_characters_of_what_tells_something_are_looked_for_too_and_count_little() -> None:
    weights = {term.text: term.weight for term in query_terms("推荐生日蛋糕") if not term.tells}
    assert {char: weights.get(char) for char in "推生糕"} == {"推": None, "生": CHARACTER, "糕": CHARACTER}
