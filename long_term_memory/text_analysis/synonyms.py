"""Words for relatives in one form, so that "mom" and "mother", 妈 and 妈妈 find each other."""

import re
from functools import lru_cache

from .stems import stem

_FORMS = """
mother mom mum mommy | mothers moms mums | father dad daddy | fathers dads | grandmother grandma granny
grandfather grandpa | child kid | children kids | roommate flatmate | roommates flatmates
colleague coworker | colleagues coworkers | neighbour neighbor | neighbours neighbors
妈妈 妈 老妈 母亲 | 爸爸 爸 老爸 父亲 | 老婆 妻子 太太 | 老公 丈夫 | 女朋友 女友 | 男朋友 男友 | 爸妈 父母
哥哥 哥 | 姐姐 姐 | 弟弟 弟 | 妹妹 妹 | 老板 上司
"""
_OTHERS = """
parent sibling brother sister son daughter baby wife husband spouse partner girlfriend boyfriend fiance uncle
aunt cousin nephew niece friend boss manager teacher doctor dentist therapist landlord ex law step half
"""
_GROUPS = [group.split() for line in _FORMS.strip().splitlines() for group in line.split("|")]
_ONE_FORM = {word: group[0] for group in _GROUPS for word in group}
_ENGLISH = frozenset(map(stem, (*_OTHERS.split(), *(word for word in _ONE_FORM.values() if word.isascii()))))
_CHINESE = re.compile(
    r"爸妈|父母|姐妹|兄弟|兄妹|姐[夫弟]|弟[子妹]|妹[子纸]|徒弟|(?:墨西|芝加|摩[纳洛]|地亚|八|帅)哥"
    r"|哥(?:[伦德们]|斯达|本哈|特(?!别))|(?<![表堂小空学师])(?<![表堂小空学师][姐妹哥弟])(?:姐姐?|妹妹?|哥哥?|弟弟?)"
    r"|(?<![姑姨舅大干])(?:老?妈妈?|母亲)|老?爸爸?|父亲|妻子|太太|丈夫|女友|男友"
)
"""Where these are words for relatives, and what they are parts of (姐夫, 墨西哥), which stays."""
_CHINESE_HINT = re.compile("[爸妈父母姐妹哥弟妻太丈友]")
_RELATIVE_ZH = re.compile(
    r"[前表堂岳继养]?(?:妈|爸|爹|哥|姐|弟|妹|老婆|老公|爱人|[男女]朋友|对象|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|姥[姥爷]|舅|叔|阿姨"
    r"|姑|姨|伯|父|母|公公|婆婆|侄|外甥|朋友|闺蜜|同事|同学|室友|邻居|老板|领导|经理|老师|医生|房东|前任)夫?"
)


def one_form(word: str) -> str:
    """The one form of a word in small letters; any other word is its own."""
    return _ONE_FORM.get(word, word)


def chinese_in_one_form(text: str) -> str:
    """The text with each Chinese word for a relative in its one form: 父亲 as 爸爸."""
    if not _CHINESE_HINT.search(text):  # most texts name no relative, and all are looked at
        return text
    return _CHINESE.sub(lambda found: one_form(found.group()), text)


def forms_of(word: str) -> list[str]:
    """A word or its stem, and what else stands for the same relative: "father" and "dad"."""
    return [word, *(other for other, one in _ONE_FORM.items() if other != word and word in (one, stem(one)))]


@lru_cache(maxsize=512)  # a fact is compared with many others
def relatives(text: str) -> frozenset[str]:
    """What people in a text of small letters are to somebody, in one form; "friend" and 朋友 stay two."""
    words = {stem(one_form(word)) for word in re.findall(r"[a-z]+", text)}
    chinese = _RELATIVE_ZH.findall(chinese_in_one_form(text))
    return frozenset((words & _ENGLISH) | {*chinese})
