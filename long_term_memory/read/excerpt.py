"""The passage of a long text that has most of what is looked for."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from ..text_analysis.word_forms import simplified

MAX_EXCERPT = 600
"""Characters."""

_BEFORE = 60
"""So much stands before the first word that was found."""
_PLACES = 50
"""Of each word so many places are looked at, the first ones."""


def excerpt(text: str, terms: Sequence[str], *, most: int = MAX_EXCERPT) -> str:
    """At most so many characters of the text (more than 62), with "…" at the ends where it goes on.

    `terms` are as an index holds them (`text_analysis/terms.py`): a stem is found wherever it stands.
    """
    text, room = text.strip(), most - 2
    if len(text) <= most:
        return text
    start = _start(text, terms, room)
    part = text[start : start + room].strip()
    return f"{'…' if start else ''}{part}{'…' if start + room < len(text) else ''}"


def _start(text: str, terms: Sequence[str], room: int) -> int:
    """Where the passage begins that has most of the terms: the first of several such."""
    lower = text.lower()
    folded = simplified(lower if len(lower) == len(text) else text)  # places in one are places in the other
    found = sorted(
        (place, term)
        for term in {each.lower() for each in terms}
        for place in islice(_places(folded, term), _PLACES)
    )
    held = Counter[str]()
    start, best, ahead = 0, 0, iter([*found, (len(text) + room, "")])
    following = next(ahead)
    for place, term in found:
        while following[0] < place + room - _BEFORE:
            held[following[1]] += 1
            following = next(ahead)
        if len(held) > best:
            start, best = place, len(held)
        held[term] -= 1
        held += Counter()  # drops what has no place left
    return max(0, min(start - _BEFORE, len(text) - room))


def _places(text: str, term: str) -> Iterator[int]:
    place = text.find(term)
    while place >= 0:
        yield place
        place = text.find(term, place + 1)
