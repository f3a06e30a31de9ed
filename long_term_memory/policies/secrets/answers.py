"""Secrets known by the question they answer, such as "Can I use 4827?", and secrets that are read back.

The messages before ask for secrets and for other things, in some order. A value of the answer belongs to the
label beside it, else to what was asked at the same position, else to any secret asked for whose form it has.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from .found import Found, Kind
from .labels import ANNOUNCED, LABEL, OTHER, SENTENCE_ENDS
from .passwords import is_said, looks_like_password
from .values import KEYS, TAIL, Link, value_at

_PAPERS = re.compile(r"passport|driv|护照|驾", re.IGNORECASE)
_MARK = re.compile(r"\[secret:(\w{2,8})\]")
_SENTENCE = re.compile(r"[^\n.!?。！？]++[.!?。！？]*|\n")
_ASKS = re.compile(
    r"[?？请吗呢发报啥]|\b(?:please|needs?|enter|give|tell|provide|type|choose|confirm|what|which|require)\b"
    r"|多少|什么|告诉|输入|提供|需要|设置|给我",
    re.IGNORECASE,
)
_ASKS_OTHERWISE = re.compile(
    r"\b(?:never|don['’]t|do not|how (?:long|many|often)|when (?:did|do|does|is|was|will)|expired?"
    r"|(?:have|did|has) you)\b|不要|切勿|几位|什么时候|改过|到期",
    re.IGNORECASE,
)
"""Names a secret without asking for it."""
_ASKS_OPENLY = re.compile(
    r"\b(?:what|which|enter|choose|type|tell|give)\b|什么|输入|设置|告诉", re.IGNORECASE
)
"""Not to be answered by yes or no."""
_REFERS = re.compile(r"\b(?:it|them|that|again)\W*\Z|^\W*是?多少", re.IGNORECASE)
"""Asks for what the sentence before names."""
_WORD = re.compile(r"\W*(?:(?:it['’]s|it is|use|try) )?(?P<value>[A-Za-z]{5,32})\W*\Z", re.IGNORECASE)
_NO_PASSWORD = re.compile(
    r"(?:sorry|later|never|thanks|maybe|definitely|please|forgot|nothing|hello)\Z", re.IGNORECASE
)
_SPOKEN = "zero|oh|one|two|three|four|five|six|seven|eight|nine"
_VALUE = re.compile(
    rf"""(?P<masked>\0+)|(?P<date>(?<![0-9])[0-9]{{1,2}}/[0-9]{{2,4}})
    |(?<![A-Za-z0-9_@$€£¥/+\-])(?<![0-9][.,:])(?P<number>
        [A-Z]{{2}}[0-9]{{2}}(?:\ ?[A-Z0-9]{{4}}){{3,7}}(?:\ ?[A-Z0-9]{{1,3}})?(?![A-Za-z0-9])
        |(?:[A-Z]{{2}}\ (?=[0-9]{{2}}\ )|\#?[A-Za-z]{{0,2}}-?)[0-9]
            (?:(?!\ [0-9]{{1,2}}/[0-9]{{2}})[\ \-]?[0-9]){{2,24}}+
            (?:\ ?[A-DXx])?[#]?(?![A-Za-z0-9_@/%]|[.,:\-][A-Za-z0-9])
        |\b(?:(?:{_SPOKEN})[ ,\-]{{1,2}}){{2,18}}(?:{_SPOKEN})\b|[〇零一二三四五六七八九幺]{{4,19}})
    |(?<![!-~])["'(\[]{{0,2}}(?P<token>[!-~]{{4,64}}+)""",
    re.VERBOSE,
)
_DIGIT = re.compile(rf"[0-9〇零一二三四五六七八九幺]|{_SPOKEN}")
_DAY = re.compile(
    r"(?:19|20)[0-9]{2}[ -]?[01]?[0-9][ -]?[0-3]?[0-9]\Z|[0-3]?[0-9]-[0-3]?[0-9]-(?:19|20)[0-9]{2}\Z"
)
_SIZES = {Kind.CODE: (3, 8), Kind.PASSWORD: (3, 12), Kind.CARD: (7, 24), Kind.ID: (6, 18)}
"""How many digits, at least and at most."""
_MOST_VALUES = 200
"""So many values of an answer are looked at."""
_MOST_WANTED = 12
"""So many of the last things asked for count."""
_LONG = 8
"""With so many digits, a number counts nothing."""
_COUNTED = re.compile(
    r"(?:\b(?:in|at|since|until|by|around|nearly|least|most|page|line)\s|[在第到]\s?)\Z", re.IGNORECASE
)
_GOES_ON = re.compile(
    r"\s*(?:\Z|[^\w\s%$€£¥°])|\s+(?:i[st]?|are|as|for|and|or|but|please|right|correct|then|if|thanks?|works?|will"
    r"|would|should|now|ok(?:ay)?|first|that|with|to|because|same|so|on|maybe|perhaps|probably|sorry|again|too)\b"
    r"|\s*[吧吗呢啊哦呀对行可就了是为做当这那]",
    re.IGNORECASE,
)
"""What follows a number that counts nothing."""
_CLAUSE = re.compile(r"[\n,;:!?，。；：！？、\0]|\.(?=\s|\Z)| and | but ")
_ECHO = re.compile(
    r"(?:\W|so|ok(?:ay)?|yes|and|that|s|it|is|was|then|the|your|my|right|correct|thanks?|got|noted"
    r"|好的?|对|嗯|是|那|就|您?的)*\Z",
    re.IGNORECASE,
)
"""The other words of a clause that reads something back."""


class Wanted(NamedTuple):
    """What an answer may hold: a secret of this kind, or something else where there is none."""

    kind: Kind | None
    may_be_word: bool = False
    is_told: bool = False
    """The messages before hold it, so it can only be read back."""


def wanted(asked: str) -> Sequence[Wanted]:
    """What these messages, whose secrets are masked, ask for and tell, in order; empty without any secret."""
    row: list[Wanted] = []
    last = ""
    for sentence in _SENTENCE.findall(asked):
        if _ASKS.search(sentence):
            row += [Wanted(kind, bool(_ASKS_OPENLY.search(sentence))) for kind in _asked(sentence, last)]
        for mark in _MARK.findall(sentence):
            row = [each for each in row if each.kind != mark] + [Wanted(Kind(mark), is_told=True)]
        last = sentence
    return row[-_MOST_WANTED:] if any(each.kind for each in row) else ()


def answered(text: str, row: Sequence[Wanted]) -> Iterator[Found]:
    """The secrets of a text that answers such messages."""
    if not row:
        return
    found = (each for each in _VALUE.finditer(text) if not each["token"] or _is_password(each["token"]))
    values = list(islice(found, _MOST_VALUES))
    bounds = [0, *(at for value in values for at in value.span()), len(text)]
    asked, told = ([each for each in row if each.is_told is is_told] for is_told in (False, True))
    if len(asked) != len(values):
        asked = [row[-1]] * len(values) if len(values) == 1 and not row[-1].kind else []
    for at, value in enumerate(values):
        # What stands between a number and a date, as in "4111... expires 09/27", is said of the date.
        before_date = at + 1 < len(values) and values[at + 1]["date"]
        beside = _beside(text, bounds[2 * at], value, value.end() if before_date else bounds[2 * at + 3])
        meant = beside or (told if row[-1].is_told and _is_echo(value) else ()) or asked[at : at + 1] or row
        kind = next((each.kind for each in meant if each.kind and _fits(value, each)), None)
        if kind:
            start = value.start(value.lastgroup or 0)
            yield Found(start, start + len(_plain(value)), kind)
    word = _WORD.match(text) if row[-1].kind is Kind.PASSWORD and row[-1].may_be_word else None
    if word and not is_said(word["value"]) and not _NO_PASSWORD.match(word["value"]):
        yield Found(*word.span("value"), Kind.PASSWORD)


def repeated(text: str, known: Mapping[str, Kind]) -> Iterator[Found]:
    """Where secrets of the messages before stand again."""
    for value, kind in known.items():
        for found in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])", text):
            yield Found(*found.span(), kind)


def _asked(sentence: str, last: str) -> Sequence[Kind | None]:
    kinds = _labels(sentence, 0, len(sentence))
    if _ASKS_OTHERWISE.search(sentence):
        return [None] * bool(kinds)
    if _REFERS.search(sentence):
        return [*filter(None, _labels(last, 0, len(last))), *kinds]
    return kinds or [None] * bool(_ASKS_OPENLY.search(sentence))


def _labels(text: str, start: int, end: int) -> Sequence[Kind | None]:
    """What the labels in a part of the text announce; the longer counts where two begin together."""
    others = [(*each.span(), None) for each in OTHER.finditer(text, start, end)]
    secret = [(*each.span(), _kind(each)) for each in LABEL.finditer(text, start, end)]
    kinds: list[Kind | None] = []
    for begin, until, kind in sorted((*others, *secret), key=lambda each: (each[0], -each[1])):
        if begin >= start:
            kinds.append(kind)
            start = until
    return kinds


def _kind(label: re.Match[str]) -> Kind | None:
    """Passports and licences are what people want to be reminded of: masked beside their label alone."""
    return None if _PAPERS.match(label[0]) else ANNOUNCED[label.lastgroup or ""].kind


def _beside(text: str, start: int, value: re.Match[str], end: int) -> Sequence[Wanted]:
    """What the label before the value in its sentence announces, else the one after it in its clause."""
    start = max((each.end() for each in SENTENCE_ENDS.finditer(text, start, value.start())), default=start)
    until = min(value.end() + 30, end)
    ends = _CLAUSE.search(text, value.end(), until)
    after = _labels(text, value.end(), ends.start() if ends else until)
    return [Wanted(kind) for kind in _labels(text, start, value.start())[-1:] or after[:1]]


def _fits(value: re.Match[str], wanted: Wanted) -> bool:
    said, kind = _plain(value), wanted.kind
    if value["token"]:
        fits = kind is Kind.PASSWORD or (kind is Kind.KEY and value_at(KEYS, Link.SIGN, said, 0))
        return bool(fits) and (not wanted.is_told or _is_echo(value))
    least, most = _SIZES.get(kind, (1, 0)) if kind else (1, 0)
    size = len(_DIGIT.findall(said))
    if value["date"] or not least <= size <= most or (kind is not Kind.PASSWORD and _DAY.match(said)):
        return False
    return size >= _LONG or (_is_no_count(value) and (not wanted.is_told or _is_echo(value)))


def _plain(value: re.Match[str]) -> str:
    return value.group(value.lastgroup or 0).rstrip(TAIL)


def _is_password(token: str) -> bool:
    return looks_like_password(token.rstrip(TAIL), Link.NEAR, "")


def _is_no_count(value: re.Match[str]) -> bool:
    text, start, end = value.string, *value.span()
    return bool(_GOES_ON.match(text, end)) and not _COUNTED.search(text, max(0, start - 12), start)


def _is_echo(value: re.Match[str]) -> bool:
    """Whether the clause says nothing but the value."""
    text, start, end = value.string, *value.span()
    before, after = (
        _CLAUSE.split(text[max(0, start - 40) : start])[-1],
        _CLAUSE.split(text[end : end + 40])[0],
    )
    return bool(_ECHO.match(before) and _ECHO.match(after))
