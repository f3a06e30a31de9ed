"""How many of what: "3 cats and 5 dogs" must not become "5 cats and 3 dogs" (design 5.3)."""

import re
import unicodedata
from collections.abc import Iterator

from .kinship import KIN, KIN_ZH
from .numbers import with_digits
from .overlap import coverage
from .relevance import content_words

_ENGLISH = re.compile(r"(?<![\w.:/-])(?P<n>\d{1,12}(?:\.\d{1,4})?)[ -](?P<noun>[a-z]{2,30})", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?<![\d.:/-])(?P<n>\d{1,12}(?:\.\d{1,4})?)\s?(?:[个只条位名辆套台本张口把匹头件双]\s?)?"
    r"(?P<noun>[\u4e00-\u9fff]{1,12})"
)
_NOUN_ENDS = re.compile("[和跟与及还有在的了、]")
_NO_NOUN = frozenset(["am", "pm", *"年月日号点时分天"])
"""Words of time, which dates have in their own ways."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_PART = re.compile(
    r"[.!?](?!\d)(?!\s*(?:he|she|it|they|his|her)\b)|[。！？;；\n](?!\s*[他她它])"
    rf"|(?:,|\band\b|\bbut\b)\s(?=(?:my|our|his|her|the|i|i'm|we)\b"
    rf"|(?:{KIN})\b(?! of\b)|(?-i:[A-Z]))"
    rf"|[，,、和](?=我|咱|{KIN_ZH}|[小老阿][\u4e00-\u9fff])",
    re.IGNORECASE,
)
"""Where words go on to speak of something else; "and is 45" goes on with the same."""
_MAX_PARTS, _MAX_NUMBERED = 40, 8
"""Parts of a text and of a fact that are looked at."""
_NOUN_ZH = 2
"""Characters by which a Chinese noun is known."""


def miscounted(fact: str, text: str) -> str:
    """The first number and noun of the fact where the text has that noun with other numbers, else empty."""
    said: dict[str, set[str]] = {}
    for number, noun in _counted(text):
        said.setdefault(noun, set()).add(number)
    wrong = (f"{number} {noun}" for number, noun in _counted(fact) if number not in said.get(noun, {number}))
    return next(wrong, "")


def misplaced(fact: str, text: str) -> str:
    """The first number of the fact where what it is said of stands in the text with another, else empty.

    "My brother is 12 and my sister is 15" makes no brother of 15.
    """
    fact, text = (with_digits(unicodedata.normalize("NFKC", each)) for each in (fact, text))
    said = [(part, _NUMBER.findall(part)) for part in _PART.split(text, _MAX_PARTS)]
    wrong = (number for part in _PART.split(fact)[:_MAX_NUMBERED] for number in _elsewhere(part, said))
    return next(wrong, "")


def _elsewhere(part: str, said: list[tuple[str, list[str]]]) -> Iterator[str]:
    """The numbers of a part of the fact that are in none of the parts of the text with most of its words."""
    numbers = _NUMBER.findall(part)
    if not numbers:
        return
    shares = [(coverage(_NUMBER.sub(" ", part), words), has) for words, has in said]
    best = max(share for share, _ in shares)
    there = [has for share, has in shares if share == best > 0 and has]
    if there:
        yield from (number for number in numbers if not any(number in has for has in there))


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
