"""How many of what: "3 cats and 5 dogs" must not become "5 cats and 3 dogs" (design 5.3)."""

import re
import unicodedata
from collections.abc import Iterator

from .numbers import with_digits
from .relevance import content_words

_ENGLISH = re.compile(r"(?<![\w.:/-])(?P<n>\d{1,12}(?:\.\d{1,4})?)[ -](?P<noun>[a-z]{2,30})", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?<![\d.:/-])(?P<n>\d{1,12}(?:\.\d{1,4})?)\s?(?:[个只条位名辆套台本张口把匹头件双]\s?)?"
    r"(?P<noun>[\u4e00-\u9fff]{1,12})"
)
_NOUN_ENDS = re.compile("[和跟与及还有在的了、]")
_NO_NOUN = frozenset(["am", "pm", *"年月日号点时分天"])
"""Words of time, which dates have in their own ways."""
_NOUN_ZH = 2
"""Characters by which a Chinese noun is known."""


def miscounted(fact: str, text: str) -> str:
    """The first number and noun of the fact where the text has that noun with other numbers, else empty."""
    said: dict[str, set[str]] = {}
    for number, noun in _counted(text):
        said.setdefault(noun, set()).add(number)
    wrong = (f"{number} {noun}" for number, noun in _counted(fact) if number not in said.get(noun, {number}))
    return next(wrong, "")


def _counted(text: str) -> Iterator[tuple[str, str]]:
    plain = with_digits(unicodedata.normalize("NFKC", text))
    for found in _ENGLISH.finditer(plain):
        noun = found["noun"].lower()
        if noun not in _NO_NOUN and content_words(noun):
            yield found["n"], noun.removesuffix("s")
    for found in _CHINESE.finditer(plain):
        noun = _NOUN_ENDS.split(found["noun"], maxsplit=1)[0][:_NOUN_ZH]
        if noun and noun[0] not in _NO_NOUN:
            yield found["n"], noun
