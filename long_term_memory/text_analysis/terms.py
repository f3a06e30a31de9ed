"""Text cut into the terms that an index holds, and into the words that carry content."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice, pairwise

from .word_forms import chinese_in_one_form, in_both_scripts, one_form, simplified, stem, synonyms
from .word_tables import word_table

# Ranges of characters, for the class of a pattern; Han with its extensions.
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA, HANGUL = r"\u3040-\u30ff", r"\uac00-\ud7af"
# No spaces between words, or endings glued to them.
DENSE = rf"\u3005-\u3007{KANA}{HAN}{HANGUL}"
A_HAN, A_DENSE = re.compile(f"[{HAN}]"), re.compile(f"[{DENSE}]")
_RUN = re.compile(rf"(?P<dense>[{DENSE}]+)|[^\W_{DENSE}]+")
_DAY = re.compile(r"(?<![\d.-])([12]\d{3})[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)")
_LETTER = r"[A-Za-z0-9_\u00c0-\u024f]"
_NAME = re.compile(
    rf"(?:Will|Don(?!['’]?[Tt]\b)|Hope|April|May|June|August|Go|[CR](?![+#&]))(?!{_LETTER})|[A-Za-z](?:\+\+|#)"
)
_IN_A_WORD = re.compile(_LETTER)
_LONGEST_WORD = 64
MAX_WORDS = 64

_TABLE = word_table(__file__)
_STOP_WORDS = frozenset(_TABLE.words("stop_words"))
_SERVING = frozenset(_TABLE.words("serving"))
_SERVING_OF = [
    frozenset(map(str.casefold, _TABLE.table("serving_of").words(each)))
    for each in _TABLE.table("serving_of")
]
"""The same of other languages."""
_ENGLISH_TOO = frozenset(_TABLE.words("english_too"))
"""Words of these that are English as well, and tell no language."""
_NOT_LIKING = _TABLE.compiled("not_liking")
WEAK_ALONE = frozenset(in_both_scripts(_TABLE.text("weak_alone")))
"""Characters that mean little once the words around them are gone."""
_CUT = sorted({*in_both_scripts(" ".join(_TABLE.words("serving_zh")) + " ").split()}, key=len, reverse=True)
_CHINESE = re.compile(f"(?P<kept>{_TABLE.text('kept_zh')})|{'|'.join(_CUT)}")  # the longer ones stand first


def terms(text: str) -> Iterator[str]:
    """Lower-case words and bigrams in the order of the text; a lone character stands for itself.

    Stemming is left to the index, which does the same to text and query.
    """
    for run in _RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        found = run.group()
        if not run["dense"]:
            yield found[:_LONGEST_WORD]
        else:
            yield from [found[at : at + 2] for at in range(len(found) - 1)] or [found]


def index_terms(text: str) -> Iterator[str]:
    """What an index in memory holds of a text: stems of words that mean something, and bigrams, in order.

    Beside its bigrams each character of a script without spaces stands for itself too, since a question may
    name 猫 alone; and a day that is written with its year is one term as well, in whatever form. So is a
    name that is another word in small letters (`names`); relatives have one form. The terms of a question are
    chosen from these (`read/query_terms.py`).
    """
    yield from (f"{day[1]}{int(day[2]):02}{int(day[3]):02}" for day in _DAY.finditer(text))
    yield from (name for name, _ in names(text))
    for run in _RUN.finditer(chinese_in_one_form(simplified(unicodedata.normalize("NFKC", text).casefold()))):
        found = run.group()
        if run["dense"]:
            yield from found
            yield from (found[at : at + 2] for at in range(len(found) - 1))
            yield from synonyms(found)
        elif found not in _STOP_WORDS:
            yield stem(one_form(found[:_LONGEST_WORD]))


@lru_cache(maxsize=8_192)  # the same facts come up in many requests
def indexed_terms(text: str) -> frozenset[str]:
    """The `index_terms` of a text in no order."""
    return frozenset(index_terms(text))


def names(text: str) -> Iterator[tuple[str, int]]:
    """Names of people and languages by a capital or a sign alone, and their places: "Will", "Go", "C++"."""
    for found in _NAME.finditer(text):
        start = found.start()
        if start == 0 or not _IN_A_WORD.match(text[start - 1]):
            yield found.group()[0].upper() + found.group()[1:], start


def without_stop_words(found: list[str]) -> list[str]:
    """The terms that carry meaning; all of them when none does."""
    return [term for term in found if term not in _STOP_WORDS] or found


@lru_cache(maxsize=512)  # a fact is compared with many others
def content_words(text: str) -> tuple[str, ...]:
    """List the words that carry content, in order, each once, at most `MAX_WORDS`.

    Words of scripts without spaces come as pairs of neighbouring characters, a lone character as itself.
    """
    parts = (_pairs(part) if dense else [part] for part, dense in content_parts(text))
    return tuple(islice(dict.fromkeys(chain.from_iterable(parts)), MAX_WORDS))


def content_parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text's words in one case without those that only serve a question, in order.

    Of scripts without spaces it gives what stands between such words, marked true; never a lone letter.
    """
    runs = [*_RUN.finditer(_NOT_LIKING.sub(r"\1 ", unicodedata.normalize("NFKC", text)).casefold())]
    serving = _serving(frozenset(run.group() for run in runs))
    for run in runs:
        found = run.group()
        if run["dense"]:
            parts = _CHINESE.sub(lambda word: word["kept"] or " ", found).split()
            yield from ((part, True) for part in parts)
        elif found not in serving and not (len(found) == 1 and found.isalpha()):
            yield found, False


def _serving(words: frozenset[str]) -> frozenset[str]:
    """Which words only serve a question: English ones, unless at least two and most are of one other."""
    telling = words - _ENGLISH_TOO
    other = max(_SERVING_OF, key=lambda each: len(telling & each))
    return other if len(telling & other) > max(1, len(words & _SERVING)) else _SERVING


def _pairs(part: str) -> list[str]:
    if len(part) > 1:
        return [first + second for first, second in pairwise(part)]
    return [] if part in WEAK_ALONE else [part]
