"""Whether a run of characters is a machine's."""

import re

PUBLIC = re.compile(r"AAAA|0x")
"""How public keys and the addresses of wallets begin."""
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def is_made(text: str) -> bool:
    """Whether a run of letters and digits is a machine's: in words, digits and cases change less often."""
    plain = "".join(char for char in text if char.isalnum())
    mixed = any(char.isdigit() for char in plain) and any(char.isalpha() for char in plain)
    return mixed and len(_PIECE.findall(plain)) * 10 >= len(plain) * 3
