"""Dates of a fact: said by distance they become absolute, and absolute ones must follow (design 5.3).

"User has an exam next Wednesday" is wrong a week later, so it is kept as "... on Wednesday, 2026-11-25",
counted from the day the words were said on in the operator's time zone. What is ambiguous stays as it is,
and so do names: "Yesterday" the song, 明天会更好.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import islice

from .relative_dates import MAX_FOUND, Relative, Span, Unit, relative_dates
from .weekdays import weekday_name, weekday_name_zh, weekday_number
from .written_dates import MONTHS, WRITTEN, Told, exists, read

_WEEKDAY = re.compile(
    r"\b(?:(?P<en>mon|tues|wednes|thurs|fri|satur|sun)day)\b|[（(]?(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])[)）]?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|《[^》]*》|「[^」]*」|『[^』]*』")
_TITLED = re.compile(
    r"\b(?:songs?|movie|film|album|band|novel|show|game|called|named|titled|sings?|usa)\s['\"]?$|(?:歌曲?|电影|小说|叫|名为|唱)$",
    re.IGNORECASE,
)
_OF_A_TITLE = re.compile(r"\b(?:songs?|movie|film|album|band|novel|lyrics)\b", re.IGNORECASE)
_IS = re.compile(r"\s(?:is|was|will be)\b", re.IGNORECASE)
_DATED = re.compile(r"\s?[(（][^()（）]{0,16}\d{4}")
_UNTIL = re.compile(r"\b(?:until|till?|through|to|by|before)\s$|[到至]$", re.IGNORECASE)
_BIRTH = re.compile(r"\bborn\b|birth|生日|出生", re.IGNORECASE)


def absolute(fact: str, at: datetime, *, keep_words: bool = False) -> str:
    """The fact with its clear relative dates made absolute; `at` is the local instant it was said at.

    With `keep_words` the date stands in brackets behind the words. Doing it twice changes nothing more.
    """
    quoted = [found.span() for found in _QUOTED.finditer(fact)]
    found = sorted(relative_dates(fact, at.date()), key=lambda one: one.start)
    written, end = "", 0
    for one in found:
        if not one.clear or one.start < end or _is_name(one, fact, quoted):
            continue
        kept = f"{one.words}{_in_brackets(one)}" if keep_words else _in_place(one, fact)
        written += fact[end : one.start] + kept
        end = one.end
    return written + fact[end:]


def without_dates(fact: str, text: str, at: datetime) -> str:
    """The fact without the dates that follow from the text, or, where it tells no other, from its day.

    In whatever form they are written: 2026-11-25, November 25th, 11月25日. A wrong one stays.
    """
    known = _known(fact, text, at.date())
    days = set(_weekdays(known))
    fact = WRITTEN.sub(lambda found: " " if _follows(read(found), known) else found.group(), fact)
    return _WEEKDAY.sub(lambda found: " " if _weekday(found) in days else found.group(), fact)


def tells_a_date(text: str, at: datetime) -> bool:
    """Whether a text says when, by distance or by the calendar."""
    return bool(relative_dates(text, at.date()) or WRITTEN.search(text))


def is_ahead(fact: str, today: date) -> bool:
    """Whether a fact tells a time, with its year, that begins after today; what is so until then is so."""
    return any(
        _first_day(read(found)) > today
        for found in islice(WRITTEN.finditer(fact), MAX_FOUND)
        if not _UNTIL.search(fact[max(0, found.start() - 9) : found.start()])
    )


def _first_day(told: Told) -> date:
    """The first day it may mean, long ago when it tells no year or none that there is."""
    year, month, day = told.year or 0, told.month or 1, told.day or 1
    return date(year, month, day) if exists(year, month, day) else date.min


def _is_name(one: Relative, fact: str, quoted: list[tuple[int, int]]) -> bool:
    if any(start < one.end and one.start < end for start, end in quoted):
        return True
    if _DATED.match(fact, one.end) or _TITLED.search(fact[max(0, one.start - 12) : one.start]):
        return True
    word = one.words[len(one.preposition) :].strip()
    opens = not fact[: one.start].strip() or fact[: one.start].rstrip()[-1:] in ".!?"
    if not word[0].isupper():
        return False
    return not opens or bool(_OF_A_TITLE.search(fact))


def _in_brackets(one: Relative) -> str:
    span = one.readings[0]
    if one.chinese:
        return f"（{_chinese(span)}）"
    shown = span.first.isoformat() if span.unit in (Unit.DAY, Unit.AROUND) else _english(span)
    return f" ({shown})"


def _in_place(one: Relative, fact: str) -> str:
    span = one.readings[0]
    if one.chinese:
        day = f"（{weekday_name_zh(span.first)}）" if span.unit is Unit.DAY else ""
        return f"{_chinese(span)}{day}{one.part}"
    if one.possessive:
        return f"{one.preposition} the {_bare(span)}".strip()
    if span.unit is Unit.DAY:
        part = f" {one.part}" if one.part else ""
        words = f"{weekday_name(span.first)}{part}, {span.first.isoformat()}"
    else:
        words = _english(span)
    subject = one.words[:1].isupper() and bool(_IS.match(fact, one.end))
    links = {Unit.DAY: "on", Unit.WEEKEND: "on", Unit.AROUND: ""}
    link = one.preposition or ("" if subject else links.get(span.unit, "in"))
    placed = f"{link} {words}".strip()
    return placed[0].upper() + placed[1:] if one.words[:1].isupper() else placed


def _bare(span: Span) -> str:
    return (
        span.first.isoformat()
        if span.unit in (Unit.DAY, Unit.AROUND)
        else _english(span).removeprefix("the ")
    )


def _english(span: Span) -> str:
    first = span.first
    return {
        Unit.DAY: first.isoformat(),
        Unit.AROUND: f"around {first.isoformat()}",
        Unit.WEEKEND: f"the weekend of {first.isoformat()}",
        Unit.WEEK: f"the week of {first.isoformat()}",
        Unit.MONTH: f"{MONTHS[first.month - 1].capitalize()} {first.year:04}",
        Unit.YEAR: f"{first.year:04}",
    }[span.unit]


def _chinese(span: Span) -> str:
    first = span.first
    day = f"{first.year:04}年{first.month}月{first.day}日"
    return {
        Unit.DAY: day,
        Unit.AROUND: f"{day}左右",
        Unit.WEEKEND: f"{day}的周末",
        Unit.WEEK: f"{day}那一周",
        Unit.MONTH: f"{first.year:04}年{first.month}月",
        Unit.YEAR: f"{first.year:04}年",
    }[span.unit]


def _known(fact: str, text: str, today: date) -> list[Told]:
    """What the text says of days; its own day when it says nothing."""
    spans = [span for one in relative_dates(text, today) for span in one.readings]
    known = [date for span in spans for date in _dates(span)]
    years = () if _BIRTH.search(fact) else (today.year, today.year + 1, today.year - 1)
    for found in islice(WRITTEN.finditer(text), MAX_FOUND):
        known += _with_year(read(found), years)
    return known or [_date(today)]


def _dates(span: Span) -> Iterator[Told]:
    first = span.first
    if span.unit is Unit.YEAR:
        yield Told(year=first.year, month=None, day=None)
    elif span.unit is Unit.MONTH:
        yield Told(year=first.year, month=first.month, day=None)
    else:
        yield _date(first)
        if span.unit is Unit.WEEKEND:
            yield _date(first + timedelta(days=1))


def _date(day: date) -> Told:
    return Told(year=day.year, month=day.month, day=day.day)


def _with_year(said: Told, years: tuple[int, ...]) -> Iterator[Told]:
    """A day said without its year is of this one, or of one beside it."""
    yield said
    if said.year is None and said.month and said.day:
        for year in years:
            if exists(year, said.month, said.day):
                yield Told(year=year, month=said.month, day=said.day)


def _weekdays(known: list[Told]) -> Iterator[int]:
    """Of the days that are known whole; a number such as 1234-56-78 or June 31 is none."""
    for one in known:
        if one.year and one.month and one.day and exists(one.year, one.month, one.day):
            yield date(one.year, one.month, one.day).weekday()


def _follows(date: Told, known: list[Told]) -> bool:
    """Whether all that a date of the fact says is said of one of the dates known."""
    return any(
        date.year in (None, one.year) and date.month in (None, one.month) and date.day in (None, one.day)
        for one in known
    )


def _weekday(found: re.Match[str]) -> int:
    return weekday_number(f"{found['en']}day" if found["en"] else found["zh"])
