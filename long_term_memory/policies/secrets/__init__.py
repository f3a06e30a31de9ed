"""Masking: each secret of a text gives way to a mark that says what kind it was (design 4).

`shapes` knows secrets that speak for themselves, `labels` those that the words around them betray, such as
"my wifi password is ..." or 验证码：..., `answers` those that the messages before ask for or tell.
"""

import re
from collections.abc import Mapping, Sequence

from .answers import Wanted, answered, repeated, wanted
from .labels import labelled
from .shapes import shaped
from .values import Found, Kind

_MARK = re.compile(rf"\[secret:(?:{'|'.join(Kind)})\]")
_MAX_PASSES = 5
"""A text that shows ever new secrets as others are masked was made to do so: none of it is kept."""
_MOST_ASKED = 1_000
"""So many characters from the end of the messages before."""
_MOST_KNOWN = 8
"""So many secrets of theirs are looked for again."""
_BLANK = "\0"
"""Stands for each character of a mark while secrets are looked for: no pattern of a secret takes it in."""
_WIDE = re.compile(r"[\uff10-\uff1a\uff1d\uff21-\uff3a\uff41-\uff5a]+")
"""Full-width digits, letters, colon and equals sign."""
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF10, 0xFF5B)}


CUT = " […]"
"""How a text ends that was longer."""
_MORE_MASKED = 1_000
_EDGE = 200
"""Longer than what a secret can be that its first half does not give away."""


def mask(text: str, asked: str = "") -> str:
    """The text with a mark like `[secret:password]` in the place of each secret, the rest as it was.

    `asked` are the messages before, which the text may answer or read back, the latest last and each on lines
    of its own. A secret that stands there unmasked is masked again here; of a masked one the kind is known.

    Masking twice is masking once. The time is linear in the length of the text: every pattern looks a bounded
    way from where it begins, or takes a run of characters that it never gives back.
    """
    before = asked[-_MOST_ASKED:]
    told = _found(before, wanted(before), {}) if before else []
    known = {before[each.start : each.end]: each.kind for each in told[:_MOST_KNOWN]}
    known = {value: kind for value, kind in known.items() if len(value) > 5 or not value.isalpha()}
    row = wanted(_marked(before, told))
    for _ in range(_MAX_PASSES):
        found = _found(text, row, known)
        if not found:
            return text
        text = _marked(text, found)
    return f"[secret:{Kind.PASSWORD}]"


def bounded(text: str, most: int, asked: str = "") -> str:
    """The text as it can be stored: without halves of characters, which no store takes, masked, and cut.

    Masked before it is cut, so that no part of a secret is left at the end. `mask` says what `asked` is.
    """
    plain = text.encode("utf-8", "replace").decode().replace("\0", "").strip()
    masked = mask(plain[: most + _MORE_MASKED], asked)
    if len(plain) > most + _MORE_MASKED:
        masked = masked[:-_EDGE]
    elif len(masked) <= most:
        return masked
    return masked[: most - len(CUT)] + CUT


def _found(text: str, row: Sequence[Wanted], known: Mapping[str, Kind]) -> list[Found]:
    """The secrets of a text in order, none overlapping; of those that do, the longest names the kind."""
    blanked = _MARK.sub(lambda mark: _BLANK * len(mark.group()), text)
    plain = _WIDE.sub(lambda wide: wide.group().translate(_NARROW), blanked)
    merged: list[Found] = []
    for found in sorted({*shaped(plain), *labelled(plain), *answered(plain, row), *repeated(plain, known)}):
        if merged and found.start < merged[-1].end:
            last = merged.pop()
            longest = max(last, found, key=lambda each: each.end - each.start)
            found = Found(last.start, max(last.end, found.end), longest.kind)  # noqa: PLW2901 - grown by the last
        merged.append(found)
    return merged


def _marked(text: str, found: Sequence[Found]) -> str:
    for start, end, kind in reversed(found):
        text = f"{text[:start]}[secret:{kind}]{text[end:]}"
    return text
