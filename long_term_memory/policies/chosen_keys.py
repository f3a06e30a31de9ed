"""Keys that somebody chose for a fact, such as `user-name`, beside those that `keys` makes of its words.

One fact of a scope and level is in use under a key. Another version of it that has to wait is known under a
key of its own, which nobody can choose, until it takes the other's place.
"""

import hashlib
import unicodedata

from .keys import MAX_KEY, key_of
from .seen import seen_line

_WAITS = "\n"
"""Divides the key that is waited for from the digest of the text that waits."""


def chosen_key(text: str) -> str:
    """The key as it is kept: composed, on one line, without characters that show nothing.

    May be empty or longer than `MAX_KEY`, and then is no key.
    """
    return unicodedata.normalize("NFC", seen_line(text[: MAX_KEY * 8]))


def is_chosen(fact_key: str) -> bool:
    """Whether no fact's words make this key, so that somebody must have chosen it."""
    return key_of(fact_key) != fact_key


def waiting_key(key: str, text: str) -> str:
    """The key of a version with this text that waits while another is in use."""
    return f"{key}{_WAITS}{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def waits(fact_key: str) -> bool:
    """Whether this is the key of a version that waits."""
    return _WAITS in fact_key


def shown_key(fact_key: str) -> str:
    """The key that was chosen, whether its version waits or not."""
    return fact_key.partition(_WAITS)[0]


def waiting_prefix(key: str) -> str:
    """How the keys begin of all that waits for this one."""
    return f"{key}{_WAITS}"
