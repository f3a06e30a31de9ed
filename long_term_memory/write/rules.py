"""Extraction by rules, without a model: plain statements and requests to remember, en and zh.

Each clause must fit a pattern of `rules.toml` as a whole; none behind a mention of others omits its subject.
Questions, suppositions, quotations, stories and texts to work on yield nothing, because facts of rules are
not verified. When a model reads the same message later, its facts replace those of the rules.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from functools import cache

from ..domain.enums import MemoryType, Origin, Role
from ..domain.memory import Event, Item
from ..domain.writing import Candidate, Grounded
from ..policies.requests import is_urgent, remembered
from ..text_analysis.dates import end_named, with_days
from ..text_analysis.fact_words import is_over
from ..text_analysis.numbers import with_digits
from ..text_analysis.quotes import MAX_QUOTE, bounded, shared_terms
from ..text_analysis.terms import A_HAN
from ..text_analysis.word_forms import relative_told_of, simplified
from ..text_analysis.word_tables import WordTable, word_table
from .rule_facts import SAME_ENOUGH

ATTITUDE = "attitude_"
"""Prefix of the slots of likes, dislikes and habits, one per object."""
MAX_MESSAGE = 600
"""Characters of a message that is read for statements: a longer one is mostly pasted."""
MAX_READ = 1_000
"""Characters of a message that is read for requests: a longer one is a text to work on."""
MAX_SENTENCE = 200
_CONFIDENCE = 0.9
_EXPLICIT_IMPORTANCE = 0.8
_DIGITS = re.compile(r"\d+")
_MOSTLY = 0.6
"""The share of the terms of what is to be saved of a relative that a plain statement has to have."""
_MAX_FACTS = 10
_MAX_CLAUSES = 24
_MAX_JOINED = 3
"""Clauses of one statement: "allergic to nuts, milk and eggs"."""


@dataclass(frozen=True, kw_only=True)
class RuleFact:
    """A fact about its speaker; `quote` is the clause, which ends at `end` of the message."""

    fact: str
    type: MemoryType
    importance: float
    slot: str
    quote: str = ""
    end: int = 0


_SENTENCE = re.compile(r"(?P<body>(?:[^.!?。！？…\n]|\.(?=\w))+)(?P<end>[.!?。！？…\n]*)")
_TABLE = word_table(__file__)
_WORDS = {kind: _TABLE.table("words").pattern(kind) for kind in _TABLE.table("words")}
_FRAME, _BEFORE, _AFTER, _BREAK, _ABOUT_ONESELF, _OTHERS = map(
    _TABLE.table("around").compiled, ("frame", "before", "after", "break", "about_oneself", "others")
)
_CANTONESE = str.maketrans(_TABLE.text("cantonese"), _TABLE.text("mandarin"))
_KIND = re.compile(f"([&@])({'|'.join(sorted(_WORDS, key=len, reverse=True))})")
_LONG_VALUES = frozenset(_TABLE.words("long_values"))
_INSTRUCTION = re.compile(_TABLE.table("explicit").pattern("instruction"), re.IGNORECASE)
_FIRST_PERSON = {
    r"\AUser['’]s\b": "My",
    r"\AUser is\b": "I am",
    r"\AUser has\b": "I have",
    r"\AUser does\b": "I do",
    r"\AUser (\w+)ies\b": r"I \1y",
    r"\AUser (\w+)s\b": r"I \1",
    r"\A用户": "我",
}
"""How lists begin what the person says of themselves."""
_LOWER = frozenset(("diet", "intolerance", "condition", "several", "relative", "verb", "kin", "an", "status"))
_MASS = ("s", "milk", "dairy", "gluten", "pollen", "latex", "ragweed", "penicillin", "fish", "seafood")


def extract_by_rules(
    events: Sequence[Event], zone: tzinfo, *, asked: bool
) -> tuple[Sequence[Event], Sequence[Grounded]]:
    """The events with their urgency, and the facts that the rules find; slow for long texts.

    Requests to remember or to forget count only where the bot is `asked`; they do not wait for the chat to be
    idle.
    """
    if asked:
        urgent = [event.role is Role.USER and is_urgent(event.text) for event in events]
        events = [replace(event, urgent=each) for event, each in zip(events, urgent, strict=True)]
    facts: list[Grounded] = []
    for event in events:
        if event.role is not Role.USER or len(event.text) > MAX_READ:
            continue
        request = remembered(event.text) if asked else None
        if request and _words(request) and "[secret:" not in request:
            facts.append(explicit_fact(request, event, zone, quote=request))
        else:
            stated = read_statements(event.text)
            facts += [_grounded(each, event) for each in stated if "[secret:" not in each.fact]
    return events, facts


def read_beside(
    read: Sequence[Item], facts: Sequence[Grounded], events: Sequence[Event], zone: tzinfo
) -> Sequence[Grounded]:
    """The items that the rules `read` in these messages beside a model's `facts`, to be verified too."""
    kept = {item.fact for item in read if item.origin is Origin.RULE}
    again = extract_by_rules(events, zone, asked=True)[1] if kept else ()
    told = [(each.owner, each.candidate.fact) for each in facts if not (each.doubt or each.refused)]
    return [
        each
        for each in again
        if each.candidate.fact in kept
        if not any(
            owner == each.owner and shared_terms(each.candidate.fact, fact) >= SAME_ENOUGH
            for owner, fact in told
        )
    ]


def explicit_fact(text: str, event: Event, zone: tzinfo, *, quote: str = "") -> Grounded:
    """An explicit save: a plain statement where the rules read one, else the person's words.

    They are a constraint where they tell the bot what to do from now on, else an episode. The fact has in
    brackets which days its words mean, and ends with the day that they name.
    """
    words = _words(text)
    in_first_person = _in_first_person(words)
    said = read_statements(in_first_person)
    kind = MemoryType.CONSTRAINT if _INSTRUCTION.match(words) else MemoryType.EPISODE
    own = RuleFact(fact=words, type=kind, importance=0, slot="")
    # "My sister Lena lives in Oslo" tells more than her name.
    is_whole = len(said) == 1 and len(said[0].quote) >= len(in_first_person) - 2
    if is_whole and relative_told_of(said[0].fact):
        is_whole = shared_terms(in_first_person, said[0].fact) > _MOSTLY
    plain = said[0] if is_whole else own
    if not {*_DIGITS.findall(words)} <= {*_DIGITS.findall(plain.fact)}:  # a dose
        plain = replace(plain, fact=words)
    at = event.created_at.astimezone(zone)
    until = end_named(words, at)
    importance = max(plain.importance, _EXPLICIT_IMPORTANCE)
    quote = _words(quote) or words
    fact = with_days(plain.fact, at, to_come=True if until and not is_over(words) else None)
    statement = replace(plain, fact=fact, quote=quote, importance=importance)
    return _grounded(statement, event, Origin.USER_EXPLICIT, until)


def _in_first_person(words: str) -> str:
    """The words of a list, "User lives in Nice", as their person says them; others as they are."""
    for pattern, own in _FIRST_PERSON.items():
        words, count = re.subn(pattern, own, words, count=1)
        if count:
            break
    return words


def _words(text: str) -> str:
    return " ".join(text.split())[:MAX_QUOTE].strip(" .。!！,，;；:：")


def _grounded(
    said: RuleFact, event: Event, origin: Origin = Origin.RULE, until: date | None = None
) -> Grounded:
    candidate = Candidate(
        type=said.type,
        fact=said.fact,
        confidence=_CONFIDENCE if origin is Origin.RULE else 1.0,
        importance=said.importance,
        origin=origin,
        slot=said.slot,
        until=until,
    )
    return Grounded(candidate=candidate, event=event, quote=bounded(said.quote), owner=event.owner, person="")


def read_statements(text: str) -> list[RuleFact]:
    """The facts that a message states of its speaker, in its language and order, at most ten.

    A hostile message takes a few milliseconds, too, once the patterns it needs are compiled.
    """
    plain = _plain(text) if len(text) <= MAX_MESSAGE else ""
    if _FRAME.search(plain):
        return []
    found: list[RuleFact] = []
    for sentence in _SENTENCE.finditer(plain):
        if len(sentence["body"]) <= MAX_SENTENCE and len(found) < _MAX_FACTS:
            found += _read_sentence(text, sentence)
    return found[:_MAX_FACTS]


def _plain(text: str) -> str:
    """The text in simplified Mandarin with straight apostrophes; offsets stay."""
    plain = simplified(text.replace("’", "'")).translate(_CANTONESE)
    return plain.replace("不食", "不吃").replace("钟意", "喜欢").replace("我系", "我是")


def _read_sentence(text: str, sentence: re.Match[str]) -> Iterator[RuleFact]:
    clauses = _clauses(sentence)
    asks = any(mark in sentence["end"] for mark in "?？")
    read_to = 0
    for n, (start, end) in enumerate(clauses):
        about = _ABOUT_ONESELF.search(sentence.string, start, end)
        if start < read_to or (not about and _OTHERS.search(sentence.string, 0, start)):
            continue
        if _BEFORE.search(sentence.string[sentence.start() : start]):
            return
        ends = [end for _, end in clauses[n : n + _MAX_JOINED] if not asks or end != clauses[-1][1]]
        spans = ((start, end) for end in reversed(ends))
        statement = next((said for span in spans if (said := _statement(text, sentence.string, *span))), None)
        if statement:
            read_to = statement.end
            yield statement


def _clauses(sentence: re.Match[str]) -> list[tuple[int, int]]:
    """The spans of the clauses of a sentence, without the spaces around them."""
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


def _statement(text: str, plain: str, start: int, end: int) -> RuleFact | None:
    """The statement of a span, unless what follows retracts it."""
    clause = " ".join(plain[start:end].split())
    if _AFTER.match(plain, end):
        return None
    for pattern, rule in CHINESE if A_HAN.search(clause) else ENGLISH:
        # All patterns take seconds to compile: each waits for a clause with any words for its long values.
        if compiled(pattern, _LONG_VALUES).match(clause) and (said := compiled(pattern).match(clause)):
            fact, slot = rule.fact.format_map(_values(said)), _slot(rule.slot, said)
            return replace(rule, fact=fact, slot=slot, quote=text[start:end], end=end)
    return None


def _values(said: re.Match[str]) -> dict[str, str]:
    """The values by kind, as a fact writes them."""
    values = {kind: (value or "").strip() for kind, value in said.groupdict().items()}
    values |= {kind: values[kind].lower() for kind in _LOWER & values.keys()}
    if "岁" in values:
        values["岁"] = with_digits(values["岁"] + "岁").removesuffix("岁")
    if "allergen" in values and not values["allergen"].endswith(_MASS):
        values["allergen"] += "s"
    return values


def _slot(slot: str, said: re.Match[str]) -> str:
    """The slot of a rule; an attitude's slot is named after its object."""
    if slot != ATTITUDE:
        return slot
    about = next(said[kind] for kind in ("thing", "foods", "物", "食物") if kind in said.re.groupindex)
    return slot + "_".join(re.sub(r"^[吃喝看听玩](?=.)", "", about.lower()).split())


@cache
def compiled(pattern: str, any_words: Container[str] = ()) -> re.Pattern[str]:
    """The pattern with the words of its kinds, or any words for some of them."""
    while name := _KIND.search(pattern):
        mark, kind = name.groups()
        group = f"?P<{kind}>" if mark == "@" and kind not in any_words else "?:"
        group += ".+" if kind in any_words else _WORDS[kind]
        pattern = f"{pattern[: name.start()]}({group}){pattern[name.end() :]}"
    return re.compile(pattern, re.IGNORECASE)


def _rule(rule: WordTable, fillers: WordTable) -> tuple[str, RuleFact]:
    pattern = f"{fillers.text('opening')}(?:{rule.pattern('pattern')}){fillers.text('closing')}"
    kind, slot = MemoryType(rule.text("type")), rule.text("slot", "")
    importance = rule.number("importance")
    return pattern, RuleFact(fact=rule.text("fact"), type=kind, importance=importance, slot=slot)


ENGLISH, CHINESE = (
    [_rule(rule, _TABLE.table("fillers").table(language)) for rule in _TABLE.tables(language)]
    for language in ("english", "chinese")
)
