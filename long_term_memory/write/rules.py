"""Rules without a model: the plainest statements of people about themselves, en and zh (design 5.2).

Each clause has to fit a pattern of `rules.toml` as a whole; only the first may leave out who it is about
("vegan here"). Questions, suppositions, quotations, stories and texts to work on give nothing: what a rule
finds is not verified, so it has to be precise.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..domain.words import MemoryType
from ..text_analysis.numbers import with_digits
from ..text_analysis.traditional import simplified
from ..text_analysis.word_tables import WordTable, word_table

ATTITUDE = "attitude_"
"""The beginning of the slots of likes, dislikes and habits: one answer about a thing at a time."""
MAX_MESSAGE = 600
"""Characters of a message that is read: a longer one is mostly pasted."""
MAX_SENTENCE = 200
_MAX_FACTS = 10
_MAX_CLAUSES = 24
_MAX_JOINED = 3
"""Clauses that may be one statement: "allergic to nuts, milk and eggs"."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A fact somebody states of themselves; `quote` is the clause, `text[start:end]` of the message."""

    fact: str
    type: MemoryType
    importance: float
    slot: str
    quote: str = ""
    start: int = 0
    end: int = 0


_SENTENCE = re.compile(r"(?P<body>(?:[^.!?。！？…\n]|\.(?=\w))+)(?P<end>[.!?。！？…\n]*)")
_TABLE = word_table(__file__)
_WORDS = {kind: _TABLE.table("words").pattern(kind) for kind in _TABLE.table("words")}
_FRAME, _BEFORE, _AFTER, _BREAK, _ABOUT_ONESELF = map(
    _TABLE.table("around").compiled, ("frame", "before", "after", "break", "about_oneself")
)
_CANTONESE = str.maketrans("唔係嘅㗎喺咗冇飲計師護醫鍾", "不是的啊在了没喝计师护医钟")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KIND = re.compile(f"([&@])({'|'.join(sorted(_WORDS, key=len, reverse=True))})")
_UNKNOWN = re.compile(r"[&@]\w+")
_PLACE = re.compile(r"{(\w+)}")
_LOWER = frozenset(("diet", "intolerance", "condition", "several", "relative", "verb", "kin", "an", "status"))
_MASS = ("s", "milk", "dairy", "gluten", "pollen", "latex", "ragweed", "penicillin", "fish", "seafood")


def read(text: str) -> list[Statement]:
    """The facts a message plainly states of its speaker, at most ten, in the order they are said.

    Facts are in the language of the message. A slot has one answer at a time, those that begin with ATTITUDE
    too; an empty one has none. A message takes a few milliseconds, however it is made.
    """
    plain = _plain(text) if len(text) <= MAX_MESSAGE else ""
    if _FRAME.search(plain):
        return []
    found: list[Statement] = []
    for sentence in _SENTENCE.finditer(plain):
        if len(sentence["body"]) <= MAX_SENTENCE and len(found) < _MAX_FACTS:
            found += _read_sentence(text, sentence)
    return found[:_MAX_FACTS]


def _plain(text: str) -> str:
    """The text, as long as before, in simplified Mandarin with straight apostrophes."""
    plain = simplified(text.replace("’", "'")).translate(_CANTONESE)
    return plain.replace("不食", "不吃").replace("钟意", "喜欢")


def _read_sentence(text: str, sentence: re.Match[str]) -> Iterator[Statement]:
    clauses = _clauses(sentence)
    asks = any(mark in sentence["end"] for mark in "?？")
    read_to = 0
    for n, (start, end) in enumerate(clauses):
        if start < read_to or (start and not _ABOUT_ONESELF.search(sentence.string, start, end)):
            continue
        if _BEFORE.search(sentence.string[sentence.start() : start]):
            return
        ends = [end for _, end in clauses[n : n + _MAX_JOINED]]
        if asks and ends[-1] == clauses[-1][1]:
            ends.pop()
        spans = ((start, end) for end in reversed(ends))
        told = next((said for span in spans if (said := _statement(text, sentence.string, *span))), None)
        if told:
            read_to = told.end
            yield told


def _clauses(sentence: re.Match[str]) -> list[tuple[int, int]]:
    """Where the clauses of a sentence begin and end, without the spaces around them."""
    whole, close = sentence.string, sentence.end("body")
    breaks = [found.span() for found in _BREAK.finditer(whole, sentence.start(), close)]
    starts = [sentence.start(), *(end for _, end in breaks)]
    ends = [*(start for start, _ in breaks), close]
    pieces = [(start, whole[start:end]) for start, end in zip(starts, ends, strict=True)]
    return [
        (start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
        for start, piece in pieces
        if piece.strip()
    ][:_MAX_CLAUSES]


def _statement(text: str, plain: str, start: int, end: int) -> Statement | None:
    """What the words between two places state, if what follows does not take it back."""
    clause = " ".join(plain[start:end].split())
    if _AFTER.match(plain, end):
        return None
    for pattern, rule in _CHINESE if _HAN.search(clause) else _ENGLISH:
        if said := pattern.match(clause):
            fact, slot = rule.fact.format_map(_values(said)), _slot(rule.slot, said)
            return replace(rule, fact=fact, slot=slot, quote=text[start:end], start=start, end=end)
    return None


def _values(said: re.Match[str]) -> dict[str, str]:
    """What was said by kind, as a fact writes it."""
    values = {kind: (value or "").strip() for kind, value in said.groupdict().items()}
    values |= {kind: values[kind].lower() for kind in _LOWER & values.keys()}
    if "岁" in values:
        values["岁"] = with_digits(values["岁"] + "岁").removesuffix("岁")
    if "allergen" in values and not values["allergen"].endswith(_MASS):
        values["allergen"] += "s"
    return values


def _slot(slot: str, said: re.Match[str]) -> str:
    """The slot of a rule; that of an attitude is named after its object."""
    if slot != ATTITUDE:
        return slot
    about = next(said[kind] for kind in ("thing", "foods", "物", "食物") if kind in said.re.groupindex)
    return slot + "_".join(re.sub(r"^[吃喝看听玩](?=.)", "", about.lower()).split())


def _compiled(rule: WordTable, fillers: WordTable) -> tuple[re.Pattern[str], Statement]:
    """A rule: a pattern, and what it states with names for the values."""
    fact = rule.text("fact")
    pattern = f"{fillers.text('opening')}(?:{rule.pattern('pattern')}){fillers.text('closing')}"
    while name := _KIND.search(pattern):
        group = f"(?P<{name[2]}>" if name[1] == "@" else "(?:"
        pattern = f"{pattern[: name.start()]}{group}{_WORDS[name[2]]}){pattern[name.end() :]}"
    if unknown := _UNKNOWN.search(pattern):
        raise rule.error("pattern", f"names words that are not there: {unknown[0]}")
    whole = rule.compile(pattern, "pattern")
    if unsaid := set(_PLACE.findall(fact)) - whole.groupindex.keys():
        raise rule.error("fact", f"has places that the pattern does not fill: {', '.join(unsaid)}")
    kind, slot = MemoryType(rule.text("type")), rule.text("slot", "")
    return whole, Statement(fact=fact, type=kind, importance=rule.number("importance"), slot=slot)


_ENGLISH, _CHINESE = (
    [_compiled(rule, _TABLE.table("fillers").table(language)) for rule in _TABLE.tables(language)]
    for language in ("english", "chinese")
)
