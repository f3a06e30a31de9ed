"""What kind of question a message asks, sentence by sentence (design 6.2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..text_analysis.word_forms import simplified
from ..text_analysis.word_tables import word_table

MAX_SENTENCES = 8
"""The last ones: what is asked stands at the end."""
TOLD = 0.5
"""What a sentence that does not ask counts, when another does."""

_LONGEST = 300
"""Characters of a message that may ask for everything; a longer one is about something."""
_END = re.compile(r"(?<=[?？!！。;；\n])|(?<=\.)\s")
_ASKS = re.compile(r"[?？][\s\"”’」』')）]*$")
_AROUND = " \t\r\n.?!。？！，,;；:：~～…\"'“”‘’"
_IS = word_table(__file__).patterns(plain=simplified)


@dataclass(frozen=True)
class Sentence:
    """One of several, and how much it counts."""

    text: str
    weight: float


def sentences(text: str) -> Sequence[Sentence]:
    """The sentences of a message, in order: it asks several things, or one thing after some talk."""
    parts = [part for part in _END.split(text) if part.strip()][-MAX_SENTENCES:]
    asking = [bool(_ASKS.search(part)) for part in parts]
    return [
        Sentence(part, 1.0 if asks or not any(asking) else TOLD)
        for part, asks in zip(parts, asking, strict=True)
    ]


def asks_for_all(text: str) -> bool:
    """Whether one of its sentences asks for whatever is remembered of the one who asks.

    "What do you know about me?" and 你还记得我什么 have no word that a memory could share with them.
    """
    if len(text) > _LONGEST:
        return False
    parts = [each.text.strip(_AROUND) for each in sentences(text)]
    return any(
        _IS["all_en"].fullmatch(" ".join(part.split()))
        or _IS["all_zh"].fullmatch(simplified(re.sub(r"[\s，,]", "", part)))
        for part in parts
    )


def of_ones_own(text: str) -> bool:
    """Whether a question is about something of the person's own: "my thesis", 我的猫; not 帮我写."""
    return bool(_IS["own"].search(simplified(text)))


def asks_of_oneself(text: str) -> bool:
    """Whether a question is about the one who asks, or about something of theirs."""
    return of_ones_own(text) or bool(_IS["myself"].search(text))


def asks_of_own_life(text: str) -> bool:
    """Whether the speaker, or somebody close to them, does or has what is asked about.

    "How do I merge branches?", "my container exits" and 帮我写 are about anything.
    """
    plain = simplified(text)
    if any(_IS["own_zh"].match(plain, own.start()) for own in _IS["own"].finditer(plain)):
        return True
    return bool(_IS["go_through"].search(plain) or _IS["life"].search(_IS["how_to"].sub(" ", plain)))


def asks_for_plans(text: str) -> bool:
    """Whether a question that names days, or is about the speaker, asks for what is planned or open."""
    return bool(_IS["plans"].search(simplified(text)))
