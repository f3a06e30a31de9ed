"""Text as somebody sees it: on one line, without characters that show nothing or turn it around."""

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of control, bidi, zero-width, private, lone surrogate and line-breaking characters."""


def seen_line(text: str) -> str:
    """The text on one line; empty where there is nothing to be seen."""
    seen = (" " if char.isspace() else char for char in text if _is_seen(char))
    return " ".join("".join(seen).split())


def _is_seen(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) not in _UNSEEN
