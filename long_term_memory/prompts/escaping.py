"""Escaping of text from others in prompts and blocks: it can neither end its fence nor forge a line.

A model may take a look-alike for a mark, so the tables list homoglyphs and invisible characters, and HTML
entities are decoded before the check.
"""

import html
import re
from collections.abc import Callable

OPENING = "[［【〔〖〘〚⟦⟬❲﹇﹝⁅⌈⌊⎡⎣⦋⦍⦏⦗︗︹︻⸢⸤"
CLOSING = "]］】〕〗〙〛⟧⟭❳﹈﹞⁆⌉⌋⎤⎦⦌⦎⦐⦘︘︺︼⸣⸥"
"""Brackets that look square, or that stand where a square one would."""
OPENING_ROUND = "(（﹙⁽₍❨❪⦅⸨｟︵"
CLOSING_ROUND = ")）﹚⁾₎❩❫⦆⸩｠︶"
TO_ROUND = str.maketrans({**dict.fromkeys(OPENING, "("), **dict.fromkeys(CLOSING, ")")})
TO_QUOTES = str.maketrans({**dict.fromkeys("<＜﹤≪≺⋘˂", "‹"), **dict.fromkeys(">＞﹥≫≻⋙˃", "›")})
"""Angles as marks that quote."""

INVISIBLE = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE1000),
    ]
)
"""Characters that show nothing and are in no category of their own."""

LATIN = str.maketrans(
    "аАαΑвВΒсСϲԁеЕεΕɛƐғɡһНΗіІιΙıјЈкКκΚӏмМΜϺпηοοоОΟσ0рРρΡԛгѕЅтТτΤυսѵνԝωхХχΧуУγΥᑎᗪ",
    "aAaAbBBcCcdeEeEeEfghHHiIiIijJkKkKlmMMMnnoooOOoopPpPqrsStTtTuuvvwwxXxXyYyYND",
)
"""Letters that look like a Latin one, one for one; and the digit that does so in "mem0ry"."""

_HARMLESS = {**TO_QUOTES, **TO_ROUND, ord("`"): "'"}
_NOTHING = dict.fromkeys(INVISIBLE)
_MOST_ESCAPED = 4
_AMPERSANDS = re.compile(r"&(?:amp;)+", re.IGNORECASE)


def one_line(text: str, limit: int) -> str:
    """The text on one line, cut with an ellipsis, without characters that are invisible or make up marks."""
    text = disarmed(text[: 2 * limit], _visible, lambda visible: visible.translate(_HARMLESS))
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def visible_line(text: str) -> str:
    """The text on one line, without what cannot be seen."""
    return " ".join(_visible(text).split())


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text.translate(_NOTHING))


def disarmed(text: str, visible: Callable[[str], str], harmless: Callable[[str], str]) -> str:
    """The text with what is invisible gone and marks made harmless, in both ways by the caller's rules.

    It stays harmless to whoever undoes what HTML writes for a mark. An entity that makes none is left alone:
    addresses are full of what looks like one.
    """
    text = harmless(visible(text))
    if "&" not in text:
        return text
    bare = visible(unescaped(text))
    again = harmless(bare)
    return text if again == bare else again


def unescaped(text: str) -> str:
    """The text without the entities of HTML, a few layers deep; what is still one then loses its `&`."""
    text = _AMPERSANDS.sub("&", text)
    for _ in range(_MOST_ESCAPED):
        text, before = html.unescape(text), text
        if text == before:
            return text
    return text.replace("&", " ")
