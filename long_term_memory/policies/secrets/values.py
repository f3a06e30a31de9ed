"""Values beside a label: the link between them, and the forms of a value.

After a colon a password may be any word. After "is" it must look like one or end the clause. Merely near, it
must mix letters with digits or signs, or have the length of a PIN. The value of a "pass" or "pin" needs a
digit or a sign except after a colon: "my pass is expensive" tells no password.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ...text_analysis.terms import content_words
from ...text_analysis.word_tables import word_table

_TABLE = word_table(__file__)
_IS = {**_TABLE.table("any_case").patterns(), **_TABLE.table("exact").patterns(re.NOFLAG)}
_SAID = frozenset(_TABLE.table("words").words("said"))
PUBLIC = _IS["public"]
TAIL = ".?:)]}>'’"
"""What a sentence puts after a value."""


class Kind(StrEnum):
    """Kinds of secrets: a phrase restores a wallet, a code is used once."""

    PASSWORD = "password"  # noqa: S105 - the word, no password
    CODE = "code"
    KEY = "key"
    PHRASE = "phrase"
    CARD = "card"
    ID = "id"


class SecretSpan(NamedTuple):
    """A secret and where it stands in the text."""

    start: int
    end: int
    kind: Kind


class Link(StrEnum):
    """What is between a label and its value, from sure to unsure: a colon, a copula, a space, words."""

    SIGN = "sign"
    IS = "is"
    NEXT = "next"
    NEAR = "near"


type Fits = Callable[[str, Link, str], bool]
"""Whether a value fits its link and the text after it."""
type Form = tuple[re.Pattern[str], Fits | None]
"""One form a value may have, and what it must fit beside that; the group `value` is the value."""


def value_at(forms: Sequence[Form], link: Link, text: str, at: int) -> tuple[int, int] | None:
    """The span of a value of one of these forms at this place."""
    for pattern, fits in forms:
        found = pattern.match(text, at)
        value = found["value"].rstrip(TAIL) if found else ""
        if found and value:
            end = found.start("value") + len(value)
            after = text[end : end + 40]
            if (not fits or fits(value, link, after)) and not _IS["unit"].match(after):
                return found.start("value"), end
    return None


def is_made(text: str) -> bool:
    """Whether a run of letters and digits is generated: its digits and cases change often."""
    plain = "".join(char for char in text if char.isalnum())
    mixed = any(char.isdigit() for char in plain) and any(char.isalpha() for char in plain)
    return mixed and len(_IS["piece"].findall(plain)) * 10 >= len(plain) * 3


def is_said(word: str) -> bool:
    """Whether a word describes the password, or is a function word."""
    return word.lower() in _SAID or (word.isalpha() and not content_words(word))


def looks_like_password(value: str, link: Link, after: str) -> bool:
    """Whether a run of characters without spaces can be a password after this link."""
    is_source = link is not Link.IS and _IS["source"].match(value)
    if _IS["left_open"].match(value) or is_source or is_said(value):
        return False
    if link is Link.SIGN:
        return True
    if link is Link.IS:
        return not value.isalpha() or bool(_IS["clause_ends"].match(after))
    if _IS["otherwise_mixed"].match(value):
        return False
    is_no_year = len(value) >= 4 and not _IS["year"].match(value)
    if link is Link.NEXT and is_no_year and any(map(str.isdigit, value)):
        return True
    return bool(_IS["pin"].match(value) or _IS["mixed"].match(value))


def _looks_like_pin(value: str, link: Link, after: str) -> bool:
    is_range = _IS["range"].match(value) and _IS["time_unit"].match(after)
    is_word = is_range or not _IS["signed"].match(value.rstrip("!")) or _IS["otherwise_mixed"].match(value)
    return (link is Link.SIGN or not is_word) and looks_like_password(value, link, after)


def _is_quoted(value: str, link: Link, _after: str) -> bool:
    return link in (Link.SIGN, Link.IS) and not all(map(is_said, value.split()))


def _are_words(value: str, link: Link, _after: str) -> bool:
    return link in (Link.SIGN, Link.IS) and not any(map(is_said, value.split()))


def _are_words_of_phrase(value: str, link: Link, after: str) -> bool:
    """As `_are_words`; one of four or more words may describe a passphrase: "correct horse ..."."""
    words = value.split()
    is_open = link in (Link.SIGN, Link.IS) and len(words) >= 4 and not _IS["tells_of"].search(value)
    no_speech = all(map(content_words, words)) and sum(map(is_said, words)) <= 1
    return _are_words(value, link, after) or (is_open and no_speech)


def _is_han(value: str, link: Link, _after: str) -> bool:
    return link is Link.SIGN and not _IS["no_han"].match(value)


def _is_han_phrase(value: str, link: Link, _after: str) -> bool:
    """As `_is_han`; after 是 also a phrase of four characters or more that states nothing."""
    is_saying = link is Link.IS and len(value) >= 4 and not _IS["tells_of"].search(value)
    return (link is Link.SIGN or is_saying) and not _IS["no_han"].match(value)


def _is_chosen(value: str, link: Link, _after: str) -> bool:
    """Letters or Chinese characters and digits; with few digits it may tell of a password."""
    tells = not value[-3:].isdecimal() and _IS["tells_of"].search(value)
    return link in (Link.SIGN, Link.IS) and not tells


def _is_code(value: str, link: Link, _after: str) -> bool:
    digits = sum(char.isdigit() for char in value)
    return digits >= 4 or (digits > 0 and link is not Link.NEAR)


def _is_key(value: str, link: Link, _after: str) -> bool:
    public = link in (Link.NEXT, Link.NEAR) and PUBLIC.match(value)
    return len(value) >= (12 if link is Link.SIGN else 16) and is_made(value) and not public


_FITS: Mapping[str, Fits] = {
    **dict.fromkeys(("code", "shelf", "combination"), _is_code),
    **dict.fromkeys(("network", "printable"), looks_like_password),
    "pin": _looks_like_pin,
    "key": _is_key,
    "quoted": _is_quoted,
    "in_fours": _are_words,
    "several": _are_words_of_phrase,
    "han": _is_han,
    "han_sentence": _is_han_phrase,
    **dict.fromkeys(("chosen", "han_digits"), _is_chosen),
}
FORMS: Mapping[str, Form] = {
    name: (re.compile(rf"[:=(\[\"'`“‘「]{{0,2}}{form.pattern}", re.IGNORECASE), _FITS.get(name))
    for name, form in _TABLE.table("forms").patterns().items()
}
"""In any case, after optional brackets, quotes or signs."""
