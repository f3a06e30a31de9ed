"""A plain yes, in the languages people chat in most."""

import re

from .word_forms import normal_words
from .word_tables import word_table

_TABLE = word_table(__file__)
_YES = re.compile(rf"(?:(?:{'|'.join(_TABLE.words('words'))})\b|{_TABLE.pattern('phrases')})")
_BUT = frozenset(_TABLE.words("but"))
_TAKEN_BACK = re.compile("但|不(?!错|錯)|别|別|没(?!错|问题)|等等|[?？]")
_MAX_YES_WORDS = 6
"""A longer message says more than yes and may take the yes back."""


def is_plain_yes(text: str) -> bool:
    """Whether a short message begins with a word of agreement and retracts nothing."""
    words = normal_words(re.sub("[，。！、]", " ", text)).split()
    short = 0 < len(words) <= _MAX_YES_WORDS and _BUT.isdisjoint(words)
    return short and bool(_YES.match(" ".join(words))) and not _TAKEN_BACK.search(text)
