"""Text as a careless reader takes it: what looks like a mark is one, whatever it is made of.

It knows nothing of how the product guards its marks, and is wider than that on purpose: widths, letters that
look alike, what cannot be seen, entities of HTML, brackets of every shape.
"""

import html
import re
import unicodedata
from collections.abc import Mapping
from functools import cache

_LOOK_ALIKE: Mapping[str, str] = {
    letter: plain
    for plain, letters in {
        "a": "аɑαᎪ",
        "b": "вЬᏴβ",
        "c": "сϲᏟ",
        "d": "ԁᎠ",
        "e": "еєεɛΕƐᎬ",
        "f": "ϝ",
        "g": "ɡ",
        "h": "һнᎻ",
        "i": "іιıᎥ",
        "j": "ј",
        "k": "кκᏦ",
        "l": "ӏⅼᏞ",
        "m": "мϻᎷ",
        "n": "пηռᑎ",
        "o": "оοσ0օᎾ",
        "p": "рρᏢ",
        "q": "ԛ",
        "r": "гᎡ",
        "s": "ѕᏚ",
        "t": "тτᎢ",
        "u": "υսц",
        "v": "ѵν",
        "w": "ԝωѡᎳ",
        "x": "хχ",
        "y": "уγүᎩ",
        "z": "ᏃΖ",
    }.items()
    for letter in letters
}
_SQUARE = ("SQUARE BRACKET", "LENTICULAR BRACKET", "TORTOISE SHELL BRACKET", "CEILING", "FLOOR", "WITH QUILL")
_ROUND = ("PARENTHESIS",)
_ANGLES = {"<": "≪≺﹤＜˂", ">": "≫≻﹥＞˃", "<<<": "⋘", ">>>": "⋙"}
_SHOW_NOTHING = frozenset(
    chr(code)
    for code in (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE1000),
    )
)
UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Categories of what cannot be seen, turns text around or begins a line."""

_TAGS = {
    *("longtermmemory", "endmemory", "长期记忆", "记忆结束", "长期记忆结束"),
    *("profile", "preference", "taskstate", "constraint", "episode"),
    *("system", "user", "assistant", "inst"),
}
_BRACKETED = re.compile(r"\[([^\[\]]{0,60})\]")
_MEMORY = re.compile(r"\[\W*(?:long\W*term\W*memory|end\W*memory)|(?:long\W*term\W*memory|end\W*memory)\W*\]")
_CONFIDENCE = re.compile(r"\(\W*confidence\W{0,3}[\do]")
_NOTE = re.compile(r"\W*\(\W*(?:about|agreed|said by)\b")
_TEMPLATE = re.compile(r"<\s?\||\|\s?>|<</?sys>>|</?system_reminder>")
_FENCE = re.compile(r"<\s?<\s?<|>\s?>\s?>")
_LABEL = re.compile(r"\[\W{0,3}[kf]?[\do]{1,3}\W{0,3}\]")


def shows_nothing(char: str) -> bool:
    """Whether there is nothing to be seen of it, or it is no character at all."""
    return char in _SHOW_NOTHING or unicodedata.category(char) in UNSEEN


def seen(line: str) -> str:
    """One line as it is taken: small plain letters, plain brackets, nothing that cannot be seen."""
    line = html.unescape(line)
    plain = unicodedata.normalize("NFKD", "".join(char for char in line if not shows_nothing(char)))
    bare = (char for char in plain if not unicodedata.category(char).startswith("M"))
    return "".join(map(_taken, "".join(bare).casefold()))


@cache
def _taken(char: str) -> str:
    if char.isspace() or char == "\N{LOWER ONE EIGHTH BLOCK}":
        return " "
    for plain, angles in _ANGLES.items():
        if char in angles:
            return plain
    return _brackets().get(char) or _LOOK_ALIKE.get(char, char)


@cache
def _brackets() -> Mapping[str, str]:
    """Every bracket that looks like a square or a round one, with the plain one."""
    found: dict[str, str] = {}
    for char in map(chr, range(0x10000)):
        name = unicodedata.name(char, "") if unicodedata.category(char) in {"Ps", "Pe", "Sm", "So"} else ""
        side = "LEFT" in name.split(), "RIGHT" in name.split()
        if side.count(True) != 1:
            continue
        if any(kind in name for kind in _SQUARE):
            found[char] = "[" if side[0] else "]"
        elif any(kind in name for kind in _ROUND):
            found[char] = "(" if side[0] else ")"
    return found


def block_marks(text: str) -> list[str]:
    """What looks like head or tail, a type or a role in brackets, a note of confidence, a template."""
    line = seen(text)
    tags = [inside for inside in _BRACKETED.findall(line) if _letters(inside) in _TAGS]
    return [*tags, *_MEMORY.findall(line), *_CONFIDENCE.findall(line), *_TEMPLATE.findall(line)]


def begins_with_note(text: str) -> bool:
    """Whether it begins as a line does that is about somebody else, or was agreed to."""
    return _NOTE.match(seen(text)) is not None


def prompt_marks(text: str) -> list[str]:
    """What looks like a fence or like the label of a message."""
    line = seen(text)
    return [*_FENCE.findall(line), *_LABEL.findall(line)]


def words(text: str) -> str:
    """The letters and digits alone, however they are written."""
    shown = "".join(char for char in text if not shows_nothing(char))
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", shown).casefold())
    return "".join(filter(str.isalnum, folded))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))
