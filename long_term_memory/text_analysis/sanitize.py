"""Text as somebody sees it: on one line, without characters that show nothing or turn it around."""

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of control, bidi, zero-width, private, lone surrogate and line-breaking characters."""
MAX_NAME = 64
"""Characters kept of a name."""


def seen_line(text: str) -> str:
    """The text on one line; empty where there is nothing to be seen."""
    seen = (char for char in text if char.isspace() or unicodedata.category(char) not in _UNSEEN)
    return " ".join("".join(seen).split())


def plain_name(name: str) -> str:
    """The name on one line, without characters that show nothing or turn the text around, and cut."""
    line = seen_line(name[: MAX_NAME * 8])
    return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"
