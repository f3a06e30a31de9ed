"""Which parts of a message are pasted from a chat, and so are another's words (design 5.3).

"Bob: I am married" and a line "Bob, [18.11.2026 10:32]" give what follows to Bob. "Fact: I am vegan" and the
sender's own name do not. What looks like a name and is none costs what it says, and alone on its line all up
to an empty one; a name that is overlooked would make Bob's life the sender's.
"""

import re
from collections.abc import Iterator

from ..policies.kinship import ADJECTIVE, KIN, KIN_ZH

_NAME = (
    rf"(?P<name>(?:[Mm]y {ADJECTIVE})?@?[^\W\d_][^\s:：,，。！？!?;；>]{{0,23}}"
    r"(?: [A-Z][\w.'-]{0,23}){0,2})"
)
_DAY = (
    r"(?:\d{1,4}[-/.年]\d{1,2}(?:[-/.月]\d{1,4}日?)?|\d{1,2}月\d{1,2}日|[Tt]oday|[Yy]esterday"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|Every|Week|Holi|Some|Mid|Pay)day|今天|昨天|前天|(?:星期|周)[一二三四五六日天末])"
)
_CLOCK = r"(?:上午|下午|晚上)?[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?: ?[AaPp][Mm])?"
_WHEN = rf"[\[(]?(?:{_DAY}(?:,| at)? ?)?{_CLOCK}[\])]?"
_LINE = re.compile(
    rf"^[ \t]{{0,3}}(?P<stamp>{_WHEN} ?(?:[-–—] ?)?)?{_NAME}(?P<when>[ ,]{{0,2}}(?:[-–—•·] ?)?{_WHEN})?"
    r"[ \t]{0,2}(?P<mark>[:：]?)(?P<rest>[^\n]{0,200})",
    re.MULTILINE,
)
_DATED = 9
"""Characters from which a stamp before a name is more than the hour of an appointment."""
_DAY_ALONE = re.compile(_DAY)
_BLANK = re.compile(r"\n[ \t]{0,80}\n|\Z")
_OF_ONESELF = re.compile(r"\b(?:i|im|my|we|our|me)\b|[我咱俺]", re.IGNORECASE)
_NO_NAME = re.compile(
    r"\b(?:facts?|ps|p\.s\.?|notes?|fyi|btw|by the way|update|edit|news|remember|reminder|memo|info|me|myself"
    r"|i|my|about|also|again|answer|story|so|well|yes|no|ok|okay|hi|hello|hey|dear|thanks|please|sorry"
    r"|correction|question|reason|context|background|secret|truth|confession|important|breaking|warning"
    r"|things?|first|second|third|omg|today|yesterday|tomorrow|now|then|because|but|and|or|the|a|an|this|that"
    r"|it|is|tl;?dr|bio|profile|intro|status|name|age|job|work|diet|home|city|hobby|hobbies|likes|dislikes"
    r"|allergy|allergies|remark|details?|example|wow|problem|issue|situation|result|conclusion|summary|point"
    r"|plans?|goals?|meeting|lunch|dinner|to|on|in|at|for|one|here|why|what|who|how|when|where|user|self"
    r"|anyway|spoiler|guys|everyone|all|folks|team|bot|symptoms|health|location|pets?|preferences?|occupation"
    r"|weight|height|help|families|family|education|school|birthday|languages?|country|nationality|hometown|address"
    r"|medications?|q|honestly|actually|basically|finally|seriously|lately|really|obviously|apparently"
    r"|currently|personally|literally|fortunately|unfortunately|sadly|luckily|hopefully|recently|previously"
    r"|formerly|originally|additionally|specifically|briefly|quickly|frankly|clearly|importantly|reply)\b"
    r"|家庭|体重|身高|宠物|学历|[住地]址|生日|国籍|语言|求助|婚姻|血型|星座"
    r"|[我咱俺你您事说讲话讯备补记忘更告诉顺的了吗吧]|介绍|[信消]息|资料|情况|状态|提醒|提示|注意|说明|原因"
    r"|因为|问题|答案|总[之结]|结论|[例比]如|其[实次]|首先|最后|另外|今天|昨天|明天|现在|目前|以及|如果|名字"
    r"|姓名|年龄|职业|工作|城市|爱好|过敏|饮食|需求|目标|计划|大家|各位",
    re.IGNORECASE,
)
"""A label with such a word is nobody's name: the sender speaks on."""
_OWN_KIN = re.compile(
    rf"my {ADJECTIVE}(?:ex-)?(?:{KIN})"
    rf"|[我咱俺](?:们|家)?的?(?:前(?=[男女]))?(?:{KIN_ZH}|嫂子?)",
    re.IGNORECASE,
)
"""A relative is somebody else, for all that the label says "my"."""
_OF_THEM = re.compile(r"\s*(?:(?:she|he|they)\b|[她他])", re.IGNORECASE)
"""Whoever goes on so after "My brother:" tells of him."""
_SEVERAL, _WE = (
    re.compile(r"[^s]s$|children$", re.IGNORECASE),
    re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE),
)
"""Several who speak at once say "we"."""


def pasted(text: str, sender: str) -> Iterator[tuple[int, int]]:
    """Where a message holds what somebody else than its sender said: from the name to an empty line."""
    opening = [line for line in _LINE.finditer(text) if _opens(line, sender)]
    end = 0
    for line in opening:
        if line.start() >= end:
            blank = _BLANK.search(text, line.end())
            end = blank.start() if blank else len(text)
            if len(opening) == 1 and line["rest"].strip() and not (line["stamp"] or line["when"]):
                end = line.end()  # a talk has more than one line
            yield line.start(), end


def _opens(line: re.Match[str], sender: str) -> bool:
    """Whether a line names another person as who says what follows."""
    name = line["name"].strip("@")
    if name.casefold() == sender.casefold() or _DAY_ALONE.fullmatch(name):
        return False
    if _OWN_KIN.fullmatch(name):
        is_told_of = _SEVERAL.search(name) and not _WE.search(line["rest"])
        if is_told_of or _OF_THEM.match(line["rest"]):
            return False
    elif _NO_NAME.search(name):
        return False
    if line["rest"].strip():
        return bool(line["mark"] and _OF_ONESELF.search(line["rest"]))
    stamp = line["stamp"] or ""
    return bool(line["mark"] or line["when"] or len(stamp) >= _DATED or stamp.startswith("["))
