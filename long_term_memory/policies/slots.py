"""Which question a fact answers when there can be only one answer at a time (design 5.5).

Models name the same question in many ways; a table brings them to one name. Whether a fact truly answers the
question it is proposed for, nothing here decides.
"""

import re

from .keys import normal_words

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
_OPEN = ("favourite_", "attitude_")
"""Each of these has one answer for whatever follows."""


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
    return slot in _EXCLUSIVE or slot.startswith(_OPEN)


def slot_of(proposed: str, key: str) -> str:
    """The exclusive slot that the proposal, or else the key, names; else the proposal, written plainly."""
    slot, of_key = canonical(proposed), canonical(key)
    return of_key if is_exclusive(of_key) and not is_exclusive(slot) else slot
