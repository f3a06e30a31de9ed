"""Words brought to one form, so that they find each other.

English stems are light on purpose: plurals, -ed, -ing, -ly, -tion beside -ate, and the commonest irregular
forms. Stripping more, as Porter and Snowball do, found nothing more in questions about facts, and joins what
is not the same. Words for relatives have one form ("mom" and "mother", 妈 and 妈妈), and so have
traditional and simplified characters.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from .word_tables import word_table

_SHORTEST = 4
"""Shorter words have no stem."""
_NEARLY_ALL, _LONG = 0.8, 7
"""The share of a long word that stays in its forms, in languages with other endings."""
_CHINESE_HINT = re.compile("[爸妈父母姐妹哥弟妻太丈友]")

_TABLE = word_table(__file__)
_IRREGULAR = {form: base for base, *forms in map(str.split, _TABLE.texts("irregular")) for form in forms}
_ENDS = [(each.compiled("of", re.NOFLAG), each.text("to", "")) for each in _TABLE.tables("ends")]
"""What a word loses at its end, one after the other."""
_ENDINGS = frozenset(("", *_TABLE.words("endings")))
_ONE_FORM = {word: forms[0] for forms in map(str.split, _TABLE.texts("relatives")) for word in forms}
_CHINESE = _TABLE.compiled("relative_zh")
_SYNONYMS = {word: forms[0] for forms in map(str.split, _TABLE.texts("synonyms")) for word in forms}
_SYNONYM = re.compile("|".join(sorted(_SYNONYMS, key=len, reverse=True)))
_RELATION_ZH = _TABLE.compiled("relation_zh")
_OF_USERS = re.compile(
    rf"(?:the )?(?:user['’]s|my) ((?:[\w-]+ )?[\w-]+)|(?:用户|我)家?的?((?:{_RELATION_ZH.pattern}))"
)
_TRADITIONAL = str.maketrans(_TABLE.text("simplified"), _TABLE.text("traditional"))
# 著 is a word of its own, as in 著名.
_SIMPLIFIED = {new: old for old, new in _TRADITIONAL.items() if new != ord("著")} | {ord("瞭"): ord("了")}


def simplified(text: str) -> str:
    """The text, as long as before, with traditional characters simplified."""
    return text if text.isascii() else text.translate(_SIMPLIFIED)


def in_both_scripts(words: str) -> str:
    """The words, and right behind them the same in traditional characters: single ones, or between blanks."""
    return words + words.translate(_TRADITIONAL)


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """The form a lower-case word is indexed by; accents go, words of other alphabets and numbers stay."""
    if not word.isascii():
        apart = unicodedata.normalize("NFKD", word)
        word = "".join(char for char in apart if not unicodedata.combining(char))
    word = _IRREGULAR.get(word, word)
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    for ending, instead in _ENDS:
        word = ending.sub(instead, word)
    return word


@lru_cache(maxsize=32_768)
def are_akin(word: str, other: str) -> bool:
    """Whether two lower-case words of one beginning are made from one word: "teacher" and "teaching".

    That they begin alike is not enough: so do "chicken" and "chickpeas".
    """
    if not (word.isalpha() and other.isalpha()):
        return False
    word, other = (each.replace("our", "or").replace("z", "s") for each in (word, other))
    shared, longer = shared_start(word, other), max(len(word), len(other))
    if shared >= _NEARLY_ALL * longer and (longer >= _LONG or not word.isascii()):
        return True
    return not _roots(word).isdisjoint(_roots(other))


def shared_start(one: Sequence[str], other: Sequence[str]) -> int:
    """How many letters, or words, both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@lru_cache(maxsize=32_768)
def _roots(word: str) -> frozenset[str]:
    """The word without each ending it may have; "programmer" and "swimming" double a letter before it."""
    cuts = range(_SHORTEST, len(word) + 1)
    return frozenset(
        word[:cut] for cut in cuts if {word[cut:], word[cut:].removeprefix(word[cut - 1])} & _ENDINGS
    )


def one_form(word: str) -> str:
    """The one form of a word in small letters; any other word is its own."""
    return _ONE_FORM.get(word, word)


def chinese_in_one_form(text: str) -> str:
    """The text with each Chinese word for a relative in its one form: 父亲 as 爸爸."""
    if not _CHINESE_HINT.search(text):  # most texts name no relative, and all are looked at
        return text
    return _CHINESE.sub(lambda found: one_form(found.group()), text)


def synonyms(text: str) -> Iterator[str]:
    """The commonest word for each thing that a text in simplified characters names."""
    return (_SYNONYMS[found] for found in _SYNONYM.findall(text))


def forms_of(word: str) -> list[str]:
    """A word or its stem, and what else stands for the same relative: "father" and "dad"."""
    return [word, *(other for other, one in _ONE_FORM.items() if other != word and word in (one, stem(one)))]


@lru_cache(maxsize=512)  # a fact is compared with many others
def normal_words(text: str) -> str:
    """Lower case, half width, no punctuation, one space between words; may be empty."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    folded = unicodedata.normalize("NFKC", plain)
    kept = (char if unicodedata.category(char)[0] in "LNM" else " " for char in folded)
    return " ".join("".join(kept).split())


def same_words(fact: str, other: str) -> bool:
    """Whether two facts differ only in case, width, punctuation and spaces."""
    return (normal_words(fact) or fact) == (normal_words(other) or other)


def one_label(person: str) -> str:
    """A person's label for comparison: normal words, those for relatives in one form."""
    return " ".join(map(one_form, normal_words(chinese_in_one_form(person)).split()))


@lru_cache(maxsize=512)  # a fact is compared with many others
def relatives(text: str) -> frozenset[str]:
    """The relatives, friends and pets in a text of small letters, in one form; "friend" and 朋友 stay two."""
    words = {stem(one_form(word)) for word in re.findall(r"[a-z]+", text)}
    chinese = _RELATION_ZH.findall(chinese_in_one_form(text))
    return frozenset((words & _RELATIVES) | {*chinese})


def is_past_of(text: str, other: str) -> bool:
    """Whether a text in small letters has a verb in the past, "worked", that another has as "works"."""
    words = re.findall("[a-z]+", text)
    past = {stem(word) for word in words if word.endswith("ed") or (word in _IRREGULAR and word[-1] != "s")}
    return not past.isdisjoint(map(stem, re.findall("[a-z]+s\\b", other)))


def relative_told_of(fact: str) -> str:
    """The relative or pet of the user that a fact begins with: "User's older sister lives"; else empty."""
    subject = _OF_USERS.match(fact.casefold())
    return "".join(sorted(relatives(subject[1] or subject[2]))) if subject else ""


_RELATIVES = frozenset(
    map(stem, (*_TABLE.words("other_relatives"), *(word for word in _ONE_FORM.values() if word.isascii())))
)
