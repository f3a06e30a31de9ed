"""Where a text says a date by its distance from the day it is said on: "tomorrow", "下周三" (design 5.3).

Days, weeks (from Monday), months and years are counted; what may mean several days ("on Friday", "周末") has
several readings and is not clear, and what is no date at all ("soon", "最近") is not found. Nor is a distance
between two ("two or three years ago", "两三天后"): it would become a day nobody meant.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice

from .numbers import PLAIN_LETTERS, number_of
from .vague_counts import is_of_more, is_rough
from .weekdays import WEEKDAYS, weekday_number

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
    readings: tuple[Span, ...]
    clear: bool
    """Whether the first reading may take the place of the words."""
    chinese: bool
    words: str
    preposition: str = ""
    part: str = ""
    """The part of the day: "morning", 晚."""
    possessive: bool = False


_NAMES = "|".join(WEEKDAYS)
_NUM = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)"
_HAN_ONE = "[一二两三四五六七八九]"
_HAN_NUM = rf"(?:\d{{1,3}}|{_HAN_ONE}?十{_HAN_ONE}?|{_HAN_ONE})"
_ENGLISH = re.compile(
    rf"(?<![\w'’-])(?:(?P<prep>on|by|until|till|since|from|before|after|for|of|in|around|about)\s)?"
    rf"(?:(?P<day>the\sday\safter\stomorrow|the\sday\sbefore\syesterday|yesterday|today|tomorrow|tonight"
    rf"|last\snight|this\s(?=(?:morning|afternoon|evening)\b))"
    rf"|(?P<which>next|last|this)\s(?P<what>{_NAMES}|weekend|week|month|year)"
    rf"|(?P<ago>{_NUM})\s(?P<ago_unit>day|week|month|year)s?\sago(?!\sor\b)"
    rf"|in\s(?P<ahead>{_NUM})\s(?P<ahead_unit>day|week|month|year)s?(?:['’]?\stime)?(?!\s(?:or|and\sa\shalf)\b)"
    rf"|(?P<bare>{_NAMES}))"
    rf"(?P<part>\s?(?:morning|afternoon|evening|night))?(?P<own>['’]s)?(?![\w-])",
    re.IGNORECASE,
)
_DAYS_EN = {
    "the day after tomorrow": 2,
    "the day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "tomorrow": 1,
}
_WEEK_ZH = r"(?:周|星期|礼拜)"
_CHINESE = re.compile(
    r"(?P<day>(?<![以之从])大?前天(?!天)|昨天|昨日(?!重现)|今天|今日(?!头条|说法|资本)|明天(?!会更好)"
    r"|明日(?![方香之黄])|(?<![今以之先最])大?后天(?![天性形培努免失获养教])|[昨今明][晚早]|[昨今]夜)"
    rf"|(?P<which>上上|下下|上|下|这|本)个?{_WEEK_ZH}(?:(?P<at>[一二三四五六天末]|日(?![程期记常]))|(?![边围年岁到刊报]))"
    r"|(?<![天山楼地马晚早])(?P<month>上|下|这|本)个?月(?![亮光球经饼])"
    r"|(?P<year>(?<![过])去年|今年|明年|(?<![以之今最此])后年(?![轻纪龄])|(?<![以之从目大])前年(?!轻)|大前年)"
    rf"|(?<![^，,。；;：:\s我户在将要会于])(?P<count>{_HAN_NUM})(?P<unit>天|个?(?:周|星期|礼拜)|个月|年)[之以]?"
    r"(?P<to>[前后])(?![面来期世代])"
    rf"|(?<![每下上这本]){_WEEK_ZH}(?P<bare>[一二三四五六天末]|日(?![程期记常]))",
)
_DAYS_ZH = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_WEEKS_ZH = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_YEARS_ZH = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_DONE = re.compile(
    r"\b(?:\w+ed|can|could|was|were|did|made|wrote|built|ran|lost|won|once|twice|times|within)\b",
    re.IGNORECASE,
)
"""After such a word "in three days" says how long something took."""


def relative_dates(text: str, today: date) -> list[Relative]:
    """The expressions of a text in either language, in no certain order, at most `MAX_FOUND` of each."""
    text = text.translate(PLAIN_LETTERS)
    english = (_english(found, today) for found in _exact(_ENGLISH, text, "ago"))
    chinese = (_chinese(found, today) for found in _exact(_CHINESE, text, "count"))
    return [*english, *chinese]


def _exact(pattern: re.Pattern[str], text: str, count: str) -> Iterator[re.Match[str]]:
    found = islice(pattern.finditer(text), MAX_FOUND)
    return (one for one in found if not is_of_more(_before(one, count)))


def _before(found: re.Match[str], count: str) -> str:
    """What stands just before the count of an expression; nothing where none is counted."""
    start = found.start(count)
    return found.string[max(0, start - 16) : start] if start > 0 else ""


def _english(found: re.Match[str], today: date) -> Relative:
    words = found.group()
    before = found.string[: found.start()]
    part = (found["part"] or "").strip().lower()
    day = " ".join((found["day"] or "").lower().split())
    if day in ("tonight", "last night"):
        part = "night"
    readings = tuple(dict.fromkeys(_meant_en(found, day, today)))
    of_length = bool(found["ahead"]) and bool(_DONE.search(before[-60:]))
    is_length = found["which"] and re.search(r"\b(?:the|every|past|over)\s$", before[-8:], re.IGNORECASE)
    return Relative(
        start=found.start(),
        end=found.end(),
        readings=readings,
        clear=not (found["bare"] or of_length or is_length or is_rough(_before(found, "ago"))),
        chinese=False,
        words=words,
        preposition=(found["prep"] or "").lower(),
        part=part,
        possessive=bool(found["own"]),
    )


def _meant_en(found: re.Match[str], day: str, today: date) -> Iterator[Span]:
    if day:
        yield _day(today, _DAYS_EN.get(day, 0))
    elif found["which"]:
        yield from _which(found["which"].lower(), found["what"].lower(), today)
    elif found["bare"]:
        ahead = (weekday_number(found["bare"]) - today.weekday()) % 7
        yield from (_day(today, ahead), _day(today, ahead - 7), _day(today, ahead + 7))
    else:
        count, unit = (
            (found["ago"], found["ago_unit"]) if found["ago"] else (found["ahead"], found["ahead_unit"])
        )
        yield _distant(number_of(count) or 0, unit.lower(), today, back=bool(found["ago"]))


def _which(which: str, what: str, today: date) -> Iterator[Span]:
    by = {"last": -1, "this": 0, "next": 1}[which]
    if what == "month":
        yield _month(today, by)
    elif what == "year":
        yield _year(today, by)
    elif what in ("week", "weekend"):
        yield _week(today, by, Unit(what))
    else:
        yield from _weekday(which, weekday_number(what), today)


def _weekday(which: str, weekday: int, today: date) -> Iterator[Span]:
    """The next one is that of next week, or the one to come; the last one that before today."""
    ahead = (weekday - today.weekday()) % 7
    of_week = weekday - today.weekday()
    if which == "next":
        yield from (_day(today, of_week + 7), _day(today, ahead or 7))
    elif which == "last":
        yield from (_day(today, ahead - 7), _day(today, of_week - 7))
    else:
        yield from (_day(today, ahead), _day(today, of_week))


def _chinese(found: re.Match[str], today: date) -> Relative:
    words = found.group()
    part = words[-1] if found["day"] and words[-1] in "晚早夜" else ""
    return Relative(
        start=found.start(),
        end=found.end(),
        readings=tuple(_meant_zh(found, today)),
        clear=not found["bare"],
        chinese=True,
        words=words,
        part=part,
    )


def _meant_zh(found: re.Match[str], today: date) -> Iterator[Span]:
    if found["day"]:
        yield _day(today, _DAYS_ZH[found["day"].rstrip("天日晚早夜")])
    elif found["which"]:
        yield _of_week(_WEEKS_ZH[found["which"]], found["at"], today)
    elif found["month"]:
        yield _month(today, _WEEKS_ZH[found["month"]])
    elif found["year"]:
        yield _year(today, _YEARS_ZH[found["year"]])
    elif found["count"]:
        unit = {"天": "day", "月": "month", "年": "year"}.get(found["unit"][-1], "week")
        yield _distant(number_of(found["count"]) or 0, unit, today, back=found["to"] == "前")
    else:
        yield from (_of_week(by, found["bare"], today) for by in (0, 1, -1))


def _of_week(by: int, at: str | None, today: date) -> Span:
    if at is None or at == "末":
        return _week(today, by, Unit.WEEKEND if at else Unit.WEEK)
    return _day(today, 7 * by + weekday_number(at) - today.weekday())


def _distant(count: int, unit: str, today: date, *, back: bool) -> Span:
    by = -count if back else count
    if unit == "day":
        return _day(today, by)
    if unit == "week":
        return Span(unit=Unit.AROUND, first=today + timedelta(days=7 * by))
    return _month(today, by) if unit == "month" else _year(today, by)


def _day(today: date, by: int) -> Span:
    return Span(unit=Unit.DAY, first=today + timedelta(days=by))


def _week(today: date, by: int, unit: Unit) -> Span:
    monday = today + timedelta(days=7 * by - today.weekday())
    return Span(unit=unit, first=monday + timedelta(days=5 if unit is Unit.WEEKEND else 0))


def _month(today: date, by: int) -> Span:
    years, month = divmod(today.year * 12 + today.month - 1 + by, 12)
    return Span(unit=Unit.MONTH, first=date(years, month + 1, 1))


def _year(today: date, by: int) -> Span:
    return Span(unit=Unit.YEAR, first=date(today.year + by, 1, 1))
