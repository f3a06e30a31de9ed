"""Which days a question is about: "last May", "in 2023", "上周", "3月5号", "两个月前".

Memories are told in the past: what may mean several days ("on Friday", "in May") means the last of them, and
days to come are none that anything was told in. What a memory is about may lie ahead, though: so all days
that may be meant are named as well, to be looked for in what memories say.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import NamedTuple

from ..domain.reading import Period
from ..text_analysis.dates import THROUGH, WRITTEN, CalendarDate, exists, month_number, read
from ..text_analysis.numbers import number_of
from ..text_analysis.relative_dates import Span, Unit, relative_dates, weekday_of
from ..text_analysis.word_tables import word_table

MAX_DAYS = 62
"""Days of a question that are looked for by name."""
LOOKED_AT = 400
"""Characters at the end of a question that are looked at: what was pasted before it dates nothing."""

_DAY = timedelta(days=1)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TABLE = word_table(__file__)
_IS = _TABLE.patterns()
_DAYS = {unit: int(days) for unit, days in _TABLE.groups("days").items()}
_YEARS_ZH = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0}
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


class _Days(NamedTuple):
    """An expression in the text, and the times it may mean, the likeliest first, each without its end."""

    start: int
    end: int
    times: Sequence[tuple[date, date]]


def query_dates(text: str, at: datetime) -> QueryDates:
    """Understand the dates of a question that is asked at this local instant, whose zone its days are of."""
    before, text = text[:-LOOKED_AT], _IS["weekday_short"].sub(_weekday, text[-LOOKED_AT:])
    if not _IS["cue"].search(text):
        return QueryDates(period=None, said="", rest=before + text)
    today = at.date()
    # 两三天前 is counted first: by its distance it would be 23 days ago.
    found = _apart([*_counted(text, today), *_dated(text, today)])
    said, rest, end = "", before, 0
    for one in found:
        said += f"{text[one.start : one.end]} "
        rest += f"{text[end : one.start]} "
        end = one.end
    lengths = ((first, (after - first).days) for one in found for first, after in one.times)
    few = ((first, length) for first, length in lengths if length <= 31)  # no year, day by day
    days = tuple(sorted({first + n * _DAY for first, length in few for n in range(length)})[:MAX_DAYS])
    return QueryDates(period=_period(found, at), said=said.strip(), rest=rest + text[end:], days=days)


def _period(found: list[_Days], at: datetime) -> Period | None:
    past = [one.times[0] for one in found if one.times[0][0] <= at.date()]
    if not past:
        return None
    first, after = min(first for first, _ in past), max(after for _, after in past)
    start, end = (datetime.combine(day, time.min, at.tzinfo) for day in (first, after))
    return Period(start=start, end=end)


def _apart(found: list[_Days]) -> list[_Days]:
    """Those that do not overlap, the longest of each place, in the order of the text."""
    kept: list[_Days] = []
    for one in sorted(found, key=lambda each: (each.start - each.end, each.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda each: each.start)


def _dated(text: str, today: date) -> Iterator[_Days]:
    for one in relative_dates(text, today):
        yield from _meant(one.start, one.end, one.readings, today)
    named = [*WRITTEN.finditer(text)]
    for found, other in pairwise(named):
        if read(found).day and read(other).day and _IS["joined"].fullmatch(text[found.end() : other.start()]):
            yield from _until(found, other, today)
    for found in named:
        spans = _nearest(read(found).spans(today), today)
        lasting = _lasting(found, spans, today)
        yield from [lasting] if lasting else _meant(*found.span(), spans, today)
    for found in _IS["month"].finditer(text):
        spans = _date_read(found, today).spans(today)
        if (found["which"] or "").lower() == "last":
            spans = [span for span in spans if span.first < today.replace(day=1)][-1:]
        yield from _meant(*found.span(), _nearest(spans, today), today)
    for found in _IS["day_alone"].finditer(text):
        day, this = number_of(found[1] or found["nth"]) or 0, today.replace(day=1)
        near = (this - _DAY, this, this + 31 * _DAY)
        months = [month for month in near if exists(month.year, month.month, day)]
        spans = [Span(unit=Unit.DAY, first=month.replace(day=day)) for month in months]
        yield from _meant(*found.span(), _nearest(spans, today), today)


def _until(found: re.Match[str], other: re.Match[str], today: date) -> Iterator[_Days]:
    """All the days from one date to another, where these are no more than can be looked for."""
    ends = [span.first for span in read(other).spans(today)]
    begins = [span.first for span in _nearest(read(found).spans(today), today)]
    times = [(day, end + _DAY) for day in begins for end in ends if timedelta() < end - day < MAX_DAYS * _DAY]
    if times and not _are_two(found.string[found.end() : other.start()], found.string):
        yield _Days(found.start(), other.end(), sorted(times, key=lambda each: each[0] > today))


def _lasting(found: re.Match[str], spans: Sequence[Span], today: date) -> _Days | None:
    """All the days of "5 to 12 December" or "December 5 to 12", of which the match is one end; else None."""
    text, day = found.string, read(found).day
    before, after = _IS["begins"].search(text[: found.start()]), THROUGH.match(text, found.end())
    if not day or not (other := before or after) or _are_two(other[0], text):
        return None
    first, last = (int(other[1]), day) if before else (day, int(other[1]))
    end = found if before else after or found
    if year := after and _IS["of_year"].match(text, after.end()):
        end, spans = year, read(found)._replace(year=int(year[1])).spans(today)
    begins = [span.first for span in spans if exists(span.first.year, span.first.month, last)]
    if not 0 < first < last or not begins:
        return None
    times = [(begin.replace(day=first), begin.replace(day=last) + _DAY) for begin in begins]
    start = before.start() if before else found.start()
    return _Days(start, end.end(), sorted(times, key=lambda each: (each[0] > today, abs(each[0] - today))))


def _are_two(link: str, text: str) -> bool:
    """Whether "and" parts two dates; behind "between" it joins them."""
    return "and" in link.casefold() and "between" not in text.casefold()


def _weekday(found: re.Match[str]) -> str:
    """The whole name of a weekday; SAT is a test."""
    return found[0] if found[0] == "SAT" else _WEEKDAYS[weekday_of(found[0])]


def _nearest(spans: Sequence[Span], today: date) -> list[Span]:
    """The last of these that has begun and the next one."""
    begun = [span for span in spans if span.first <= today]
    return [*begun[-1:], *spans[len(begun) :][:1]]


def _meant(start: int, end: int, spans: Sequence[Span], today: date) -> Iterator[_Days]:
    """The last one that has begun before all others."""
    if spans:
        begun = (span for span in spans if span.first <= today)
        likeliest = max(begun, key=lambda span: span.first, default=spans[0])
        times = dict.fromkeys((likeliest, *spans))
        yield _Days(start, end, [(_begin(span), span.after) for span in times])


def _begin(span: Span) -> date:
    """Some days before, where a date is not meant exactly."""
    return span.first - 3 * _DAY if span.unit is Unit.AROUND else span.first


def _date_read(found: re.Match[str], today: date) -> CalendarDate:
    if found["month"]:
        year = {"last": today.year - 1, "this": today.year}.get((found["year"] or "").lower())
        return CalendarDate(year, month_number(found["month"]))
    year = None
    if said := found["year_zh"]:
        year = today.year + _YEARS_ZH[said] if said in _YEARS_ZH else int(said[:4])
    return CalendarDate(year, number_of(found["month_zh"] or ""), number_of(found["day_zh"] or ""))


def _counted(text: str, today: date) -> Iterator[_Days]:
    """Times that are counted back from today: the last three months, a few weeks ago."""
    for found in _IS["span"].finditer(text):
        _, most = so_many(found["count"] or found["count_zh"] or "a")
        yield _back(found, today, most, 0)
    for found in _IS["some_ago"].finditer(text):
        count = found["count"] or found["count_zh"]
        least, most = so_many(count) if count else (1, 10)  # a few
        if least < most:  # an exact number of them is a day, a month or a year (`relative_dates.py`)
            yield _back(found, today, most, least)


def _back(found: re.Match[str], today: date, first: int, last: int) -> _Days:
    """From so many units ago up to so many units ago."""
    unit = _DAYS[(found["unit"] or found["unit_zh"] or "day").lower()]
    begin, end = (date.fromordinal(max(1, today.toordinal() - count * unit)) for count in (first, last))
    return _Days(*found.span(), [(begin, end + _DAY)])


def so_many(said: str) -> tuple[int, int]:
    """The fewest and the most that a count may mean; what is no number is a few."""
    said = " ".join(said.lower().split())
    if found := _IS["tens"].fullmatch(said):
        tens = number_of(found["tens"] or "")
        return (tens, tens + 10) if tens else _SOME_TENS
    low, _, high = said.partition(" or ")
    if found := _IS["either"].fullmatch(said):
        low, high = (f"{found['tens'] or ''}{found[each]}{found['ten'] or ''}" for each in ("low", "high"))
    least, most = number_of(low), number_of(high or low)
    return (least, most) if least and most and (least < most or not high) else _FEW
