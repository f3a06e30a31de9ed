"""Between which numbers a count lies: "a couple of", "two or three", 两三, 十几 (design 6.2)."""

import re

from ..text_analysis.numbers import number_of

_FEW = (2, 5)
_DIGIT = "[一二两三四五六七八九]"
_EITHER = re.compile(rf"(?P<tens>{_DIGIT}?十)?(?P<low>{_DIGIT})(?P<high>{_DIGIT})(?P<ten>十)?")
"""两三, 三五, 一二十, 十七八."""
_TENS = re.compile(rf"(?P<tens>{_DIGIT}?十)几|几十")
_SOME_TENS = (20, 90)


def so_many(said: str) -> tuple[int, int]:
    """The fewest and the most that a count may mean; what is no number is a few."""
    words = said.lower().split()
    if len(words) == 3 and words[1] == "or":
        least, most = number_of(words[0]), number_of(words[2])
        return (least, most) if least and most and least < most else _FEW
    word = " ".join(words)
    if found := _EITHER.fullmatch(word):
        return _either(found)
    if found := _TENS.fullmatch(word):
        tens = number_of(found["tens"] or "")
        return (tens, tens + 10) if tens else _SOME_TENS
    number = number_of(word)
    return (number, number) if number else _FEW


def _either(found: re.Match[str]) -> tuple[int, int]:
    tens = number_of(found["tens"] or "") or 0
    unit = 10 if found["ten"] else 1
    least, most = ((number_of(found[each]) or 0) * unit + tens for each in ("low", "high"))
    return (least, most) if least < most else _FEW
