from decimal import Decimal

from astrbot_plugin_ltm.long_term_memory.text_analysis.numbers import in_digits, numbers_in, with_digits
from hypothesis import given
from hypothesis import strategies as st

IN_DIGITS = [
    ("two kids and Twelve cats", "2 kids and 12 cats"),
    ("twenty-five years, ninety days", "25 years, 90 days"),
    ("one of the ones", "one of the ones"),
    ("often and attention", "often and attention"),
    ("两个孩子", "2个孩子"),
    ("十二只猫，二十五岁", "12只猫，25岁"),
    ("三百零五天", "305天"),
    ("两万三千元", "23000元"),
    ("十万块", "100000块"),
    ("二〇二五年五月二十日", "2025年5月20日"),
    ("一个人，一直", "一个人，一直"),
    ("十分喜欢", "十分喜欢"),
    ("工资八千，存款五十万", "工资8000，存款500000"),
    ("三万五，三百零五", "35000，305"),
    ("房租六千二一个月，七千五一分不少", "房租6200一个月，7500一分不少"),
    ("一千二百五十一元，七千零五十一块", "1251元，7051块"),
    ("一亿五千万", "150000000"),
    ("30万和8千", "300000和8000"),
    ("1万2千，5千米", "1万2千，5千米"),
    ("两三天，三五个月，七八年，一两个", "两三天，三五个月，七八年，一两个"),
    ("四五十岁，十七八岁，二十五六岁", "四五十岁，十七八岁，二十五六岁"),
    ("两三百块，四五十，两三十万", "两三百块，四五十，两三十万"),
    ("九五年，一九九五年，三五楼", "95年，1995年，三五楼"),
    ("千万别，万一，百度，三心二意", "千万别，万一，百度，三心二意"),
]


def test_numbers_in_words_become_digits() -> None:
    found = [(text, digits, with_digits(text)) for text, digits in IN_DIGITS]
    assert [one for one in found if one[1] != one[2]] == []


def test_longer_numbers_and_ordinals_become_digits_too() -> None:
    said = {
        "two hundred and fifty dollars": "250 dollars",
        "a thousand": "1000",
        "sixty-five thousand three hundred": "65300",
        "March twenty-first": "March 21th",
        "the Third of May": "the 3th of May",
    }
    assert {text: in_digits(text) for text in said} == said


def test_all_that_a_number_may_mean_is_told() -> None:
    said = {
        "85k": "85000",
        "2.5 million": "2500000",
        "2.500 Euro": "2500",
        "2 500 €": "2500",
        "1.234,50": "1234.50",
        "nineteen eighty-five": "1985",
        "两年半": "2.5",
        "九楼见": "9",
        "three point seven five": "3.75",
    }
    assert [text for text, number in said.items() if Decimal(number) not in set(numbers_in(text))] == []


@given(st.text(alphabet="零一二两十百千万个年 two-tyn", max_size=60))
def test_what_is_in_digits_stays_so(text: str) -> None:
    assert with_digits(with_digits(text)) == with_digits(text)


def test_letters_that_only_pass_for_others_break_nothing() -> None:
    assert with_digits("ſix days ago") == "6 days ago"
