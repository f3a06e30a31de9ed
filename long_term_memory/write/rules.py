"""The part of extraction that needs no model: explicit saves and plain statements, zh and en (design 5.2).

An explicit save ("remember that ...", "记住...") keeps the words after the cue as they are; see `cues`. Plain
statements about oneself ("my name is ...", "我对花生过敏") become a compact fact. Questions, suppositions,
negations, afterthoughts, what others say, quotations, code, role play and texts to work on give nothing:
better to miss a fact than to invent one. A message is read in far less than 5 ms, however it is made.
"""

import re

from ..domain.memory import Event
from ..domain.words import MemoryType, Origin, Role
from ..domain.writing import Candidate
from ..policies.quotes import MAX_QUOTE
from . import rules_en, rules_zh
from .clauses import Clause, Sentence, head, plain, sentences, stated
from .cues import saved
from .earnest import NOT_IN_EARNEST, is_in_earnest
from .statement import Statement

MAX_READ = 1_000
"""Characters of a message that the rules read."""
_END_READ = 200
"""Characters at the end of a longer one that may say what the rest is: "... Summarise this text"."""
_MAX_FACTS = 10
_RULE_CONFIDENCE = 0.9

_STANDING_ORDER = re.compile(
    r"^(?:never|always|don't|do not|you must|you should|must|only)\b"
    r"|^(?:不要|别|必须|一定要|永远|总是|以后|禁止|不许|不准|只能)",
    re.IGNORECASE,
)
_SPEAKS_OF_ONESELF = re.compile(r"\b(?:i|i'm|im|my|me)\b|我", re.IGNORECASE)


def read(event: Event, index: int) -> list[Candidate]:
    """The facts a user message plainly states, at most a few; `index` is its place in the batch."""
    if event.role is not Role.USER:
        return []
    text = plain(head(event.text, MAX_READ), event.sender_name)
    if NOT_IN_EARNEST.search(text) or NOT_IN_EARNEST.search(event.text[MAX_READ:][-_END_READ:]):
        return []
    found: list[Candidate] = []
    read_sentences = sentences(text)
    kept = saved(text, read_sentences) if len(event.text) <= MAX_READ else None
    for n, sentence in enumerate(read_sentences):
        if len(found) >= _MAX_FACTS:
            break
        following = read_sentences[n + 1].text if n + 1 < len(read_sentences) else ""
        if kept and sentence.start <= kept.start < sentence.end:
            quote = event.text[sentence.start : sentence.end][:MAX_QUOTE]
            save = explicit(event.text[kept.start : kept.end], quote=quote, index=index)
            found += [save] if save.fact else []
        else:
            found += [_candidate(event.text, *told, index) for told in _said(sentence, following)]
    return found[:_MAX_FACTS]


_LOOSE_ENDS = 2
"""How much shorter than the words a statement may be and still say all of them."""


def explicit(fact: str, *, quote: str, index: int = 0) -> Candidate:
    """What a person asks to remember, of the type it is most likely of.

    A single plain statement has the key of what the rules make of it, so that saying it once more is the same
    fact. The fact is empty when there are no words.
    """
    fact = " ".join(fact.split())[:MAX_QUOTE].strip(" .。!！,，;；:：")
    said = [found for sentence in sentences(plain(fact)) for found in _said(sentence)]
    alone = said[0][1] if len(said) == 1 else Statement(fact=fact, type=_type_of(fact), importance=0.8)
    is_all = len(said) == 1 and len(alone.fact) >= len(fact) - _LOOSE_ENDS
    return Candidate(
        type=alone.type,
        fact=fact,
        fact_key=alone.fact if is_all else "",
        confidence=1.0,
        importance=max(alone.importance, 0.8),
        origin=Origin.USER_EXPLICIT,
        quote=quote,
        evidence=(index,),
        slot=alone.slot if is_all else "",
    )


def _type_of(fact: str) -> MemoryType:
    """A standing order is a constraint; all else is kept like a profile, because it was asked to be kept."""
    return MemoryType.CONSTRAINT if _STANDING_ORDER.search(fact) else MemoryType.PROFILE


def _said(sentence: Sentence, following: str = "") -> list[tuple[Clause, Statement]]:
    """The plain statements of a sentence, unless something in it or after it says that they are none."""
    if not _SPEAKS_OF_ONESELF.search(sentence.text) or not is_in_earnest(sentence.text, following):
        return []
    read_clauses = ((clause, _statement(clause.text)) for clause in stated(sentence))
    return [(clause, statement) for clause, statement in read_clauses if statement]


def _statement(clause: str) -> Statement | None:
    return rules_en.read_clause(clause) or rules_zh.read_clause(clause)


def _candidate(text: str, clause: Clause, said: Statement, index: int) -> Candidate:
    return Candidate(
        type=said.type,
        fact=said.fact,
        confidence=_RULE_CONFIDENCE,
        importance=said.importance,
        origin=Origin.RULE,
        quote=text[clause.start : clause.end],
        evidence=(index,),
        slot=said.slot,
    )
