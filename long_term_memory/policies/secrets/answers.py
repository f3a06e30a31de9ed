"""Secrets known by the question they answer, such as "Can I use 4827?", and secrets that are read back.

A value belongs to the label beside it, else to what was asked at the same position, else to any secret asked
for whose form it has.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from ...text_analysis.word_tables import word_table
from .labels import ANNOUNCED, LABEL, OTHER, SENTENCE_ENDS, lowered
from .values import FORMS, TAIL, Kind, Link, SecretSpan, is_said, looks_like_password, value_at

_TABLE = word_table(__file__)
_IS = {**_TABLE.table("any_case").patterns(), **_TABLE.table("exact").patterns(re.NOFLAG)}
_SIZES = {Kind.CODE: (3, 8), Kind.PASSWORD: (3, 12), Kind.CARD: (7, 24), Kind.ID: (6, 18)}
"""Minimum and maximum of digits."""


class ExpectedAnswer(NamedTuple):
    """What an answer may contain: a secret of this kind, or something else for None."""

    kind: Kind | None
    may_be_word: bool = False
    is_told: bool = False
    """The messages before contain it, so it can only be read back."""


def wanted(asked: str) -> Sequence[ExpectedAnswer]:
    """What these masked messages ask for and contain, in order; empty without any secret."""
    if "[secret:" not in asked and not LABEL.search(lowered(asked)):
        return ()
    row: list[ExpectedAnswer] = []
    last = ""
    for said in _IS["sentence"].findall(asked):
        sentence = lowered(said)
        if _IS["asks"].search(sentence):
            openly = bool(_IS["asks_openly"].search(sentence))
            row += [ExpectedAnswer(kind, openly) for kind in _asked(sentence, last)]
        for kind in (Kind(name) for name in _IS["mark"].findall(said) if name in Kind):
            row = [each for each in row if each.kind is not kind] + [ExpectedAnswer(kind, is_told=True)]
        last = sentence
    return row[-12:] if any(each.kind for each in row) else ()


def answered(text: str, row: Sequence[ExpectedAnswer]) -> Iterator[SecretSpan]:
    """The secrets of a text that answers these messages."""
    if not row:
        return
    found = (
        each
        for each in _IS["value"].finditer(text)
        if not each["token"] or looks_like_password(each["token"].rstrip(TAIL), Link.NEAR, "")
    )
    values = list(islice(found, 200))
    lower = lowered(text)
    bounds = [0, *(at for value in values for at in value.span()), len(text)]
    asked, told = ([each for each in row if each.is_told is is_told] for is_told in (False, True))
    if len(asked) != len(values):
        asked = [row[-1]] * len(values) if len(values) == 1 and not row[-1].kind else []
    for at, value in enumerate(values):
        # Words between a number and a date, as in "4111... expires 09/27", belong to the date.
        before_date = at + 1 < len(values) and values[at + 1]["date"]
        beside = _beside(lower, bounds[2 * at], value, value.end() if before_date else bounds[2 * at + 3])
        meant = beside or (told if row[-1].is_told and _is_echo(value) else ()) or asked[at : at + 1] or row
        kind = next((each.kind for each in meant if each.kind and _fits(value, each)), None)
        if kind:
            start = value.start(value.lastgroup or 0)
            yield SecretSpan(start, start + len(_plain(value)), kind)
    word = _IS["word"].match(text) if row[-1].kind is Kind.PASSWORD and row[-1].may_be_word else None
    if word and not is_said(word["value"]) and not _IS["no_password"].match(word["value"]):
        yield SecretSpan(*word.span("value"), Kind.PASSWORD)


def repeated(text: str, known: Mapping[str, Kind]) -> Iterator[SecretSpan]:
    """Repetitions of secrets of the messages before."""
    for value, kind in known.items():
        for found in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])", text):
            yield SecretSpan(*found.span(), kind)


def _asked(sentence: str, last: str) -> Sequence[Kind | None]:
    kinds = _labels(sentence, 0, len(sentence))
    if _IS["asks_otherwise"].search(sentence):
        return [None] * bool(kinds)
    if _IS["refers"].search(sentence):
        return [*filter(None, _labels(last, 0, len(last))), *kinds]
    return kinds or [None] * bool(_IS["asks_openly"].search(sentence))


def _labels(text: str, start: int, end: int) -> Sequence[Kind | None]:
    """The kinds of the labels in a part of the lowered text; of two at one place the longer counts."""
    found: list[tuple[int, int, Kind | None]] = [
        (*each.span(), None) for each in OTHER.finditer(text, start, end)
    ]
    for label in LABEL.finditer(text, start, end):
        kind = None if _IS["papers"].match(label[0]) else ANNOUNCED[label.lastgroup or ""].kind
        found.append((*label.span(), kind))
    kinds: list[Kind | None] = []
    for begin, until, kind in sorted(found, key=lambda each: (each[0], -each[1])):
        if begin >= start:
            kinds.append(kind)
            start = until
    return kinds


def _beside(text: str, start: int, value: re.Match[str], end: int) -> Sequence[ExpectedAnswer]:
    """The kind of the label before the value in its sentence, else after it in its clause."""
    start = max((each.end() for each in SENTENCE_ENDS.finditer(text, start, value.start())), default=start)
    until = min(value.end() + 30, end)
    ends = _IS["clause"].search(text, value.end(), until)
    after = _labels(text, value.end(), ends.start() if ends else until)
    return [ExpectedAnswer(kind) for kind in _labels(text, start, value.start())[-1:] or after[:1]]


def _fits(value: re.Match[str], wanted: ExpectedAnswer) -> bool:
    said, kind = _plain(value), wanted.kind
    if value["token"]:
        fits = kind is Kind.PASSWORD or (kind is Kind.KEY and value_at([FORMS["key"]], Link.SIGN, said, 0))
        return bool(fits) and (not wanted.is_told or _is_echo(value))
    least, most = _SIZES.get(kind, (1, 0)) if kind else (1, 0)
    size = len(_IS["digit"].findall(said))
    is_day = kind is not Kind.PASSWORD and _IS["day"].match(said)
    if value["date"] or not least <= size <= most or is_day:
        return False
    # A number with eight digits or more is no count.
    return size >= 8 or (_is_no_count(value) and (not wanted.is_told or _is_echo(value)))


def _plain(value: re.Match[str]) -> str:
    return value.group(value.lastgroup or 0).rstrip(TAIL)


def _is_no_count(value: re.Match[str]) -> bool:
    text, start, end = value.string, *value.span()
    counted = _IS["counted"].search(text, max(0, start - 12), start)
    return bool(_IS["goes_on"].match(text, end)) and not counted


def _is_echo(value: re.Match[str]) -> bool:
    """Whether the clause is nothing but the value."""
    text, (start, end), clauses = value.string, value.span(), _IS["clause"]
    around = clauses.split(text[max(0, start - 40) : start])[-1], clauses.split(text[end : end + 40])[0]
    return all(map(_IS["echo"].match, around))
