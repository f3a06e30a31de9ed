"""Numbers in words, so that "three kids", "三个孩子" and "3 kids" can be compared (design 5.3)."""

import re
from decimal import Decimal
from functools import lru_cache

_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {
    **{word: n for n, word in enumerate(_ONES + _TEENS, start=1)},
    **{word: n for n, word in zip(range(20, 100, 10), _TENS, strict=True)},
}
_ENGLISH = re.compile(
    rf"\b(?=[efnst])(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<ones>{'|'.join(_ONES)}))?"
    rf"|(?P<small>{'|'.join((_ONES + _TEENS)[1:])}))\b",
    re.IGNORECASE,
)
_HAN = "零〇一二两三四五六七八九十百千万亿"
_CHINESE = re.compile(
    rf"(?<!\d)(?!百度)[{_HAN}]{{1,12}}"
    r"(?=\s?[个只位名岁年月天次条辆套台本张家口杯号点日周度楼层块元倍米斤公小兄姐人])"
    rf"|(?<![{_HAN}])(?:[一二两三四五六七八九][十百千万亿]|十[一二三四五六七八九万亿]|百万)[{_HAN}]{{0,10}}"
)
"""Before a counter word any number; elsewhere one with a unit (八千, 十万), but not 万一, 千万别 or 十分."""
_EITHER = re.compile(r"一[二两]|二三|两三|三四|三五|四五|五六|六七|七八|八九")
"""Two digits side by side that mean one or the other: 两三天, 四五十岁, 十七八岁; but 九五年 is a year."""
PLAIN_LETTERS = str.maketrans("ſ\u212a", "sK")
"""What passes for s and k where case does not count, and is found in no table."""
_MIXED = re.compile(
    r"(?<![\d.百千万亿])(?P<n>\d{1,9}(?:\.\d{1,4})?)(?P<units>[百千万亿]{1,2})"
    rf"(?![\d{_HAN}])(?![米克瓦卡])"
)
"""30万; 5千米 is a length."""
_DIGITS = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1_000}
_GREAT_UNITS = {**_UNITS, "万": 10_000, "亿": 100_000_000}


@lru_cache(maxsize=512)  # a fact is compared with many others
def with_digits(text: str) -> str:
    """The text with its numbers in digits.

    A lone "one" or "一" stays, for it seldom counts anything, and so does a guess such as 两三天.
    """
    text = text.translate(PLAIN_LETTERS)
    text = _CHINESE.sub(lambda found: _chinese(found.group()), _ENGLISH.sub(_english, text))
    return _MIXED.sub(_mixed, text)


def number_of(word: str) -> int | None:
    """The number that a word says in either language, "a" and 一 too; none for any other word."""
    if word.lower() in ("a", "an", "one", "一"):
        return 1
    digits = with_digits(word) if word.isascii() else with_digits(f"{word}天")[:-1]
    return int(digits) if digits.isdecimal() else None


def _english(found: re.Match[str]) -> str:
    return str(sum(_VALUES[word.lower()] for word in found.groups() if word))


def _mixed(found: re.Match[str]) -> str:
    value = Decimal(found["n"])
    for unit in found["units"]:
        value *= _GREAT_UNITS[unit]
    return str(int(value))


def _chinese(word: str) -> str:
    if word == "一":
        return word
    by_units = any(char in _GREAT_UNITS for char in word)
    if _EITHER.search(word) if by_units else _EITHER.fullmatch(word):
        return word
    return str(_counted(word) if by_units else int("".join(str(_DIGITS[char]) for char in word)))


def _counted(word: str) -> int:
    """The value of 二十五, of 三万五 too; 二五 is read digit by digit."""
    total = whole = part = 0
    digit = None
    for char in word:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char == "亿":
            total, whole, part, digit = total + (whole + part + (digit or 0)) * 10**8, 0, 0, None
        elif char == "万":
            whole, part, digit = (whole + part + (digit or 0)) * 10_000, 0, None
        else:
            part, digit = part + (1 if digit is None else digit) * _UNITS[char], None
    last = (digit or 0) * _GREAT_UNITS.get(word[-2:-1], 10) // 10
    return total + whole + part + last
