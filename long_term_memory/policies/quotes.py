"""Finding a quote in what was really said (design 5.3)."""

import re
import unicodedata

MAX_QUOTE = 500
"""Characters of evidence kept with an item."""
MAX_AROUND = 250
"""Characters that are shown on either side of a quote."""

_BETWEEN = re.compile(r"[\W_]+")


def locate(quote: str, text: str) -> str | None:
    """The words of `text` that `quote` stands for, verbatim from `text`; None when they are not there.

    Exactly, else without regard to case, width, punctuation and spaces. A quote does not begin or end inside
    a Latin word or a number.
    """
    span = find(quote, text)
    return text[span[0] : span[1]] if span else None


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where `locate` finds it."""
    quote = quote.strip()
    if not quote:
        return None
    return _find_whole(quote, text) or _find_normal(quote, text)


def is_telling(quote: str, text: str) -> bool:
    """Whether a quote says something: two words, three Chinese characters, or the whole message."""
    letters = _letters(quote)
    han = sum(not c.isascii() and c.isalpha() for c in letters)
    return len(re.findall(r"\w+", quote)) - (1 if han else 0) >= 2 or han >= 3 or letters == _letters(text)


def bounded(text: str) -> str:
    """The beginning of a text, as evidence."""
    return text.strip()[:MAX_QUOTE]


def surroundings(quote: str, text: str) -> tuple[str, str]:
    """What stands before and after a quote in its message; empty where it is not found there.

    At most `MAX_AROUND` characters each, with "…" where there is more.
    """
    span = find(quote, text)
    if span is None:
        return "", ""
    before, after = text[: span[0]].lstrip(), text[span[1] :].rstrip()
    if len(before) > MAX_AROUND:
        before = f"…{before[-MAX_AROUND:]}"
    if len(after) > MAX_AROUND:
        after = f"{after[:MAX_AROUND]}…"
    return before, after


def _find_whole(quote: str, text: str) -> tuple[int, int] | None:
    start = text.find(quote)
    while start >= 0:
        if _stands_alone(text, start, start + len(quote)):
            return start, start + len(quote)
        start = text.find(quote, start + 1)
    return None


def _find_normal(quote: str, text: str) -> tuple[int, int] | None:
    wanted = _letters(quote)
    if not wanted:
        return None
    if wanted not in _letters(text):
        return None
    folded = [(c, i) for i, char in enumerate(text) for c in _letters(char)]
    plain = "".join(char for char, _ in folded)
    at = plain.find(wanted)
    while at >= 0:
        start, end = folded[at][1], folded[at + len(wanted) - 1][1] + 1
        if _stands_alone(text, start, end):
            return start, end
        at = plain.find(wanted, at + 1)
    return None


def _letters(text: str) -> str:
    """Letters and digits alone, taken apart so that each character of a text gives its own."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return _BETWEEN.sub("", folded)


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (_joined(text[start - 1 : start + 1] if start else "") or _joined(text[end - 1 : end + 1]))


def _joined(pair: str) -> bool:
    return len(pair) == 2 and all(c.isascii() and c.isalnum() for c in pair)
