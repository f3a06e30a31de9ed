"""Which question a fact answers when there can be only one answer at a time (design 5.4).

Models name the same question in many ways, and name one where there is none: "lives in a flat" is no city,
"used to live in Oslo" is not where somebody lives, "also works as a barista" is a second job, and the city of
somebody's mother is not the speaker's. Only what plainly is the present answer holds an exclusive slot; all
else is kept beside it, for a wrong succession hides what is true.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from .cities import tells_no_city
from .keys import normal_words
from .numbers import with_digits
from .past import WISHES_ZH, is_past

_ALIASES = """
name: full_name real_name legal_name user_name username first_name 名字 姓名 全名 真名 本名
nickname: preferred_name called alias 昵称 外号 称呼 小名
home_city: city location residence home living_place current_city place_of_residence lives_in address_city
    home_location current_location where_lives user_location user_city 城市 所在地 居住地 住址 居住城市 现居地
hometown: home_town birthplace place_of_birth origin_city 家乡 老家 籍贯 出生地
country: home_country country_of_residence 国家 所在国家
nationality: citizenship 国籍
employer: company workplace employed_at works_at works_for 公司 单位 雇主 工作单位
job: occupation profession job_title work position role career 职业 工作 职位 岗位
age: user_age years_old 年龄 岁数
birthday: birth_date date_of_birth birthdate dob 生日 出生日期
marital_status: marriage_status relationship_status married 婚姻 婚姻状况 感情状况
gender: sex 性别
diet: dietary_preference eating_habit dietary_restriction 饮食 饮食习惯
school: university college current_school 学校 大学
timezone: time_zone 时区
native_language: mother_tongue 母语
height: 身高
weight: 体重
blood_type: 血型
zodiac: zodiac_sign star_sign 星座
"""
_FAVOURITE = re.compile(r"(?:favou?rite|fav)_(?P<of>\w+)|最喜欢的(?P<zh>\w+)|最爱的?(?P<zh2>\w+)")
_MOST = re.compile(r"\b(?:favou?rites?|most|best|above all)\b|最|首选", re.IGNORECASE)

_SAYS: Mapping[str, str] = {
    "name": r"\bname\b|\bcalled\b|名字|姓名|叫|本名|全名",
    "nickname": r"\bcall|\bnick|\bgoes by\b|\bname\b|称|叫|昵称|外号|小名",
    "home_city": r"\bliv(?:es?|ing)\b|\blived\b|\bresid|\bhome\b|\bbased\b|\bmoved\b|\bsettled\b|\bcity\b"
    r"|locat|住|居|搬|家在|城市",
    "employer": r"\bwork|\bjoin|\bemploy|\bcompany\b|\bjob (?:at|with)\b|\bhired\b"
    r"|工作|上班|任职|就职|公司|加入|入职|单位",
    "job": r"\bwork|\bjob\b|\bis an? |\bis now\b|\bbecame\b|\boccupation\b|\bprofession|职业|工作|是|当|从事"
    r"|做",
    "marital_status": r"\bmarr|\bsingle\b|\bdivorc|\bengaged\b|\bwidow|\bstatus\b|婚|单身|离异|丧偶",
    "age": r"^(?:the )?\w+(?:['’]s age)? (?:is|(?:just |has )?turned)(?: an?| now| already)? \d{1,3}"
    r"(?! ?(?:months?|weeks?|days?|hours?|minutes?|years? (?!old|of age|young|and)|feet|foot|f?t"
    r"|k?m|cm|kg|miles?)\b|-time|\d|%)"
    r"|^(?:the )?\w+['’]s age: \d|^用户的?年龄[^\d比]{0,3}\d"
    r"|^用户[^\d比]{0,6}(?:\d{4}年)?\d{1,3}周?岁"
    r"(?!时|开始|学(?![生历])|会(?![计说])|就|那年|以?[前后]|的(?:时候|[^\s，。]{0,3}[儿女孩猫狗弟妹]))",
    "birthday": r"^(?=.*(?:\bbirthday(?! (?:party|present|gift|cake|trip))\b|\bborn\b"
    r"|生日(?![派聚礼蛋会])|出生|生于)).*(?:\d|[一二三四五六七八九十正腊]月|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b"
    r"|\b(?:christmas|halloween|valentine|new year)|元旦|圣诞|除夕|中秋|春节)",
    "weight": r"\bweigh(?:s|t)\b(?!.*\b(?:los\w+|gain\w*|goal)\b)|体重(?!.*[减增瘦胖掉轻目])",
    "diet": r"\b(?:vegetarian|vegan|pescatarian|flexitarian|omnivore|plant-based)\b|\beats? meat\b"
    r"|吃素|[素荤]食|[纯全]素|吃[荤肉]",
    "school": r"^(?:the )?user['’]s (?:school|university|college) is (?:called |now |currently )?(?:the )?"
    r"[\"“]?(?-i:[^\Wa-z\d_])"
    r"|^用户的?(?:学校|大学)[是为](?!.*(?:毕业|的$|制$))"
    r"|^(?!.*(?:毕业|本科)).*(?:\bstud(?:y|ies|ying|ent)\b|\battend(?:s|ing)\b|\bgoes to\b"
    r"|\benrolled\b|在读|就读|读书|念书|上学|学生|在.{2,12}[读念上])",
}
"""Words without which a fact does not answer the question."""
_SAID_IN_MANY_WORDS = frozenset(("home_city", "employer", "job"))
_TOLD = tuple(
    (slot, re.compile(told, re.IGNORECASE))
    for slot, told in {
        "nickname": r"\b(?:wants|prefers|likes) to be called\b|\bgoes by\b|希望被(?:称为|叫)",
        "name": r"^(?:the )?user['’]s (?:full |real )?name is\b|^用户的(?:名字|姓名)(?:是|叫)|^用户叫",
        "home_city": r"^(?:the )?user (?:now |currently )?(?:lives|resides|is living|is based|has moved"
        r"|moved) (?:in|to) [^\W\d_]|^用户(?:现在|目前)?(?:住在|居住在|定居在?|搬到了?|现居)",
        "job": r"^(?:the )?user works as\b|^用户的(?:职业|工作)是",
        "employer": r"^(?:the )?user works (?:at|for) |^用户在.{2,20}(?:工作|上班|任职|就职)$",
        "birthday": r"^(?:the )?user(?:['’]s birthday is| was born on)\b|^用户的生日是",
        "age": r"^(?:the )?user is \d{1,3}(?: years old)?$|^用户(?:今年|现在)?\d{1,3}岁$",
        "marital_status": r"^(?:the )?user (?:is|got) (?:now )?(?:married|single|divorced|engaged|widowed)\b"
        r"|^用户(?:是|已经?|目前)?(?:单身|已婚|未婚|结婚|离婚|离异)",
    }.items()
)
"""What a fact answers though nobody said so."""

_TIMELESS = frozenset(
    ("name", "nickname", "birthday", "hometown", "gender", "nationality", "blood_type", "zodiac")
)
_OTHER_TIME = re.compile(
    r"\b(?:used to|formerly|former|previously|previous|once|in the past"
    r"|(?:last|next) (?:week|month|year|summer|winter|spring|autumn|fall)"
    r"|(?<!has )(?<!have )(?:lived|worked|studied) (?:in|at|as|for)|was (?!born)|were|will|would|might"
    r"|may (?!\d)|going to|moving to|plans?|planning|hop(?:es|ing) to|intends?|want(?:s|ed)? to|dreams? of"
    r"|thinking (?:of|about)|considering|tomorrow|someday|soon)\b"
    r"|以前|曾|过去|原来|之前|去年|前年|当年|打算|计划|准备|希望(?!被)|将[要会来于]|明年|下个?[周月年]"
    rf"|考虑|{WISHES_ZH}",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"\b(?:visit\w*|travell?ing|on (?:a )?(?:trip|vacation|holiday|business)|this (?:week|weekend)"
    r"|temporar\w+|for (?:a|two|three|\d+) (?:days?|weeks?)|staying)\b"
    r"|出差|旅游|旅行|度假|暂时|临时|这周|这几天",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no longer|not|never)\b|n['’]t\b|不再|[不没](?:再|住|是|在|叫)", re.IGNORECASE)
_MAY_BE_DENIED = frozenset({"marital_status", "diet"})
"""Slots that "is not married" and "does not eat meat" answer."""
_ONE_MORE = re.compile(
    r"\b(?:also (?:work|am|is|have|has|live|go|call)\w*|(?:works?|lives?) also|second|another|part[- ]time"
    r"|side (?:job|gig|hustle|business)|as well|besides|in addition|on (?:the )?weekends|moonlight\w*)\b"
    r"|兼职|副业|另外|还(?:是|在|有|当|做|叫)|也(?:是|在|当|做|叫|住)|同时|第二|周末",
    re.IGNORECASE,
)
_KIN = (
    r"mother|mom|mum|father|dad|parents?|wife|husband|spouse|partner|sons?|daughters?|child(?:ren)?|kids?"
    r"|brothers?|sisters?|uncle|aunt|cousins?|grand\w+|girlfriend|boyfriend|friends?|boss|manager|colleagues?"
    r"|coworkers?|roommates?|neighbou?rs?|teacher|doctor|dentist|dogs?|cats?|pets?|puppy|kitten|team|company"
    r"|project"
)
_OF_ANOTHER = re.compile(
    rf"^(?:the )?(?:user|[A-Z]\w*)['’]s? (?:\w+ ){{0,2}}(?:{_KIN})\b"
    r"|^(?:用户|他|她)的?(?:最好的|亲|大|小|前)?(?:妈|爸|父|母|妻|丈夫|老婆|老公|儿子|女儿|孩子|哥|姐|弟|妹|朋友|老板|上司|同事"
    r"|同学|室友|邻居|爷|奶|外公|外婆|叔|姨|舅|姑|女友|男友|老师|医生|狗|猫|宠物|团队|项目)"
    r"|^用户的生日是[^\d]{0,4}(?:妈|爸|父|母|妻|丈夫|老婆|老公|儿子|女儿|孩子|哥|姐|弟|妹|朋友|爷|奶|狗|猫)",
    re.IGNORECASE,
)
_MAX_FOR_WORDS = 120
"""Characters of the words up to which "also" in them is taken for the fact's."""


def _read_aliases(table: str) -> dict[str, str]:
    canonical: dict[str, str] = {}
    for line in re.sub(r"\n\s+", " ", table).strip().splitlines():
        slot, _, others = line.partition(":")
        canonical |= dict.fromkeys([slot, *others.split()], slot)
    return canonical


_CANONICAL = _read_aliases(_ALIASES)
_EXCLUSIVE = frozenset(_CANONICAL.values())


def canonical(slot: str) -> str:
    """The one name of a slot; an unknown one is merely written plainly. Empty stays empty."""
    plain = "_".join(normal_words(slot).split())
    known = _CANONICAL.get(plain) or _CANONICAL.get(plain.removeprefix("user_").removeprefix("current_"))
    favourite = _FAVOURITE.fullmatch(plain)
    if favourite:
        return "favourite_" + next(filter(None, favourite.groups()))
    return known or plain


def is_exclusive(slot: str) -> bool:
    """Whether a slot, by its canonical name, has one answer at a time; an unknown slot has not."""
    return slot in _EXCLUSIVE or slot.startswith("favourite_")


@lru_cache(maxsize=512)  # a fact is compared with many others
def is_of_now(fact: str) -> bool:
    """Whether a fact states neither what was nor what is to be."""
    return not (_OTHER_TIME.search(fact) or is_past(fact))


def slot_of(proposed: str, key: str, fact: str, words: str, *, ahead: bool = False) -> str:
    """The slot a fact holds: as proposed, or as its key or its own words tell; empty when it holds none.

    `words` are those it rests on: "I also work as ..." is said there. What is `ahead` by its date, as "lives
    in Oslo from 2026-12-01", is no answer yet. A slot that is not exclusive is kept as
    it was proposed, for it takes no other's place.
    """
    slot = canonical(proposed)
    if not is_exclusive(slot):
        slot = next((s for s in (canonical(key), _told(fact)) if is_exclusive(s)), slot)
    if slot == "name" and _told(fact) == "nickname":
        slot = "nickname"
    if not is_exclusive(slot):
        return slot
    is_due = slot in _TIMELESS or (is_of_now(fact) and not ahead)
    return slot if is_due and _says(slot, fact) and _is_answer(slot, fact, words) else ""


def is_put_in(slot: str, proposed: str, fact: str, words: str) -> bool:
    """Whether a fact is proposed as the answer of a slot and nothing in it speaks against that.

    It may say so in words that are not known here ("runs a bakery" is a job): too little to hold the slot,
    enough to replace what its proposer says it replaces.
    """
    fits = slot in _SAID_IN_MANY_WORDS and canonical(proposed) == slot and is_of_now(fact)
    return fits and _is_answer(slot, fact, words)


def _told(fact: str) -> str:
    return next((slot for slot, told in _TOLD if told.search(fact)), "")


def _says(slot: str, fact: str) -> bool:
    """Whether the words are there without which a fact does not answer the question."""
    if slot.startswith("favourite_"):
        return bool(_MOST.search(fact))
    return slot not in _SAYS or bool(re.search(_SAYS[slot], with_digits(fact), re.IGNORECASE))


def _is_answer(slot: str, fact: str, words: str) -> bool:
    if slot == "home_city" and (tells_no_city(fact) or _FOR_NOW.search(fact)):
        return False
    if slot not in _MAY_BE_DENIED and _DENIED.search(fact):
        return False
    one_more = _ONE_MORE.search(fact) or (len(words) <= _MAX_FOR_WORDS and _ONE_MORE.search(words))
    return not one_more and not _OF_ANOTHER.search(fact)
