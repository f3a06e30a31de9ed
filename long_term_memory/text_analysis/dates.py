"""Calendar dates, and the days that relative dates meant, beside their words (design 5.3).

"User has an exam next Wednesday" says nothing a month later, so the day goes with it: "next Wednesday
(2026-12-02)", counted from the day the words were said on in the operator's time zone. The words stay as they
are. What is ambiguous gets no day, nor do attributes ("today's rates") and names: "Yesterday" the song.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice

from .relative_dates import MAX_FOUND, Relative, Unit, relative_dates

MONTHS = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905 - a list of quoted words is harder to read
)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:r?uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
WRITTEN = re.compile(
    r"(?<![\d.])(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?:(?P<y2>\d{4})年)?(?P<m2>\d{1,2})月(?:(?P<d2>\d{1,2})[日号])?|(?P<y3>\d{4})年"
    rf"|\b(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m4>{MONTH})(?!\w)(?:,?\s(?P<y4>\d{{4}})\b)?"
    rf"|\b(?P<m5>{MONTH})\s(?:the\s)?(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s(?P<y5>\d{{4}})\b)?"
    rf"|\b(?P<m6>{MONTH}),?\s(?P<y6>\d{{4}})\b|\b(?P<y7>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_IN_MONTH = re.compile(
    rf"\b(?:in|by|until|till|next|this|of|for|early|mid|late)[\s-]({MONTH})(?!\w|\s\d)", re.IGNORECASE
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|‘[^’]*’|《[^》]*》|「[^」]*」|『[^』]*』")
_TITLES = r"\b(?:songs?|movie|film|album|band|novel|lyrics)\b"
_OF_A_TITLE = re.compile(_TITLES, re.IGNORECASE)
_TITLED = re.compile(
    rf"(?:{_TITLES}|\b(?:show|game|called|named|titled|sings?|usa))\s['\"]?$|(?:歌曲?|电影|小说|叫|名为|唱)$",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"\s?[(（][^()（）]{0,24}\d")
_LINK = re.compile(r"[\s,，(（—-]{0,3}(?:(?:on|that is|i\.e\.),?\s|也就是|即)?(?:the\s)?", re.IGNORECASE)
"""What stands between two dates of which one explains the other."""
_OF_MONTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}[号日]", re.IGNORECASE)
_NEAR = 40
"""Characters before a relative date in which its calendar date is looked for."""
_DAY_ZH = "{0.year:04}年{0.month}月{0.day}日"
_SHOWN = {
    Unit.DAY: ("{0}", _DAY_ZH),
    Unit.AROUND: ("around {0}", f"{_DAY_ZH}左右"),
    Unit.WEEKEND: ("weekend of {0}", f"{_DAY_ZH}的周末"),
    Unit.WEEK: ("week of {0}", f"{_DAY_ZH}那一周"),
    Unit.MONTH: ("{1} {0.year:04}", "{0.year:04}年{0.month}月"),
    Unit.YEAR: ("{0.year:04}", "{0.year:04}年"),
}
"""In English and in Chinese."""
_BEGINS_OR_RECURS = re.compile(
    r"\b(?:since|as of|from (?:to|next|now|mon|tue|wed|thu|fri|sat|sun)\w*|start(?:ed|s|ing)?|began|begins?"
    r"|born|birthdays?|anniversar\w+|every|each|yearly|weekly|marry|married|was|were|went|met|had|did|saw|got"
    r"|became|moved|quit)\b|从[今明后周下本星\d]|[天日号一二三四五六]起|生日|出生|周年|纪念日|每|结婚|(?<![忘除为到])了",
    re.IGNORECASE,
)
"""In a text that tells of what is over, goes on after its day or comes again."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What such an expression says of a day."""

    year: int | None
    month: int | None
    day: int | None


def read(found: re.Match[str]) -> Told:
    """What a match of `WRITTEN` says."""
    parts = {name[0]: value for name, value in found.groupdict().items() if value}
    month = parts.get("m", "")
    number = int(month) if month.isdecimal() else month_number(month)
    year, day = parts.get("y"), parts.get("d")
    return Told(year=int(year) if year else None, month=number, day=int(day) if day else None)


def month_number(name: str) -> int | None:
    """1 to 12, by the first letters of an English name; None for what is no month."""
    plain = name[:3].casefold()
    return next((n for n, month in enumerate(MONTHS, start=1) if plain and month.startswith(plain)), None)


def exists(year: int, month: int, day: int) -> bool:
    """Whether there is such a day."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def with_days(text: str, at: datetime) -> str:
    """The text with the day in brackets behind each clear relative date that stands by itself.

    `at` is the local instant it was said at. Doing it twice changes nothing more.
    """
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    written, end = "", 0
    for one in sorted(relative_dates(text, at.date()), key=lambda each: each.start):
        plain = one.clear and one.alone and one.start >= end
        if plain and not _is_name(one, text, quoted) and not _is_dated(one, text):
            written += text[end : one.end] + _in_brackets(one)
            end = one.end
    return written + text[end:]


def end_named(text: str, at: datetime) -> date | None:
    """The last day that a text names, as the end of what it asks to remember; None for a day before `at`.

    "Until 5 December", "my flight is on Friday". None as well where no single day is named, and where the
    text tells of a beginning, of what is over or of what comes again.
    """
    if _BEGINS_OR_RECURS.search(text):
        return None
    today = at.date()
    near = [one.readings[0] for one in relative_dates(text, today) if one.clear]
    days = [span.first for span in near if span.unit is Unit.DAY]
    days += [_nearest(read(found), today) for found in islice(WRITTEN.finditer(text), MAX_FOUND)]
    return max((day for day in days if day >= today), default=None)


def last_day(text: str, at: datetime) -> date | None:
    """The last of all days, months and years to come that a text names, from the day of `at` on.

    A month without a year is the next one. A year further ahead than the next is taken for another number.
    """
    today = at.date()
    days = [_last_of(one.readings[0].first, one.readings[0].unit) for one in relative_dates(text, today)]
    told = [read(found) for found in islice(WRITTEN.finditer(text), MAX_FOUND)]
    told += [_month(found[1]) for found in islice(_IN_MONTH.finditer(text), MAX_FOUND)]
    days += [_end_of(each, today) for each in told]
    return max((day for day in days if today <= day <= date(today.year + 1, 12, 31)), default=None)


def _month(name: str) -> Told:
    return Told(year=None, month=month_number(name), day=None)


def _end_of(told: Told, today: date) -> date:
    if told.day:
        return _nearest(told, today)
    month = told.month or 12
    year = told.year or today.year + (month < today.month)
    return _last_of(date(year, month, 1), Unit.MONTH) if exists(year, month, 1) else date.min


def _last_of(first: date, unit: Unit) -> date:
    if unit is Unit.MONTH:
        return date(first.year, first.month, monthrange(first.year, first.month)[1])
    if unit is Unit.YEAR:
        return date(first.year, 12, 31)
    return first + {Unit.WEEK: 6, Unit.WEEKEND: 1, Unit.AROUND: 3}.get(unit, 0) * timedelta(days=1)


def _nearest(told: Told, today: date) -> date:
    """The day told; without its year the one nearest to today, and long ago when it is no single day."""
    if not (told.month and told.day):
        return date.min
    years = (told.year,) if told.year else (today.year - 1, today.year, today.year + 1)
    days = [date(year, told.month, told.day) for year in years if exists(year, told.month, told.day)]
    return min(days, key=lambda day: abs(day - today), default=date.min)


def _is_name(one: Relative, text: str, quoted: list[tuple[int, int]]) -> bool:
    before = text[: one.start]
    if any(start < one.end and one.start < end for start, end in quoted) or _TITLED.search(before):
        return True
    opens = before.rstrip()[-1:] in ("", ".", "!", "?")
    word = one.words[len(one.preposition) :].strip()
    return word[0].isupper() and (not opens or bool(_OF_A_TITLE.search(text)))


def _is_dated(one: Relative, text: str) -> bool:
    """Whether the calendar's date stands beside it."""
    unit, after = one.readings[0].unit, _LINK.match(text, one.end)
    start = after.end() if after else one.end
    nth = unit not in (Unit.MONTH, Unit.YEAR) and _OF_MONTH.match(text, start)
    before = text[max(0, one.start - _NEAR) : one.start]
    ahead = (found for found in WRITTEN.finditer(before) if _LINK.fullmatch(before, found.end()))
    dates = (found for found in (WRITTEN.match(text, start), *ahead) if found)
    return bool(_BRACKET.match(text, one.end) or nth) or any(_says(read(found), unit) for found in dates)


def _says(told: Told, unit: Unit) -> bool:
    return bool({Unit.YEAR: told.year, Unit.MONTH: told.month}.get(unit, told.day))


def _in_brackets(one: Relative) -> str:
    span = one.readings[0]
    shown = _SHOWN[span.unit][one.chinese].format(span.first, MONTHS[span.first.month - 1].capitalize())
    return f"（{shown}）" if one.chinese else f" ({shown})"
