"""How far the words of a fact are the words of a text: what grounding compares (design 5.3)."""

import re
import unicodedata

from .keys import normal_words
from .kinship import in_one_form
from .numbers import with_digits
from .relevance import content_words
from .stems import are_akin, stem

_GENERIC = re.compile(
    r"名字|姓名|叫做|职业|工作|上班|居住|住在|生日|出生|不?喜欢|讨厌|不?爱|偏好|希望被称为|计划|正在|目前"
    r"|现在|今年|他|她|岁|过敏|对(?=.{1,12}过敏)|\byears old\b|\ballerg\w+"
)
"""Words that state the kind of fact, not its value: sharing them proves nothing."""
_UNSPACED = (
    r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK = re.compile(rf"[{_UNSPACED}]")
_NUMBER = re.compile(r"\d+(?:[.:/]\d+)*")
_ONE = re.compile(r"\b(?:an?|one)\b|一", re.IGNORECASE)
_WORD = re.compile(rf"[^\W_{_UNSPACED}]+")
_WORDLIKE = re.compile(r"[^\W_]+")
_LATIN = re.compile(r"[a-z0-9]+")
_NAME = re.compile(r"(?<![A-Za-z0-9])[a-z]*[A-Z][\w+#]*")
_SENTENCE_END = re.compile(r"[.!?。！？\n]\s*$")
_COMMON_WORDS = """
    user users i the a an they he she it his her their my our we you this that these those there no not never
    always do don does prefer like love hate dislike use avoid often usually have had is was are were can will
    would should must speak work live want plan from in on at
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def coverage(fact: str, text: str) -> float:
    """The share (0..1) of the fact's content words that the text has; 0 when the fact has none.

    Words with spaces between them match in any form ("allergy", "allergic"); Chinese by pairs of characters;
    numbers whether in words or digits.
    """
    fact, text = in_one_form(with_digits(fact)), in_one_form(with_digits(text))
    wanted = content_words(_GENERIC.sub(" ", fact)) or content_words(fact)
    if not wanted:
        return 0.0
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = frozenset(_WORD.findall(plain))
    stems = frozenset(map(stem, found))
    return sum(_occurs(word, found, stems, plain) for word in wanted) / len(wanted)


def has_its_object(fact: str, text: str) -> bool:
    """Whether the text has the last content word of a fact in spaced words: "tea" of "User likes tea"."""
    wanted = [word for word in content_words(_GENERIC.sub(" ", with_digits(fact))) if not word.endswith("ly")]
    if not wanted or _CJK.search(wanted[-1]):
        return True
    return coverage(wanted[-1], text) > 0


def in_two_languages(fact: str, text: str) -> bool:
    """Whether one is Chinese and the other is not: then words in common are names at most."""
    return bool(_CJK.search(fact)) is not bool(_CJK.search(text))


def unsupported(fact: str, text: str) -> str:
    """The first number or capitalised Latin name of the fact that the text does not have, else empty.

    A capitalised word that opens a sentence is a name unless it is a common opener or looks like a verb
    ("Prefers", "Working"). Case and width do not matter, so "alice" in the text supports "Alice".
    """
    fact = with_digits(unicodedata.normalize("NFKC", fact))
    text = with_digits(unicodedata.normalize("NFKC", text))
    numbers = {*_NUMBER.findall(text), *("1" for _ in _ONE.finditer(text))}
    plain = text.casefold()
    words = frozenset(_WORDLIKE.findall(plain)) | frozenset(_LATIN.findall(plain))
    for number in _NUMBER.findall(fact):
        if number not in numbers:
            return number
    for name in _NAME.finditer(fact):
        if not _is_common(name.group(), opens=_opens(fact, name.start())) and not _has(words, name.group()):
            return name.group()
    return ""


def _occurs(word: str, found: frozenset[str], stems: frozenset[str], plain: str) -> bool:
    if _CJK.search(word):
        return word in plain
    if word in found or word.removesuffix("s") in found or f"{word}s" in found:
        return True
    if stem(word) in stems:
        return True
    return len(word) >= 4 and any(other[:4] == word[:4] and are_akin(word, other) for other in found)


def _opens(fact: str, start: int) -> bool:
    return start == 0 or bool(_SENTENCE_END.search(fact[:start]))


def _is_common(word: str, *, opens: bool) -> bool:
    plain = word.casefold()
    return plain in {"user", "users", "i"} or (
        opens and (plain in _COMMON or plain.endswith(("s", "ed", "ing")))
    )


def _has(words: frozenset[str], name: str) -> bool:
    plain = normal_words(name)
    return plain in words or all(part in words for part in re.findall(r"[a-z0-9]+", plain))
