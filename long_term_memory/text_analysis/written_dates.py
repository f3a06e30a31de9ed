"""Where a text says a date by the calendar: 2026-11-25, November 25th, 11月25日, May 2023 (design 5.3)."""

import re
from dataclasses import dataclass
from datetime import date

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
