"""Who does what to whom: a fact must not turn round the roles of its words (design 5.3).

"I am Bob's boss" has every word of "Bob is User's boss", and says the opposite. So where a fact ties the
speaker to somebody by name, its words have to tie them the same way round. Ties that hold both ways (friends,
colleagues, a marriage) are left alone.
"""

import re
from enum import Enum

from .kinship import KIN, KIN_ZH

_EITHER_WAY = re.compile(
    r"\b(?:friends?|colleagues?|co-?workers?|classmates?|roommates?|flatmates?|neighbou?rs?|partners?|spouses?|married"
    r"|dating|engaged|cousins?|met|knows?|with)\b"
    r"|^(?:the )?user (?:now |currently )?(?:lives in|works at) (?:(?! and ).){1,40}$"
    r"|朋友|同事|同学|室友|邻居|夫妻|结婚|恋爱|认识|见面|一起|[和跟与]",
    re.IGNORECASE,
)
_MARRIAGE = re.compile(r"\bmarried\b|结婚", re.IGNORECASE)
_NAME_IN_FACT = re.compile(r"[A-Z][\w-]{0,30}")
_NOT_NAMES = frozenset({"User", "The", "Users", "I"})
_CLAUSES_ZH = re.compile(r"[\w·]{2,30}")
_JOINTS_ZH = re.compile("用户|[的是叫]")
_NO_TIE_ZH = re.compile(r"请|(?:帮|给|回答|告诉|叫)我|(?:比起|相[比较]).{1,80}更")
"""What the bot is asked to do for the speaker, or suits them more, ties nobody else to them."""
_COMPARED_ZH = re.compile("(?:比起|相[比较]于?)[^，,。]{1,12}?(?=[，,。]|我)")
"""What is only compared does not either."""
_MAX_NAMES = 6
_LONGEST_NAME_ZH = 8
_MAX_WORDS = 600

_X = "\ue000"
"""Stands for the name in both texts, which hold no such character."""
_HELD = "\ue001"
"""Stands for the speaker as an owner in Chinese, so that only "I" and "me" are left."""


class _Way(Enum):
    FROM_SPEAKER = "from"
    """ "I am X's boss", "I taught X"."""
    TO_SPEAKER = "to"
    """ "X is my boss", "X taught me"."""


_Ties = tuple[tuple[re.Pattern[str], _Way], ...]


def _ties(subject: str, owner: str, other: str) -> _Ties:
    gap = r"(?:[\w'’-]{1,20}[ ,]{1,2}){0,4}?"
    role = rf"(?:\w{{1,20}} ){{0,2}}?(?:{KIN}|employee|patient|tenant|client|mentor|assistant)"
    patterns = (
        (rf"\b(?:{subject}) {gap}by {_X}", _Way.TO_SPEAKER),
        (rf"{_X} {gap}by (?:{other})\b", _Way.FROM_SPEAKER),
        (rf"{_X}(?:['’]s| is| was) {gap}(?:{owner}) {role}\b", _Way.TO_SPEAKER),
        (
            rf"\b(?:{owner}) {role}(?:['’]s)?,? (?:(?:is|was|name|named|called) ){{0,3}}{_X}(?!['’]s)",
            _Way.TO_SPEAKER,
        ),
        (rf"\b(?:{subject})\b {gap}(?:has|have|had|got|adopted|named|called) {gap}{_X}", _Way.TO_SPEAKER),
        (rf"{_X} {gap}(?:{other})\b(?!['’])", _Way.TO_SPEAKER),
        (rf"\b(?:{subject})\b(?!['’]s) {gap}{_X}", _Way.FROM_SPEAKER),
    )
    return tuple((re.compile(pattern, re.IGNORECASE), way) for pattern, way in patterns)


def _ties_zh(speaker: str) -> _Ties:
    gap = r"[^，,。！？;；\n]{0,8}?"
    role = rf"(?:{KIN_ZH}|老公|师[父傅]|徒弟|员工|下属|病人|客户|租客|妈|爸|爹)"
    patterns = (
        (rf"{speaker}被{_X}", _Way.TO_SPEAKER),
        (rf"{_X}被{speaker}", _Way.FROM_SPEAKER),
        (rf"{_X}就?是{gap}{_HELD}{role}|{_HELD}{role}{gap}{_X}", _Way.TO_SPEAKER),
        (rf"{speaker}{gap}{_X}", _Way.FROM_SPEAKER),
        (rf"{_X}{gap}{speaker}", _Way.TO_SPEAKER),
    )
    return tuple((re.compile(pattern), way) for pattern, way in patterns)


_TOLD = _ties("(?:the )?user", "(?:the )?user['’]s", "(?:the )?user")
_SAID = _ties("i|i'm|i’m|im", "my|our", "me|us")
_TOLD_ZH, _SAID_ZH = _ties_zh("用户"), _ties_zh("我")
_USERS_ZH = re.compile(r"用户(?:的|家|有|养)")
_MINE_ZH = re.compile(rf"我(?:的|家|们|有|养|叫)|我(?={KIN_ZH}|爸|妈)")


def roles_agree(fact: str, words: str) -> bool:
    """Whether no tie between the speaker and a named person stands the other way round in the words."""
    fact, words = fact[:_MAX_WORDS], words[:_MAX_WORDS]
    if _EITHER_WAY.search(fact) or _MARRIAGE.search(words):
        return True
    names = [name for name in _NAME_IN_FACT.findall(fact) if name not in _NOT_NAMES][:_MAX_NAMES]
    in_order = all(
        _alike(_way(fact, name, _TOLD), _way(words, name, _SAID) or _way_zh(words, name)) for name in names
    )
    return in_order and _agree_zh(fact, words)


def _alike(told: _Way | None, said: _Way | None) -> bool:
    return told is None or said is None or told is said


def _way(text: str, name: str, ties: _Ties) -> _Way | None:
    text = re.sub(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", _X, text, flags=re.IGNORECASE)
    return next((way for pattern, way in ties if pattern.search(text)), None) if _X in text else None


def _agree_zh(fact: str, words: str) -> bool:
    """The same, where a name is whatever the fact and the words have in common beside the speaker."""
    if "用户" not in fact or "我" not in words or _NO_TIE_ZH.search(words):
        return True
    words = _COMPARED_ZH.sub("", words)
    pieces = [
        piece[:_LONGEST_NAME_ZH]
        for clause in _CLAUSES_ZH.findall(fact)[:_MAX_NAMES]
        for piece in _JOINTS_ZH.split(clause)
    ]
    names = [name for piece in pieces for name in _longest_in_common(piece, words)]
    told_as = _USERS_ZH.sub(_HELD, fact)
    return all(_alike(_way_in_zh(told_as, name, _TOLD_ZH), _way_zh(words, name)) for name in names)


def _way_zh(words: str, name: str) -> _Way | None:
    return _way_in_zh(_MINE_ZH.sub(_HELD, words), name, _SAID_ZH)


def _way_in_zh(text: str, name: str, ties: _Ties) -> _Way | None:
    marked = text.replace(name, _X)
    return next((way for pattern, way in ties if pattern.search(marked)), None) if _X in marked else None


def _longest_in_common(piece: str, words: str) -> list[str]:
    for size in range(len(piece), 1, -1):
        starts = range(len(piece) - size + 1)
        found = [piece[at : at + size] for at in starts if piece[at : at + size] in words]
        if found:
            return found
    return []
