"""Claims that hold only of the value they name: a name, an age, an employer, a home (design 5.3).

"Good morning Jarvis" has the whole value of "User's name is Jarvis", and "I am 30 minutes late" that of "User
is 30 years old". So the words that carry such a claim have to stand at the value, in one clause.
"""

import re
from dataclasses import dataclass

from .numbers import with_digits

_MAX = 1_500
"""Characters of a text that are looked at."""
_X = "\ue000"
"""Stands for the value in a text, which holds no such character."""
_NEXT = re.compile(r"[.!?;,。！？；，]|\b(?:and|but|so|then)\b|但是?|现在|然后|后来", re.IGNORECASE)
"""Where another clause begins: a bar stands there in what `carries` and `refuses` read."""


@dataclass(frozen=True, kw_only=True)
class _Claim:
    """A kind of fact, and the words that make it so of the value X, or not."""

    made: str
    """Finds it in a fact, with the value as its only group that matches."""
    carries: str
    refuses: str = "(?!)"


_NAME = _Claim(
    made=r"\buser['’]s (?:\w+ )?name is (?P<v>[^,.]{1,40})"
    r"|\buser (?:goes by|(?:is|(?:wants|prefers|likes) to be) (?:called|named)) (?P<w>[^,.]{1,40})"
    r"|用户(?:的?(?:[真本全]名|名字|姓名)[是叫]|叫|希望被称为)(?P<z>[^\s，。]{1,8})$",
    carries=r"\b(?:name(?:['’]?s| is| was|:)|call(?:s|ed)? me|go(?:es)? by)(?!\w)[^|]{0,25}X"
    r"|\b(?:i['’]?m|i am|i was|this is|user is)"
    r" (?:(?:called|named|really|actually|[md]rs?|ms|prof)\b\W{0,2})?X(?!['’]s|\|? ?my\b)"
    r"|X(?: here\b| is my (?:\w+ )?name)|\A\W*X\W*\Z"
    r"|(?:[叫名姓称]|我是|是我|本人)[^|]{0,6}X(?!的)|X是我的?[名姓]",
    refuses=r"我(?:的|家)?(?:[孙外]?孙[子女]?|[儿女]儿?子?|车|猫|狗|老[公婆]|[爸妈哥姐弟妹]{1,2}|朋友|同[事学])"
    r"[^|]{0,3}叫做? ?X",
)
_AGE = _Claim(
    made=r"^(?:the )?user (?:is|turned) (?:now |currently )?(?P<v>\d{1,3})(?: years old\b|\W*$)"
    r"|^用户的?(?:年龄是|今年|现在|\d{4}年)?(?P<z>\d{1,3})岁",
    carries=r"X[- ]?(?:years?[- ](?:old|of age)|yo\b|y/o|周?岁)|\b(?:turn(?:s|ed|ing)?|aged?|user is) X"
    r"|(?:\b(?:i['’]?m|i am|im) (?:now |only |just |already |almost ){0,2}|\bage(?: is|:) "
    r"|\b(?:i['’]?m|i am|my name is) [^|]{1,30}\| ?|满|今年|年龄[是：:]? ?|我(?:今年|都|已经){0,2} ?)"
    r"X了?(?= ?(?:[|(（]|now\b|already\b|today\b|this\b|with\b|from\b|btw\b|lol\b|$))",
    refuses=r"\b(?:my|our|the|this|that) (?!age\b)[^|]{1,20} is X",
)
_EMPLOYER = _Claim(
    made=r"\b(?:(?:works?|working|job) (?:at|for)|employed (?:at|by)|joined) (?:the )?"
    r"(?P<v>(?-i:[A-Z])[\w+&'’-]*)|^用户(?:现在|目前)?在(?P<z>\S{2})\S*(?:工作|上班|[就任]职)$"
    r"|^用户\S{0,4}(?:加入|入职|[就任]职于)了?(?P<y>\S{2})",
    carries=r"\b(?:work\w*|jobs?|hired|employ\w+|office|career|intern\w*|join\w*|company|teach\w*|cod(?:e|ing)"
    r"|promoted|(?:do|doing) \w+ for|started (?:at|with))\b[^|]*X"
    r"|\b(?:an?|the|as|my) (?:[\w-]+ ){1,3}(?:at|for|of|with) (?:the )?X"
    r"|\bbeen (?:at|with) X (?:since|for)\b|X (?:employee|engineer|developer|manager|driver|hired me|is my)\b"
    r"|\b(?:drive|run|lead|manage)s?\b[^|]* (?:at|for) X"
    r"|(?:工作|上班|[任就入供]职|加入|跳槽|公司|单位|打工)[^|]*X|在 ?X[^|]{0,6}[做当干]"
    r"|X[^|]*(?:工作|上班|[任就供]职|打工|[职员]员?工|程序员|工程师)",
    refuses=r"\b(?:appl(?:y|ied|ying)|interview\w*|offer\w*|left|leaving|quit|fired|laid|resign\w*|retired"
    r"|(?:customer|client)(?! (?:service|support|relations|success|care|manager))|fan"
    r"|(?:love|like|want) an? (?:\w+ )?job)\b"
    r"(?:(?!\b(?:joined|started|hired|now)\b)[^|])*X|\b(?:working with|near) X|用 ?X"
    r"|(?:面试|应聘|简历|申请|离[职开]|辞)(?:(?!加入|入职|跳槽|后)[^|])*X|X[^|]*(?:面试|应聘|简历|申请|离职|辞|裁|退休)",
)
_HOME = _Claim(
    made=r"\b(?:lives|resides|living|based) in (?P<v>(?-i:[A-Z])\w+)|住在(?P<z>[^\s，。]{2})",
    carries=r"(?<!from )(?<!left )(?<!leave )(?<!leaving )(?<![从离开自])X",
)
_CLAIMS = tuple(
    (
        re.compile(claim.made, re.IGNORECASE),
        re.compile(claim.carries.replace("X", _X), re.IGNORECASE),
        re.compile(claim.refuses.replace("X", _X), re.IGNORECASE),
    )
    for claim in (_NAME, _AGE, _EMPLOYER, _HOME)
)


def is_carried(fact: str, text: str) -> bool:
    """Whether each claim of its kind in the fact is carried by words that stand at its value in the text.

    A value that is not there in these words, such as a name in the other language, is not looked at.
    """
    fact, text = with_digits(fact), with_digits(" ".join(text[:_MAX].split()))
    for made, carries, refuses in _CLAIMS:
        found = made.search(fact)
        if found and not _is_carried(found[found.lastgroup or 0], text, carries, refuses):
            return False
    return True


def _is_carried(value: str, text: str, carries: re.Pattern[str], refuses: re.Pattern[str]) -> bool:
    whole = rf"(?<![A-Za-z0-9]){re.escape(value.strip())}(?![A-Za-z0-9])"
    marked = _NEXT.sub("|", re.sub(whole, _X, text, flags=re.IGNORECASE))
    return _X not in marked or (bool(carries.search(marked)) and not refuses.search(marked))
