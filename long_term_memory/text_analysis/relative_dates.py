"""Where a text says a date by its distance from the day it is said on: "tomorrow", "下周三".

Days, weeks (from Monday), months and years are counted; what may mean several days ("on Friday", "周末") has
several readings, and what is no date at all ("soon", "最近") is not found. Nor is a distance between two
("two or three years ago", "两三天后"): it would become a day nobody meant.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice

from .numbers import PLAIN_LETTERS, number_of
from .word_forms import simplified
from .word_tables import word_table

MAX_FOUND = 40
"""Expressions of a text that are looked at."""


class Unit(StrEnum):
    """How exactly a date is known."""

    DAY = "day"
    AROUND = "around"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, kw_only=True)
class Span:
    """A day, or the first day of a longer time; of a weekend the Saturday."""

    unit: Unit
    first: date


@dataclass(frozen=True, kw_only=True)
class Relative:
    """An expression in a text, and what it may mean, the likeliest first."""

    start: int
    end: int
    words: str
    preposition: str
    chinese: bool
    readings: tuple[Span, ...]
    clear: bool
    """Whether it says a date, rather than a length ("in the last year") or a rough distance."""
    alone: bool
    """Whether it is no attribute ("today's rates") and no bare weekday, which may be of any week."""
    bare: bool = False
    """Whether it is a weekday alone, and no attribute."""


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {day[:3]: at for at, day in enumerate(_WEEKDAYS)}
_IS = word_table(__file__).patterns()
_DAYS_EN = {
    **dict.fromkeys(("yesterday", "yday", "last night"), -1),
    **dict.fromkeys(("tomorrow", "tmr", "tmrw", "tmw", "tomoz", "2moro"), 1),
    "the day after tomorrow": 2,
    "the day before yesterday": -2,
}
_DAYS_ZH = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "听": 1, "后": 2, "大后": 3}
_WEEKS = {"last": -1, "next": 1, "上上": -2, "上": -1, "下": 1, "下下": 2}
_YEARS_ZH = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_UNITS_ZH = {"天": "day", "月": "month", "年": "year"}


def relative_dates(text: str, today: date) -> list[Relative]:
    """The expressions of a text in either language, in no certain order, at most `MAX_FOUND` of each."""
    text = simplified(text.translate(PLAIN_LETTERS))
    found = (
        one
        for pattern in (_IS["english"], _IS["chinese"])
        for one in islice(pattern.finditer(text), MAX_FOUND)
    )
    return [_read(one, today) for one in found if not _IS["of_more"].search(_before(one, "ago"))]


def weekday_of(name: str) -> int:
    """Monday is 0, in either language (三 and 天 as in 周三, 周天); "mon" and "tues" as well."""
    short = name.casefold()[:3]
    return _SHORT[short] if short in _SHORT else "一二三四五六日".find(short.replace("天", "日"))


def _before(found: re.Match[str], group: str | int = 0) -> str:
    """What stands just before a group of an expression; nothing where it has none."""
    start = found.start(group)
    return found.string[max(0, start - 60) : start] if start > 0 else ""


def _read(found: re.Match[str], today: date) -> Relative:
    parts = found.groupdict()
    chinese = "own" not in parts
    return Relative(
        start=found.start(),
        end=found.end(),
        words=found.group(),
        preposition=(parts.get("prep") or "").lower(),
        chinese=chinese,
        readings=tuple(dict.fromkeys((_meant_zh if chinese else _meant_en)(found, today))),
        clear=chinese or not _is_length(found),
        alone=not (parts["bare"] or parts.get("own") or found.string.startswith("的", found.end())),
        bare=bool(parts["bare"] and not parts.get("own"))
        and not _IS["attribute"].match(found.string, found.end()),
    )


def _is_length(found: re.Match[str]) -> bool:
    before = _before(found)
    if count := found["ahead"]:
        return bool(_IS["done"].search(before) or (number_of(count) == 1 and _IS["rate"].search(before)))
    if found["ago"] and found.string.startswith((" today", " yesterday"), found.end()):
        return True
    last = found["which"] or (found["day"] or "").lower() == "last night"
    length = last and _IS["length"].search(before)
    return bool(length or _IS["rough"].search(_before(found, "ago") or before))


def _meant_en(found: re.Match[str], today: date) -> Iterator[Span]:
    if found["day"]:
        yield _span(Unit.DAY, _DAYS_EN.get(" ".join(found["day"].lower().split()), 0), today)
    elif found["which"]:
        yield from _which(found["which"].lower(), found["what"].lower(), today)
    elif found["bare"]:
        ahead = (weekday_of(found["bare"]) - today.weekday()) % 7
        yield from (_span(Unit.DAY, by, today) for by in (ahead, ahead - 7, ahead + 7))
    elif found["ago"]:
        yield _distant(-(number_of(found["ago"]) or 0), found["ago_unit"].lower(), today)
    else:
        yield _distant(number_of(found["ahead"]) or 0, found["ahead_unit"].lower(), today)


def _which(which: str, what: str, today: date) -> Iterator[Span]:
    """The next weekday is that of next week, or the one to come; the last one that before today."""
    if what in list(Unit):
        yield _span(Unit(what), _WEEKS.get(which, 0), today)
        return
    of_week = weekday_of(what) - today.weekday()
    ahead = of_week % 7
    likely, other = {"next": (of_week + 7, ahead or 7), "last": (ahead - 7, of_week - 7)}.get(
        which, (ahead, of_week)
    )
    yield from (_span(Unit.DAY, by, today) for by in (likely, other))


def _meant_zh(found: re.Match[str], today: date) -> Iterator[Span]:
    if found["day"]:
        yield _span(Unit.DAY, _DAYS_ZH[found["day"].rstrip("天日晚早夜")], today)
    elif found["which"]:
        yield _of_week(_WEEKS.get(found["which"], 0), found["at"], today)
    elif found["month"]:
        yield _span(Unit.MONTH, _WEEKS.get(found["month"], 0), today)
    elif found["year"]:
        yield _span(Unit.YEAR, _YEARS_ZH[found["year"]], today)
    elif found["ago"]:
        by = (number_of(found["ago"]) or 0) * (-1 if found["to"] == "前" else 1)
        yield _distant(by, _UNITS_ZH.get(found["unit"][-1], "week"), today)
    else:
        yield from (_of_week(by, found["bare"], today) for by in (0, 1, -1))


def _of_week(by: int, at: str | None, today: date) -> Span:
    if at is None or at == "末":
        return _span(Unit.WEEKEND if at else Unit.WEEK, by, today)
    return _span(Unit.DAY, 7 * by + weekday_of(at) - today.weekday(), today)


def _distant(by: int, unit: str, today: date) -> Span:
    return _span(Unit.AROUND if unit == "week" else Unit(unit), by, today)


def _span(unit: Unit, by: int, today: date) -> Span:
    if unit is Unit.YEAR:
        return Span(unit=unit, first=date(today.year + by, 1, 1))
    if unit is Unit.MONTH:
        years, month = divmod(today.year * 12 + today.month - 1 + by, 12)
        return Span(unit=unit, first=date(years, month + 1, 1))
    monday = 7 * by - today.weekday()
    days = {Unit.DAY: by, Unit.AROUND: 7 * by, Unit.WEEK: monday, Unit.WEEKEND: monday + 5}
    return Span(unit=unit, first=today + timedelta(days=days[unit]))
