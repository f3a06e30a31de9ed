"""What stands beside a label: how it is linked to it, and the forms it may have.

After a colon a password may be any word; after "is" it must look like one or end the clause; merely near, it
must mix letters with digits or signs, or be as long as a PIN. A pass or a pin may be a thing, so without a
colon it must have a digit or a sign: "my pass is expensive" tells no password.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from ...text_analysis.relevance import content_words
from ...text_analysis.word_tables import word_table

_TABLE = word_table(__file__)
_IS = {**_TABLE.table("any_case").patterns(), **_TABLE.table("exact").patterns(re.NOFLAG)}
_SAID = frozenset(_TABLE.table("words").words("said"))
PUBLIC = _IS["public"]
TAIL = ".?:)]}>'’"
"""What a sentence puts after a value."""


class Kind(StrEnum):
    """What kind of secret it was: all that is kept of it. A phrase restores a wallet, a code is for once."""

    PASSWORD = "password"  # noqa: S105 - the word, no password
    CODE = "code"
    KEY = "key"
    PHRASE = "phrase"
    CARD = "card"
    ID = "id"


class Found(NamedTuple):
    """A secret and where it stands in the text."""

    start: int
    end: int
    kind: Kind


class Link(StrEnum):
    """What stands between a label and its value, from sure to unsure: a colon, a copula, a space, words."""

    SIGN = "sign"
    IS = "is"
    NEXT = "next"
    NEAR = "near"


type Fits = Callable[[str, Link, str], bool]
"""Whether a value can be one: as it is linked, and with what comes after it."""


type Form = tuple[re.Pattern[str], Fits]
"""One form a value may have; the group `value` is the value."""


def _form(pattern: str, fits: Fits = lambda _value, _link, _after: True) -> Form:
    """A form whose letters may have either case, and that may stand in brackets or quotes or after a sign."""
    return re.compile(rf"[:=(\[\"'`“‘「]{{0,2}}{pattern}", re.IGNORECASE), fits


def value_at(forms: Sequence[Form], link: Link, text: str, at: int) -> tuple[int, int] | None:
    """Where a value of one of these forms stands at this place, if any does."""
    for pattern, fits in forms:
        found = pattern.match(text, at)
        value = found["value"].rstrip(TAIL) if found else ""
        if found and value:
            end = found.start("value") + len(value)
            after = text[end : end + 40]
            if fits(value, link, after) and not _IS["unit"].match(after):
                return found.start("value"), end
    return None


def is_made(text: str) -> bool:
    """Whether a run of letters and digits is a machine's: in words, digits and cases change less often."""
    plain = "".join(char for char in text if char.isalnum())
    mixed = any(char.isdigit() for char in plain) and any(char.isalpha() for char in plain)
    return mixed and len(_IS["piece"].findall(plain)) * 10 >= len(plain) * 3


def is_said(word: str) -> bool:
    """Whether a word says something about the password, or nothing at all."""
    return word.lower() in _SAID or (word.isalpha() and not content_words(word))


def looks_like_password(value: str, link: Link, after: str) -> bool:
    """Whether a run of characters without spaces can be a password after such a link."""
    if _IS["left_open"].match(value) or _IS["source"].match(value) or is_said(value):
        return False
    if link is Link.SIGN:
        return True
    if link is Link.IS:
        return not value.isalpha() or bool(_IS["clause_ends"].match(after))
    if _IS["otherwise_mixed"].match(value):
        return False
    if (
        link is Link.NEXT
        and len(value) >= 4
        and not _IS["year"].match(value)
        and any(map(str.isdigit, value))
    ):
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
    """As `_are_words`; of four words or more one may be said of a passphrase too: "correct horse ..."."""
    words = value.split()
    is_open = link in (Link.SIGN, Link.IS) and len(words) >= 4 and not _IS["tells_of"].search(value)
    no_speech = all(map(content_words, words)) and sum(map(is_said, words)) <= 1
    return _are_words(value, link, after) or (is_open and no_speech)


def _is_han(value: str, link: Link, _after: str) -> bool:
    return link is Link.SIGN and not _IS["no_han"].match(value)


def _is_han_phrase(value: str, link: Link, _after: str) -> bool:
    """As `_is_han`; after 是 too where it is a saying of four characters or more, and tells nothing."""
    is_saying = link is Link.IS and len(value) >= 4 and not _IS["tells_of"].search(value)
    return (link is Link.SIGN or is_saying) and not _IS["no_han"].match(value)


def _is_code(value: str, link: Link, _after: str) -> bool:
    digits = sum(char.isdigit() for char in value)
    return digits >= 4 or (digits > 0 and link is not Link.NEAR)


def _is_key(value: str, link: Link, _after: str) -> bool:
    public = link in (Link.NEXT, Link.NEAR) and PUBLIC.match(value)
    return len(value) >= (12 if link is Link.SIGN else 16) and is_made(value) and not public


_FORMS = _TABLE.table("forms")
CODES = (_form(_FORMS.text("code"), _is_code),)
COMBINATIONS = (_form(_FORMS.text("combination"), _is_code),)
PHRASES = (_form(_FORMS.text("phrase")), _form(_FORMS.text("han_phrase")))
CARDS = (_form(_FORMS.text("card")),)
ACCOUNTS = (_form(_FORMS.text("account")),)
IDENTITIES = tuple(_form(_FORMS.text(name)) for name in ("identity", "licence", "passport"))
KEYS = (_form(_FORMS.text("key"), _is_key),)
_QUOTED = (_form(_FORMS.text("quoted"), _is_quoted), _form(_FORMS.text("in_fours"), _are_words))
_RUN, _HAN = _FORMS.text("printable"), _FORMS.text("han")
PASSWORDS = (*_QUOTED, _form(_RUN, looks_like_password), _form(_HAN, _is_han))
PINS = (*_QUOTED, _form(_RUN, _looks_like_pin), _form(_HAN, _is_han))
PASSPHRASES = (
    _QUOTED[0],
    _form(_FORMS.text("several"), _are_words_of_phrase),
    _form(_RUN, looks_like_password),
    _form(_HAN, _is_han_phrase),
)
