"""Under which key a fact is known (seed 002 3.3): one made of its words, or one that somebody chose.

One fact of a scope and level is in use under a key. Another version under a chosen one waits under a key of
its own, which nobody can choose, until it takes the other's place.
"""

import hashlib
import unicodedata
from functools import lru_cache

from ..text_analysis.seen import seen_line

MAX_KEY = 128
_WAITS = "\n"
"""Divides the key that is waited for from the digest of the text that waits."""


@lru_cache(maxsize=512)  # a fact is compared with many others
def normal_words(text: str) -> str:
    """Lower case, full width made plain, punctuation out, one space between words; may be empty."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    folded = unicodedata.normalize("NFKC", plain)
    kept = (char if unicodedata.category(char)[0] in "LNM" else " " for char in folded)
    return " ".join("".join(kept).split())


def key_of(text: str) -> str:
    """The key of any text: its normal words, at most `MAX_KEY` characters, never empty.

    A longer text ends in a digest of the whole; one without words ("👍") is its digest.
    """
    words = normal_words(text)
    if not words:
        return _digest(text)
    if len(words) <= MAX_KEY:
        return words
    digest = _digest(words)
    return f"{words[: MAX_KEY - len(digest) - 1].rstrip()} {digest}"


def keys_of_fact(fact: str, proposed: str) -> tuple[str, ...]:
    """The keys a fact may be known under, the best first: the proposed, its own words, its own digest."""
    own = key_of(fact)
    keys = [key_of(proposed)] if normal_words(proposed) else []
    return tuple(dict.fromkeys([*keys, own, _digest(normal_words(fact) or fact)]))


def tells_more(fact_key: str, fact: str, *, proposed: str = "") -> bool:
    """Whether this key holds other words than the fact, and than the key that is proposed for it."""
    return key_of(fact_key) not in keys_of_fact(fact, proposed)


def same_words(fact: str, other: str) -> bool:
    """Whether two facts differ in nothing but case, width, punctuation and spaces."""
    return (normal_words(fact) or fact) == (normal_words(other) or other)


def chosen_key(text: str) -> str:
    """The key as it is kept, on one line; no key when it is empty or longer than `MAX_KEY`."""
    return unicodedata.normalize("NFC", seen_line(text[: MAX_KEY * 8]))


def is_chosen(fact_key: str) -> bool:
    """Whether no fact's words make this key, so that somebody must have chosen it."""
    return key_of(fact_key) != fact_key


def waiting_key(key: str, text: str) -> str:
    """The key of a version with this text that waits while another is in use."""
    return f"{key}{_WAITS}{_digest(text)}"


def waits(fact_key: str) -> bool:
    """Whether this is the key of a version that waits."""
    return _WAITS in fact_key


def shown_key(fact_key: str) -> str:
    """The key that was chosen, whether its version waits or not."""
    return fact_key.partition(_WAITS)[0]


def waiting_prefix(key: str) -> str:
    """How the keys begin of all that waits for this one."""
    return f"{key}{_WAITS}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
