"""The words in which people ask for what a fact answers (design 6.2).

"User works as a nurse" has no word of "What is my job?", and 用户31岁 none of 我今年几岁: the slot says what
is answered. They count only where somebody asks about oneself, for "Do you like your job?" and "the best city
for a weekend" have them too.
"""

import re
from functools import lru_cache

from .lexicon import in_chinese, in_english
from .query_terms import of_ones_own
from .slots import canonical

_ASKED_BY = """
name: name called 名字 姓名 叫 称呼
nickname: nickname name called 昵称 外号 称呼 叫
home_city: city town live home address 城市 哪里 住 住址 地址 家
hometown: hometown birthplace born 家乡 老家 籍贯 哪里人
country: country live 国家
nationality: nationality citizenship country 国籍 哪国人
employer: employer company work workplace 公司 单位 雇主 工作 上班
job: job profession occupation career living work 职业 职位 工作 上班
age: age old 年龄 岁数 几岁 多大
birthday: birthday birth born 生日 出生
marital_status: marital married marriage single 婚姻 结婚 已婚 单身
gender: gender sex 性别 男 女
diet: diet eat food 饮食 吃 忌口
school: school university college study 学校 大学 上学 读书
timezone: timezone zone 时区
native_language: native language tongue 母语
height: height tall 身高 多高
weight: weight weigh 体重 多重
blood_type: blood type 血型
zodiac: zodiac horoscope 星座
children: child kid son daughter 孩子 小孩 儿子 女儿 子女
"""
_MYSELF = re.compile(r"\b(?:i|we)\b", re.IGNORECASE)
"""Not "me": whoever says "give me" asks for anything."""
_HAS_CHILDREN = re.compile(
    r"\b(?:has|have) (?:[\w-]+ ){0,3}(?:kids?|child(?:ren)?|sons?|daughters?)\b"
    r"|有.{0,4}(?:孩子|小孩|儿子|女儿|娃)",
    re.IGNORECASE,
)
"""Children are told of in more words than the rules know a slot for."""
_TABLE = {slot: asked for slot, _, asked in (line.partition(": ") for line in _ASKED_BY.strip().splitlines())}


def asks_of_oneself(text: str) -> bool:
    """Whether a question is about the one who asks, or about something of theirs."""
    return of_ones_own(text) or bool(_MYSELF.search(text))


def words_asked_by(slot: str, fact: str) -> str:
    """The words, in both languages; empty for a fact that answers no question in particular."""
    if _HAS_CHILDREN.search(fact):
        return f"{_of_slot(slot)} {_TABLE['children']}"
    return _of_slot(slot)


@lru_cache(maxsize=1_024)
def _of_slot(slot: str) -> str:
    """Of a slot that the table does not know its own words, in the other language too."""
    if not slot:
        return ""
    name = canonical(slot)
    own = name.replace("_", " ")
    return _TABLE.get(name) or f"{own} {in_chinese(own)} {in_english(own)}"
