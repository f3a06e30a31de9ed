import pytest
from astrbot_plugin_ltm.long_term_memory.text_analysis.terms import MAX_WORDS, content_words
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What should I cook?", ["cook"]),
        ("what's my name", ["name"]),
        ("Alice's dog, user-name and C3PO", ["alice", "dog", "name", "c3po"]),
        ("I have 2 cats", ["2", "cats"]),
        ("What do I like?", ["like"]),
        ("I'd like to book a flight", ["book", "flight"]),
        ("What's the weather like today?", ["weather"]),
        ("ＡＢＣ 公司", ["abc", "公司"]),
        ("我对什么过敏？", ["过敏"]),
        ("我的猫叫什么名字", ["猫叫", "名字"]),
        ("猫吗", ["猫"]),
        ("哪吒在哪里", ["哪吒", "里"]),
        ("我的世界", ["我的", "的世", "世界"]),
        ("我的世界观", ["世界", "界观"]),
        ("有机食品和没有机票", ["有机", "机食", "食品", "品和", "机票"]),
        ("为什么這個怎麼沒有", []),
        ("Gartenstraße Όμηρος", ["gartenstrasse", "όμηροσ"]),
        ("我喜欢吃什么", ["喜欢", "欢吃"]),
        ("帮我写一个Python脚本", ["写", "python", "脚本"]),
        ("私は寿司が好き", ["私は", "は寿", "寿司", "司が", "が好", "好き"]),
        ("你能做什么", ["能做"]),
        ("还有吗", []),
        ("你好！", []),
        ("how are you", []),
        ("", []),
    ],
)
def test_only_words_that_carry_content_are_looked_for(text: str, words: list[str]) -> None:
    assert list(content_words(text)) == words


@given(st.text(max_size=300))
def test_words_are_distinct_bounded_and_occur_for_any_text(text: str) -> None:
    words = content_words(text)
    assert len(words) == len(set(words)) <= MAX_WORDS
    assert all(words)


def test_a_text_of_many_words_is_looked_for_by_the_first_of_them() -> None:
    assert len(content_words(" ".join(f"word{number}" for number in range(100)))) == MAX_WORDS
