"""The days of the week by name, in English and Chinese."""

from datetime import date

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PLACES_ZH = "一二三四五六日"


def weekday_number(name: str) -> int:
    """Monday is 0, in either language (三 and 天 as in 周三, 周天); -1 for what is no weekday."""
    plain = name.casefold()
    if plain in WEEKDAYS:
        return WEEKDAYS.index(plain)
    return _PLACES_ZH.find("日" if plain == "天" else plain)


def weekday_name(day: date) -> str:
    """The English name."""
    return WEEKDAYS[day.weekday()].capitalize()


def weekday_name_zh(day: date) -> str:
    """The Chinese name, as 周三."""
    return "周" + _PLACES_ZH[day.weekday()]
