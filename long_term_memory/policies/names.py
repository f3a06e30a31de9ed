"""Names as people give them to themselves: shown, never obeyed, and never longer than a name."""

from .seen import seen_line

MAX_NAME = 64
"""Characters kept of a name."""


def plain_name(name: str) -> str:
    """The name on one line, without characters that show nothing or turn the text around, and cut."""
    line = seen_line(name[: MAX_NAME * 8])
    return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"
