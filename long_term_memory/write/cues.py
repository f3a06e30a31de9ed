"""Explicit saves in a chat: "remember that ...", "记住..." (design 5.2).

What is saved so is active at once, so it has to be plain that the speaker asks for it: the cue opens a short
message, and what follows is of the speaker and their world, not of the task at hand and not an order to the
bot. "Remember to ..." and "别忘了带伞" are errands. What is not plain is left to the model.
"""

import re

from .clauses import MASK, Clause, Sentence
from .earnest import SUPPOSES

MAX_MESSAGE = 200
"""Characters of a message that may be a save."""
_MAX_SENTENCES = 2

_GREETING = re.compile(
    r"(?:\W{0,3}\b(?:hi|hello|hey|ok|okay|thanks|thank you|good (?:morning|evening))\b(?: there| bot)?"
    r"|\W{0,3}(?:你好|您好|嗨|哈喽|早上好|晚上好|好的?|谢谢|对了)){0,3}\W{0,5}",
    re.IGNORECASE,
)
_CUE_EN = re.compile(
    r"(?:(?:hi|hey|hello|ok|okay|also|and|so|now|well|yes)[,!\s]{1,3}){0,3}(?:@?\w{1,20},\s)?"
    r"(?:(?:please|pls|always|just),?\s){0,2}(?:can you |could you )?"
    r"(?:remember|(?:don't|do not) forget)(?:,? please)?(?:"
    r"(?: that| this)?\s?[:：]\s{0,3}(?P<told>\S.*)"
    r"|,? (?P<own>(?:i'm|i'll|i've|my|our|we|i) .*)"
    r"|,? that (?P<that>\S.*))",
    re.IGNORECASE,
)
_CUE_ZH = re.compile(
    r"(?:@?(?:(?![说讲喊叫问写道诉])[\w]){1,8}[，,]\s?)?"
    r"(?:请|麻烦|拜托|帮我|帮忙|你|您|要|一定|务必|好好|给我|还要|那|就|嗯|好的?|对了|[，,\s]){0,5}"
    r"(?P<cue>记住|记一下|记下来|记下|记着点?|记好|(?:千万|可)?(?:别|不要)忘(?:了"
    r"|记)?)(?P<mark>[：:，,\s]{0,4})(?P<fact>.+)",
)
_TO_THE_BOT = re.compile(
    r"\b(?:you|you're|your|yours|yourself|assistant|chatbot|bot|ai|prompts?|instructions?|rules?|obey)\b"
    r"|[你您妳]|助手|机器人|指令|提示词|规则|服从|听话|忽略",
    re.IGNORECASE,
)
_OF_THE_TASK = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|response|respond|output|summary|summari[sz]e|essay|poem|story|text"
    r"|translat\w+"
    r"|format|words|json|markdown|bullet|paragraph|code|function|rhymes?|above|below|homework|exercise"
    r"|equation)\b"
    r"|回答|回复|输出|字数|\d字|字以内|格式|翻译|总结|口语|代码|这次|本次|上面|下面|上文|题目|作业|步骤"
    r"|故事|小说",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"(?:never|always|from now on)\b|以后|今后|从现在|从今|永远|任何时候|每次",
    re.IGNORECASE,
)
_KEPT_THING_EN = (
    r"(?:the |our )?(?:[\w'-]{1,20} ){0,2}(?:password|code|pin|passphrase|number|address|birthday"
    r"|anniversary|wifi"
    r"|plate|key|meeting|appointment|deadline)\b.{0,40}? (?:is|are|was)\b"
)
_NO_NAME = "(?!(?:The|This|That|These|Those|There|It|He|She|They|All|Every|Some|Any|No|One|If|When|What)\\b)"
_NAMED = re.compile(
    rf"{_NO_NAME}[A-Z][\w'-]{{1,20}}(?: [A-Z][\w'-]{{1,20}})? "
    r"(?:is|was|has|likes|loves|hates|lives|works|moved|prefers|can't|doesn't|speaks)\b"
)
_MINE = re.compile(r"\b(?:i|i'm|i've|i'll|my|mine|me|our|we|we're)\b|[我咱]", re.IGNORECASE)
_KEPT_THING = re.compile(
    _KEPT_THING_EN + r"|(?:密码|车牌号?|电话|手机号|地址|生日|账号|邮箱|纪念日|wifi)\S{0,8}(?:是|为|：)",
    re.IGNORECASE,
)
_NO_FACT_EN = re.compile(r"i (?:told|said|asked|mentioned)\b", re.IGNORECASE)
_NO_STATEMENT_EN = re.compile(
    r"(?:my|our) (?!.*\b(?:is|are|was|were|has|have|isn't|aren't)\b)", re.IGNORECASE
)
_THAT_CLAUSE = re.compile(
    r"(?:i|i'm|i've|i'll|my|we|our|the|a|an|all|every|no|never|always)\b|(?:[\w'-]{1,30} ){1,4}"
    r"(?:is|are|was|were|has|have|had|will|likes?|loves?|hates?|lives?|works?|moved|prefers|can't|doesn't"
    r"|speaks)\b",
    re.IGNORECASE,
)
_NO_FACT_ZH = re.compile(
    r"^(?:了|没|吗|的|不|这|那|[他她它]|我说|我刚|我的话|一下$)|[吗么呢没]$|什么|怎么|哪|谁"
)


def saved(text: str, sentences: list[Sentence]) -> Clause | None:
    """The words after a cue that opens a masked message, when they plainly are to be kept."""
    if not sentences or len(text.strip()) >= MAX_MESSAGE:
        return None
    for n, sentence in enumerate(sentences):
        if not _GREETING.fullmatch(text, 0, sentence.start):
            return None
        found = _after_cue(sentence)
        if found:
            return found if len(sentences) - n <= _MAX_SENTENCES else None
    return None


def _after_cue(sentence: Sentence) -> Clause | None:
    text = sentence.text
    if sentence.asks or MASK in text:
        return None
    cue = _CUE_EN.fullmatch(text)
    group = next((name for name in ("told", "own", "that") if cue and cue[name]), "fact")
    cue = cue or _CUE_ZH.fullmatch(text)
    if cue is None:
        return None
    states = _states_zh(cue) if group == "fact" else _states_en(group, cue[group])
    if not states or not _is_to_keep(cue[group].strip()):
        return None
    return Clause(text=cue[group], start=sentence.start + cue.start(group), end=sentence.end)


def _is_to_keep(fact: str) -> bool:
    """Whether it is of the speaker or their world, or a standing order, and supposes nothing."""
    if _TO_THE_BOT.search(fact) or SUPPOSES.search(fact):
        return False
    if _STANDING.match(fact):
        return True
    ours = _MINE.search(fact) or _NAMED.match(fact) or _KEPT_THING.match(fact)
    return bool(ours) and not _OF_THE_TASK.search(_KEPT_THING.sub(" ", fact))


def _states_en(group: str, fact: str) -> bool:
    if len(fact.split()) < 2 or _NO_FACT_EN.match(fact) or (group == "own" and _NO_STATEMENT_EN.match(fact)):
        return False
    return group != "that" or bool(_THAT_CLAUSE.match(fact))


def _states_zh(cue: re.Match[str]) -> bool:
    """Without 我 it is an errand, unless a mark after the cue sets it off as something to keep."""
    fact, marked = cue["fact"].strip(" ，,：:；;。！!"), bool(cue["mark"].strip())
    if len(fact) < 3 or _NO_FACT_ZH.search(fact):
        return False
    return (
        marked or fact.startswith(("我", "咱")) or ("忘" not in cue["cue"] and bool(_KEPT_THING.match(fact)))
    )
