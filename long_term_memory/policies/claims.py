"""Claims that one word in common does not carry: each needs words of its kind (design 5.3).

"I love peanuts" shares half its words with "User is allergic to peanuts"; of an allergy it says nothing.
"""

import re

from .overlap import coverage
from .own_claims import is_carried
from .past import WISHES_ZH, is_past


def _claim(claims: str, support: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(claims, re.IGNORECASE), re.compile(f"{claims}|{support}", re.IGNORECASE)


_CHILD = r"\b(?:child|children|kids?|sons?|daughters?|baby|toddler)\b|孩子|儿子|女儿|宝宝|娃"
_CLAIMS = (
    _claim(r"allerg|intoleran|过敏|不耐", r"hives|rash|anaphyla|celiac|coeliac"),
    _claim(r"\b(?:married|wife|husband|spouse)\b|已婚|结婚|妻子|丈夫|老婆|老公", r"\bwed|爱人|太太|先生"),
    _claim(r"\bdivorced?\b|离婚|离异", r"\bex-?(?:wife|husband)\b|前[妻夫]"),
    _claim(
        r"\b(?:girlfriend|boyfriend|dating|engaged|fianc\w+|partner)\b|女友|男友|女朋友|男朋友|订婚|对象",
        r"\b(?:gf|bf|so)\b",
    ),
    _claim(r"\b(?:father|dads?|mother|mom|mum|parents?)\b|父亲|母亲|爸|妈|父母", _CHILD),
    _claim(_CHILD, r"\b(?:father|dad|mother|mom|mum|parent)\b|爸|妈|个娃"),
    _claim(r"\b(?:brothers?|sisters?|siblings?|twins?)\b|兄弟|姐妹|哥|弟|姐|妹", r"\bbro\b|\bsis\b"),
    _claim(r"\bpregnan|怀孕", r"\bexpecting\b|有喜|\bdue date\b"),
    _claim(r"diabet|糖尿病", r"insulin|胰岛素|血糖"),
    _claim(
        r"\b(?:cancer|depress\w*|asthma|adhd|autis\w*|anxiety|epilep\w*|hiv)\b|癌|抑郁|哮喘|焦虑|癫痫", "病"
    ),
    _claim(r"\b(?:vegetarian|vegan|pescatarian)\b|素食|吃素", r"\bmeat\b|plant-based|肉|荤"),
    _claim(
        r"\b(?:halal|kosher|muslim|christian|jewish|buddhist|hindu)\b|清真|穆斯林|基督|佛教", r"\bfaith\b|信"
    ),
    _claim(r"\b(?:gay|lesbian|bisexual|trans|queer)\b|同性恋|双性恋", "出柜"),
    _claim(
        r"\b(?:liv(?:e|es|ing)|resid\w+)\b|住在|居住",
        r"\b(?:lived|mov(?:e|ed|ing)|based|home|settled|apartment|flat|house|stay\w*|relocat\w+)\b|住|搬|家|定居|租|生活",
    ),
    _claim(
        r"\buser is an? (?!(?:\w+ ){0,2}(?:fan|lover|person|father|mother|parent|dad|mom|mum"
        r"|twin)\b)|\bworks? as\b|职业",
        r"\b(?:i['’]?m|i am|as an?|work(?:s|ed|ing)? as|jobs?|became|become|career|profession"
        r"|being an?|trained|call me)\b|[是当做]|工作|上班",
    ),
    _claim(r"\bborn\b|birthday|生日|出生", r"\bturn(?:s|ed|ing)? \d|\bb-?day\b|生于|生的"),
)
_NAMED_ZH = re.compile(r"名字(?:是|叫)(?P<v>\w{1,8})$")
"""我叫外卖了 names nobody."""
_PASSING = re.compile(
    r"住.{0,10}(?:酒店|宾馆|民宿)|(?:今晚|这几天|暂时|临时).{0,3}住"
    r"|\b(?:stay|liv)\w* .{0,30}\b(?:hotel|hostel|airbnb|tonight)\b",
    re.IGNORECASE,
)
_LIVES = re.compile(r"\b(?:lives|resides)\b|住在(?!.*(?:酒店|宾馆|民宿))", re.IGNORECASE)
_WANTS = re.compile(
    r"\b(?:wants?|wanted|hopes?|hoping|plans?|planning|wish(?:es)?|would|intends?|going|considering"
    r"|interested|used"
    r"|formerly|previously|former|will|thinking|dreams?|might|may|once|past|['’]d)\b|打算|计划|希望|准备"
    rf"|{WISHES_ZH}|以前|曾|过去|考虑|要|梦",
    re.IGNORECASE,
)
_NOT_SO_NOW = re.compile(
    r"\b(?:(?:want|wanted|hope|hoping|plan|planning|wish|would (?:like|love)|['’]d (?:like|love)|used"
    r"|intend) to"
    r"|going to|gonna|dream of|thinking (?:of|about))\b|打算|希望|计划|以前|曾经?|过去"
    rf"|{WISHES_ZH}(?!起)",
    re.IGNORECASE,
)

_NOW = re.compile(r"^.*(?:\bnow\b|现在|目前|如今)", re.IGNORECASE | re.DOTALL)
"""What stands before a word for now is of another time: "I lived in Rome, now I live in Oslo"."""
_PRESENT = re.compile(r"^(?:the )?user (?:\w+ly |now )?(?!was\b)\w+s\b|^用户", re.IGNORECASE)
_WAS = re.compile(r"过|(?<!养)了|\d年|长大|出生|毕业|大学|[小中]学", re.IGNORECASE)
"""A fact that tells of the past by itself."""


def is_claimed(fact: str, text: str) -> bool:
    """Whether what the fact claims of kin, health, faith, home or birth has words of its kind in the text."""
    named = _NAMED_ZH.search(fact)
    if named and re.search(rf"叫{re.escape(named['v'])}[了来去]", text):
        return False
    return is_carried(fact, text) and all(
        support.search(text) for claim, support in _CLAIMS if claim.search(fact)
    )


def is_of_its_time(fact: str, words: str) -> bool:
    """Whether what is only wished, planned or past in the words is so in the fact."""
    if _LIVES.search(fact) and _PASSING.search(words):
        return False
    if coverage(fact, now := _NOW.sub(" ", words)) == 1:
        words = now
    if _PRESENT.search(fact) and is_past(words) and not (is_past(fact) or _WAS.search(fact)):
        return False
    return not _NOT_SO_NOW.search(words) or bool(_WANTS.search(fact))
