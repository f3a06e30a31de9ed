"""Counts that are not exact, by the words before them: "half a year ago", "over 3 years ago" (design 5.3)."""

import re

_ONES = "one|two|three|four|five|six|seven|eight|nine|ten"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred"
_OF_MORE = re.compile(
    rf"(?:\bhalf(?:\sof)?|\bquarters?\sof|\d\s?[-–—~～/]|(?:\d|\b(?:{_ONES}|{_TENS}))\s(?:to|or)|\bhundred\sand"
    rf"|(?:\d|\b(?:an?|{_ONES}))\s(?:years?|months?|weeks?)(?:,|\sand)|\b(?:{_TENS})|\b(?:{_ONES}),|(?<!\d)\d[,，]|(?<![周期拜])[一二两三四五六七八九][,，])\s?$|\d[.,]$",
    re.IGNORECASE,
)
_ROUGH = re.compile(
    r"\b(?:roughly|approximately|almost|nearly|over|under|above|than|least|most|some|like|maybe|perhaps)\s$"
    r"|[~≈<>]\s?$",
    re.IGNORECASE,
)


def is_of_more(before: str) -> bool:
    """Whether the count after these words is a part of a longer one: half a year, 1.5, two or three."""
    return bool(_OF_MORE.search(before))


def is_rough(before: str) -> bool:
    """Whether the count after these words is not meant exactly."""
    return bool(_ROUGH.search(before))
