"""The Chinese rules: plain statements about oneself (design 5.2). Better to miss one than to invent one."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..domain.words import MemoryType
from .statement import Statement

_START = (
    r"^(?:你好|您好|大家好|嗨|哈喽|嗯|哦|对了|其实|另外|还有|而且|因为|所以|但是|但|不过|顺便说一下|顺便|那个|hi|hello)*"
    r"[\s,!]*"
)
_ADVERB = "(?:很|非常|最|特别|超级|超|比较|一直|真的|也|都|更|现在|目前|平时|从小|本来)*"
_PARTICLE = re.compile(r"[啊呀哦哈啦呢嘛哟喔~～\s]+$")
_VAGUE = re.compile(
    r"[我你您他她它们这那哪谁啥]|什么|怎么|吗$|时候|期间|如果|但是|所以|因为|可是|而且|然后|不过$|的话"
)
_NOT_NAMES = re.compile(
    r"^[了过不出来车外做什人上去回一起床睡滚怎干别看买写帮走等如何声的第大小]?$|^(?:外卖|起床|快递|救护|滴滴|出租|"
    r"[了过不出来车外做什去回起睡滚怎干别看买写帮走等如何的第])"
)
_NAME = re.compile(r"[\u4e00-\u9fff·]{2,6}|[A-Z][A-Za-z'-]{0,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}")
_DATE = re.compile(r"[\d一二三四五六七八九十]{1,4}\s*[年月./-]\s*[\d一二三四五六七八九十]{1,3}")
_WORKPLACE = re.compile(
    r"(?:公司|银行|医院|学校|大学|中学|小学|集团|厂|研究所|研究院|局|部|店|科技)$|^[A-Z][A-Za-z]+$"
)


@dataclass(frozen=True, kw_only=True)
class _Rule:
    pattern: re.Pattern[str]
    fact: str
    """With `{v}` for the value and `{verb}` for the verb."""
    value: Callable[[str], str]
    """The value as it is kept; empty when it is none."""
    type: MemoryType = MemoryType.PROFILE
    importance: float = 0.7
    slot: str = ""


def read_clause(clause: str) -> Statement | None:
    """What a Chinese clause states of its speaker, if anything."""
    clause = _PARTICLE.sub("", clause)
    for rule in _RULES:
        found = rule.pattern.search(clause)
        value = rule.value(found["v"].strip(" ，,：:")) if found else ""
        if found and value:
            fact = rule.fact.format(v=value, verb=found.groupdict().get("verb", ""))
            return Statement(fact=fact, type=rule.type, importance=rule.importance, slot=rule.slot)
    return None


def _name(value: str) -> str:
    fits = _NAME.fullmatch(value) and not _VAGUE.search(value) and not _NOT_NAMES.search(value)
    return value if fits else ""


def _thing(value: str) -> str:
    fits = (
        len(value) <= 30
        and not _VAGUE.search(value)
        and not re.search(r"^(?:的|了|过|上了|到)|[了不没]$", value)
    )
    return value if fits else ""


def _place(value: str) -> str:
    return "" if re.search(r"酒店|宾馆|医院|楼上|楼下|隔壁|附近", value) else _thing(value)


def _job(value: str) -> str:
    return "" if re.search(r"好人|路人|过客|普通人|忙", value) else _thing(value)


def _workplace(value: str) -> str:
    return _thing(value) if _WORKPLACE.search(value) and len(value) > 2 else ""


def _date(value: str) -> str:
    return value if len(value) <= 20 and _DATE.search(value) else ""


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(_START + body + "$", re.IGNORECASE)


_RULES = (
    _Rule(
        pattern=re.compile(_START + r"(?:我(?:的)?(?:名字|姓名)(?:是|叫)|我叫做?)\s*(?P<v>.{1,30})$"),
        fact="用户的名字是{v}",
        value=_name,
        importance=0.9,
        slot="name",
    ),
    _Rule(
        pattern=re.compile(
            _START + r"(?:请|以后|你|您|可以|就|直接)*叫我\s*(?P<v>.{2,20}?)(?:就好|就行|就可以|吧|好了)?$"
        ),
        fact="用户希望被称为{v}",
        value=_name,
        importance=0.9,
        slot="nickname",
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}对\s*(?P<v>.{{1,30}}?)\s*(?:严重|会)?过敏了?"),
        fact="用户对{v}过敏",
        value=_thing,
        importance=0.9,
    ),
    _Rule(
        pattern=_pattern(r"我有(?P<v>.{1,12}?)过敏(?:症|史)?"),
        fact="用户对{v}过敏",
        value=_thing,
        importance=0.9,
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}(?P<v>吃素|是素食主义者|是素食者|是纯素食者)"),
        fact="用户{v}",
        value=_thing,
        importance=0.8,
        slot="diet",
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:家?住在?|定居在?|家在)\s*(?P<v>.{{2,20}})"),
        fact="用户住在{v}",
        value=_place,
        slot="home_city",
    ),
    _Rule(
        pattern=_pattern(
            rf"(?:我{_ADVERB}是(?:一名|一位)|我的(?:职业|工作)是(?:一名|一位|一个)?)\s*(?P<v>.{{2,20}})"
        ),
        fact="用户的职业是{v}",
        value=_job,
        slot="job",
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}在\s*(?P<v>.{{2,20}}?)\s*(?:工作|上班)"),
        fact="用户在{v}工作",
        value=_workplace,
        slot="employer",
    ),
    _Rule(
        pattern=_pattern(r"我(?:的)?生日(?:是|在)\s*(?P<v>.{3,20})"),
        fact="用户的生日是{v}",
        value=_date,
        importance=0.8,
        slot="birthday",
    ),
    _Rule(
        pattern=_pattern(r"我是?\s*(?P<v>.{4,20}?)\s*(?:出生|生)的?"),
        fact="用户的生日是{v}",
        value=_date,
        importance=0.8,
        slot="birthday",
    ),
    _Rule(
        pattern=_pattern(
            rf"我{_ADVERB}(?P<verb>不喜欢|不爱吃|不爱喝|不爱|不吃|不喝|讨厌|受不了|喜欢|热爱|爱吃|爱喝|爱)\s*(?P<v>.{{1,30}})"
        ),
        fact="用户{verb}{v}",
        value=_thing,
        type=MemoryType.PREFERENCE,
        importance=0.5,
    ),
)
