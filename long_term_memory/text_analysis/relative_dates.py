"""Where a text says a date by its distance from the day it is said on: "tomorrow", "下周三".

Days, weeks (from Monday), months and years are counted; what may mean several days ("on Friday", "周末") has
several readings, and what is no date at all ("soon", "最近") is not found. Nor is a distance between two
("two or three years ago", "两三天后"): it would become a day nobody meant.
"""

import re
from collections.abc import Iterator, Mapping
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

    @property
    def after(self) -> date:
        """The day after its last one; of a time that is known roughly some days later."""
        if self.unit is Unit.YEAR:
            return date(self.first.year + 1, 1, 1)
        if self.unit is Unit.MONTH:
            return (self.first + timedelta(days=31)).replace(day=1)
        return self.first + _LENGTHS[self.unit] * timedelta(days=1)


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


_LENGTHS = {Unit.DAY: 1, Unit.WEEKEND: 2, Unit.AROUND: 4, Unit.WEEK: 7}
_SHORT = {day: at for at, day in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_TABLE = word_table(__file__)
_IS = _TABLE.patterns()
_DISTANCES = {word: int(by) for word, by in _TABLE.groups("distances").items()}
"""In days, weeks, months or years; all other words say the present one."""
_DISTANT = {word: Unit(unit) for word, unit in _TABLE.groups("distant").items()}
"""How exactly a date is known by its distance in these units."""


def relative_dates(text: str, today: date) -> list[Relative]:
    """The expressions of a text in either language, in no certain order, at most `MAX_FOUND` of each."""
    text = simplified(text.translate(PLAIN_LETTERS))
    patterns = (_IS["english"], _IS["chinese"])
    found = (one for pattern in patterns for one in islice(pattern.finditer(text), MAX_FOUND))
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
    parts = {name: " ".join(part.lower().split()) for name, part in found.groupdict().items() if part}
    chinese = found.re is _IS["chinese"]
    of_something = "own" in parts or found.string.startswith("的", found.end())
    return Relative(
        start=found.start(),
        end=found.end(),
        words=found.group(),
        preposition=parts.get("prep", ""),
        chinese=chinese,
        readings=tuple(dict.fromkeys(_meant(parts, today, chinese=chinese))),
        clear=chinese or not _is_length(found),
        alone="bare" not in parts and not of_something,
        bare="bare" in parts and "own" not in parts and not _IS["attribute"].match(found.string, found.end()),
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


def _meant(parts: Mapping[str, str], today: date, *, chinese: bool) -> Iterator[Span]:
    """What the parts of an expression may mean; a weekday alone the next, the last or the one after that.

    In English the next weekday is that of next week, or the one to come; the last one that before today.
    """
    if day := parts.get("day"):
        yield _span(Unit.DAY, _DISTANCES.get(day.rstrip("天日晚早夜"), 0), today)
    elif count := parts.get("ago") or parts.get("ahead"):
        by = (number_of(count) or 0) * (-1 if "ago" in parts and parts.get("to") != "后" else 1)
        unit = parts.get("unit") or parts["unit_ahead"]
        yield _span(_DISTANT[unit if unit in _DISTANT else unit[-1]], by, today)
    elif which := parts.get("which") or parts.get("month") or parts.get("year"):
        what = parts.get("what") or ("month" if "month" in parts else "year" if "year" in parts else "week")
        by = _DISTANCES.get(which.rstrip("年"), 0)
        if what in list(Unit):
            yield _span(Unit(what), by, today)
        elif chinese:
            yield _of_week(by, what, today)
        else:
            at = weekday_of(what) - today.weekday()
            by_word = {"next": (at + 7, at % 7 or 7), "last": (at % 7 - 7, at - 7)}
            likely, other = by_word.get(which, (at % 7, at))
            yield from (_span(Unit.DAY, by, today) for by in (likely, other))
    elif chinese:
        yield from (_of_week(by, parts["bare"], today) for by in (0, 1, -1))
    else:
        at = (weekday_of(parts["bare"]) - today.weekday()) % 7
        yield from (_span(Unit.DAY, by, today) for by in (at, at - 7, at + 7))


def _of_week(by: int, at: str, today: date) -> Span:
    if at == "末":
        return _span(Unit.WEEKEND, by, today)
    return _span(Unit.DAY, 7 * by + weekday_of(at) - today.weekday(), today)


def _span(unit: Unit, by: int, today: date) -> Span:
    if unit is Unit.YEAR:
        return Span(unit=unit, first=date(today.year + by, 1, 1))
    if unit is Unit.MONTH:
        years, month = divmod(today.year * 12 + today.month - 1 + by, 12)
        return Span(unit=unit, first=date(years, month + 1, 1))
    monday = 7 * by - today.weekday()
    days = {Unit.DAY: by, Unit.AROUND: 7 * by, Unit.WEEK: monday, Unit.WEEKEND: monday + 5}
    return Span(unit=unit, first=today + timedelta(days=days[unit]))
