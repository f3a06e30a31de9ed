"""Requests to remember something, not to keep it, or to answer in a certain way.

A plain request is kept word for word. A possible request only makes the chat urgent for the model. A request
not to keep something is told by the classes of the words of a clause, each a letter, so that their order and
the wording hardly matter; words of tasks, questions and reports keep files and eggs out.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

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


_SIMPLE = str.maketrans(
    "話講刪剷將託與識資數據當庫絕爛們邊剛訊錯號實離緊隱檔儲腦裡裏淨徹統誤銷毀啟換終斷總處傳單戀診療癥親證護",
    "话讲删铲将托与识资数据当库绝烂们边刚讯错号实离紧隐档储脑里里净彻统误销毁启换终断总处传单恋诊疗症亲证护",
)
"""What `simplified` leaves of such requests."""


def _simple(text: str) -> str:
    return simplified(text).translate(_SIMPLE)


_IS = word_table(__file__).patterns(plain=_simple)


def _plain(text: str, length: int = _LENGTH) -> str:
    return _simple(text[:length].replace("’", "'"))


def remembered(text: str) -> str | None:
    """What a message plainly asks to remember, where it says little else and is no errand for the bot."""
    plain = _plain(text, _MAX_REQUEST + 1).rstrip()
    if len(plain) > _MAX_REQUEST or plain.count("\n") > 1 or _IS["quoted"].search(plain):
        return None
    opening = len(plain) - len(plain.lstrip())
    asked = (_IS[way].match(plain, opening) for way in ("ask_en", "after_en", "ask_zh", "after_zh"))
    for found in filter(None, asked):
        start, kept = found.start("kept"), found["kept"].rstrip(" ,，")
        more = _IS["more_sentences"].findall(plain, found.end("kept"))
        if len(more) <= 1 and _is_to_keep(found["ask"], kept):
            return text[start : start + len(kept)]
    return None


def _is_to_keep(ask: str, kept: str) -> bool:
    """Whether it is about the speaker's world, as a colon after the request shows."""
    if not _IS["marked"].search(ask) and not _IS["own"].fullmatch(kept):
        return False
    return bool(_IS["standing"].match(kept)) or not _IS["not_own"].search(kept)


def asks_to_remember(text: str) -> bool:
    """Whether the words may be a request to remember; a wrong yes costs an early call."""
    return bool(_IS["cue"].search(_plain(text))) or bool(remembered(text))


def asks_to_save(text: str) -> bool:
    """Whether the message makes a model's save of its words an explicit one."""
    return asks_to_remember(text) and not _IS["not_saved"].search(_plain(text))


@lru_cache(maxsize=16)  # each message is asked about several times
def asks_not_to_keep(text: str) -> OptOut | None:
    """The request of a message not to keep something, if any."""
    read = text if len(text) <= 2 * _LENGTH else f"{text[:_LENGTH]}\n{text[-_LENGTH:]}"
    plain = re.sub(r"(vergiss|olvida|oublie),", r"\1", _plain(read, 2 * _LENGTH + 1), flags=re.IGNORECASE)
    foreign = [(clause, _IS["opt_out"].fullmatch(clause)) for clause in _clauses(plain)]
    if about := [found["own"] or "" for _, found in foreign if found]:
        alone = all(found or _IS["noise"].fullmatch(clause) for clause, found in foreign)
        return OptOut(points_back=alone and not any(about), about=" ".join(about).strip())
    letters, ways, abouts = zip(*_read(plain), strict=True)
    if asks_to_be_left_out(text) and ("back" not in ways or _IS["of_own"].search(",".join(letters))):
        return OptOut(points_back=False)
    alone, asked = "named" not in ways and all(ways), [way for way in ways if way != "aside"]
    if {"back", "named"} & {*ways} or ("undo" in ways and (alone or asked[-1] == "undo")):
        points_back = alone and not _IS["looks_ahead"].search(plain)
        return OptOut(points_back=points_back, about=" ".join(filter(None, abouts)))
    return OptOut(points_back=False) if _IS["taken_back"].search(plain) else None


def asks_to_be_left_out(text: str) -> bool:
    """Whether a message asks that nothing of the speaker be kept from now on."""
    return bool(_IS["me"].search(",".join(letters for letters, *_ in _read(_plain(text)))))


def _clauses(plain: str) -> list[str]:
    return [clause.strip(" \t*") for clause in _IS["clause"].split(plain)]


def _read(plain: str) -> list[tuple[str, str, str]]:
    """Of each clause the letters of its words, how it asks, if at all, and what it names."""
    reported = _IS["spoken_of"].search(plain)
    return [("", "", "")] if reported else [*map(_asked, _clauses(_IS["mentioned"].sub("x", plain)))]


def _asked(clause: str) -> tuple[str, str, str]:
    words = [*_IS["word"].finditer(clause[:_MAX_REQUEST])]
    letters = "".join(str(word.lastgroup)[0] for word in words)
    way = next((way for way in ("back", "undo", "named", "aside") if _IS[way].search(letters)), "")
    asks = way == "named" and _IS["asking"].search(letters)
    parts = pairwise((0, *asks.span(), len(letters))) if asks else ()
    named = (_IS["content"].search(letters, *part) for part in parts)
    said = (clause[words[each.start()].start() : words[each.end() - 1].end()] for each in named if each)
    return letters, way, " ".join(each for each in said if each.casefold() != "i")


def is_about_answers(preference: str) -> bool:
    """Whether a preference, as a model states it, is about how the bot answers: it holds for every reply."""
    plain = _simple(preference)
    of_answers = _IS["of_answers"].search(plain) and not _IS["of_others"].search(plain)
    return bool(of_answers or _IS["of_the_bot"].search(plain))
