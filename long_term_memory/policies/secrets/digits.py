"""Numbers that check themselves: cards, bank accounts, identity numbers."""

import re
from collections.abc import Iterator

from .found import Found, Kind

_CARD = re.compile(
    r"(?<![A-Za-z0-9_.\-])(?:[346][0-9]|5[1-5]|2[2-7])[0-9]{2}(?:[ \-]?[0-9]){10,15}(?![A-Za-z0-9_])"
)
_CARD_SIZES = {"2": (16,), "3": (14, 15, 16), "4": (16, 19), "5": (16,), "6": (16, 19)}
"""How many digits the cards have whose numbers begin like this."""
_NO_CARD = re.compile(
    r"(?:order|tracking|invoice|booking|订单|[运货]单|单号|发票|流水号)[^\n]{0,12}$", re.IGNORECASE
)
"""What else a long number may be, as the words before it say."""
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}"
    r"(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?![A-Za-z0-9])"
)
_RESIDENT = re.compile(
    r"(?<![A-Za-z0-9])[1-8][0-9]{5} ?(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r" ?[0-9]{3}[0-9Xx](?![A-Za-z0-9])"
)
_SOCIAL = re.compile(
    r"(?<![A-Za-z0-9_\-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![A-Za-z0-9_\-])"
)
_RESIDENT_CHECKS = "10X98765432"


def luhn_holds(digits: str) -> bool:
    """Whether the last digit checks the others as on payment cards (ISO/IEC 7812-1)."""
    doubled = (int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits)))
    return sum(n - 9 if n > 9 else n for n in doubled) % 10 == 0


def resident_holds(number: str) -> bool:
    """Whether the last character checks the seventeen digits of a Chinese identity number (GB 11643)."""
    total = sum(int(digit) * (2 ** (17 - at) % 11) for at, digit in enumerate(number[:17]))
    return _RESIDENT_CHECKS[total % 11] == number[17].upper()


def iban_holds(number: str) -> bool:
    """Whether the two digits after the country check a bank account's number (ISO 13616)."""
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def checked_numbers(text: str) -> Iterator[Found]:
    """The numbers of a text whose check digit holds; an American social security number has none."""
    for card in _CARD.finditer(text):
        end = _card_end(card.group())
        if end and not _NO_CARD.search(text, max(0, card.start() - 24), card.start()):
            yield Found(card.start(), card.start() + end, Kind.CARD)
    for account in _IBAN.finditer(text):
        end = _iban_end(account.group())
        if end:
            yield Found(account.start(), account.start() + end, Kind.CARD)
    for resident in _RESIDENT.finditer(text):
        if resident_holds(resident.group().replace(" ", "")):
            yield Found(*resident.span(), Kind.ID)
    for social in _SOCIAL.finditer(text):
        yield Found(*social.span(), Kind.ID)


def _card_end(run: str) -> int:
    """Where a card's number ends that begins the run, 0 when none does: a date may follow it."""
    ends = [at for at, char in enumerate(run, 1) if char.isdigit()]
    digits = "".join(char for char in run if char.isdigit())
    sizes = [size for size in _CARD_SIZES[run[0]] if size <= len(digits) and luhn_holds(digits[:size])]
    whole = (ends[size - 1] for size in sorted(sizes, reverse=True))
    return next((end for end in whole if not run[end : end + 1].isdigit()), 0)


def _iban_end(run: str) -> int:
    """Where an account's number ends that begins the run, 0 when none does: a bank's code may follow it."""
    ends = [len(run), *(found.start() for found in re.finditer(" ", run))]
    return next((end for end in sorted(ends, reverse=True) if iban_holds(run[:end].replace(" ", ""))), 0)
