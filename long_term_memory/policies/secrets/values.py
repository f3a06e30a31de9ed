"""What stands beside a label: how it is linked to it, and the forms it may have."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

PUBLIC = re.compile(r"AAAA|0x")
"""How public keys and the addresses of wallets begin."""
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
TAIL = ".?:)]}>'’"
"""What a sentence puts after a value."""
_UNIT = re.compile(
    r"\s?(?:[位个次天年月日号分秒元块岁条万€]"
    r"|(?:digits?|chars?|characters?|letters?|min|sec|times|euros?|dollars?|bucks)\b|[a-z]*seconds|%)",
    re.IGNORECASE,
)
"""What makes a number a quantity."""


class Link(Enum):
    """What stands between a label and its value, from sure to unsure."""

    SIGN = auto()
    """A colon, an equals sign."""
    IS = auto()
    """A copula: is, was, 是, 改成."""
    NEXT = auto()
    """Nothing but a space or a comma."""
    NEAR = auto()
    """Some words of the same sentence."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """One form a value may have."""

    pattern: re.Pattern[str]
    """Its group `value` is the value."""
    fits: Callable[[str, Link, str], bool]
    """Whether it can be: as it is linked, and with what comes after it."""


def form(pattern: str, fits: Callable[[str, Link, str], bool] = lambda _value, _link, _after: True) -> Form:
    """A form whose letters may have either case, and that may stand in brackets or quotes or after a sign."""
    return Form(pattern=re.compile(rf"[:=(\[\"'`“‘「]{{0,2}}{pattern}", re.IGNORECASE), fits=fits)


def value_at(forms: Sequence[Form], link: Link, text: str, at: int) -> tuple[int, int] | None:
    """Where a value of one of these forms stands at this place, if any does."""
    for each in forms:
        found = each.pattern.match(text, at)
        value = found["value"].rstrip(TAIL) if found else ""
        if found and value:
            end = found.start("value") + len(value)
            after = text[end : end + 40]
            if each.fits(value, link, after) and not _UNIT.match(after):
                return found.start("value"), end
    return None


def is_made(text: str) -> bool:
    """Whether a run of letters and digits is a machine's: in words, digits and cases change less often."""
    plain = "".join(char for char in text if char.isalnum())
    mixed = any(char.isdigit() for char in plain) and any(char.isalpha() for char in plain)
    return mixed and len(_PIECE.findall(plain)) * 10 >= len(plain) * 3


def _is_code(value: str, link: Link, _after: str) -> bool:
    digits = sum(char.isdigit() for char in value)
    return digits >= 4 or (digits > 0 and link is not Link.NEAR)


def _is_key(value: str, link: Link, _after: str) -> bool:
    public = link in (Link.NEXT, Link.NEAR) and PUBLIC.match(value)
    return len(value) >= (12 if link is Link.SIGN else 16) and is_made(value) and not public


CODES = (
    form(
        r"(?:[a-z]-)?(?P<value>[0-9]{3,8}(?:[ -][0-9]{3,4})?|[a-z0-9]{4,5}(?:-[a-z0-9]{4,5}){1,7})"
        r"(?![a-z0-9])",
        _is_code,
    ),
)
COMBINATIONS = (
    form(r"(?P<value>[0-9]{3,8}[a-d]?[#*]?|[0-9]{1,2}(?:[ -][0-9]{1,2}){2,5})(?![a-z0-9])", _is_code),
)
PHRASES = (
    form(r"(?P<value>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})(?![a-z])"),
    form(r"(?P<value>[\u4e00-\u9fff](?:[ 、][\u4e00-\u9fff]){11,23})(?![\u4e00-\u9fff])"),
)
CARDS = (form(r"(?P<value>[0-9](?:[ -]?[0-9]){11,24})(?![a-z0-9])"),)
ACCOUNTS = (form(r"(?P<value>[0-9](?:[ -]?[0-9]){7,24})(?![a-z0-9])"),)
IDENTITIES = (
    form(r"(?!(?:19|20)[0-9]{2}[ -])(?P<value>[a-z]{0,2}(?:[ -]?[0-9]){6,18}(?: ?[a-dx])?)(?![a-z0-9])"),
    form(r"(?P<value>[a-z]{5}[0-9]{6}[a-z0-9]{5})(?![a-z0-9])"),
    form(r"(?P<value>(?-i:(?=[0-9]*[A-Z])(?=(?:[A-Z]*[0-9]){2})[A-Z0-9]{8,10}))(?![a-z0-9])"),
)
"""The last as on passports: capitals and digits mixed."""
KEYS = (form(r"(?P<value>[a-z0-9][a-z0-9_.+/~%*-]{11,4096}+={0,2})", _is_key),)
