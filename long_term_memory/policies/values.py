"""Numbers, dates, ids and addresses of a fact that nobody said (design 5.3).

They are compared by value, however they are written, and by no grammar of any language: "85k" says 85,000,
"tomorrow" says 2026-11-26. What only follows by arithmetic is not said.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import islice

from .numbers import NUMBER, in_digits, numbers_in, readings, with_digits
from .relative_dates import MAX_FOUND, Unit, relative_dates
from .traditional import simplified
from .written_dates import MONTH, WRITTEN, Told, read

_WHOLE = re.compile(
    r"\[secret:\w{1,30}\]|https?://[^\s<>\"']+|[A-Za-z\d_.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
    r"|(?<![\w.-])(?:[a-z\d-]{1,63}\.){1,4}[a-z]{2,12}(?:/[^\s<>\"']*)?(?![\w-])"
    r"|(?<![a-zA-Z\d])(?:[A-Za-z]{1,20}\d|[A-Z]{1,6}-(?=[\dA-Z-]{0,20}\d))[A-Za-z\d]*(?:-[A-Za-z\d]+)*"
    r"|(?<![a-zA-Z\d])(?=[a-zA-Z\d]{6})\d+[a-zA-Z]+\d[a-zA-Z\d]*"
    r"|(?<![\d.,:/-])\+?\(?(?!\d{4}([-/.])\d\d?\1\d\d?(?!\d)|\d\d?([-/.])\d\d?\2\d{4}(?!\d))\d+\)?"
    r"(?:[ .()/-]{1,2}\d+){2,}|(?<![\d.,])\d{7,}(?![\d.,]\d)"
)
"""Marks of secrets, addresses, ids and long numbers such as those of phones: they have to be said whole."""
_SO_MANY_DIGITS = re.compile(r"\b\d[ -]digits?\b|[前后末]\d位")
_SPOKEN = re.compile(r"\b(?:dot|at|dash|hyphen|underscore|slash)\b")
_BY_PARTS = re.compile(
    r"(?<![\d./-])(?P<one>\d\d?)([./-])(?P<other>\d\d?)\2(?P<year>\d{4}|\d\d)(?![\d/-]|\.\d)"
)
"""26.11.2026 or 11/26/26."""
_WITHOUT_YEAR = re.compile(
    r"(?<![\d./])(?P<one>\d\d?)([./])(?P<other>\d\d?)(?:(?<=/\d)|(?<=/\d\d)|\.)(?![\d/])"
)
"""11/26, 26.11."""
_CLOCK = re.compile(r"(?<!\d)(\d{1,2})(?::(\d\d)(?!\d)|(?=\s?(?:[ap]\.?m\b|[点時时]|uhr\b)))", re.IGNORECASE)
_QUARTERS = re.compile("half|quarter|[半刻]")
_DAY = re.compile(r"(?<![a-z\d])\d\d?(?![a-z\d])")
_DAY_OF_MONTH = re.compile(r"(?<!\d)(\d\d?)(?=\s?(?:st|nd|rd|th)\b|[号日])", re.IGNORECASE)
_MONTH = re.compile(rf"\b{MONTH}(?!\w)|\d月|month|个月", re.IGNORECASE)
_OTHER_LETTERS = re.compile("[\u0370-\u1fff\u3040-\u30ff\uac00-\ud7af]")
_LATIN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ENGLISH = frozenset(
    "user user's i i'm it's the my and you your this that have with are yes please thanks from what"  # noqa: SIM905
    " they just has about".split()
)
"""A text of so much as four Latin words without one of these is of another language."""
_FEW = 12
"""Up to this number what such a text may say in its own words passes."""


_SPAN = re.compile(
    r"(?<![\d.,])(\d{1,3})[\s-]?(?:(day|week|month|year|hour|minute)s?\b|(?:个)?(天|周|星期|小时|分钟)|(年)(?!级)|个(月))",
    re.IGNORECASE,
)
_SPANS = {
    "天": "day",
    "周": "week",
    "星期": "week",
    "月": "month",
    "年": "year",
    "小时": "hour",
    "分钟": "minute",
}


@dataclass(frozen=True, kw_only=True)
class _Said:
    """The values of a text, or of several."""

    texts: frozenset[str]
    numbers: frozenset[Decimal]
    dates: frozenset[Told]
    days: frozenset[str]
    """Numbers that may be days of a month."""
    spans: frozenset[tuple[str, str]]
    """Numbers of days, weeks and so on."""
    foreign: bool
    """Whether it is in another language than English and Chinese."""


def missing_value(fact: str, said: Iterable[str], at: datetime) -> str:
    """The first number, date, id or address of a fact that none of the texts says; empty when all are said.

    In the form it has in the fact, or in digits. `at` is the local instant that the texts were said at.
    """
    today = at.date()
    heard = [_heard(text, today) for text in said]
    every = _Said(
        texts=frozenset(text for one in heard for text in one.texts),
        numbers=frozenset(number for one in heard for number in one.numbers),
        dates=frozenset((_on(today), *(told for one in heard for told in one.dates))),
        days=frozenset(day for one in heard for day in one.days),
        spans=frozenset(span for one in heard for span in one.spans),
        foreign=any(one.foreign for one in heard),
    )
    return next(_unsaid(_plain(fact), every, at.year), "")


def _unsaid(fact: str, said: _Said, year: int) -> Iterator[str]:
    yield from (one[0] for one in _WHOLE.finditer(fact) if not _is_whole(one[0].casefold(), said))
    fact = _SO_MANY_DIGITS.sub(" ", in_digits(_WHOLE.sub(" ", fact)))
    for one in (*WRITTEN.finditer(fact), *_BY_PARTS.finditer(fact)):
        if not any(_is_date(told, said, year) for told in _told(one)):
            yield one[0]
    fact = _BY_PARTS.sub(" ", WRITTEN.sub(" ", fact))
    yield from _unsaid_times(fact, said)
    numbers = {number for number, _ in said.spans}
    yield from (f"{n} {unit}s" for n, unit in _spans(fact) - said.spans if n in numbers)
    for one in NUMBER.finditer(_CLOCK.sub(" ", fact)):
        if not _is_day(one, said) and not _is_number(readings(one["n"], one["unit"] or ""), said):
            yield one["n"]


def _spans(text: str) -> frozenset[tuple[str, str]]:
    """Each number of days, weeks, months, years, hours or minutes: four days are not four weeks."""
    found = ((one[1], next(filter(None, one.groups()[1:])).casefold()) for one in _SPAN.finditer(text))
    return frozenset((number, _SPANS.get(unit, unit)) for number, unit in found)


def _unsaid_times(fact: str, said: _Said) -> Iterator[str]:
    by_name = any(map(_QUARTERS.search, said.texts))
    for one in _CLOCK.finditer(fact):
        minute = int(one[2] or 0)
        told = minute == 0 or (by_name and minute % 15 == 0) or Decimal(minute) in said.numbers
        if not told or not _is_number([Decimal(int(one[1]) + by) for by in (0, 12, -12)], said):
            yield one[0]


def _is_day(found: re.Match[str], said: _Said) -> bool:
    nth = _DAY_OF_MONTH.match(found.string, found.start())
    return bool(nth) and any(str(told.day) == found["n"] for told in said.dates)


def _is_whole(value: str, said: _Said) -> bool:
    if value.startswith("[secret:"):
        return any(value in text for text in said.texts)
    letters = [char for char in re.sub(r"^https?://(?:www\.)?", "", value) if char.isalnum()]
    wanted = re.compile(r"(?<![a-z\d])" + r"[\W_]*".join(letters) + r"(?![a-z\d])")
    values = readings(value, "") if NUMBER.fullmatch(value) else []
    return any(map(wanted.search, said.texts)) or not said.numbers.isdisjoint(values)


def _is_number(values: list[Decimal], said: _Said) -> bool:
    return values[0] <= (_FEW if said.foreign else 1) or not said.numbers.isdisjoint(values)


def _is_date(told: Told, said: _Said, year: int) -> bool:
    """Whether a date is said, its parts apart from each other too; of a near year the year may be missing."""
    dates = [one for one in said.dates if told.year is None or one.year in (None, told.year)]
    near = told.month and told.year and abs(told.year - year) <= 1
    if (
        told.year
        and not near
        and all(one.year is None for one in dates)
        and Decimal(told.year) not in said.numbers
    ):
        return False
    if any(told.month in (None, one.month) and told.day in (None, one.day) for one in dates):
        return True
    month = said.foreign or any(told.month == one.month for one in dates)
    return month and str(told.day) in said.days


@lru_cache(maxsize=256)  # the facts of a batch rest on the same texts
def _heard(text: str, today: date) -> _Said:
    text = simplified(_plain(text)).casefold()
    digits = in_digits(text)
    words = _LATIN.findall(text)
    foreign = bool(_OTHER_LETTERS.search(text)) or (len(words) >= 4 and _ENGLISH.isdisjoint(words))
    return _Said(
        texts=frozenset((text, _SPOKEN.sub(" ", text))),
        numbers=frozenset(numbers_in(text)),
        dates=frozenset((*_written(digits), *_near(text, today))),
        days=frozenset(_DAY.findall(text) if foreign or _MONTH.search(text) else ())
        | {*_DAY_OF_MONTH.findall(digits)},
        spans=_spans(digits),
        foreign=foreign and with_digits(text) == text,
    )


def _plain(text: str) -> str:
    """The text with letters and digits in their plain form."""
    text = unicodedata.normalize("NFKC", text)
    return text if text.isascii() else re.sub(r"\d", lambda found: str(int(found[0])), text)


def _written(text: str) -> Iterator[Told]:
    for pattern in (WRITTEN, _BY_PARTS, _WITHOUT_YEAR):
        for found in islice(pattern.finditer(text), MAX_FOUND):
            yield from _told(found)


def _told(found: re.Match[str]) -> Iterator[Told]:
    """What a date says; 11/12/26 has the month before the day or behind it."""
    if found.re is WRITTEN:
        yield read(found)
        return
    one, other = int(found["one"]), int(found["other"])
    year = int(found["year"]) if found.re is _BY_PARTS else None
    for each in (year + 2000, year + 1900, year) if year else (None,):
        yield from (Told(year=each, month=one, day=other), Told(year=each, month=other, day=one))


def _near(text: str, today: date) -> Iterator[Told]:
    for span in (span for one in relative_dates(text, today) for span in one.readings):
        if span.unit in (Unit.MONTH, Unit.YEAR):
            month = span.first.month if span.unit is Unit.MONTH else None
            yield Told(year=span.first.year, month=month, day=None)
        else:
            days = {Unit.WEEK: 7, Unit.WEEKEND: 2}.get(span.unit, 1)
            yield from (_on(span.first + timedelta(days=n)) for n in range(days))


def _on(day: date) -> Told:
    return Told(year=day.year, month=day.month, day=day.day)
