"""Requests to remember something, not to keep it, or to answer in a certain way.

A plain request is kept word for word. A possible request only makes the chat urgent for the model; a wrong
yes costs an early call. A request not to keep something must fill a clause, so that orders about files and
eggs do not count.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from ..text_analysis.word_forms import simplified
from ..text_analysis.word_tables import word_table

_LENGTH = 2_000
_MAX_REQUEST = 300
"""Characters of a message that is one request."""


@dataclass(frozen=True, kw_only=True)
class OptOut:
    """A request not to keep something; without other words it refers to the message before."""

    points_back: bool
    about: str = ""
    """What is not to be kept, where the request itself says it: "that I'm pregnant"."""
    is_asked: bool = True
    """False for a message that only takes back what it says ("just kidding"), or means what comes next."""


_IS = word_table(__file__).patterns(plain=simplified)


_OWN = ("own", "own_said", "own_before", "own_zh", "own_other")
"""Groups of a request not to keep something: what it is about, as the speaker names it."""
_OF_ALL = re.compile(r"记(?:住|录|下)?我[了啦]?\W*$|\b(?:everything|all)\b", re.IGNORECASE)
"""别记住我 and "forget everything I told you" mean whatever is known, and no message before."""


def _plain(text: str, length: int = _LENGTH) -> str:
    return simplified(text[:length].replace("’", "'"))


def remembered(text: str) -> str | None:
    """What a message plainly asks to remember or to be reminded of, where it says little else.

    What the bot is to do at once, or how it is to work, is none of it.
    """
    plain = _plain(text, _MAX_REQUEST + 1).rstrip()
    if len(plain) > _MAX_REQUEST or plain.count("\n") > 1 or _IS["quoted"].search(plain):
        return None
    opening = len(plain) - len(plain.lstrip())
    ways = ("ask_en", "after_en", "ask_zh", "after_zh", "errand_en", "errand_zh")
    for found in filter(None, (_IS[way].match(plain, opening) for way in ways)):
        start, kept, ask = found.start("kept"), found["kept"].rstrip(" ,，"), found.groupdict().get("ask")
        more = _IS["more_sentences"].findall(plain, found.end("kept"))
        if len(more) <= 1 and (ask is None or _is_to_keep(ask, kept)):  # an errand is one's own
            return text[start : start + len(kept)]
    return None


def _is_to_keep(ask: str, kept: str) -> bool:
    """Whether it is about the speaker's world, as a colon after the request shows."""
    if not _IS["marked"].search(ask) and not _IS["own"].fullmatch(kept):
        return False
    return bool(_IS["standing"].match(kept)) or not _IS["not_own"].search(kept)


def asks_to_remember(text: str) -> bool:
    """Whether the words may be a request to remember."""
    return bool(_IS["cue"].search(_plain(text))) or bool(remembered(text))


def is_urgent(text: str) -> bool:
    """Whether a model is to read the words at once: they may ask to remember or to forget something."""
    return asks_to_remember(text) or bool(_IS["may_forget"].search(_plain(text)))


def asks_to_save(text: str) -> bool:
    """Whether the message makes a model's save of its words an explicit one."""
    return asks_to_remember(text) and not _IS["not_saved"].search(_plain(text))


@lru_cache(maxsize=16)  # each message is asked about several times
def asks_not_to_keep(text: str) -> OptOut | None:
    """The request of a message not to keep something, if any; what is of other days is left to a model."""
    read = text if len(text) <= 2 * _LENGTH else f"{text[:_LENGTH]}\n{text[-_LENGTH:]}"
    plain = re.sub(r"(vergiss|olvida|oublie),", r"\1", _plain(read, 2 * _LENGTH + 1), flags=re.IGNORECASE)
    clauses = [clause.strip(" \t*") for clause in _IS["clause"].split(plain)]
    asked = [_IS["opt_out"].fullmatch(clause) for clause in clauses]
    if asks_to_be_left_out(text) and (not any(asked) or _OF_ALL.search(plain)):
        return OptOut(points_back=False)
    of_other_days = _IS["of_other_days"].search(plain)
    if not any(asked):
        taken_back = _IS["taken_back"].search(plain) and not of_other_days
        return OptOut(points_back=False, is_asked=False) if taken_back else None
    about = " ".join(found[way] for found in asked if found for way in _OWN if found[way])
    rest = (clause for clause, found in zip(clauses, asked, strict=True) if not found)
    alone = not about and all(_IS["noise"].fullmatch(clause) for clause in rest)
    if of_other_days and not about and not alone:
        return None
    is_ahead = alone and bool(_IS["looks_ahead"].search(plain))
    return OptOut(points_back=alone and not is_ahead, about=about, is_asked=not is_ahead)


def asks_to_be_left_out(text: str) -> bool:
    """Whether a message asks, and says no more, that nothing of the speaker be kept from now on."""
    return bool(_IS["left_out"].fullmatch(_plain(text)))


def is_about_answers(preference: str) -> bool:
    """Whether a preference, as a model states it, is about how the bot answers: it holds for every reply."""
    plain = simplified(preference)
    of_answers = _IS["of_answers"].search(plain) and not _IS["of_others"].search(plain)
    return bool(of_answers or _IS["of_the_bot"].search(plain))
