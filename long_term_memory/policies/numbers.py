"""Numbers in words, so that "three kids", "三个孩子" and "3 kids" can be compared (design 5.3)."""

import re

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
_HAN = "零〇一二两三四五六七八九十百千万"
_CHINESE = re.compile(
    rf"[{_HAN}]{{1,12}}"
    r"(?=\s?[个只位名岁年月天次条辆套台本张家口杯号点日周度楼层块元倍米斤公小兄姐人])"
)
_DIGITS = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1_000}


def with_digits(text: str) -> str:
    """The text with its numbers in digits. A lone "one" or "一" stays, for it seldom counts anything."""
    return _CHINESE.sub(lambda found: _chinese(found.group()), _ENGLISH.sub(_english, text))


def _english(found: re.Match[str]) -> str:
    return str(sum(_VALUES[word.lower()] for word in found.groups() if word))


def _chinese(word: str) -> str:
    if word == "一":
        return word
    by_units = any(char in "十百千万" for char in word)
    return str(_counted(word) if by_units else int("".join(str(_DIGITS[char]) for char in word)))


def _counted(word: str) -> int:
    """The value of 二十五; 二五 is read digit by digit."""
    whole = part = 0
    digit = None
    for char in word:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char == "万":
            whole, part, digit = (whole + part + (digit or 0)) * 10_000, 0, None
        else:
            part, digit = part + (1 if digit is None else digit) * _UNITS[char], None
    return whole + part + (digit or 0)
