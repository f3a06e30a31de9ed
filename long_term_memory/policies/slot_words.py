"""The words in which people ask for what a fact answers (design 6.2).

"User works as a nurse" has no word of "What is my job?", and 用户31岁 none of 我今年几岁: the slot says what
is answered. They count only where somebody asks about oneself, for "Do you like your job?" and "the best city
for a weekend" have them too.
"""

import re
from functools import lru_cache

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
_HAS_CHILDREN = re.compile(
    r"\b(?:has|have) (?:[\w-]+ ){0,3}(?:kids?|child(?:ren)?|sons?|daughters?)\b"
    r"|有.{0,4}(?:孩子|小孩|儿子|女儿|娃)",
    re.IGNORECASE,
)
"""Children are told of in more words than the rules know a slot for."""
_BOTH = """
pet 宠物 | dog 狗 | cat 猫 | allergy 过敏 | hobby 爱好 | child 孩子 | family 家人 | language 语言
food 食物 菜 | drink 饮料 | color colour 颜色 | music 音乐 | song 歌 | movie film 电影 | book 书
sport 运动 | game 游戏 | car 车 | phone 手机 | computer 电脑 | friend 朋友 | wife 老婆 妻子
husband 老公 丈夫 | mother 妈妈 | father 爸爸 | son 儿子 | daughter 女儿 | sister 姐姐 妹妹
brother 哥哥 弟弟 | doctor 医生 | teacher 老师 | project 项目 | exam 考试 | trip travel 旅行
wedding 婚礼 | plan 计划 | medicine 药 | illness disease 病 | team 球队 | animal 动物 | fruit 水果
season 季节 | number 号码 | address 地址 | height 身高
"""
"""Words of other slots, in both languages."""
_TABLE = {slot: asked for slot, _, asked in (line.partition(": ") for line in _ASKED_BY.strip().splitlines())}
_IN_BOTH = [group.split() for line in _BOTH.strip().splitlines() for group in line.split("|")]


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
    known = (group for group in _IN_BOTH if any(_is_in(word, own) for word in group))
    return _TABLE.get(name) or " ".join((own, *(word for group in known for word in group)))


def _is_in(word: str, own: str) -> bool:
    return word in own.split() if word.isascii() else word in own
