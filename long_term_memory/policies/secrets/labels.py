"""Secrets known by a label: "the password for the NAS is blue-Horse-77". `values` has the forms."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...text_analysis.word_tables import word_table
from .shapes import RESIDENT
from .values import FORMS, Form, Kind, Link, SecretSpan, looks_like_password, value_at

_TABLE = word_table(__file__)
_LABELS = {name: _TABLE.table("labels").table(name) for name in _TABLE.table("labels")}
_ANY = "|".join(f"(?P<{name}>{label.pattern('pattern')})" for name, label in _LABELS.items())
LABEL = re.compile(
    rf"(?={_TABLE.pattern('begins')})(?:(?<![a-z])|(?=[^\x00-\x7f]|{_TABLE.pattern('within')}))(?:{_ANY})",
    re.ASCII,
)
"""Labels in a `lowered` text, which is searched twice as fast as with `re.IGNORECASE`."""
OTHER = re.compile(
    f"(?<![a-z])(?:{_TABLE.table('other').pattern('english')})|{_TABLE.table('other').pattern('chinese')}"
)
"""Labels of other things that people are asked for, in a `lowered` text."""
SENTENCE_ENDS = re.compile(r"[\n\0。？！]|[.?!](?=\s)")
_LINKS = _TABLE.table("links").patterns()
_AFTER_VALUE = {name: each for name, each in _TABLE.table("after_value").patterns().items() if each.groups}
_BEGINS = {**_TABLE.table("begins_near").patterns(re.NOFLAG), "resident": RESIDENT}


class _Announced(NamedTuple):
    kind: Kind
    forms: Sequence[Form]
    begins: re.Pattern[str] | None = None
    """The beginning of a value near its label; None when it must be next to the label."""


ANNOUNCED = {
    name: _Announced(
        kind=Kind(label.text("kind")),
        forms=[FORMS[form] for form in label.words("forms")],
        begins=_BEGINS.get(label.text("begins", "")),
    )
    for name, label in _LABELS.items()
}
"""By the name of the group in `LABEL`."""


def lowered(text: str) -> str:
    """The text of the same length in small letters; of all letters, only this one would become two."""
    return text.replace("İ", "i").lower()


def labelled(text: str) -> Iterator[SecretSpan]:
    """The secrets of a text beside their label; they may overlap."""
    next_alike: dict[str, int] = {}
    for label in reversed(list(LABEL.finditer(lowered(text)))):
        name = label.lastgroup or ""
        announced = ANNOUNCED[name]
        until = min(label.end() + 40, next_alike.get(name, len(text)))
        next_alike[name] = label.start()
        if until == label.end():
            continue
        span = _linked(announced, text, label.end()) or _near(announced, text, label.end(), until)
        if span:
            yield SecretSpan(*span, announced.kind)
    for name, pattern in _AFTER_VALUE.items():
        for found in pattern.finditer(text):
            value = found["value"]
            if name != "password" or (not value.isalpha() and looks_like_password(value, Link.IS, "")):
                yield SecretSpan(*found.span("value"), Kind.CODE if name == "code" else Kind.PASSWORD)


def _linked(announced: _Announced, text: str, at: int) -> tuple[int, int] | None:
    for link in (Link.SIGN, Link.IS, Link.NEXT):
        linked = _LINKS[link].match(text, at)
        last = text[linked.end() - 1] if linked else ""
        # A value that is just next begins a word, unlike in "keyboard".
        if linked and (link is not Link.NEXT or not (last.isascii() and last.isalnum())):
            span = value_at(announced.forms, link, text, linked.end())
            if span:
                return span
    return None


def _near(announced: _Announced, text: str, at: int, until: int) -> tuple[int, int] | None:
    """A value in the rest of the sentence, up to the next label of the same kind."""
    if not announced.begins:
        return None
    ends = SENTENCE_ENDS.search(text, at, until)
    begins = announced.begins.finditer(text, at, ends.start() if ends else until)
    spans = (value_at(announced.forms, Link.NEAR, text, begin.start()) for begin in begins)
    return next(filter(None, spans), None)
