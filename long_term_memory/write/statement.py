"""What a rule makes of a clause."""

from dataclasses import dataclass

from ..domain.words import MemoryType


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A plain statement about the speaker."""

    fact: str
    type: MemoryType
    importance: float
    slot: str = ""
