"""Secrets known by their form: keys with a known prefix or no words, numbers with a check digit."""

import re
from collections.abc import Callable, Iterator, Mapping

from ...text_analysis.word_tables import word_table
from .values import PUBLIC, Kind, SecretSpan, is_made

_TABLE = word_table(__file__)
_IS = {
    **_TABLE.table("exact").patterns(re.NOFLAG),
    **_TABLE.table("any_case").patterns(),
    **_TABLE.table("ascii").patterns(re.ASCII),
}
RESIDENT = _IS["resident"]
"""The form of the number of a Chinese identity card, whether its check digit holds or not."""
_CARD_SIZES = {"2": (16,), "3": (14, 15, 16), "4": (16, 19), "5": (16,), "6": (16, 19)}
"""Lengths of card numbers by their first digit."""


def shaped(text: str) -> Iterator[SecretSpan]:
    """The secrets of a text by their form; they may overlap."""
    yield from _keys(text)
    for around, kind in (("key_around", Kind.KEY), ("password_around", Kind.PASSWORD)):
        for found in _IS[around].finditer(text):
            name = found.lastgroup or ""
            if name != "header" or any(map(str.isdigit, found[name])):
                yield SecretSpan(*found.span(name), kind)
    if _IS["digits"].search(text):
        yield from _checked_numbers(text)
    for run in _IS["words"].finditer(text):
        yield from _phrases(text, *run.span())


def _keys(text: str) -> Iterator[SecretSpan]:
    yield from (SecretSpan(*block.span(), Kind.KEY) for block in _IS["pem"].finditer(text))
    for key in _IS["key"].finditer(text):
        if not key["known"] or _IS["no_words"].search(key["known"], 5):
            yield SecretSpan(*key.span(), Kind.KEY)
    for run in _IS["run"].finditer(text):
        word = run.group()
        is_random = is_made(word) and not word.islower() and not word.isupper()
        if is_random and not run["address"] and not PUBLIC.match(word):
            yield SecretSpan(*run.span(), Kind.KEY)


def _phrases(text: str, at: int, end: int) -> Iterator[SecretSpan]:
    for spoken in (*_IS["speech"].finditer(text, at, end), None):
        until = spoken.start() if spoken else end
        words = text[at:until].strip()
        if words.count(" ") >= 11:
            start = text.index(words, at)
            yield SecretSpan(start, start + len(words), Kind.PHRASE)
        at = spoken.end() if spoken else until


def _checked_numbers(text: str) -> Iterator[SecretSpan]:
    """The numbers of a text whose check digit holds; an American social security number has none."""
    for name, (kind, end_of) in _NUMBERS.items():
        for found in _IS[name].finditer(text):
            start, end = found.start(), end_of(found.group())
            if end and not (name == "card" and _IS["no_card"].search(text, max(0, start - 24), start)):
                yield SecretSpan(start, start + end, kind)


def _card_end(run: str) -> int:
    """The end of the card number at the start of the run, 0 for none: a date may follow it."""
    ends = [at for at, char in enumerate(run, 1) if char.isdigit()]
    digits = "".join(char for char in run if char.isdigit())
    sizes = [size for size in _CARD_SIZES[run[0]] if size <= len(digits) and luhn_holds(digits[:size])]
    whole = (ends[size - 1] for size in sorted(sizes, reverse=True))
    return next((end for end in whole if not run[end : end + 1].isdigit()), 0)


def _account_end(run: str) -> int:
    """The end of the account number at the start of the run, 0 for none: a bank code may follow it."""
    ends = [len(run), *(found.start() for found in re.finditer(" ", run))]
    return next((end for end in sorted(ends, reverse=True) if iban_holds(run[:end].replace(" ", ""))), 0)


def luhn_holds(digits: str) -> bool:
    """Whether the last digit checks the others as on payment cards (ISO/IEC 7812-1)."""
    doubled = (int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits)))
    return sum(n - 9 if n > 9 else n for n in doubled) % 10 == 0


def resident_holds(number: str) -> bool:
    """Whether the last character checks the seventeen digits of a Chinese identity number (GB 11643)."""
    total = sum(int(digit) * (2 ** (17 - at) % 11) for at, digit in enumerate(number[:17]))
    return "10X98765432"[total % 11] == number[17].upper()


def iban_holds(number: str) -> bool:
    """Whether the two digits after the country check a bank account's number (ISO 13616)."""
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


_NUMBERS: Mapping[str, tuple[Kind, Callable[[str], int]]] = {
    "card": (Kind.CARD, _card_end),
    "account": (Kind.CARD, _account_end),
    "resident": (Kind.ID, lambda run: len(run) * resident_holds(run.replace(" ", ""))),
    "social": (Kind.ID, len),
}
"""The end of each kind of number in a run, 0 where its check fails."""
