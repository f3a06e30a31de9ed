"""What people type in place of the exact words of a command."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from operator import ne

from ..messages import ARGUMENTS, LTM, SUBCOMMANDS, SUGGESTIONS, SYNONYMS, TYPED
from ..policies.requests import remembered
from ..text_analysis.terms import HAN
from ..text_analysis.word_forms import simplified
from .command import list_numbers

ENGLISH = {**SYNONYMS, **{alias: name for name, alias in SUBCOMMANDS.items()}}
HELP = {"", *(word for word, meant in ARGUMENTS.items() if meant == "help")}
NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Full-width signs, letters and digits as plain ones, each in its place."""
_FIXED = {*ARGUMENTS, *ARGUMENTS.values()}
_KNOWN = {*ENGLISH, *SUBCOMMANDS, *HELP} - {""}


def _either(words: Iterable[str]) -> str:
    """Any of the words, the longest that fits; a blank may stand for a hyphen."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\-", r"(?:\s+|-)") for word in longest_first)


_LONG = f"(?:{_either(word for word in _KNOWN if len(word) > 1 and word.isascii())})(?![a-z_-])"
_HAN = _either(word for word in _KNOWN if len(word) > 1 and not word.isascii())
_SHORT = rf"(?:{_either(word for word in _KNOWN if len(word) == 1)})(?=\W|\d|我|\Z)"
KNOWN = f"{_LONG}|{_HAN}|{_SHORT}"
"""Any subcommand, glued to what stands before it or not."""
_ENDS = _either(word for word, meant in ARGUMENTS.items() if meant in {"all", "please"})
_SUBCOMMAND = re.compile(rf"\W*({KNOWN})[\s,:.!?，。、？]*", re.IGNORECASE)
_LONG_HAN = 4
"""Chinese words of so many characters are compared as others are."""
_ONE_WORD = re.compile(rf"[\x21-\x7e]+|(?![了吗呢])[{HAN}]{{1,2}}")
_NUMBER_OR_ID = re.compile(r"#?第?\d[\d,，、-]*[条个号]?|[0-9a-f-]{4,36}|\w[\w.+-]*:\S+")
_FEW = 4
"""Words, of Chinese characters, behind `forget` that are taken for what to forget."""
CORRECTED = re.compile(TYPED.text("corrected"), re.IGNORECASE)
"""The number or id before what is true now: a sentence, of which a bare value is none."""
CORRECTED_BY_WORDS = re.compile(TYPED.text("corrected_by_words"), re.IGNORECASE)
"""Words of the memory before that sentence."""
_NOT_KNOWN = re.compile(TYPED.text("not_known"))
"""为什么 你不记得虾 asks why not, and for 虾."""


def separated(text: str, names: Sequence[str] = tuple(LTM.values())) -> str:
    """A command of one of these names with a blank behind it; empty where the text is no such command.

    The name may be in any case and in traditional characters, and its subcommand or a sign next to it:
    "LTM pause", 記憶 列表, 记忆忘记 花生, 记忆？
    """
    found = _called(tuple(map(simplified, names))).match(simplified(text.translate(NARROW)))
    if not found:
        return ""
    name = next(name for name in names if simplified(name).lower() == found[1].lower())
    return f"{name} {text[found.end() :].lstrip()}".rstrip()


@cache
def _called(names: Sequence[str]) -> re.Pattern[str]:
    ends = rf"(?=\Z|\W|\d|我|{_ENDS})"
    glued = rf"\W*(?:(?:{KNOWN}){ends}|{TYPED.text('glued')})"
    return re.compile(rf"\W?({_either(names)})(?=\s|\W*\Z|{glued})", re.IGNORECASE)


def subcommand(text: str) -> tuple[str, str]:
    """The first word and the rest, where that is a subcommand also without a blank between: 忘记全部."""
    found = _SUBCOMMAND.match(simplified(text.translate(NARROW)))
    if not found:
        word, argument = [*text.split(maxsplit=1), "", ""][:2]
        return word.lower(), argument.strip()
    argument = text[found.end() :].strip()
    if found[1] in ("为什么", "为何") and (not_known := _NOT_KNOWN.match(argument)):
        return "why-not", argument[not_known.end() :].strip()
    return "-".join(found[1].lower().split()), "" if ARGUMENTS.get(argument) == "please" else argument


def is_called(text: str) -> bool:
    """Whether behind the name of the command stands a subcommand, or a mistyped one, or nothing.

    What only may mean one stands alone: 不要 总是 忘 is none. Behind others stands at most one word, of
    Chinese two characters, or numbers, ids and fixed words; behind `forget` up to `_FEW`, for a wish to be
    forgotten must not be learnt; behind `add` what a plain "remember that ..." would keep.
    """
    word, argument = subcommand(text)
    if argument and simplified(word) in SUGGESTIONS:
        return False
    if word not in _KNOWN and word and not (word := meant_by(word, SUBCOMMANDS, of_two=False)):
        return False
    name = ENGLISH.get(simplified(word), word) if argument else ""
    if name == "add":
        return any(remembered(f"{ask}{argument}") for ask in ("remember that ", "记住"))
    if name == "correct":
        return CORRECTED.match(argument) is not None
    words = simplified(argument.lower()).split()
    are_fixed = all(word in _FIXED or _NUMBER_OR_ID.fullmatch(word) for word in words)
    if name == "forget" and (len(words) <= _FEW if argument.isascii() else len(argument) <= _FEW):
        return True
    return are_fixed or bool(_ONE_WORD.fullmatch(argument) or list_numbers(argument))


def meant_by(word: str, names: Iterable[str], *, of_two: bool = True) -> str:
    """The subcommand, of these, that is most like the word, but never guess `share`; empty when none is.

    Where `of_two`, a Chinese word of two or three may have another character: 列标. Chinese words are
    compared with those that help shows: of others too many are as near as words for the contrary.
    """
    word, names = simplified(word), tuple(names)
    if word in SUGGESTIONS:
        return suggested if (suggested := SUGGESTIONS[word]) in names else ""
    spellings = {name: name for name in names if name != "share"}
    of_help = {SUBCOMMANDS.get(name) for name in spellings}
    shown = {each: name for each, name in ENGLISH.items() if each.isascii() or each in of_help}
    spellings |= {each: name for each, name in shown.items() if name in spellings}
    # A bound on the word: comparing takes time in proportion.
    found = get_close_matches(word.lower()[:32], spellings, n=1, cutoff=0.7)
    if found or word.isascii() or not of_two:
        return spellings[found[0]] if found else ""
    near = [each for each in spellings if 1 < len(each) == len(word) < _LONG_HAN]
    near = [each for each in near if sum(map(ne, each, word)) == 1]
    return spellings[near[0]] if len(near) == 1 else ""
