"""The part of extraction that needs no model: explicit cues and plain statements, zh and en (design 5.2).

A cue ("remember that ...", "记住...") is a person's own save: the words after it are the fact, as they are.
"Remember to ..." and "别忘了带伞" are errands, not facts, and are left to the model. Plain statements about
oneself ("my name is ...", "我对花生过敏") become a compact fact. Questions, suppositions, negations, what
others say, quotations, code, role play and requests to write or translate give nothing: better to miss a
fact than to invent one.
"""

import re

from ..domain.memory import Event
from ..domain.words import MemoryType, Origin, Role
from ..domain.writing import Candidate
from ..policies.quotes import MAX_QUOTE
from . import rules_en, rules_zh
from .clauses import MASK, Clause, Sentence, plain, sentences, stated
from .statement import Statement

_MAX_FACTS = 10
_RULE_CONFIDENCE = 0.9

_CUE_EN = re.compile(
    r"^(?:(?:hi|hey|hello|ok|okay|also|and|so|now|well|yes)[,!\s]+)*(?:please |pls |always )*"
    r"(?:remember|(?:don't|do not|never) forget)(?:,? please)?(?:"
    r"(?: that| this)?\s*:\s*(?P<told>\S.*)"
    r"|,? (?P<own>(?:i'm|i'll|i've|my|our|we|i) .*)"
    r"|,? that (?P<that>\S.*))$",
    re.IGNORECASE,
)
_CUE_ZH = re.compile(
    r"^(?:请|麻烦|拜托|帮我|帮忙|你|您|要|一定|务必|好好|给我|还要|那|那就|嗯|好|对了|[，,\s])*"
    r"(?P<cue>记住|记一下|记下来|记下|记着|记好|(?:别|不要|可别|千万别)忘(?:了|记)?)(?P<mark>[：:，,\s]*)(?P<fact>.+)$"
)
_NO_FACT_EN = re.compile(r"i (?:told|said|asked|mentioned)\b", re.IGNORECASE)
_NO_STATEMENT_EN = re.compile(
    r"(?:my|our) (?!.*\b(?:is|are|was|were|has|have|isn't|aren't)\b)", re.IGNORECASE
)
_THAT_CLAUSE = re.compile(
    r"(?:i|i'm|i've|i'll|my|we|our|the|a|an|he|she|they|it|there|you|your|all|every|no|never|always|do|don't)\b"
    r"|(?:[\w'-]+ ){1,4}(?:is|are|was|were|has|have|had|will|must|should|can|likes?|lives?|works?|needs?)\b",
    re.IGNORECASE,
)
_NO_FACT_ZH = re.compile(
    r"^(?:了|没|吗|的|不|这|那|我说|我刚|我的话|他说|她说|一下$)|[吗么呢没]$|什么|怎么|哪|谁"
)
_STATES_ZH = re.compile(r"我|是|在|有|要|叫|对|喜欢|不|过敏|住|会|每|必须|以后")
_STANDING_ORDER = re.compile(
    r"^(?:never|always|don't|do not|you must|you should|must|only)\b"
    r"|^(?:不要|别|必须|一定要|永远|总是|以后|禁止|不许|不准|只能)",
    re.IGNORECASE,
)
_NOT_IN_EARNEST = re.compile(
    r"\b(?:pretend\w*|imagin\w*|role-? ?play\w*|in character|ooc|act as|translat\w*|how do you say|rewrit\w*"
    r"|rephras\w*|proofread|correct (?:this|my)|grammar|example|e\.g\.|for instance|lyrics"
    r"|write (?:me )?(?:a|an|some)|in (?:the|my|this|a) (?:story|game|novel|movie|dream)|kidding|jk)\b"
    r"|假装|扮演|角色|剧本|台词|设定|故事里|游戏里|想象|翻译|润色|造句|改写|病句|语法|例如|比如|譬如|写一?[个首篇段封句]"
    r"|怎么说|歌词|开玩笑|骗你|逗你|瞎说|胡说",
    re.IGNORECASE,
)
_NOT_STATED = re.compile(
    r"\b(?:if|whether|unless|suppose|supposing|would|were|say|says|saying|said|tell|tells|told|asked|wrote|called"
    r"|think|thinks|guess|maybe|perhaps|probably|might|wish|according)\b"
    r"|如果|假如|假设|要是|若是|(?<!小)说(?!明|服)|告诉|问(?!题)|写道|觉得|认为|以为|可能|也许|大概|好像|似乎|梦见|希望(?!被)",
    re.IGNORECASE,
)


def read(event: Event, index: int) -> list[Candidate]:
    """The facts a user message plainly states, at most a few; `index` is its place in the batch."""
    if event.role is not Role.USER:
        return []
    text = plain(event.text)
    joke = _NOT_IN_EARNEST.search(text)
    found: list[Candidate] = []
    for sentence in sentences(text):
        saved = _saved(sentence)
        if saved and not (joke and joke.start() < sentence.start):
            quote = event.text[sentence.start : sentence.end][:MAX_QUOTE]
            found.append(explicit(event.text[saved.start : saved.end], quote=quote, index=index))
        elif not saved and not joke:
            found += [_candidate(event.text, clause, said, index) for clause, said in _said(sentence)]
    return found[:_MAX_FACTS]


def explicit(fact: str, *, quote: str, index: int = 0) -> Candidate:
    """What a person asks to remember: the words as they are, of the type they are most likely of."""
    fact = " ".join(fact.split())[:MAX_QUOTE].rstrip(" .。!！,，;；")
    said = [statement for sentence in sentences(plain(fact)) for _, statement in _said(sentence)]
    alone = said[0] if len(said) == 1 else Statement(fact=fact, type=_type_of(fact), importance=0.8)
    return Candidate(
        type=alone.type,
        fact=fact,
        confidence=1.0,
        importance=max(alone.importance, 0.8),
        origin=Origin.USER_EXPLICIT,
        quote=quote,
        evidence=(index,),
        slot=alone.slot,
    )


def _type_of(fact: str) -> MemoryType:
    """A standing order is a constraint; all else is kept like a profile, because it was asked to be kept."""
    return MemoryType.CONSTRAINT if _STANDING_ORDER.search(fact) else MemoryType.PROFILE


def _saved(sentence: Sentence) -> Clause | None:
    """The words after an explicit cue, when they state something."""
    text = sentence.text
    if sentence.asks or MASK in text:
        return None
    cue = _CUE_EN.search(text)
    if cue:
        group = next(name for name in ("told", "own", "that") if cue[name])
        return _part(sentence, cue, group) if _states_en(group, cue[group]) else None
    cue = _CUE_ZH.search(text)
    return _part(sentence, cue, "fact") if cue and _states_zh(cue) else None


def _part(sentence: Sentence, cue: re.Match[str], group: str) -> Clause:
    start, end = sentence.start + cue.start(group), sentence.start + cue.end(group)
    return Clause(text=cue[group], start=start, end=end)


def _states_en(group: str, fact: str) -> bool:
    if len(fact.split()) < 2 or _NO_FACT_EN.match(fact) or (group == "own" and _NO_STATEMENT_EN.match(fact)):
        return False
    return group != "that" or bool(_THAT_CLAUSE.match(fact))


def _states_zh(cue: re.Match[str]) -> bool:
    fact, marked = cue["fact"].strip(), bool(cue["mark"].strip())
    if len(fact) < 3 or _NO_FACT_ZH.search(fact):
        return False
    errand = "忘" in cue["cue"] and not fact.startswith("我")
    return marked or (not errand and bool(_STATES_ZH.search(fact)))


def _said(sentence: Sentence) -> list[tuple[Clause, Statement]]:
    """The plain statements of a sentence, unless something in it says that they are none."""
    if _NOT_STATED.search(sentence.text):
        return []
    read = ((clause, _statement(clause.text)) for clause in stated(sentence))
    return [(clause, statement) for clause, statement in read if statement]


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
