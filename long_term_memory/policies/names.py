"""Names as people give them to themselves: shown, never obeyed, and never longer than a name."""

import unicodedata

MAX_NAME = 64
"""Characters kept of a name."""
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of control, bidi, zero-width, private and line-breaking characters."""


def plain_name(name: str) -> str:
    """The name on one line, without characters that show nothing or turn the text around, and cut."""
    seen = (" " if char.isspace() else char for char in name[: MAX_NAME * 8] if _is_seen(char))
    line = " ".join("".join(seen).split())
    return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"


def _is_seen(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) not in _UNSEEN
