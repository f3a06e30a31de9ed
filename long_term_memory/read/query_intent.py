"""What a question asks for: everything, plans, something of the person's own; and its sentences by weight."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ..text_analysis.word_forms import simplified
from ..text_analysis.word_tables import word_table

MAX_SENTENCES = 8
"""The last ones: what is asked stands at the end."""
STATEMENT_WEIGHT = 0.5
"""What a sentence that does not ask counts, when another does."""

_END = re.compile(r"(?<=[?？!！。;；\n])|(?<=\.)\s")
_ASKS = re.compile(r"[?？][\s\"”’」』')）]*$")
_AROUND = " \t\r\n.?!。？！，,;；:：~～…\"'“”‘’"
_IS = word_table(__file__).patterns(plain=simplified)


@lru_cache(maxsize=64)
def weighted_sentences(text: str) -> Sequence[tuple[str, float]]:
    """The sentences of a message, in order, and how much each counts."""
    parts = [part for part in _END.split(text) if part.strip()][-MAX_SENTENCES:]
    asking = [bool(_ASKS.search(part)) for part in parts]
    others = STATEMENT_WEIGHT if any(asking) else 1.0
    return [(part, 1.0 if asks else others) for part, asks in zip(parts, asking, strict=True)]


def asks_for_all(text: str) -> bool:
    """Whether one of its sentences asks for whatever is remembered of the one who asks.

    "What do you know about me?" and 你还记得我什么 have no word that a memory could share with them.
    """
    if len(text) > 300:  # it is about something
        return False
    parts = [part.strip(_AROUND) for part, _ in weighted_sentences(text)]
    return any(
        _IS["all_en"].fullmatch(" ".join(part.split()))
        or _IS["all_zh"].fullmatch(simplified(re.sub(r"[\s，,]", "", part)))
        for part in parts
    )


@lru_cache(maxsize=64)
def of_ones_own(text: str) -> bool:
    """Whether a question is about something of the person's own: "my thesis", 我的猫; not 帮我写."""
    return bool(_IS["own"].search(simplified(text)))


def asks_of_oneself(text: str) -> bool:
    """Whether a question is about the one who asks, or about something of theirs."""
    return of_ones_own(text) or bool(_IS["myself"].search(text))


def asks_in_general(text: str) -> bool:
    """Whether it asks how something is done, what it is, or for a text, whoever asks."""
    return bool(_IS["general"].search(simplified(text)))


def asks_of_own_life(text: str) -> bool:
    """Whether the speaker, or somebody close to them, does or has what is asked about.

    "How do I merge branches?", "my container exits" and 帮我写 are about anything.
    """
    plain = simplified(text)
    if any(_IS["own_zh"].match(plain, own.start()) for own in _IS["own"].finditer(plain)):
        return True
    implied = (_IS[name].search(plain) for name in ("implied_en", "implied_zh"))  # who asks is left out
    if len(plain) <= 120 and any(implied) and not asks_in_general(text):
        return True
    return bool(_IS["life"].search(_IS["how_to"].sub(" ", plain)))


@lru_cache(maxsize=64)  # asked more than once about each question
def asks_for_plans(text: str) -> bool:
    """Whether a question asks for what is planned or open: by name, or what lies ahead of the speaker."""
    plain = simplified(text)
    if _IS["plans"].search(plain):
        return True
    of_own = _IS["ahead"].search(plain) and _IS["overview"].search(plain) and _IS["personal"].search(plain)
    return bool(of_own and not _IS["elsewhere"].search(plain))


@lru_cache(maxsize=8_192)  # the same facts come up in many requests
def is_due(fact: str) -> bool:
    """Whether a fact names a day, a time or a number, or says that something is still to do."""
    return bool(_IS["due"].search(simplified(fact)))
