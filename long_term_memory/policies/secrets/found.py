"""What a finder reports."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What kind of secret it was: all that is kept of it."""

    PASSWORD = "password"  # noqa: S105 - the word, no password
    CODE = "code"
    """For once: a verification code, a card's check value."""
    KEY = "key"
    """For machines: keys and tokens."""
    PHRASE = "phrase"
    """The words a wallet is restored from."""
    CARD = "card"
    """Cards and bank accounts."""
    ID = "id"
    """The numbers that states give to people."""


class Found(NamedTuple):
    """A secret and where it stands in the text."""

    start: int
    end: int
    kind: Kind
