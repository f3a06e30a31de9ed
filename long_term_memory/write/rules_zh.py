"""The Chinese rules: plain statements about oneself (design 5.2). Better to miss one than to invent one."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..domain.words import MemoryType
from .statement import Statement

_START = (
    r"^(?:你好|您好|大家好|嗨|哈喽|嗯|哦|对了|其实|另外|还有|而且|因为|所以|但是|但|不过|顺便说一下|顺便|那个|hi|hello){0,3}"
    r"[\s,!]{0,3}"
)
_ADVERB = "(?:很|非常|最|特别|超级|超|比较|一直|真的|也|都|更|现在|目前|平时|从小|本来){0,4}"
_PARTICLES = "啊呀哦哈啦呢嘛哟喔~～ \t\n"
_VAGUE = re.compile(
    r"[我你您他她它们这那哪谁啥咋]|什么|怎么|吗$|时候|期间|如果|但是|所以|因为|可是|而且|然后|不过$|的话"
)
_NOT_NAMES = re.compile(
    r"^[了过不出来车外做什人上去回一起床睡滚怎干别看买写帮走等如何声的第大小]?$|^(?:外卖|起床|快递|救护|滴滴|出租|"
    r"[了过不出来车外做什去回起睡滚怎干别看买写帮走等如何的第])"
)
_NAME = re.compile(r"[\u4e00-\u9fff·]{2,6}|[A-Z][A-Za-z'-]{0,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}")
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜"
    "戴夏钟汪田姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪"
    "翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂焦向柳邢岳齐梅莫庄辛管祝左涂谷祁耿牟卜路詹关苗凌费纪靳盛童欧甄项曲"
)
_FAMILY_NAME = (
    rf"(?:欧阳|上官|司马|诸葛|司徒|东方|独孤|慕容|夏侯|皇甫|尉迟|公孙|令狐)[\u4e00-\u9fff]{{1,2}}"
    rf"|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}|[小阿大老][\u4e00-\u9fff]{{1,2}}|[\u4e00-\u9fff]{{1,4}}·[\u4e00-\u9fff·]{{1,8}}"
    r"|[A-Z][A-Za-z'-]{0,20}(?: [A-Z][A-Za-z'-]{0,20}){0,2}"
)
_CALLED = re.compile(_FAMILY_NAME)
_SOMEBODY = re.compile(
    r"^(?:老师|老板|老婆|老公|老妈|老爸|老外|老人|小孩|小姐|小二|小弟|小妹|小心|小偷|小三|阿姨|阿妈|大夫|大家|大爷|大妈"
    r"|大哥|大姐|大声|温柔|安静|常常|白痴|金牌|万一|万万|高手|高兴|方便|石头|文盲)|[来去吃走起帮做看听给送拿]$"
)
"""Whom or how one calls: 我叫老师 is no name, nor 我叫小王来."""
_SECRET = re.compile(r"^(?:秘密|未知|保密|随便|没有|空|假|乱|很|真|最|有|机密|隐私|个)|^.$")
_DEGREE = re.compile(r"^(?:有?一?[点些]儿?|严重|轻微|轻度|重度|中度|很|过|容易|经常|老|皮肤|什么)的?")
_NO_ALLERGEN = re.compile(r"[不没]|上班|上学|学习|工作|加班|周一|傻|钱|男人|女人|生活|世界")
_MOCKERY = re.compile(r"^[被个不]|屁|鬼$|毛线|(\S)不\1")
_DATE = re.compile(r"[\d一二三四五六七八九十]{1,4}\s{0,3}[年月./-]\s{0,3}[\d一二三四五六七八九十]{1,3}")
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
    clause = clause.rstrip(_PARTICLES)
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


def _called(value: str) -> str:
    """A name after 我叫, which may as well mean to call somebody: only what is built like a name."""
    return _name(value) if _CALLED.fullmatch(value) and not _SOMEBODY.search(value) else ""


def _named(value: str) -> str:
    return "" if _SECRET.search(value) else _name(value)


def _allergen(value: str) -> str:
    thing = _DEGREE.sub("", value)
    return "" if _NO_ALLERGEN.search(thing) else thing and _thing(thing)


def _liked(value: str) -> str:
    return "" if _MOCKERY.search(value) else _thing(value)


def _thing(value: str) -> str:
    fits = (
        len(value) <= 30
        and not _VAGUE.search(value)
        and not re.search(r"^(?:的|了|过|上了|到)|[了不没]$", value)
    )
    return value if fits else ""


def _place(value: str) -> str:
    return (
        "" if re.search(r"酒店|宾馆|医院|楼上|楼下|隔壁|附近|火星|月球|地球|梦里", value) else _thing(value)
    )


def _job(value: str) -> str:
    return "" if re.search(r"好人|路人|过客|普通人|忙|的|失败者|病人", value) else _thing(value)


def _workplace(value: str) -> str:
    return _thing(value) if _WORKPLACE.search(value) and len(value) > 2 else ""


def _date(value: str) -> str:
    return value if len(value) <= 20 and _DATE.search(value) else ""


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(_START + body + "$", re.IGNORECASE)


_RULES = (
    _Rule(
        pattern=re.compile(_START + r"我(?:的)?(?:名字|姓名)(?:是|叫)\s?(?P<v>.{1,30})$"),
        fact="用户的名字是{v}",
        value=_named,
        importance=0.9,
        slot="name",
    ),
    _Rule(
        pattern=re.compile(_START + r"我叫做?\s?(?P<v>.{1,30})$"),
        fact="用户的名字是{v}",
        value=_called,
        importance=0.9,
        slot="name",
    ),
    _Rule(
        pattern=re.compile(
            _START
            + r"(?:请|以后|你|您|可以|就|直接){0,4}叫我\s?(?P<v>.{2,20}?)(?:就好|就行|就可以|吧|好了)?$"
        ),
        fact="用户希望被称为{v}",
        value=_called,
        importance=0.9,
        slot="nickname",
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}对\s{{0,3}}(?P<v>.{{1,30}}?)\s{{0,3}}(?:严重|会)?过敏了?"),
        fact="用户对{v}过敏",
        value=_allergen,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    _Rule(
        pattern=_pattern(r"我有(?P<v>.{1,12}?)过敏(?:症|史)?"),
        fact="用户对{v}过敏",
        value=_allergen,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}(?P<v>吃素|是素食主义者|是素食者|是纯素食者)"),
        fact="用户{v}",
        value=_thing,
        type=MemoryType.CONSTRAINT,
        importance=0.8,
        slot="diet",
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:家?住在?|定居在?|家在)\s{{0,3}}(?P<v>.{{2,20}})"),
        fact="用户住在{v}",
        value=_place,
        slot="home_city",
    ),
    _Rule(
        pattern=_pattern(
            rf"(?:我{_ADVERB}是(?:一名|一位)|我的(?:职业|工作)是(?:一名|一位|一个)?)\s{{0,3}}(?P<v>.{{2,20}})"
        ),
        fact="用户的职业是{v}",
        value=_job,
        slot="job",
    ),
    _Rule(
        pattern=_pattern(rf"我{_ADVERB}在\s{{0,3}}(?P<v>.{{2,20}}?)\s{{0,3}}(?:工作|上班)"),
        fact="用户在{v}工作",
        value=_workplace,
        slot="employer",
    ),
    _Rule(
        pattern=_pattern(r"我(?:的)?生日(?:是|在)\s{0,3}(?P<v>.{3,20})"),
        fact="用户的生日是{v}",
        value=_date,
        importance=0.8,
        slot="birthday",
    ),
    _Rule(
        pattern=_pattern(r"我是?\s{0,3}(?P<v>.{4,20}?)\s{0,3}(?:出生|生)的?"),
        fact="用户的生日是{v}",
        value=_date,
        importance=0.8,
        slot="birthday",
    ),
    _Rule(
        pattern=_pattern(
            rf"我{_ADVERB}(?P<verb>不喜欢|不爱吃|不爱喝|不爱|不吃|不喝|讨厌|受不了|喜欢|热爱|爱吃|爱喝|爱(?!人))\s?(?P<v>.{{1,30}})"
        ),
        fact="用户{verb}{v}",
        value=_liked,
        type=MemoryType.PREFERENCE,
        importance=0.5,
    ),
)
