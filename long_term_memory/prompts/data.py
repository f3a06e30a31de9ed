"""What others wrote, on a line of a prompt: it neither ends its fence nor passes for another line."""

from .look_alikes import INVISIBLE, TO_QUOTES, TO_ROUND, disarmed

_HARMLESS = {**TO_QUOTES, **TO_ROUND, ord("`"): "'"}
_NOTHING = dict.fromkeys(INVISIBLE)


def one_line(text: str, limit: int) -> str:
    """The text on one line, bounded, without characters that are invisible or make up marks.

    What was cut off is told by an ellipsis.
    """
    text = disarmed(text[: 2 * limit], _visible, lambda visible: visible.translate(_HARMLESS))
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def visible_line(text: str) -> str:
    """The text on one line, without what cannot be seen."""
    return " ".join(_visible(text).split())


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text.translate(_NOTHING))
