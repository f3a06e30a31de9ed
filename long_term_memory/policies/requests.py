"""What people ask of the memory in so many words: to remember something, or not to keep it (design 5.1).

What is plainly asked for is kept word for word. What only looks like a request makes a chat urgent for the
model. A request not to keep something has to fill a clause, so that orders about files and eggs are none.
"""

import re
from dataclasses import dataclass

from ..text_analysis.traditional import simplified
from ..text_analysis.word_tables import word_table

_LENGTH = 2_000
_MAX_REQUEST = 300
"""Characters of a message that may ask for one thing to be remembered."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """The words a person asks to remember: `text` is `message[start:end]`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class OptOut:
    """A request not to keep what is said; it points back to the message before when it says nothing else."""

    points_back: bool


_IS = word_table(__file__).patterns(plain=simplified)


def _plain(text: str, length: int = _LENGTH) -> str:
    return simplified(text[:length].replace("’", "'"))


def remembered(text: str) -> Request | None:
    """What a message plainly asks to remember, when it says little else and is no errand for the bot."""
    plain = _plain(text, _MAX_REQUEST + 1).rstrip()
    if len(plain) > _MAX_REQUEST or plain.count("\n") > 1 or _IS["quoted"].search(plain):
        return None
    opening = len(plain) - len(plain.lstrip())
    asked = (_IS[way].match(plain, opening) for way in ("ask_en", "after_en", "ask_zh", "after_zh"))
    for found in filter(None, asked):
        start, kept = found.start("kept"), found["kept"].rstrip(" ,，")
        more = _IS["more_sentences"].findall(plain, found.end("kept"))
        if len(more) <= 1 and _is_to_keep(found["ask"], kept):
            return Request(text=text[start : start + len(kept)], start=start, end=start + len(kept))
    return None


def _is_to_keep(ask: str, kept: str) -> bool:
    """Whether it is of the speaker and their world; a mark behind the request says that it is."""
    if not _IS["marked"].search(ask) and not _IS["own"].fullmatch(kept):
        return False
    return bool(_IS["standing"].match(kept)) or not _IS["not_own"].search(kept)


def asks_to_remember(text: str) -> bool:
    """Whether the words look like a request to keep something in memory; a wrong yes costs an early call."""
    return bool(_IS["cue"].search(_plain(text))) or bool(remembered(text))


def asks_to_save(text: str) -> bool:
    """Whether a person's message is reason enough to keep for good what a model saves of its words."""
    return asks_to_remember(text) and not _IS["not_saved"].search(_plain(text))


def asks_not_to_keep(text: str) -> OptOut | None:
    """Whether a message asks not to keep what is said, and whether it says anything else."""
    read = text if len(text) <= 2 * _LENGTH else f"{text[:_LENGTH]}\n{text[-_LENGTH:]}"
    plain = re.sub(r"(vergiss|olvida|oublie),", r"\1", _plain(read, 2 * _LENGTH + 1), flags=re.IGNORECASE)
    clauses = [clause.strip(" \t*") for clause in _IS["clause"].split(plain)]
    asked = [_IS["opt_out"].fullmatch(clause) for clause in clauses]
    if not any(asked):
        return None
    says_more = any(found["own"] for found in asked if found)
    rest = (clause for clause, found in zip(clauses, asked, strict=True) if not found)
    alone = not says_more and all(_IS["noise"].fullmatch(clause) for clause in rest)
    return OptOut(points_back=alone and not _IS["looks_ahead"].search(plain))
