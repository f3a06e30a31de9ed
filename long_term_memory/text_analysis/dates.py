"""Calendar dates, and the days that relative dates meant, beside their words.

"User has an exam next Wednesday" says nothing a month later, so the day goes with it: "next Wednesday
(2026-12-02)", counted from the day the words were said on in the operator's time zone. The words stay as they
are. What is ambiguous gets no day, nor do attributes ("today's rates") and names: "Yesterday" the song.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import MAXYEAR, date, datetime, timedelta
from typing import NamedTuple

from .numbers import with_digits
from .relative_dates import Relative, Span, Unit, relative_dates, weekday_of
from .word_tables import word_table

MONTHS = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905 - a list of quoted words is harder to read
)
_TABLE = word_table(__file__)
_IS = _TABLE.patterns()
WRITTEN, MONTH_SAID, IN_MONTH, THROUGH = (
    _IS[key] for key in ("written", "month_said", "in_month", "through")
)
_NEAR = 40
"""Characters before a relative date in which its calendar date is looked for."""
_SHOWN = {unit: _TABLE.table("shown").texts(unit) for unit in Unit}
"""In English and in Chinese."""
_ANY_DAY = date(2000, 1, 1)


class CalendarDate(NamedTuple):
    """A calendar date, as far as it is written."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def spans(self, today: date) -> list[Span]:
        """The days, months or years that it may mean, in order: of the years around, or of its own."""
        unit = Unit.DAY if self.day else Unit.MONTH if self.month else Unit.YEAR
        years = (self.year,) if self.year else range(today.year - 8, today.year + 2)
        month, day = self.month or 1, self.day or 1
        return [Span(unit=unit, first=date(year, month, day)) for year in years if exists(year, month, day)]

    def near(self, today: date) -> Span | None:
        """The nearest such day; of months and years the first that is not over."""
        spans = self.spans(today)
        if self.day:
            return min(spans, key=lambda span: abs(span.first - today), default=None)
        return next((span for span in spans if span.after > today), None)


def read(found: re.Match[str]) -> CalendarDate:
    """What a match of `WRITTEN` says."""
    parts = {name[0]: value for name, value in found.groupdict().items() if value}
    year, month, day = parts.get("y"), parts.get("m", ""), parts.get("d")
    number = int(month) if month.isdecimal() else month_number(month)
    return CalendarDate(int(year) if year else None, number, int(day) if day else None)


def month_number(name: str) -> int | None:
    """1 to 12, by the first letters of an English name; None for what is no month."""
    plain = name[:3].casefold()
    return next((n for n, month in enumerate(MONTHS, start=1) if plain and month.startswith(plain)), None)


def exists(year: int, month: int, day: int) -> bool:
    """Whether there is such a day, in a year before the last one that can be counted."""
    try:
        return date(year, month, day).year < MAXYEAR
    except ValueError:
        return False


def with_days(text: str, at: datetime, *, to_come: bool | None = None, heard: str | None = None) -> str:
    """The text with the day in brackets behind each clear relative date that stands by itself.

    `at` is the local instant it was said at. A weekday alone is the next one or, if `to_come` is False, the
    last one; without that, on that day itself and where it comes again, it gets no day. Doing it twice
    changes nothing more. With `heard`, what those words do not name gets none.
    """
    if _IS["figure"].search(text):
        return text
    named = None if heard is None else {one.readings for one in relative_dates(heard, at.date())}
    quoted = [found.span() for found in _IS["quoted"].finditer(text)]
    written, end = "", 0
    if _IS["no_single_day"].search(text) or is_of_other_week(text, at.date()):
        to_come = None
    for one in _explained(text, at.date()):
        if named is not None and one.readings not in named:
            continue
        if to_come is not None and one.bare and (one.chinese or one.preposition):
            one = _weekday(one, at.date(), to_come=to_come)  # noqa: PLW2901 - the same expression, read anew
        plain = one.clear and one.alone and one.start >= end
        if plain and not _is_name(one, text, quoted) and not _is_dated(one, text):
            written += text[end : one.end] + _in_brackets(one)
            end = one.end
    return written + text[end:]


def _explained(text: str, today: date) -> Iterator[Relative]:
    """The expressions in order; of "tomorrow (Saturday)" the day alone, and neither where they disagree."""
    explained, week_at = 0, 0
    for one in sorted(relative_dates(text, today), key=lambda each: each.start):
        span, on = one.readings[0], _IS["on_weekday"].match(text, one.end)
        if one.bare and (
            one.end <= explained or (week_at and _IS["listed"].match(text[week_at : one.start]))
        ):
            continue
        week_at = one.end if not one.bare and span.unit is Unit.DAY else 0
        if week_at and on:
            agrees = weekday_of(on["zh"] or on["en"]) == span.first.weekday()
            explained = on.end() if agrees or not on["comma"] else explained
            if not agrees and not on["comma"]:
                continue
        yield one


def with_days_of(text: str, dated: str) -> str:
    """The text with the days in brackets that the same words have in another."""
    found = [(one, _IS["bracketed"].match(dated, one.end)) for one in relative_dates(dated, _ANY_DAY)]
    days = {one.words.casefold(): bracket[0] for one, bracket in found if bracket}
    for one in sorted(relative_dates(text, _ANY_DAY), key=lambda each: each.start, reverse=True):
        if (day := days.get(one.words.casefold())) and not _is_dated(one, text):
            text = f"{text[: one.end]}{day}{text[one.end :]}"
    return text


def is_of_other_week(text: str, today: date) -> bool:
    """Whether it names a weekday behind a later date, from which it is another day than from today."""
    dates = ((found.end(), read(found).near(today)) for found in WRITTEN.finditer(text) if read(found).day)
    later = [(end, day.first) for end, day in dates if day and day.first > today]
    bare = [one for one in relative_dates(text, today) if one.bare] if later else []
    ahead = [(one.start, [span.first for span in one.readings if span.first > today]) for one in bare]
    return any(start >= end and min(days, default=day) < day for end, day in later for start, days in ahead)


def is_of_later_outing(text: str, others: Iterable[str], today: date) -> bool:
    """Whether it is about an outing, such as a trip or a wedding, that another text dates in a later week."""
    named = _outings(text)
    return bool(named) and any(named & _outings(each) and _is_later(each, today) for each in others)


def _outings(text: str) -> frozenset[str]:
    return frozenset(found.group().casefold() for found in _IS["outing"].finditer(text))


def _is_later(text: str, today: date) -> bool:
    days = (read(found).near(today) for found in WRITTEN.finditer(text) if read(found).day)
    return any(day and day.first - today > timedelta(days=7) for day in days)


def _weekday(one: Relative, today: date, *, to_come: bool) -> Relative:
    """A weekday as the next or the last one; as it is where it is today or may be both."""
    days = sorted(span.first for span in one.readings if span.unit is Unit.DAY)
    if today in days or not (to_come or one.preposition in ("", "on")):
        return one
    ahead, gone = [day for day in days if day > today][:1], [day for day in days if day < today][-1:]
    spans = tuple(Span(unit=Unit.DAY, first=day) for day in (ahead if to_come else gone))
    return replace(one, readings=spans, alone=True) if spans else one


def end_named(text: str, at: datetime) -> date | None:
    """The last day that a text names, as the end of what it asks to remember; None for a day before `at`.

    "Until 5 December", "my flight is on Friday": the next one, of next week when said on a Friday. None as
    well where no single day is named, and where the text tells of a beginning, of what is over or of what
    comes again.
    """
    if _IS["begins_or_recurs"].search(text):
        return None
    today = at.date()
    spans = [
        next((span for span in one.readings if not one.bare or span.first > today), None)
        for one in relative_dates(text, today)
        if one.clear
    ]
    spans += [named._replace(day=last).near(today) for named, last in _dates_in(text)]
    days = (span.first for span in spans if span and span.unit is Unit.DAY)
    return max((day for day in days if day >= today), default=None)


def days_written(text: str, today: date) -> Iterator[date]:
    """The days that a text names by month and day; without a year the last and the next one of `today`."""
    for named, last in _dates_in(text) if MONTH_SAID.search(text) else ():
        for day in range(named.day or 1, (last or 0) + 1):
            days = [span.first for span in named._replace(day=day).spans(today)]
            yield from {
                *[one for one in days if one <= today][-1:],
                *[one for one in days if one > today][:1],
            }


def _dates_in(text: str) -> Iterator[tuple[CalendarDate, int | None]]:
    """The dates that a text names, and the last day of each: of "December 5 to 12" it is 12."""
    plain = with_digits(text)
    for found in WRITTEN.finditer(plain):
        named, until = read(found), THROUGH.match(plain, found.end())
        last = int(until[1]) if until and "and" not in until[0] else 0
        yield named, last if named.day and named.day < last <= 31 else named.day


def last_day(text: str, at: datetime) -> date | None:
    """The last of all days, months and years to come that a text names, from the day of `at` on.

    A month without a year is the next one. A year further ahead than the next is taken for another number.
    """
    today = at.date()
    dates = [named._replace(day=last) for named, last in _dates_in(text)]
    dates += [CalendarDate(month=month_number(found[1])) for found in IN_MONTH.finditer(text)]
    spans = [*(one.readings[0] for one in relative_dates(text, today)), *(each.near(today) for each in dates)]
    days = (span.after - timedelta(days=1) for span in spans if span)
    return max((day for day in days if today <= day < date(today.year + 2, 1, 1)), default=None)


def _is_name(one: Relative, text: str, quoted: list[tuple[int, int]]) -> bool:
    before = text[: one.start]
    if any(start < one.end and one.start < end for start, end in quoted) or _IS["titled"].search(before):
        return True
    opens = before.rstrip()[-1:] in ("", ".", "!", "?")
    word = one.words[len(one.preposition) :].strip()
    return not one.bare and word[0].isupper() and (not opens or bool(_IS["title"].search(text)))


def _is_dated(one: Relative, text: str) -> bool:
    """Whether the calendar's date stands beside it."""
    unit, after = one.readings[0].unit, with_digits(text[one.end :])  # 十二月六号 too
    link = _IS["link"].match(after)
    start = link.end() if link else 0
    nth = unit not in (Unit.MONTH, Unit.YEAR) and _IS["of_month"].match(after, start)
    before = with_digits(text[max(0, one.start - _NEAR) : one.start])
    ahead = (found for found in WRITTEN.finditer(before) if _IS["link"].fullmatch(before, found.end()))
    dates = (found for found in (WRITTEN.match(after, start), *ahead) if found)
    explains = _IS["explains"].search(before) or (one.bare and _IS["explains_weekday"].search(before))
    return bool(_IS["bracket"].match(text, one.end) or nth or explains) or any(
        {Unit.YEAR: each.year, Unit.MONTH: each.month}.get(unit, each.day) for each in map(read, dates)
    )


def _in_brackets(one: Relative) -> str:
    span = one.readings[0]
    shown = _SHOWN[span.unit][one.chinese].format(span.first, MONTHS[span.first.month - 1].capitalize())
    return f"（{shown}）" if one.chinese else f" ({shown})"
