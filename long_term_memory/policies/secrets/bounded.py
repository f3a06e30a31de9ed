"""Text of people as it may be stored: masked first, then cut."""

from .mask import mask

CUT = " […]"
"""How a text ends that was longer."""
_MORE_MASKED = 1_000
_EDGE = 200
"""Longer than what a secret can be that its first half does not give away."""


def bounded(text: str, most: int, asked: str = "") -> str:
    """The text as it can be stored: without halves of characters, which no store takes, masked, and cut.

    Masked before it is cut, so that no part of a secret is left at the end; of a text that is far too long
    only the beginning is masked, and what may be part of a secret at its end is left out. `mask` says what
    `asked` is.
    """
    plain = text.encode("utf-8", "replace").decode().replace("\0", "").strip()
    masked = mask(plain[: most + _MORE_MASKED], asked)
    if len(plain) > most + _MORE_MASKED:
        masked = masked[:-_EDGE]
    elif len(masked) <= most:
        return masked
    return masked[: most - len(CUT)] + CUT
