"""Finding a quote in what was really said."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher

from .terms import HAN, HANGUL, KANA, index_terms

_SUBJECT = frozenset(index_terms("User 用户"))
MAX_QUOTE = 500
"""Characters of evidence kept with an item."""
MAX_AROUND = 250
"""Characters that are shown on either side of a quote."""

_CHANGED = 0.15
"""The share of a quote's words that may be other words, or be missing, in what was said."""
_SHORTEST_NEAR = 9
"""Words of a quote from which it may be near: of fewer each one counts."""
_MOST_WORDS = 3_000
_WORD = re.compile(rf"[^\W_{KANA}{HAN}]+|[{KANA}{HAN}]")
_SENTENCE = re.compile(r"[^.!?。！？؟\n]+[.!?。！？؟]*")
_JOINED = re.compile("[a-zA-Z0-9]{2}")
_EDGE = rf"(?:(?<![^\W_{KANA}{HAN}{HANGUL}])|(?![^\W_{KANA}{HAN}{HANGUL}]))"
"""Where a word or a number begins or ends, in scripts that part them by spaces, or none is."""
_FEW = 4
"""Bytes of UTF-8: "no" and 对 tell nothing by themselves."""
_BETWEEN = re.compile(r"[\W_]+")


def find(quote: str, text: str, *, nearly: bool = True) -> tuple[int, int] | None:
    """Where in a text the words are that a quote stands for; None when they are not there.

    Exactly, else without regard to case, width, punctuation and spaces, else `nearly`: the words in their
    order, a small share of them changed, numbers never. A quote does not begin or end inside a Latin word or
    a number.
    """
    quote = quote.strip()
    start = text.find(quote) if quote else -1
    if start >= 0 and _stands_alone(text, start, start + len(quote)):
        return start, start + len(quote)
    return _find_normal(quote, text) or (_find_near(quote, text) if nearly else None)


def replaced(words: str, by: str, text: str) -> str:
    """The text with something else in the place of these words, not within a word; of few letters alone."""
    if len(words.encode()) < _FEW:
        return by if text.strip() == words else text
    return re.sub(f"{_EDGE}{re.escape(words)}{_EDGE}", by, text)


def shared_terms(fact: str, text: str) -> float:
    """The share (0..1) of the terms of a fact that a text has, "User" and its like left out."""
    wanted = frozenset(index_terms(fact)) - _SUBJECT
    return len(wanted & frozenset(index_terms(text))) / max(1, len(wanted))


def statements_share(fact: str, talk: Iterable[tuple[bool, str]]) -> float:
    """The share (0..1) of the terms of a fact that a person's statements bring up, before anybody else does.

    `talk` are messages, oldest first, each with whether it is the person's.
    """
    wanted, told, of_others = frozenset(index_terms(fact)) - _SUBJECT, set[str](), set[str]()
    for own, text in talk:
        if own:
            stated = (each for each in sentences(text) if not each.rstrip().endswith(("?", "？")))
            told |= {term for each in stated for term in index_terms(each)} - of_others
        else:
            of_others |= {*index_terms(text)}
    return len(wanted & told) / max(1, len(wanted))


def sentences(text: str) -> list[str]:
    """The sentences of a text, with the marks that end them."""
    return [found for found in _SENTENCE.findall(text) if found.strip()]


def best_sentence(fact: str, text: str) -> str:
    """The sentence of a text with most of the terms of a fact; all of the text where none has any."""
    found = max(sentences(text), key=lambda each: shared_terms(fact, each), default="")
    return bounded(found if shared_terms(fact, found) else text)


def bounded(text: str) -> str:
    """The beginning of a text, as evidence."""
    return text.strip()[:MAX_QUOTE]


def surroundings(quote: str, text: str) -> tuple[str, str]:
    """What stands before and after a quote in its message; empty where it is not found there.

    At most `MAX_AROUND` characters each, with "…" where there is more.
    """
    span = find(quote, text)
    if span is None:
        return "", ""
    before, after = text[: span[0]].lstrip(), text[span[1] :].rstrip()
    if len(before) > MAX_AROUND:
        before = f"…{before[-MAX_AROUND:]}"
    if len(after) > MAX_AROUND:
        after = f"{after[:MAX_AROUND]}…"
    return before, after


def _find_normal(quote: str, text: str) -> tuple[int, int] | None:
    wanted = _letters(quote)
    if not wanted or wanted not in _letters(text):
        return None
    folded = [(c, i) for i, char in enumerate(text) for c in _letters(char)]
    plain = "".join(char for char, _ in folded)
    at = plain.find(wanted)
    while at >= 0:
        start, end = folded[at][1], folded[at + len(wanted) - 1][1] + 1
        if _stands_alone(text, start, end):
            return start, end
        at = plain.find(wanted, at + 1)
    return None


def _find_near(quote: str, text: str) -> tuple[int, int] | None:
    """The stretch of the text that has nearly all words of the quote in their order."""
    wanted = [word.group().casefold() for word in _WORD.finditer(quote[:MAX_QUOTE])]
    if len(wanted) < _SHORTEST_NEAR:
        return None
    places = list(_WORD.finditer(text))[:_MOST_WORDS]
    said = [word.group().casefold() for word in places]
    blocks = SequenceMatcher(None, said, wanted, autojunk=False).get_matching_blocks()[:-1]
    if not blocks:
        return None
    start, end = blocks[0].a, blocks[-1].a + blocks[-1].size
    kept = {at for each in blocks for at in range(each.b, each.b + each.size)}
    changed = [word for at, word in enumerate(wanted) if at not in kept]
    most = _CHANGED * len(wanted)
    if max(len(changed), end - start - len(kept)) > most or re.search(r"\d", "".join(changed)):
        return None
    return places[start].start(), places[end - 1].end()


def _letters(text: str) -> str:
    """Letters and digits alone, taken apart so that each character of a text gives its own."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return _BETWEEN.sub("", folded)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether it neither begins nor ends inside a Latin word or a number."""
    return not any(_JOINED.match(text, at - 1) for at in (start, end) if at)
