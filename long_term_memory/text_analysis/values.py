"""Numbers, dates, ids and addresses of a fact that nobody said.

They are compared by value, however they are written, and by no grammar of any language: "85k" says 85,000,
"tomorrow" says 2026-11-26. What only follows by arithmetic is not said.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from .dates import IN_MONTH, MONTH_SAID, WRITTEN, CalendarDate, month_number, read
from .numbers import NUMBER, in_digits, numbers_in, readings, scales_in, with_digits
from .relative_dates import Span, Unit, relative_dates
from .word_forms import simplified
from .word_tables import word_table

_TABLE = word_table(__file__)
_IS = _TABLE.table("patterns").patterns(re.NOFLAG)
_MEANS = _TABLE.table("means").patterns(re.NOFLAG)
_BY_PARTS, _WITHOUT_YEAR, _CLOCK = _IS["by_parts"], _IS["without_year"], _IS["clock"]
_ENGLISH = frozenset(_TABLE.words("english"))
"""A text of so much as four Latin words without one of these is of another language."""
_FEW = 12
"""Up to this number what such a text may say in its own words passes."""


class _Said(NamedTuple):
    """The values of a text, or of several."""

    texts: frozenset[str] = frozenset()
    numbers: frozenset[Decimal] = frozenset()
    dates: frozenset[CalendarDate] = frozenset()
    days: frozenset[str] = frozenset()
    """Numbers that may be days of a month."""
    scales: frozenset[int] = frozenset()
    """What its numbers may be in thousands of."""
    foreign: frozenset[str] = frozenset()
    """Those texts that are in another language than English and Chinese."""


def missing_value(fact: str, said: Iterable[str], at: datetime) -> str:
    """The first number, date, id or address of a fact that none of the texts says; empty when all are said.

    In the form it has in the fact, or in digits. `at` is the local instant that the texts were said at.
    """
    heard = (
        _Said(dates=frozenset([CalendarDate(*at.timetuple()[:3])])),
        *(_heard(text, at.date()) for text in said),
    )
    merged = _Said(*(frozenset[Any]().union(*parts) for parts in zip(*heard, strict=True)))
    return next(_unsaid(_plain(fact), merged, at.year), "")


def _unsaid(fact: str, said: _Said, year: int) -> Iterator[str]:
    as_said = frozenset(chain.from_iterable(map(_IS["with_marks"].findall, said.texts)))
    fact = _IS["with_marks"].sub(lambda found: " " if found[0] in as_said else found[0], fact)
    yield from (one[0] for one in _IS["whole"].finditer(fact) if not _is_whole(one[0].casefold(), said))
    fact = _IS["so_many_digits"].sub(" ", in_digits(_IS["whole"].sub(" ", fact)))
    for pattern in (WRITTEN, _BY_PARTS):
        for one in pattern.finditer(fact):
            if not any(_is_date(read_date, said, year) for read_date in _dates_read(one)):
                yield one[0]
    fact = _BY_PARTS.sub(" ", WRITTEN.sub(" ", fact))
    yield from (one[0] for one in _CLOCK.finditer(fact) if not _is_time(int(one[1]), int(one[2] or 0), said))
    for one in NUMBER.finditer(_CLOCK.sub(" ", fact)):
        nth = _IS["day_of_month"].match(one.string, one.start())
        is_day = nth and any(str(read_date.day) == one["n"] for read_date in said.dates)
        parts = one["n"].split(",")  # 18到20,268一晚: a comma may part two numbers
        is_said = _is_number(readings(one["n"], one["unit"] or ""), said) or (
            len(parts) > 1 and all(_is_number(readings(part, ""), said) for part in parts)
        )
        if not is_day and not is_said:
            yield one["n"]


def _is_whole(value: str, said: _Said) -> bool:
    if value.startswith("[secret:"):
        return any(value in text for text in said.texts)
    letters = [char for char in re.sub(r"^https?://(?:www\.)?", "", value) if char.isalnum()]
    wanted = re.compile(r"(?<![a-z\d])" + r"[\W_]*".join(letters) + r"(?![a-z\d])")
    values = readings(value, "") if NUMBER.fullmatch(value) else []
    return any(map(wanted.search, said.texts)) or not said.numbers.isdisjoint(values)


def _is_time(hour: int, minute: int, said: _Said) -> bool:
    by_name = minute % 15 == 0 and any(map(_IS["quarters"].search, said.texts))
    to_hour = minute >= 30 and any(map(_IS["to_hour"].search, said.texts))
    minute_is_said = minute == 0 or by_name or Decimal(minute) in said.numbers
    minute_is_said = minute_is_said or (to_hour and Decimal(60 - minute) in said.numbers)
    hours = (hour, hour + 1) if to_hour else (hour,)
    return minute_is_said and _is_number([Decimal(each + by) for each in hours for by in (0, 12, -12)], said)


def _is_number(values: list[Decimal], said: _Said) -> bool:
    in_scale = (values[0] / scale for scale in said.scales if scale <= values[0] < scale**2)
    return values[0] <= (_FEW if said.foreign else 1) or not said.numbers.isdisjoint([*values, *in_scale])


def _is_date(wanted: CalendarDate, said: _Said, year: int) -> bool:
    """Whether a date is said, its parts apart from each other too; of a near year the year may be missing."""
    dates = [one for one in said.dates if wanted.year is None or one.year in (None, wanted.year)]
    near = wanted.month and wanted.year and abs(wanted.year - year) <= 1
    year_is_said = any(one.year for one in dates) or Decimal(wanted.year or 0) in said.numbers
    if wanted.year and not near and not year_is_said:
        return False
    if any(wanted.month in (None, one.month) and wanted.day in (None, one.day) for one in dates):
        return True
    month = bool(said.foreign) or any(wanted.month == one.month for one in dates)
    return month and str(wanted.day) in said.days


@lru_cache(maxsize=256)  # the facts of a batch rest on the same texts
def _heard(text: str, today: date) -> _Said:
    text = simplified(_plain(text)).casefold()
    words = _IS["latin"].findall(text)
    foreign = bool(_IS["other_letters"].search(text)) or (len(words) >= 4 and _ENGLISH.isdisjoint(words))
    is_spelt = with_digits(text) != text
    near = (span for one in relative_dates(text, today) for span in one.readings)
    text = "; ".join((text, *_otherwise(text)))
    digits = in_digits(text)
    written = chain(*(pattern.finditer(digits) for pattern in (WRITTEN, _BY_PARTS, _WITHOUT_YEAR)))
    months = (CalendarDate(month=month_number(name)) for name in IN_MONTH.findall(text))
    days = _IS["day"].findall(text) if foreign or MONTH_SAID.search(text) else ()
    return _Said(
        texts=frozenset((text, _IS["spoken"].sub(" ", text))),
        numbers=frozenset(numbers_in(text)),
        dates=frozenset((*chain(*map(_dates_read, written)), *chain(*map(_days, near)), *months)),
        days=frozenset((*days, *_IS["day_of_month"].findall(digits))),
        scales=frozenset(scale for scale in scales_in(text) if scale >= 1_000),
        foreign=frozenset([text] if foreign and not is_spelt else ()),
    )


def _otherwise(text: str) -> Iterator[str]:
    """What a text says in other words, in digits."""
    yield from (words for words, pattern in _MEANS.items() if pattern.search(text))
    for found in _IS["short_year"].finditer(text):
        year = found[1] or found[2]
        yield from (f"19{year}", f"20{year}")


def _plain(text: str) -> str:
    """The text with letters, digits and times in their plain form."""
    text = _IS["time"].sub(r"\1:\2", unicodedata.normalize("NFKC", text.replace("，", "， ")))
    text = _IS["currency"].sub(" ", text)
    return text if text.isascii() else re.sub(r"\d", lambda found: str(int(found[0])), text)


def _dates_read(found: re.Match[str]) -> list[CalendarDate]:
    """What a date says; 11/12/26 has the month before the day or behind it."""
    if found.re is WRITTEN:
        return [read(found)]
    one, other = int(found["one"]), int(found["other"])
    year = int(found["year"]) if found.re is _BY_PARTS else None
    years = (year + 2000, year + 1900, year) if year else (None,)
    return [CalendarDate(each, *month_day) for each in years for month_day in ((one, other), (other, one))]


def _days(span: Span) -> list[CalendarDate]:
    """The days that a relative date may mean; of a month or a year only what it is."""
    year, month, day = span.first.timetuple()[:3]
    if span.unit in (Unit.MONTH, Unit.YEAR):
        return [CalendarDate(year, month if span.unit is Unit.MONTH else None)]
    if span.unit is Unit.AROUND:
        return [CalendarDate(year, month, day)]
    days = (span.first + timedelta(days=n) for n in range((span.after - span.first).days))
    return [CalendarDate(*each.timetuple()[:3]) for each in days]
