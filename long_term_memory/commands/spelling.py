"""What somebody may have meant whose word is no subcommand."""

from collections.abc import Iterable
from difflib import get_close_matches

from ..messages import SUBCOMMANDS

_NEAR_ENOUGH = 0.6


def meant_by(word: str, names: Iterable[str]) -> str:
    """The subcommand, of these, that is spelt most like the word; empty when none is."""
    spellings = {name: name for name in names}
    spellings |= {SUBCOMMANDS[name]: name for name in spellings}
    # A bound on the word: comparing takes time in proportion.
    found = get_close_matches(word.lower()[:32], spellings, n=1, cutoff=_NEAR_ENOUGH)
    return spellings[found[0]] if found else ""
