"""Keys of facts: made of the fact's words, or chosen by somebody.

A scope and level has one fact in use per key. Another version for a chosen key waits under a waiting key,
which nobody can choose, until it supersedes the first.
"""

import hashlib
import unicodedata

from ..text_analysis.sanitize import seen_line
from ..text_analysis.word_forms import normal_words

MAX_KEY = 128
_WAITS = "\n"
"""Separates a key from the digest of the text that waits for it."""


def key_of(text: str) -> str:
    """The normal words of a text, at most `MAX_KEY` characters; ends in a digest where that cuts.

    A text without words ("👍") has its digest as key.
    """
    words = normal_words(text)
    if len(words) <= MAX_KEY:
        return words or _digest(text)
    digest = _digest(words)
    return f"{words[: MAX_KEY - len(digest) - 1].rstrip()} {digest}"


def keys_of_fact(fact: str, proposed: str) -> tuple[str, ...]:
    """The possible keys of a fact, the best first: the proposed one, its words, its digest."""
    own = key_of(fact)
    keys = [key_of(proposed)] if normal_words(proposed) else []
    return tuple(dict.fromkeys([*keys, own, _digest(normal_words(fact) or fact)]))


def tells_more(fact_key: str, fact: str, *, proposed: str) -> bool:
    """Whether the key has other words than the fact and its proposed key."""
    return key_of(fact_key) not in keys_of_fact(fact, proposed)


def chosen_key(text: str) -> str:
    """A key as it is stored; invalid when empty or longer than `MAX_KEY`."""
    return unicodedata.normalize("NFC", seen_line(text[: MAX_KEY * 8]))


def is_chosen(fact_key: str) -> bool:
    """Whether somebody chose this key: no fact's words make it."""
    return key_of(fact_key) != fact_key


def waiting_key(key: str, text: str) -> str:
    """The waiting key of a version with this text."""
    return f"{key}{_WAITS}{_digest(text)}"


def waits(fact_key: str) -> bool:
    """Whether this is a waiting key."""
    return _WAITS in fact_key


def shown_key(fact_key: str) -> str:
    """The chosen key, of a waiting key too."""
    return fact_key.partition(_WAITS)[0]


def waiting_prefix(key: str) -> str:
    """The common prefix of the waiting keys of a key."""
    return f"{key}{_WAITS}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
