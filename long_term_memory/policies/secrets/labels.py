"""Secrets known by a label: "the password for the NAS is blue-Horse-77". `values` has the forms."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...text_analysis.word_tables import word_table
from . import values
from .values import Form, Found, Kind, Link, looks_like_password, value_at

_TABLE = word_table(__file__)
_LABELS = "|".join(f"(?P<{name}>{_TABLE.table('labels').pattern(name)})" for name in _TABLE.table("labels"))
LABEL = _TABLE.compile(f"(?=[{_TABLE.text('begins')}])(?:{_LABELS})", "labels", re.IGNORECASE | re.ASCII)
OTHER = _TABLE.compile(
    f"(?<![a-z])(?:{_TABLE.table('other').pattern('english')})|{_TABLE.table('other').pattern('chinese')}",
    "other",
)
"""Labels of other things that people are asked for."""
SENTENCE_ENDS = re.compile(r"[\n\0。？！]|[.?!](?=\s)")
_NEAR = 40
"""Characters from a label to a value that is near."""
_LINKS = _TABLE.table("links").patterns()
_AFTER_VALUE = _TABLE.table("after_value").patterns()
_MIXED, _DIGITS, _LONG = _TABLE.table("begins_near").patterns(re.NOFLAG).values()


class _Announced(NamedTuple):
    """What a label announces."""

    kind: Kind
    forms: Sequence[Form]
    begins: re.Pattern[str] | None = None
    """The beginning of a value near its label; None when it must be next to the label."""


ANNOUNCED = {
    "code": _Announced(Kind.CODE, values.CODES, _DIGITS),
    "phrase": _Announced(Kind.PHRASE, values.PHRASES),
    "card": _Announced(Kind.CARD, values.CARDS, _DIGITS),
    "account": _Announced(Kind.CARD, values.ACCOUNTS, _DIGITS),
    "id": _Announced(Kind.ID, values.IDENTITIES),
    "combination": _Announced(Kind.PASSWORD, values.COMBINATIONS, _DIGITS),
    "entry": _Announced(Kind.PASSWORD, values.COMBINATIONS),
    "pickup": _Announced(Kind.CODE, values.PICKUPS),
    "network": _Announced(Kind.PASSWORD, values.NETWORKS),
    "unlock": _Announced(Kind.PASSWORD, values.PASSWORDS),
    "passphrase": _Announced(Kind.PASSWORD, values.PASSPHRASES, _MIXED),
    "password": _Announced(Kind.PASSWORD, values.PASSWORDS, _MIXED),
    "pin": _Announced(Kind.PASSWORD, values.PINS, _MIXED),
    "key": _Announced(Kind.KEY, values.KEYS, _LONG),
}
"""By the name of the group in `LABEL`."""
if _unknown := LABEL.groupindex.keys() - ANNOUNCED.keys():
    raise _TABLE.error("labels", f"has names that announce nothing: {', '.join(_unknown)}")


def labelled(text: str) -> Iterator[Found]:
    """The secrets of a text beside their label; they may overlap."""
    next_alike: dict[str, int] = {}
    for label in reversed(list(LABEL.finditer(text))):
        name = label.lastgroup or ""
        announced = ANNOUNCED[name]
        until = min(label.end() + _NEAR, next_alike.get(name, len(text)))
        next_alike[name] = label.start()
        if until == label.end():
            continue
        span = _linked(announced, text, label.end()) or _near(announced, text, label.end(), until)
        if span:
            yield Found(*span, announced.kind)
    for found in _AFTER_VALUE["password"].finditer(text):
        if not found["value"].isalpha() and looks_like_password(found["value"], Link.IS, ""):
            yield Found(*found.span("value"), Kind.PASSWORD)
    for name, kind in (("everywhere", Kind.PASSWORD), ("typed", Kind.PASSWORD), ("code", Kind.CODE)):
        for found in _AFTER_VALUE[name].finditer(text):
            yield Found(*found.span("value"), kind)


def _linked(announced: _Announced, text: str, at: int) -> tuple[int, int] | None:
    for link in (Link.SIGN, Link.IS, Link.NEXT):
        linked = _LINKS[link].match(text, at)
        if linked and (link is not Link.NEXT or _is_apart(text, linked.end())):
            span = value_at(announced.forms, link, text, linked.end())
            if span:
                return span
    return None


def _is_apart(text: str, at: int) -> bool:
    """Whether a new word begins here, unlike in "keyboard"."""
    return not (text[at - 1].isascii() and text[at - 1].isalnum())


def _near(announced: _Announced, text: str, at: int, until: int) -> tuple[int, int] | None:
    """A value in the rest of the sentence, up to the next label of the same kind."""
    if not announced.begins:
        return None
    ends = SENTENCE_ENDS.search(text, at, until)
    begins = announced.begins.finditer(text, at, ends.start() if ends else until)
    spans = (value_at(announced.forms, Link.NEAR, text, begin.start()) for begin in begins)
    return next(filter(None, spans), None)
