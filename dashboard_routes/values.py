"""Values as they stand in a query and in a reply."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum

from .core import InvalidInputError

MAX_PAGE_SIZE = 200
MAX_PAGE = 1_000_000


def paging(query: Mapping[str, str]) -> tuple[int, int]:
    """The page and its size. Raises InvalidInputError that names the field."""
    page = number(query, "page", default=1, most=MAX_PAGE)
    return page, number(query, "page_size", default=50, most=MAX_PAGE_SIZE)


def word[E: Enum](query: Mapping[str, str], name: str, words: type[E]) -> E | None:
    """One of these words; None when it is not asked for. Raises InvalidInputError."""
    value = query.get(name)
    if not value:
        return None
    try:
        return words(value)
    except ValueError:
        allowed = ", ".join(str(word.value) for word in words)
        raise InvalidInputError(name, f"must be one of {allowed}") from None


def number(query: Mapping[str, str], name: str, *, default: int, most: int) -> int:
    """A whole number from 1 to `most`. Raises InvalidInputError."""
    value = query.get(name)
    if value is None or value == "":
        return default
    # isascii: int() also reads digits of other scripts, and a long run of digits costs quadratic time.
    if not (value.isascii() and value.isdigit() and len(value) <= 9 and 1 <= int(value) <= most):
        raise InvalidInputError(name, f"must be a whole number from 1 to {most}")
    return int(value)


def instant(at: datetime | None) -> str | None:
    """As in 2026-01-31T12:00:00+00:00."""
    return at.isoformat() if at else None
