"""Between which numbers a count lies: "a couple of", "two or three", 两三, 十几 (design 6.2)."""

import re

from .numbers import with_digits

_FEW = (2, 5)
_DIGIT = "[一二两三四五六七八九]"
_EITHER = re.compile(rf"(?P<tens>{_DIGIT}?十)?(?P<low>{_DIGIT})(?P<high>{_DIGIT})(?P<ten>十)?")
"""两三, 三五, 一二十, 十七八; not 二五, which is read digit by digit elsewhere and is no count."""
_TENS = re.compile(rf"(?P<tens>{_DIGIT}?十)几|几十")
_SOME_TENS = (20, 90)


def so_many(said: str) -> tuple[int, int]:
    """The fewest and the most that a count may mean; what is no number is a few."""
    words = said.lower().split()
    if len(words) == 3 and words[1] == "or":
        least, most = _number(words[0]), _number(words[2])
        return (least, most) if least and most and least < most else _FEW
    word = " ".join(words)
    if found := _EITHER.fullmatch(word):
        return _either(found)
    if found := _TENS.fullmatch(word):
        tens = _number(found["tens"] or "")
        return (tens, tens + 10) if tens else _SOME_TENS
    number = _number(word)
    return (number, number) if number else _FEW


def _either(found: re.Match[str]) -> tuple[int, int]:
    tens = _number(found["tens"] or "") or 0
    unit = 10 if found["ten"] else 1
    least, most = ((_number(found[each]) or 0) * unit + tens for each in ("low", "high"))
    return (least, most) if least < most else _FEW


def _number(word: str) -> int | None:
    if word in ("a", "an", "one", "一"):
        return 1
    digits = with_digits(word) if word.isascii() else with_digits(f"{word}天")[:-1]
    return int(digits) if digits.isdecimal() else None
