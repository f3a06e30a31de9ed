"""Whether somebody asks for whatever is remembered of them, as new users do first (design 6.3).

"What do you know about me?" and 你还记得我什么 have no word that a memory could share with them. What asks
for something in particular ("What do you know about my cat?", 你记得我哪天出生吗) is no such question: a
sentence must say that and nothing else.
"""

import re

from ..text_analysis.traditional import simplified
from .sentences import sentences

_LONGEST = 300
"""Characters of a message that may ask so; a longer one is about something."""

_PLEASE = r"(?:(?:please|so|ok(?:ay)?|hey|hi|hello|now|and|well|but|then)[\s,]+)*"
_ASK = (
    r"(?:(?:can|could|would|will) you (?:please )?)?(?:tell|show|give|list|recall|summari[sz]e|repeat)"
    r"(?: to)?(?: me| us)?(?: again)? "
)
_YOU = r"(?:do|did|have|can|could|would) (?:you|u) (?:(?:still|even|already|actually|really|currently|all) )*"
_KNOW = (
    r"(?:know|knew|known|remember|remembered|recall|learned|learnt|stored|saved|noted|kept|memori[sz]ed"
    r"|have stored|have saved|have noted|have|got)"
)
_ANY = r"(?:anything|something|everything|all|things|facts|memories|details|information|info)"
_ME = r"(?:about|of|on|regarding) (?:me|myself)"
_SO_FAR = r"(?:[\s,]+(?:so far|already|by now|now|at all|exactly|anyway|then|again|please|though))*"
_ENGLISH = re.compile(
    rf"{_PLEASE}(?:"
    rf"what (?:(?:else|all|exactly|facts|memories|information|details) )*{_YOU}{_KNOW} {_ME}"
    rf"|what {_YOU}(?:remember|recall)"
    rf"|what(?: do|['’]s| is) (?:you have )?(?:in )?your memor(?:y|ies)(?: {_ME})?"
    rf"|how (?:much|well) {_YOU}(?:know|remember)(?: {_ME}| me)"
    rf"|{_YOU}(?:know|remember|recall|have) (?:{_ANY} {_ME}|me|who i am)"
    rf"|(?:{_ASK})?(?:{_ANY}|what)(?: that)? you(?: still|['’]ve| have)? {_KNOW} {_ME}"
    rf"|{_ASK}(?:{_ANY} )?{_ME}"
    rf"|who am i"
    rf"){_SO_FAR}",
    re.IGNORECASE,
)

_CALLING = (
    r"(?:请问|请|麻烦|那么?|嗨|你好|[帮给跟]我|告诉我|说说|讲讲|[说列]一下|列出来?|总结一下|看看|我?想知道)*"
)
_THOU = r"[你您](?:还|都|现在|目前|到底|究竟|已经|能|可以|会|有没有|是否|总共|一共|所)*"
_KNOWN = r"(?:记得|记住|记下|记录|记|知道|了解|清楚|掌握|保存|存|认识)(?:了|过|着|到)?"
_MUCH = r"(?:什么|些什么|多少|哪些|一些|啥|所有|全部|一切)"
_THINGS = r"(?:事情?|信息|东西|内容|情况|资料|方面|记忆|个人信息)"
_MYSELF = r"(?:关于|有关)?我(?:本人|自己|这个人)?"
_AT_LAST = r"(?:了|呢|啊|呀|吗|么|嘛|吧|不)*"
_CHINESE = re.compile(
    rf"{_CALLING}(?:"
    rf"{_THOU}{_KNOWN}的?{_MUCH}?的?{_MYSELF}的?{_MUCH}?的?{_THINGS}?"
    rf"|(?:关于|有关|对于?)我{_THOU}{_KNOWN}{_MUCH}{_THINGS}?"
    rf"|{_THOU}对我(?:还|都)?有?(?:{_MUCH}|多少)?的?(?:{_KNOWN}|印象|记忆)(?:有?{_MUCH})?{_THINGS}?"
    rf"|{_THOU}有?多(?:了解|认识|清楚)我"
    rf"|{_THOU}记得{_MUCH}"
    rf"|把?{_THOU}{_KNOWN}的?(?:关于|有关)我的?{_MUCH}?{_THINGS}?都?(?:告诉我|说出来|列出来)"
    rf"|(?:{_THOU}{_KNOWN})?我是谁"
    rf"|[你您]的?记忆[里中](?:有|都有|存了)(?:{_MUCH}|{_MYSELF}的?{_MUCH})?(?:{_MYSELF}的)?{_THINGS}?"
    rf"){_AT_LAST}"
)
_AROUND = " \t\r\n.?!。？！，,;；:：~～…\"'“”‘’"


def asks_for_all(text: str) -> bool:
    """Whether one of its sentences asks for whatever is remembered of the one who asks."""
    if len(text) > _LONGEST:
        return False
    return any(_is_such(each.text.strip(_AROUND)) for each in sentences(text))


def _is_such(sentence: str) -> bool:
    plain = " ".join(sentence.split())
    return bool(_ENGLISH.fullmatch(plain) or _CHINESE.fullmatch(simplified(re.sub(r"[\s，,]", "", sentence))))
