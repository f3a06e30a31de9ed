"""Masking: each secret of a text gives way to a mark that says what kind it was (design 4).

Secrets are found in two ways. `shapes` knows those that speak for themselves, such as keys with a known
beginning and numbers whose check digit holds; `labels` those that the words around them betray, such as
"my wifi password is ..." or 验证码：....
"""

import re

from .found import Found, Kind
from .labels import labelled
from .shapes import shaped

_MARK = re.compile(rf"\[secret:(?:{'|'.join(Kind)})\]")
_MAX_PASSES = 5
"""A text that shows ever new secrets as others are masked was made to do so: none of it is kept."""
_BLANK = "\0"
"""Stands for each character of a mark while secrets are looked for: no pattern of a secret takes it in."""
_WIDE = re.compile(r"[\uff10-\uff1a\uff1d\uff21-\uff3a\uff41-\uff5a]+")
"""Full-width digits, letters, colon and equals sign."""
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF10, 0xFF5B)}


def mask(text: str) -> str:
    """The text with a mark like `[secret:password]` in the place of each secret, the rest as it was.

    Masking twice is masking once, and marks that are there already stay. The time is linear in the length
    of the text: every pattern begins at a fixed point and looks a bounded way from there, or takes a run of
    characters that it never gives back.
    """
    for _ in range(_MAX_PASSES):
        found = _found(text)
        if not found:
            return text
        text = _marked(text, found)
    return _mark(Kind.PASSWORD)


def _found(text: str) -> list[Found]:
    """The secrets of a text in order, none overlapping; of those that do, the longest names the kind."""
    blanked = _MARK.sub(lambda mark: _BLANK * len(mark.group()), text)
    plain = _WIDE.sub(lambda wide: wide.group().translate(_NARROW), blanked)
    merged: list[Found] = []
    for found in sorted({*shaped(plain), *labelled(plain)}):
        if merged and found.start < merged[-1].end:
            last = merged.pop()
            longest = max(last, found, key=lambda each: each.end - each.start)
            found = Found(last.start, max(last.end, found.end), longest.kind)  # noqa: PLW2901 - grown by the last
        merged.append(found)
    return merged


def _marked(text: str, found: list[Found]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, kind in found:
        parts += (text[at:start], _mark(kind))
        at = end
    return "".join((*parts, text[at:]))


def _mark(kind: Kind) -> str:
    return f"[secret:{kind}]"
