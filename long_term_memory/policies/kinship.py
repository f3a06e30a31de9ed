"""People who are known by what they are to somebody: "my sister", "my father's dentist", 我爸的牙医.

They have one form, so that the same person said twice is one and two people stay two: "User's sister",
"User's father's dentist", 用户的爸爸的牙医. In a group the speaker's name stands for "User".
"""

import re
from functools import lru_cache

from .stems import stem

KIN = (
    r"(?:grand|step|half-)?(?:mother|father|parent|brother|sister|son|daughter|child)s?|mom|mum|mommy|dad|daddy|children"
    r"|kids?|baby|siblings?|wife|husband|spouse|partner|girlfriend|boyfriend|fianc\w{1,3}|uncle|aunt|cousin|nephew"
    r"|niece|grandma|grandpa|granny|(?:mother|father|sister|brother)-in-law|friends?|boss|manager|colleagues?|coworkers?"
    r"|neighbou?rs?|roommates?|flatmates?|teacher|doctor|dentist|therapist|landlord|landlady|coach|tutor|ex|lawyer"
    r"|student|classmates?|nanny"
)
_SAME = {
    "mom": "mother",
    "mum": "mother",
    "mommy": "mother",
    "moms": "mothers",
    "mums": "mothers",
    "dad": "father",
    "dads": "fathers",
    "daddy": "father",
    "grandma": "grandmother",
    "granny": "grandmother",
    "grandpa": "grandfather",
    "kid": "child",
    "kids": "children",
    "flatmate": "roommate",
    "flatmates": "roommates",
    "coworker": "colleague",
    "coworkers": "colleagues",
    "neighbor": "neighbour",
    "neighbors": "neighbours",
}
KIN_ZH = (
    r"(?:老?妈妈?|母亲|老?爸爸?|父亲|父母|爸妈|[大小]?[哥姐弟妹][哥姐弟妹]?|兄弟|姐妹|老婆|妻子|太太|老公|丈夫|爱人|女朋友"
    r"|女友|男朋友|男友|对象|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|姥姥|姥爷|舅舅|舅妈|叔叔|阿姨|姑姑|姑妈|姨妈|伯伯"
    r"|[表堂][哥姐弟妹]|岳父|岳母|公公|婆婆|侄[子女]|外甥女?|好?朋友|闺蜜|同事|同学|室友|邻居|家人|老板|上司|领导"
    r"|经理|老师|医生|牙医|房东|教练|学生|律师|前[任妻夫])"
)
_SAME_ZH = {
    "妈": "妈妈",
    "老妈": "妈妈",
    "母亲": "妈妈",
    "爸": "爸爸",
    "老爸": "爸爸",
    "父亲": "爸爸",
    "妻子": "老婆",
    "太太": "老婆",
    "丈夫": "老公",
    "女友": "女朋友",
    "男友": "男朋友",
    "父母": "爸妈",
    "哥": "哥哥",
    "姐": "姐姐",
    "弟": "弟弟",
    "妹": "妹妹",
    "上司": "老板",
}
_ONE_FORM = {**_SAME, **_SAME_ZH}
_OWN = r"(?:my|our|(?:the )?(?:user|speaker)(?:['’]?s['’]?)?)"
ADJECTIVE = (
    r"(?:(?:older|elder|younger|little|big|best|late|former|new|old|other|twin|eldest|youngest|first"
    r"|second) ){0,2}"
)
_CHAIN = rf"{ADJECTIVE}(?:{KIN})(?:['’]s {ADJECTIVE}(?:{KIN})){{0,3}}"
_ENGLISH = re.compile(rf"(?:{_OWN} )?(?P<chain>{_CHAIN})", re.IGNORECASE)
_OWN_ANY = re.compile(rf"{_OWN} (?P<chain>[a-z][\w'’ -]{{1,40}})", re.IGNORECASE)
_CHINESE = re.compile(rf"(?:(?:我|我们|咱|用户|本人)(?:的|家)?)?(?P<chain>{KIN_ZH}(?:的?{KIN_ZH}){{0,3}})")
_NAMED = re.compile(
    rf"(?i:(?:{_OWN} )?{ADJECTIVE}(?:{KIN})),? "
    r"(?P<name>[A-Z][\w'’-]{0,30}(?: [A-Z][\w'’-]{0,30}){0,2})"
)
_SUBJECT = re.compile(
    rf"(?:the )?user['’]s (?P<chain>{_CHAIN}) (?!(?:is|are|was) (?:called|named|an? \w+ (?:called"
    rf"|named)|(?-i:[A-Z]))"
    r"|(?:and|or|name)\b)(?=[a-z])",
    re.IGNORECASE,
)
_SUBJECT_ZH = re.compile(
    rf"用户(?:的|家)?(?P<chain>(?>{KIN_ZH}(?:的?{KIN_ZH}){{0,3}}))(?!叫|名|的|和|与|跟|、)(?=.)"
)


_WORDS = re.compile(rf"\b(?:{KIN})\b|{KIN_ZH}", re.IGNORECASE)
_RELATIVE = rf"(?:ex-)?(?:step[ -]?|half-)?(?:{KIN})(?:-in-law)?\b"
_ANY_ADJECTIVE = (
    r"(?:(?!(?:and|or|but|is|was|my|our|the|an?|with|at|to|for|in|on|of|by|from|got|had|has|been|never|not|no"
    r"|having|expecting|already)\b)[\w-]+ ){0,2}?"
)
_OUTSIDERS_ZH = "朋友|闺蜜|同事|同学|室友|邻居|老板|上司|领导|经理|老师|医生|房东|教练|学生|律师"
_THEIRS_ZH = (
    rf"(?:的(?:前(?=[男女]))?{KIN_ZH}|老[公婆]|丈夫|妻子|太太|对象|[男女]朋?友|[儿女]儿|儿子|孩子|宝宝"
    rf"|(?<={_OUTSIDERS_ZH})(?!{_OUTSIDERS_ZH}){KIN_ZH}|(?<=儿子|女儿|孩子)(?:老师|同学|医生|教练))"
)
_RELATIVES = re.compile(
    rf"\b{_RELATIVE}(?:(?:['’]s|(?<=s)['’]) {_ANY_ADJECTIVE}{_RELATIVE}){{0,3}}"
    rf"|(?:前(?=[男女]))?{KIN_ZH}(?:夫(?![妻妇]))?{_THEIRS_ZH}{{0,3}}",
    re.IGNORECASE,
)
_OTHER_THAN_ONE = re.compile(
    r"\bex-|\bstep(?=[ -]?[a-z])|\bhalf(?=-)|-in-law|前(?=[男女])|(?<=[姐妹])夫(?![妻妇])", re.IGNORECASE
)
"""What makes of a mother none, or a former one."""
_EX = re.compile(rf"\bex (?={KIN})", re.IGNORECASE)
_IN_LAW = re.compile(r"[ -]in[ -]law\b(?! (?:school|firm|enforcement)\b)", re.IGNORECASE)
_STEP = re.compile(r"\b(?:step[ -]?|half-)(?=[a-z])", re.IGNORECASE)

_ENGLISH_SENSES = re.compile(rf"\b(?:{'|'.join(_SAME)})\b", re.IGNORECASE)
_CHINESE_SENSES = re.compile(
    r"爸妈|父母|姐妹|兄弟|兄妹|姐[夫弟]|弟[子妹]|妹[子纸]|徒弟|(?:墨西|芝加|摩[纳洛]|地亚|八|帅)哥"
    r"|哥(?:[伦德们]|斯达|本哈|特(?!别))|(?<![表堂小空学师])(?<![表堂小空学师][姐妹哥弟])(?:姐姐?|妹妹?|哥哥?|弟弟?)"
    r"|(?<![姑姨舅大干])(?:老?妈妈?|母亲)|老?爸爸?|父亲|妻子|太太|丈夫|女友|男友"
)
_CHINESE_HINT = re.compile("[爸妈父母姐妹哥弟妻太丈友]")


def in_one_form(text: str) -> str:
    """The text with each word for a relative in its one form: 父亲 as 爸爸, "mom" as "mother"."""
    return chinese_in_one_form(_ENGLISH_SENSES.sub(lambda found: one_form(found.group().lower()), text))


def chinese_in_one_form(text: str) -> str:
    """The same for Chinese words alone."""
    if not _CHINESE_HINT.search(text):  # most texts name no relative, and all are looked at
        return text
    return _CHINESE_SENSES.sub(lambda found: one_form(found.group()), text)


def one_form(word: str) -> str:
    """The one form of a word in small letters; any other word is its own."""
    return _ONE_FORM.get(word, word)


def forms_of(word: str) -> list[str]:
    """A word or its stem, and what else stands for the same relative: "father" and "dad"."""
    return [word, *(other for other, one in _ONE_FORM.items() if word in (one, stem(one)))]


@lru_cache(maxsize=512)  # a fact is compared with many others
def kin_words(text: str) -> frozenset[str]:
    """What people are to each other in a text, each in its one form; "friend" and 朋友 stay two."""
    return frozenset(one_form(word.group().lower()) for word in _WORDS.finditer(text))


def relatives(text: str) -> set[frozenset[str]]:
    """Whom a text speaks of, each by all that they are: "my brother's wife" is neither a brother nor a wife.

    Nor is a mother-in-law or a stepmother a mother, an ex-wife a wife or 姐夫 a 姐姐.
    """
    written = _IN_LAW.sub("-in-law", _EX.sub("ex-", in_one_form(text)))
    found = [relative.group().lower() for relative in _RELATIVES.finditer(written)]
    return {kin_words(_STEP.sub("", one)) | set(_OTHER_THAN_ONE.findall(one)) for one in found}


def is_kin(person: str) -> bool:
    """Whether a person is known only by what they are to the speaker."""
    return bool(
        _ENGLISH.fullmatch(person)
        or _CHINESE.fullmatch(person)
        or (_OWN_ANY.fullmatch(person) and not _name_in(person))
    )


def canonical_kin(person: str, of: str = "") -> str:
    """The one form of what `is_kin` accepts; `of` is whose relative it is where "User" does not tell."""
    chinese = _CHINESE.fullmatch(person)
    if chinese:
        links: list[str] = re.findall(KIN_ZH, chinese["chain"])
        return "的".join([of or "用户", *(_SAME_ZH.get(link, link) for link in links)])
    found = _ENGLISH.fullmatch(person) or _OWN_ANY.fullmatch(person)
    chain = (found["chain"] if found else person).lower().replace("’", "'")
    words = re.sub(r"[\w-]+", lambda word: _SAME.get(word.group(), word.group()), chain)
    return f"{of or 'User'}'s {words}"


def named_kin(person: str) -> str:
    """The name in "my friend Bob"; else the person as given."""
    found = _NAMED.fullmatch(person)
    return found["name"] if found else person


def kin_of_fact(fact: str) -> str:
    """The relative whom a fact speaks of as its subject: "User's sister is vegan"; empty when it does not.

    "User's sister is called Anna" tells what the user has a sister by the name of, and is the user's.
    """
    found = _SUBJECT.match(fact) or _SUBJECT_ZH.match(fact)
    return found["chain"] if found else ""


def _name_in(person: str) -> bool:
    return named_kin(person) != person
