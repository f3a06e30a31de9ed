"""The words of a fact by which it is compared with others, in one form, without those that only serve."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from .numbers import with_digits
from .polarity import ATTITUDE, polarity
from .stems import are_akin, stem
from .synonyms import chinese_in_one_form, one_form

DENSE = r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""What a class of characters has that are written without spaces between words, or with endings glued on."""
_TOKEN = re.compile(rf"♥|\d+(?:[.:/-]\d+)*|[^\W_\d{DENSE}][^\W_{DENSE}]*[+#]*|[{DENSE}]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)*")
_NAME = re.compile(
    rf"(?:(?<=[^\s.!?。！？][ (\"“])|(?<=[{DENSE}]))(?!I\b|User)([A-Z][^\W_{DENSE}]*)"
    rf"|\b(?!User)([A-Z][^\W_{DENSE}]*)"
)
_OF_USER = re.compile(r"(?:the )?user|用户|(?:i|im|my|we|our)\b|我", re.IGNORECASE)
_FILLING = re.compile(
    r"\b(?:has|have|had) (?=(?:[a-z]+ ){0,3}allerg)|[抽吸](?=烟)|喝(?=酒)"
    r"|用户|现在|目前|非常|特别|真的|其实|一直"
    r"|[的了是在我很也都一个只位名条着对就地得はがをにのでともるすまだ]"
)
_SKIPPED = frozenset(
    """
    user users the a an one is are was were be been being am do does did it its he she they his her their them
    my i me mine we our s of at in on for to as that this who which also really very currently now actually
    just 1
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
_TAKES = frozenset(("eat", "drink", "吃", "喝"))
_ONE_WORD = {
    stem(variant): stem(word)
    for variant, word in (line.split() for line in (
        "owns have", "has have", "had have", "resides live", "favorite favourite", "color colour",
    ))
}  # fmt: skip
_ONE_WORD_ZH = ((re.compile("居住|定居"), "住"), (re.compile("上班|任职|就职"), "工作"))


@lru_cache(maxsize=4_096)  # a fact is compared with many others
def tokens(text: str) -> tuple[str, ...]:
    """The words that carry content, in order, each in one form; characters of scripts without spaces."""
    plain = chinese_in_one_form(polarity(with_digits(_THOUSANDS.sub("", text))).rest)
    for variant, word in _ONE_WORD_ZH:
        plain = variant.sub(word, plain)
    found = _TOKEN.findall(_FILLING.sub(" ", plain))
    skipped = _SKIPPED | _TAKES if ATTITUDE in found else _SKIPPED  # "likes to drink tea" is "likes tea"
    return tuple(form for word in found if word not in skipped and (form := _form(word)) not in skipped)


def share(words: Sequence[str], others: Sequence[str]) -> float:
    """The share (0..1) of words of one fact that another one's have in any form; 0 where there are none."""
    found = [word in others or any(_akin(word, other) for other in others) for word in words]
    return sum(found) / len(found) if found else 0.0


def _akin(word: str, other: str) -> bool:
    return len(word) > 3 and word[:4] == other[:4] and are_akin(word, other)


def unsupported(fact: str, text: str) -> str:
    """The first number or capitalised name of a fact that a text does not have in any form, else empty.

    A capitalised word that opens a fact is a name unless it serves or looks like a verb ("Is", "Prefers").
    """
    said, numbers = frozenset(tokens(text)), _numbers(text)
    missing = [number for number in _numbers(fact) if number not in numbers]
    missing += [name for name in _names(fact) if not said.issuperset(tokens(name))]
    return missing[0] if missing else ""


def named_first(fact: str) -> str:
    """Who a fact names first: "user" for the speaker, or a name in small letters; empty for nobody."""
    return "user" if _OF_USER.match(fact) else next(iter(_names(fact)), "").casefold()


def shared_words(fact: str, text: str) -> float:
    """The share (0..1) of a fact's words that a text has in any form, but for liking and denial."""
    return share(tokens(fact), tokens(text))


def _form(word: str) -> str:
    form = stem(one_form(word))
    return _ONE_WORD.get(form, form)


def _numbers(text: str) -> list[str]:
    plain = with_digits(_THOUSANDS.sub("", unicodedata.normalize("NFKC", text)))
    return [number for number in _NUMBER.findall(plain) if number != "1"]


def _names(fact: str) -> list[str]:
    return [name[1] or name[2] for name in _NAME.finditer(fact) if name[1] or _opens_as_name(name[2])]


def _opens_as_name(word: str) -> bool:
    return word.casefold() not in _SKIPPED and not word.endswith(("s", "ed", "ing"))
