"""Check digits of payment cards, Chinese identity numbers and bank accounts."""

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
