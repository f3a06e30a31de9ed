"""A message in several sentences asks several things, or one thing after some talk (design 6.2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MAX_SENTENCES = 8
"""The last ones: what is asked stands at the end."""
TOLD = 0.5
"""What a sentence that does not ask counts, when another does."""

_END = re.compile(r"(?<=[?？!！。;；\n])|(?<=\.)\s")
_ASKS = re.compile(r"[?？][\s\"”’」』')）]*$")


@dataclass(frozen=True)
class Sentence:
    """One of several, and how much it counts."""

    text: str
    weight: float


def sentences(text: str) -> Sequence[Sentence]:
    """The sentences of a message, in order."""
    parts = [part for part in _END.split(text) if part.strip()][-MAX_SENTENCES:]
    asking = [bool(_ASKS.search(part)) for part in parts]
    return [
        Sentence(part, 1.0 if asks or not any(asking) else TOLD)
        for part, asks in zip(parts, asking, strict=True)
    ]
