"""Which days a question is about: "last May", "in 2023", "上周", "3月5号", "两个月前".

Memories are told in the past: what may mean several days ("on Friday", "in May") means the last of them, and
days to come are none that anything was told in. What a memory is about may lie ahead, though: so all days
that may be meant are named as well, to be looked for in what memories say.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice

from ..domain.reading import Period
from ..text_analysis.dates import WRITTEN, Told, exists, month_number, read
from ..text_analysis.numbers import number_of
from ..text_analysis.relative_dates import MAX_FOUND, Span, Unit, relative_dates
from ..text_analysis.word_tables import word_table

MAX_DAYS = 62
"""Days of a question that are looked for by name."""
_LONGEST_NAMED = 31
"""Days of one expression: a year is not looked for day by day."""
LOOKED_AT = 400
"""Characters at the end of a question that are looked at: what was pasted before it dates nothing."""

_DAY = timedelta(days=1)
_IS = word_table(__file__).patterns()
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_UNITS_ZH = {"天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_YEARS_ZH = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0}
_SOME = 10
"""So many units ago, at most, is "a few ago"."""
_AROUND = 3
"""Days before and after, where a date is not meant exactly."""
_FEW, _SOME_TENS = (2, 5), (20, 90)


@dataclass(frozen=True, kw_only=True)
class QueryDates:
    """What a question says of days, and the rest of it."""

    period: Period | None
    """From the first to the last of the days; None when it names none that are over or under way."""
    said: str
    """The words that say it."""
    rest: str
    """The question without them."""
    days: tuple[date, ...] = ()
    """Each day that may be meant, past or to come, in order; at most `MAX_DAYS`."""


@dataclass(frozen=True, kw_only=True)
class _Days:
    """An expression in the text and the days it means, without the last one."""

    start: int
    end: int
    first: date
    after: date
    also: tuple[tuple[date, date], ...] = ()
    """What else it may mean."""


def query_dates(text: str, at: datetime) -> QueryDates:
    """Understand the dates of a question that is asked at this local instant, whose zone its days are of."""
    before, text = text[:-LOOKED_AT], text[-LOOKED_AT:]
    if not _IS["cue"].search(text):
        return QueryDates(period=None, said="", rest=before + text)
    # 两三天前 is a span first: by its distance it would be 23 days ago.
    today = at.date()
    found = _apart(
        [*_spans(text, today), *_relative(text, today), *_months(text, today), *_days_alone(text, today)]
    )
    said, rest, end = "", before, 0
    for one in found:
        said += f"{text[one.start : one.end]} "
        rest += f"{text[end : one.start]} "
        end = one.end
    return QueryDates(
        period=_period(found, at), said=said.strip(), rest=rest + text[end:], days=_named_days(found)
    )


def _named_days(found: list[_Days]) -> tuple[date, ...]:
    spans = [span for one in found for span in ((one.first, one.after), *one.also)]
    lengths = ((first, (after - first).days) for first, after in spans)
    few = ((first, length) for first, length in lengths if length <= _LONGEST_NAMED)
    return tuple(sorted({first + n * _DAY for first, length in few for n in range(length)})[:MAX_DAYS])


def _period(found: list[_Days], at: datetime) -> Period | None:
    past = [one for one in found if one.first <= at.date()]
    if not past:
        return None
    first, after = min(one.first for one in past), max(one.after for one in past)
    return Period(
        start=datetime.combine(first, time.min, at.tzinfo), end=datetime.combine(after, time.min, at.tzinfo)
    )


def _apart(found: list[_Days]) -> list[_Days]:
    """Those that do not overlap, the longest of each place, in the order of the text."""
    kept: list[_Days] = []
    for one in sorted(found, key=lambda each: (each.start - each.end, each.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda each: each.start)


def _relative(text: str, today: date) -> Iterator[_Days]:
    for one in relative_dates(text, today):
        past = [span for span in one.readings if span.first <= today]
        span = max(past, key=lambda each: each.first) if past else one.readings[0]
        first, after = _days_of(span)
        also = tuple(_days_of(other) for other in one.readings if other != span)
        yield _Days(start=one.start, end=one.end, first=first, after=after, also=also)


def _days_of(span: Span) -> tuple[date, date]:
    first = span.first
    if span.unit is Unit.AROUND:
        return first - _AROUND * _DAY, first + (_AROUND + 1) * _DAY
    if span.unit is Unit.MONTH:
        return first, _next_month(first)
    if span.unit is Unit.YEAR:
        return first, date(first.year + 1, 1, 1)
    return first, first + {Unit.DAY: 1, Unit.WEEKEND: 2, Unit.WEEK: 7}[span.unit] * _DAY


def _months(text: str, today: date) -> Iterator[_Days]:
    for found in islice(WRITTEN.finditer(text), MAX_FOUND):
        yield from _meant(found, read(found), today)
    for found in islice(_IS["month"].finditer(text), MAX_FOUND):
        yield from _meant(found, _told(found, today), today, before=(found["which"] or "").lower() == "last")


def _told(found: re.Match[str], today: date) -> Told:
    if found["month"]:
        year = {"last": today.year - 1, "this": today.year}.get((found["year"] or "").lower())
        return Told(year=year, month=month_number(found["month"]), day=None)
    year = None
    if said := found["year_zh"]:
        year = today.year + _YEARS_ZH[said] if said in _YEARS_ZH else int(said[:4])
    return Told(year=year, month=number_of(found["month_zh"] or ""), day=number_of(found["day_zh"] or ""))


def _meant(found: re.Match[str], told: Told, today: date, *, before: bool = False) -> Iterator[_Days]:
    """The days that are told; without a year the last such days, `before` this month if need be."""
    years = [told.year] if told.year else range(today.year, today.year - 9, -1)
    latest = today.replace(day=1) - _DAY if before else today
    for year in years:
        if not (exists(year, told.month or 1, told.day or 1) and exists(year + 1, 1, 1)):
            continue
        first = date(year, told.month or 1, told.day or 1)
        if told.year or first <= latest:
            also = () if told.year or before else tuple(_to_come(told, today))
            yield _Days(
                start=found.start(), end=found.end(), first=first, after=_after(first, told), also=also
            )
            return


def _to_come(told: Told, today: date) -> Iterator[tuple[date, date]]:
    """The next such days; a month that is under way has begun."""
    for year in (today.year, today.year + 1):
        if exists(year, told.month or 1, told.day or 1):
            first = date(year, told.month or 1, told.day or 1)
            if first > today:
                yield first, _after(first, told)
                return


def _days_alone(text: str, today: date) -> Iterator[_Days]:
    """Such a day of the month alone: the last one, and the next."""
    for found in islice(_IS["day_alone"].finditer(text), MAX_FOUND):
        day = number_of(found[1]) or 0
        this = today.replace(day=1)
        months = (this - _DAY, this, this + 31 * _DAY)
        days = [date(m.year, m.month, day) for m in months if exists(m.year, m.month, day)]
        past, to_come = [each for each in days if each <= today], [each for each in days if each > today]
        for first in past[-1:] or to_come[:1]:
            also = tuple((each, each + _DAY) for each in to_come[:1] if each != first)
            yield _Days(start=found.start(), end=found.end(), first=first, after=first + _DAY, also=also)


def _after(first: date, told: Told) -> date:
    if told.day:
        return first + _DAY
    return _next_month(first) if told.month else date(first.year + 1, 1, 1)


def _next_month(first: date) -> date:
    return (first.replace(day=1) + 31 * _DAY).replace(day=1)


def _spans(text: str, today: date) -> Iterator[_Days]:
    for found in islice(_IS["span"].finditer(text), MAX_FOUND):
        _, most = so_many(found["count"] or found["count_zh"] or "a")
        yield _back(found, today, most, 0)
    for found in islice(_IS["some_ago"].finditer(text), MAX_FOUND):
        count = found["count"] or found["count_zh"]
        least, most = so_many(count) if count else (1, _SOME)
        if least < most:  # an exact number of them is a day, a month or a year (`relative_dates.py`)
            yield _back(found, today, most, least)


def _unit(found: re.Match[str]) -> int:
    parts = found.groupdict()
    unit = parts.get("unit") or _UNITS_ZH.get(parts.get("unit_zh") or "天", "day")
    return _DAYS[unit.lower()]


def _back(found: re.Match[str], today: date, first: int, last: int) -> _Days:
    """From so many units ago up to so many units ago."""
    unit = _unit(found)
    return _Days(
        start=found.start(),
        end=found.end(),
        first=_days_before(today, first * unit),
        after=_days_before(today, last * unit) + _DAY,
    )


def _days_before(today: date, days: int) -> date:
    return date.fromordinal(max(1, today.toordinal() - days))


def so_many(said: str) -> tuple[int, int]:
    """The fewest and the most that a count may mean; what is no number is a few."""
    words = said.lower().split()
    if len(words) == 3 and words[1] == "or":
        least, most = number_of(words[0]), number_of(words[2])
        return (least, most) if least and most and least < most else _FEW
    word = " ".join(words)
    if found := _IS["either"].fullmatch(word):
        return _either(found)
    if found := _IS["tens"].fullmatch(word):
        tens = number_of(found["tens"] or "")
        return (tens, tens + 10) if tens else _SOME_TENS
    number = number_of(word)
    return (number, number) if number else _FEW


def _either(found: re.Match[str]) -> tuple[int, int]:
    tens = number_of(found["tens"] or "") or 0
    unit = 10 if found["ten"] else 1
    least, most = ((number_of(found[each]) or 0) * unit + tens for each in ("low", "high"))
    return (least, most) if least < most else _FEW
