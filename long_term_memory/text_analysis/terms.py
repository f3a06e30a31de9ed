"""Text cut into the terms that the full-text index holds: words, and bigrams of scripts without spaces."""

import re
import unicodedata
from collections.abc import Iterator

from .stems import stem
from .synonyms import chinese_in_one_form, one_form
from .traditional import simplified

_RUN = re.compile(
    # Han with its extensions, kana, Hangul: no spaces between words, or endings glued to them.
    r"(?P<dense>[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)"
    r"|(?P<word>[^\W_\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)"
)
_DAY = re.compile(r"(?<![\d.-])([12]\d{3})[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)")
_LETTER = r"[A-Za-z0-9_\u00c0-\u024f]"
_NAME = re.compile(
    rf"(?:Will|Don(?!['’]?[Tt]\b)|Hope|April|May|June|August|Go|[CR](?![+#&]))(?!{_LETTER})|[A-Za-z](?:\+\+|#)"
)
_IN_A_WORD = re.compile(_LETTER)
_LONGEST_WORD = 64
_STOP_WORDS = frozenset(
    """
    a about after again all also am an and any are as at be because been before being but by can
    could d did do does doing don down during each few for from further had has have having he her
    here hers him his how i if in into is isn it its just ll m me more most my no nor not now of off
    on once only or other our out over own re s same she should so some such t than that the their
    them then there these they this those through to too under until up ve very was we were what
    when where which while who whom why will with would you your yours
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)


def terms(text: str) -> Iterator[str]:
    """Lower-case words and bigrams in the order of the text; a lone character stands for itself.

    Stemming is left to the index, which does the same to text and query.
    """
    for run in _RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        found = run.group()
        if run.lastgroup == "word":
            yield found[:_LONGEST_WORD]
        elif len(found) == 1:
            yield found
        else:
            yield from (found[at : at + 2] for at in range(len(found) - 1))


def index_terms(text: str) -> Iterator[str]:
    """What an index in memory holds of a text: stems of words that mean something, and bigrams, in order.

    Beside its bigrams each character of a script without spaces stands for itself too, since a question may
    name 猫 alone; and a day that is written with its year is one term as well, in whatever form. So is a
    name that is another word in small letters (`names`); relatives have one form. The terms of a question are
    chosen from these (`read/query_terms.py`).
    """
    yield from _days(text)
    yield from (name for name, _ in names(text))
    for run in _RUN.finditer(chinese_in_one_form(simplified(unicodedata.normalize("NFKC", text).casefold()))):
        found = run.group()
        if run.lastgroup == "dense":
            yield from found
            yield from (found[at : at + 2] for at in range(len(found) - 1))
        elif found not in _STOP_WORDS:
            yield stem(one_form(found[:_LONGEST_WORD]))


def names(text: str) -> Iterator[tuple[str, int]]:
    """Names of people and languages by a capital or a sign alone, and their places: "Will", "Go", "C++"."""
    for found in _NAME.finditer(text):
        start = found.start()
        if start == 0 or not _IN_A_WORD.match(text[start - 1]):
            yield found.group()[0].upper() + found.group()[1:], start


def _days(text: str) -> Iterator[str]:
    return (f"{day[1]}-{int(day[2]):02}-{int(day[3]):02}" for day in _DAY.finditer(text))


def without_stop_words(found: list[str]) -> list[str]:
    """The terms that carry meaning; all of them when none does."""
    return [term for term in found if term not in _STOP_WORDS] or found
