"""Numbers in words, so that "three kids", "三个孩子" and "3 kids" can be compared.

`with_digits` rewrites what is surely a number; `readings` and `numbers_in` tell all that a text may mean.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from math import prod

from .word_tables import word_table

_TABLE = word_table(__file__)
_IS = _TABLE.patterns()
_SMALL, _TENS, _NTHS = (_TABLE.pattern(key).split("|") for key in ("small", "tens", "nths"))
_VALUES = {word: n for n, word in enumerate(_SMALL, 1)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
PLAIN_LETTERS = str.maketrans("ſ\u212a", "sK")
"""What passes for s and k where case does not count, and is found in no table."""
NUMBER = _IS["number"]
_DIGITS = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 10**8}
_SCALES = {word: int(scale) for word, scale in _TABLE.groups("scales").items()}
_ONES = {"zero": 0, "oh": 0, **_VALUES, **{str(n): n for n in range(10)}, **_DIGITS}


@lru_cache(maxsize=512)  # a fact is compared with many others
def with_digits(text: str) -> str:
    """The text with its numbers in digits.

    A lone "one" or "一" stays, for it seldom counts anything, and so does a guess such as 两三天.
    """
    text = text.translate(PLAIN_LETTERS)
    text = _IS["english"].sub(lambda found: str(sum(_VALUES[n.lower()] for n in found.groups() if n)), text)
    return _IS["mixed"].sub(_mixed, _IS["chinese"].sub(_chinese, text))


def number_of(word: str) -> int | None:
    """The number that a word says in either language, "a" and 一 too; none for any other word."""
    if word.lower() in ("a", "an", "one", "一"):
        return 1
    digits = with_digits(word) if word.isascii() else with_digits(f"{word}天")[:-1]
    return int(digits) if digits.isdecimal() else None


def in_digits(text: str) -> str:
    """As `with_digits`, and "two hundred and fifty" and "the twenty-first" too."""
    text = with_digits(_IS["nth"].sub(_nth, text))
    for unit in ("hundred", "thousand", "million"):
        scale = _SCALES[unit]
        text = _IS[unit].sub(lambda found, by=scale: str(int(found[1] or 1) * by + int(found[2] or 0)), text)
    return text


def readings(raw: str, unit: str) -> list[Decimal]:
    """What the groups of a `NUMBER` may mean, the likeliest first: 2.500 is 2500, or two and a half."""
    whole = Decimal(re.sub(r"[,.'’ ](?=\d{3}(?!\d))", "", raw).replace(",", "."))
    meant = [whole * _SCALES.get(unit.lower(), 1), *([whole] if unit.lower() in ("m", "k", "w") else [])]
    if re.fullmatch(r"\d+[.,]\d{3}", raw) and not raw.endswith("000"):
        meant.append(Decimal(raw.replace(",", ".")))
    return meant


def numbers_in(text: str) -> Iterator[Decimal]:
    """All numbers that a text may say, in digits or in English or Chinese words."""
    text = text.casefold()
    half = Decimal("0.5") if re.search(r"\bhalf\b|半", text) else 0
    spelt = _IS["year_in_two"].sub(r"\1\2", in_digits(text))
    # 18600,10月8号: in Chinese a comma may part two numbers.
    apart = _IS["han_comma"].sub(", ", spelt)
    for written in {*NUMBER.findall(with_digits(text)), *NUMBER.findall(spelt), *NUMBER.findall(apart)}:
        for number in readings(*written):
            yield from (number, number + half)
    yield from (Decimal(number_of(run) or 0) for run in set(_IS["han_run"].findall(text)))
    for parts in _IS["in_parts"].findall(spelt):
        ones = ["".join(str(_ONES[each]) for each in _IS["one"].findall(part)) for part in parts]
        number = Decimal(".".join(ones))
        yield from (number, 100 * number)  # in centimetres


def scales_in(text: str) -> Iterator[int]:
    """The hundreds, thousands and so on that a text counts in: beside 98万, 88 may mean 88万."""
    text = text.casefold()
    units = (unit for _, unit in NUMBER.findall(with_digits(text)))
    yield from (_SCALES.get(unit, 1) for unit in (*units, *_IS["han_scale"].findall(text)))


def _nth(found: re.Match[str]) -> str:
    tens, nth = _VALUES.get((found["tens"] or "").lower(), 0), found["nth"].lower()
    return f"{tens + (_NTHS.index(nth) + 1 if nth in _NTHS else 30)}th"


def _mixed(found: re.Match[str]) -> str:
    return str(int(prod((_UNITS[unit] for unit in found["units"]), start=Decimal(found["n"]))))


def _chinese(found: re.Match[str]) -> str:
    word = found[0]
    by_units = not _UNITS.keys().isdisjoint(word)
    if word == "一" or (_IS["either"].search(word) if by_units else _IS["either"].fullmatch(word)):
        return word
    # 12月20八十大寿 has two numbers.
    apart = " " if found.string[: found.start()][-1:].isdigit() else ""
    word, another = parts.groups() if (parts := _IS["then_another"].fullmatch(word)) else (word, "")
    return f"{apart}{_counted(word)}{another}"


def _counted(word: str, above: int = 10) -> int:
    """The value of 二十五, and of 五 behind the unit of 三万五; without units it is read digit by digit."""
    for unit, value in reversed(_UNITS.items()):
        left, found, right = word.rpartition(unit)
        if found:
            return (_counted(left) or 1) * value + _counted(right, value)
    number = int("".join(str(_DIGITS[char]) for char in word) or 0)
    return number * above // 10 if len(word) == 1 else number
