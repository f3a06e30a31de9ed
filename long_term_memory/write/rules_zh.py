"""The Chinese rules: plain statements about oneself (design 5.2). Better to miss one than to invent one."""

import re

from ..domain.words import MemoryType
from .statement import Rule, Statement, first
from .values_zh import (
    age,
    allergen,
    as_said,
    called,
    called_oneself,
    city,
    date,
    job,
    known_place,
    liked,
    line_of_work,
    named,
    origin,
    place,
    thing,
    work,
    workplace,
)

_START = (
    r"^(?:你好|您好|大家好|嗨|哈喽|嗯|哦|对了|其实|另外|还有|而且|因为|所以|但是|但|不过|顺便说一下|顺便|那个|hi|hello){0,3}"
    r"[\s,!]{0,3}"
)
_ADVERB = "(?:很|非常|最|特别|超级|超|比较|一直|真的|也|都|更|现在|目前|平时|从小|本来){0,4}"
_PARTICLES = "啊呀哦哈啦呢嘛哟喔~～ \t\n"
_COUNT = r"[一两二三四五六七八九十\d]{1,2}"
_ALLERGENS = (
    "花生|坚果|核桃|腰果|海鲜|虾|螃?蟹|贝类|鱼|牛奶|乳制品|鸡蛋|大豆|小麦|麸质|芒果|菠萝|草莓|桃子?|猕猴桃|芝麻|酒精|花粉|柳絮|尘螨|灰尘"
    "|猫毛?|狗毛?|青霉素|头孢|阿司匹林|磺胺|紫外线"
)
_RELATIVES = (
    "老婆|妻子|太太|老公|丈夫|爱人|女朋友|男朋友|女友|男友|儿子|女儿|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹|猫|狗|宠物"
)
_PETS = (
    "(?:[小大老]?(?:[橘黑白花黄]?[猫狗]|兔子?|仓鼠|鹦鹉|乌龟|金毛|柯基|泰迪|哈士奇|边牧|布偶猫?"
    "|英短|美短|金鱼))"
)


def read_clause(clause: str) -> Statement | None:
    """What a Chinese clause states of its speaker, if anything."""
    return first(_RULES, clause.rstrip(_PARTICLES))


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(_START + body + "$", re.IGNORECASE)


_RULES = (
    Rule(
        pattern=re.compile(_START + r"我(?:的)?(?:名字|姓名)(?:是|叫)\s?(?P<v>.{1,30})$"),
        fact="用户的名字是{v}",
        value=named,
        importance=0.9,
        slot="name",
    ),
    Rule(
        pattern=re.compile(_START + r"我叫做?\s?(?P<v>.{1,30})$"),
        fact="用户的名字是{v}",
        value=called_oneself,
        importance=0.9,
        slot="name",
    ),
    Rule(
        pattern=re.compile(
            _START
            + r"(?:请|以后|你|您|可以|就|直接){0,4}叫我\s?(?P<v>.{2,20}?)(?:就好|就行|就可以|吧|好了)?$"
        ),
        fact="用户希望被称为{v}",
        value=called,
        importance=0.9,
        slot="nickname",
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}对\s{{0,3}}(?P<v>.{{1,30}}?)\s{{0,3}}(?:严重|会)?过敏了?"),
        fact="用户对{v}过敏",
        value=allergen,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    Rule(
        pattern=_pattern(r"我有(?P<v>.{1,12}?)过敏(?:症|史)?"),
        fact="用户对{v}过敏",
        value=allergen,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:吃|喝)?(?P<v>{_ALLERGENS})(?:严重|会)?过敏了?"),
        fact="用户对{v}过敏",
        value=allergen,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:有)?(?P<v>乳糖|麸质|果糖)不耐受?(?:症)?"),
        fact="用户{v}不耐受",
        value=as_said,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}(?P<v>吃素|是素食主义者|是素食者|是纯素食者)"),
        fact="用户{v}",
        value=thing,
        type=MemoryType.CONSTRAINT,
        importance=0.8,
        slot="diet",
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:家?住在|定居在)\s{{0,3}}(?P<v>.{{2,20}})"),
        fact="用户住在{v}",
        value=place,
        slot="home_city",
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:家?住|定居|家在)\s{{0,3}}(?P<v>.{{2,20}})"),
        fact="用户住在{v}",
        value=known_place,
        slot="home_city",
    ),
    Rule(
        pattern=_pattern(
            rf"(?:我{_ADVERB}是(?:一名|一位)|我的职业是(?:一名|一位|一个)?)\s{{0,3}}(?P<v>.{{2,20}})"
        ),
        fact="用户的职业是{v}",
        value=job,
        slot="job",
    ),
    Rule(
        pattern=_pattern(r"我的工作是(?:一名|一位|一个)?\s{0,3}(?P<v>.{2,20})"),
        fact="用户的职业是{v}",
        value=work,
        slot="job",
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}是(?:一?个|名)?(?P<v>.{{0,6}}?(?:学生|研究生|博士生))"),
        fact="用户是{v}",
        value=line_of_work,
        slot="job",
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}是(?:一?个|名)?(?P<v>.{{2,12}})"),
        fact="用户的职业是{v}",
        value=line_of_work,
        slot="job",
    ),
    Rule(
        pattern=_pattern(
            rf"我{_ADVERB}(?:今年|已经|刚满|刚刚?|今年刚满?){{0,2}}(?P<v>[\d一二三四五六七八九十]{{1,3}})周?岁了?"
        ),
        fact="用户{v}岁",
        value=age,
        slot="age",
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:是)?来自(?:于)?(?P<v>.{{2,12}})"),
        fact="用户来自{v}",
        value=origin,
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}在(?P<v>.{{2,6}}?)(?:工作|上班)"),
        fact="用户的工作地点是{v}",
        value=city,
    ),
    Rule(
        pattern=_pattern(
            rf"我(?:的|家)?(?P<verb>{_RELATIVES})(?:的名字)?(?:名?叫|是叫)做?\s?(?P<v>.{{2,20}})"
        ),
        fact="用户的{verb}叫{v}",
        value=called,
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}(?:家里?)?(?:养|有)了?(?P<v>{_COUNT}[只条个]{_PETS})"),
        fact="用户养了{v}",
        value=as_said,
    ),
    Rule(
        pattern=_pattern(
            rf"我{_ADVERB}(?:家里?)?有(?P<v>{_COUNT}个(?:孩子|小孩|娃|儿子|女儿|宝宝|哥哥|弟弟|姐姐|妹妹|双胞胎(?:儿子|女儿)?))"
        ),
        fact="用户有{v}",
        value=as_said,
    ),
    Rule(
        pattern=_pattern(rf"我{_ADVERB}在\s{{0,3}}(?P<v>.{{2,20}}?)\s{{0,3}}(?:工作|上班)"),
        fact="用户在{v}工作",
        value=workplace,
        slot="employer",
    ),
    Rule(
        pattern=_pattern(r"我(?:的)?生日(?:是|在)\s{0,3}(?P<v>.{3,20})"),
        fact="用户的生日是{v}",
        value=date,
        importance=0.8,
        slot="birthday",
    ),
    Rule(
        pattern=_pattern(r"我是?\s{0,3}(?P<v>.{4,20}?)\s{0,3}(?:出生|生)的?"),
        fact="用户的生日是{v}",
        value=date,
        importance=0.8,
        slot="birthday",
    ),
    Rule(
        pattern=_pattern(
            rf"我{_ADVERB}(?P<verb>不喜欢|不爱吃|不爱喝|不爱|不吃(?!亏|醋|香$|惊|力|苦$|饭$|谢)|不喝(?!多)|讨厌|受不了|喜欢|热爱|爱吃|爱喝|爱(?![人情慕心]|豆(?![腐浆沙芽])|奇艺))\s?(?P<v>.{{1,30}})"
        ),
        fact="用户{verb}{v}",
        value=liked,
        type=MemoryType.PREFERENCE,
        importance=0.5,
    ),
)
