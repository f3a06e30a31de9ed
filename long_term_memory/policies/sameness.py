"""Whether two facts of one person say the same, the opposite, or something else (design 5.4).

It errs towards "something else": two memories too many are untidy, one merged wrongly is untrue. Numbers,
names, time and negation keep near-duplicates apart, and so does a pair built alike that differs in one place
("likes cats", "likes dogs"), however near their vectors are.
"""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

from .keys import normal_words, same_words
from .kinship import kin_words
from .numbers import with_digits
from .overlap import coverage, unsupported
from .relevance import content_words
from .slots import is_of_now
from .stance import deny_alike, has_attitude, without_stance

ALL = 1.0
MOST = 0.75
"""The share of the longer fact's words that the shorter one has when the two are the same."""
ENOUGH = 0.5
"""The share of words in common from which one fact may be about what the other is about."""
ENOUGH_OF_A_SLOT = 0.3
"""The same where both answer the same question."""
MAX_COMPARED = 240
"""Characters of a fact up to which more than its words is compared."""
_SHARED = 0.3
"""The share of the beginnings of words that any two facts have in common that are the same or contrary."""
_PARALLEL = 0.5
"""The share of a fact that stays when one place of it is filled in otherwise."""

_AGAIN = re.compile(
    r"\b(?:longer|any ?more|really|very|also|now|currently|actually|at all|does|do)\b"
    r"|不再|再也|现在|目前|真的|其实|了$",
    re.IGNORECASE,
)
_TAKES = re.compile(r"\b(?:to |a |an |the )?(?:eat(?:s|ing)?|drink(?:s|ing)?)\b|[吃喝抽吸]", re.IGNORECASE)
_FRAME = re.compile(
    r"\b(?:lives?|resid\w+|living|based|moved|located|home|city|works?|working|job|occupation|profession|employed"
    r"|name|called|full|real|birthday|born|age|aged|years? old|current(?:ly)?|now|favou?rites?)\b"
    r"|用户|名字|姓名|职业|工作|上班|任职|居住|定居|住在|搬到|生日|出生|今年|现在|目前|最喜欢的?|叫|是(?:一[名位个])?|在|住"
    r"|(?<=[\u4e00-\u9fff]{2})[市省]",
    re.IGNORECASE,
)
"""What asks the question of a slot; what is left is the answer."""
_JOINED = re.compile(r"\b(?:and|or)\b|[,，、和与跟及&]", re.IGNORECASE)
_NAMED_ZH = re.compile(r"(?:叫做?|名叫|名字是|姓名是|称为|住在|来自|姓|在|去|到)(?P<v>[\u4e00-\u9fff]{2})")
_TOKEN = re.compile(r"[^\W_\u4e00-\u9fff]+|[\u4e00-\u9fff]")
_SPEAKER = re.compile(r"(?:the )?\b(?:user(?:['’]?s)?|i|i['’]m|my|me|mine)\b|用户|我", re.IGNORECASE)
_SUBJECT = re.compile(r"^(?:the )?users?\b(?:['’]s)?|^用户的?", re.IGNORECASE)


class Relation(StrEnum):
    """How one fact stands to another."""

    SAME = "same"
    CONTRARY = "contrary"
    DIFFERENT = "different"


def relation(fact: str, other: str) -> Relation:
    """How two facts stand to each other by their words; long ones only have the same words or not."""
    if same_words(fact, other):
        return Relation.SAME
    if max(len(fact), len(other)) > MAX_COMPARED or not _may_overlap(fact, other):
        return Relation.DIFFERENT
    if not _particulars_agree(fact, other):
        return Relation.DIFFERENT
    stance = _stance(fact, other)
    if stance is Relation.CONTRARY:
        alike = _overlap(_TAKES.sub(" ", _topic(fact)), _TAKES.sub(" ", _topic(other)))
        return Relation.CONTRARY if alike else Relation.DIFFERENT
    if stance is Relation.SAME and _overlap(_matter(fact), _matter(other)) and _in_one_order(fact, other):
        return Relation.SAME
    return Relation.DIFFERENT


def relation_of_near(fact: str, other: str) -> Relation:
    """How two facts stand to each other whose vectors are so near that they are about the same."""
    by_words = relation(fact, other)
    if by_words is not Relation.DIFFERENT or max(len(fact), len(other)) > MAX_COMPARED:
        return by_words
    agree = _particulars_agree(fact, other) and _names_agree(fact, other) and not _is_parallel(fact, other)
    return _stance(fact, other) if agree else Relation.DIFFERENT


def same_value(fact: str, other: str) -> bool:
    """Whether two facts that answer the same question, such as where somebody lives, answer it alike."""
    if _value(fact) != _value(other) or not _particulars_agree(fact, other):
        return False
    return _stance(fact, other) is Relation.SAME


def shares_value(fact: str, other: str) -> bool:
    """Whether the answers two facts give to the same question have a word in common."""
    return bool(_value(fact) & _value(other))


def is_about(fact: str, other: str, *, enough: float = ENOUGH) -> bool:
    """Whether a fact has enough words of another, at the same time, to be what replaces it."""
    topic, others = _topic(fact), _topic(other)
    share = max(coverage(topic, others), coverage(others, topic))
    return is_of_now(fact) == is_of_now(other) and share >= enough


def _value(fact: str) -> frozenset[str]:
    return frozenset(content_words(_FRAME.sub(" ", with_digits(fact))))


def _particulars_agree(fact: str, other: str) -> bool:
    """Numbers, capitalised names, relatives, who does it to whom, and whether it is so now."""
    if unsupported(fact, other) or unsupported(other, fact) or kin_words(fact) != kin_words(other):
        return False
    both_told = _SPEAKER.search(fact) and _SPEAKER.search(other)
    turned_round = both_told and bool(_SPEAKER.match(fact)) != bool(_SPEAKER.match(other))
    return not turned_round and is_of_now(fact) == is_of_now(other)


def _stance(fact: str, other: str) -> Relation:
    """Whether both say yes or no alike; different when only one of them can be told by the other."""
    alike = deny_alike(fact, other), deny_alike(other, fact)
    return Relation.SAME if all(alike) else Relation.DIFFERENT if any(alike) else Relation.CONTRARY


def _may_overlap(fact: str, other: str) -> bool:
    """Whether so many beginnings of words are shared that the rest is worth a look: most pairs share none."""
    words, others = _beginnings(fact), _beginnings(other)
    return len(words & others) >= _SHARED * min(len(words), len(others))


@lru_cache(maxsize=4096)
def _beginnings(fact: str) -> frozenset[str]:
    found = _TOKEN.findall(normal_words(with_digits(_TAKES.sub(" ", _topic(fact)))))
    return frozenset(word[:4] for word in found if content_words(word))


def _overlap(fact: str, other: str) -> bool:
    """All of the shorter is in the longer, and most of the longer in the shorter; a swap of words is none."""
    shares = sorted((coverage(fact, other), coverage(other, fact)))
    return shares[1] >= ALL and shares[0] >= MOST


@lru_cache(maxsize=512)  # a fact is compared with many others
def _topic(fact: str) -> str:
    return _AGAIN.sub(" ", without_stance(_AGAIN.sub(" ", fact)))


@lru_cache(maxsize=512)  # a fact is compared with many others
def _matter(fact: str) -> str:
    """What a fact is about: "likes to drink coffee" and "likes coffee" are one matter."""
    topic = _topic(fact)
    return _TAKES.sub(" ", topic) if has_attitude(fact) else topic


def _in_one_order(fact: str, other: str) -> bool:
    """Whether the words stand in the same order, which matters unless they are a list."""
    if _JOINED.search(fact) or _JOINED.search(other):
        return True
    words, others = content_words(fact), content_words(other)
    return [w for w in words if w in others] == [w for w in others if w in words]


def _names_agree(fact: str, other: str) -> bool:
    """Whether each name that follows a Chinese word for naming or placing is in the other fact as well."""
    return all(
        found["v"] in text
        for told, text in ((fact, other), (other, fact))
        for found in _NAMED_ZH.finditer(told)
        if _TOKEN.search(text) and re.search(r"[\u4e00-\u9fff]", text)
    )


def _is_parallel(fact: str, other: str) -> bool:
    """Whether the two are built alike and differ by other words in one place."""
    words, others = _tokens(fact), _tokens(other)
    start = _common(words, others)
    end = _common(words[start:][::-1], others[start:][::-1])
    left, right = words[start : len(words) - end], others[start : len(others) - end]
    swapped = content_words(" ".join(left)) and content_words(" ".join(right))
    return bool(swapped) and start + end >= _PARALLEL * min(len(words), len(others))


def _tokens(fact: str) -> list[str]:
    plain = _SUBJECT.sub("", unicodedata.normalize("NFKC", fact).strip())
    return _TOKEN.findall(normal_words(plain))


def _common(words: list[str], others: list[str]) -> int:
    """How many words the two have in common at the beginning."""
    pairs = zip(words, others, strict=False)
    return next((n for n, (word, other) in enumerate(pairs) if word != other), min(len(words), len(others)))
