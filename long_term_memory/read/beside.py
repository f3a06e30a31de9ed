"""What a block is better without: private details nobody asked for, and plans that have come to something.

A date of birth, a document's number or an income stands in many profiles; it goes along only when the
question has one of its words. "Might travel to Tokyo" misleads beside the flight that was booked later.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from ..domain.memory import Item
from ..domain.words import MemoryType
from ..policies.slots import words_asked_by
from ..text_analysis.terms import index_terms

PRIVATE = "private"
"""The rule that leaves a private detail out."""
EARLIER_STATE = "earlier_state"
"""The rule that leaves out what was still open when a later memory tells how it went on."""

_SHARED, _LEAST = 0.3, 2
"""The share of an open plan's terms, and how many at least, that a later memory of the same matter has."""
_DETAILS = (
    # a number of five digits or more that is no date and no amount, or an address of mail
    (
        re.compile(
            r"(?<![a-z\d$€£¥￥.×*-])(?!\d{4}-\d\d(?:-\d\d)?(?![a-z\d]))(?=(?:[a-z\d-]{0,6}\d){5})"
            r"(?!\d+(?:\.\d+)?\s?(?:[元块塊蚊円圆圓万萬千米步字人公里次个個份台點点]|rmb|cny|usd|eur|yuan|dollars?|euros?))"
            r"[a-z\d]|\S@\S",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(
            r"^(?=.*[\d一二三四五六七八九十]).*(?:\b(?:salary|income|earns?|wages?|mortgage|net worth)\b"
            r"|\b(?:debts?|loans?)\b|\b(?:makes?|paid)\b.*\$\d.*\b(?:a|per)\b|工资|薪|收入|房贷|存款|负债|贷款)",
            re.IGNORECASE,
        ),
        "salary income earn wage make paid 工资 收入",
    ),
    (
        re.compile(r"\b(?:birth|birthday|born|maiden name)\b|出生|生日|娘家姓", re.IGNORECASE),
        "birthday birth born age old 生日 出生 几岁 多大",
    ),
    (
        re.compile(
            r"\baddress\b.*\d|\blives? at\b.*\d|\blicen[cs]e plate\b|住[在址].*\d+[号弄幢栋室]|车牌",
            re.IGNORECASE,
        ),
        "address live home house street 地址 住 家",
    ),
)
"""Kinds of private details, and the words that ask for one beside its own."""
_OPEN = re.compile(
    r"\b(?:might|(?-i:may|will)|maybe|possibly|thinking (?:about|of)|considering|interested in|needs? to"
    r"|wants? to|would like to|plans? to|hopes? to|looking (?:for|into)|coming up)\b"
    r"|想|打算|考虑|计划|可能|也许|准备|需要|希望",
    re.IGNORECASE,
)
_STATES = (MemoryType.TASK_STATE, MemoryType.EPISODE)


def is_beside_the_point(item: Item, asked: frozenset[str] | None) -> bool:
    """Whether a profile is a private detail of which the question has no word but a name.

    `asked` are the telling terms of the question; None asks for everything.
    """
    if asked is None or item.type is not MemoryType.PROFILE:
        return False
    private, words = _details(item.fact, item.slot)
    return private and not (asked & words) - _terms(item.person)


def is_open(item: Item) -> bool:
    """Whether an item tells of a plan or a need, of which something may have come since."""
    return item.type is MemoryType.TASK_STATE and _OPEN.search(item.fact) is not None


def is_overtaken(item: Item, others: Sequence[Item]) -> bool:
    """Whether one of the others tells how the matter of an open item went on later."""
    own = _terms(item.fact) - _OF_PLANS
    enough = max(_LEAST, _SHARED * len(own))
    return any(
        other.last_confirmed_at > item.last_confirmed_at
        and other.type in _STATES
        and (other.owner, other.person) == (item.owner, item.person)
        and not _OPEN.search(other.fact)
        and len(own & _terms(other.fact)) >= enough
        for other in others
    )


@lru_cache(maxsize=4_096)  # the same items come up in many requests
def _details(fact: str, slot: str) -> tuple[bool, frozenset[str]]:
    """Whether a fact holds a private detail, and the terms by which somebody asks for it."""
    kinds = [words for detail, words in _DETAILS if detail.search(fact)]
    asked_by = " ".join((fact, slot.replace("_", " "), words_asked_by(slot, fact), *kinds)) if kinds else ""
    return bool(kinds), _terms(asked_by)


@lru_cache(maxsize=8_192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


_OF_PLANS = _terms("User needs need want might may thinking plan plans would like about 用户")
"""What plans have in common whatever they are about."""
