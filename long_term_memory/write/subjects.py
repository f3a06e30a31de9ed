"""Of whom a clause speaks: of the speaker, of the bot or of somebody else (design 5.3).

A clause with the speaker as its subject, or without any, is the speaker's own. One that begins with somebody
else is not, though the speaker may stand further on: "The woman I live with is vegan". Only the clause that
says the fact counts: "My sister lives in Oslo and I visit her often" gives the speaker no home.
"""

import re
from collections.abc import Iterator

from ..policies.kinship import KIN, KIN_ZH, relatives
from ..policies.lexicon import unrecognised
from ..policies.names import SURNAMES
from ..policies.overlap import coverage, in_two_languages
from .surroundings import Surroundings

_RELATIVES_EN = (
    r"(?:mother|mom|mum|father|dad|parents?|brothers?|sisters?|siblings?|wife|husband|spouse|partner"
    r"|girlfriend|boyfriend|fianc\w+|sons?|daughters?|kids?|child|children|baby|uncle|aunt|cousins?|nephews?"
    r"|nieces?|grand\w+|friends?|colleagues?|coworkers?|neighbou?rs?|roommates?|flatmates?|ex|family|cats?"
    r"|dogs?|pets?|in-laws?)"
)
_RELATIVES_ZH = (
    r"(?:妈妈?|爸爸?|父亲|母亲|父母|姐姐?|妹妹?|哥哥?|弟弟?|老婆|老公|妻子|丈夫|爱人|女朋友|男朋友|女友|男友"
    r"|对象|好?朋友|同事|同学|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|姥姥|姥爷|舅舅|叔叔|阿姨|姑姑"
    r"|[表堂][哥姐弟妹]|室友|邻居|家人|[猫狗])"
)
_BESIDE = re.compile(
    rf"\b(?:{_RELATIVES_EN}|married|divorced|engaged|dating)\b|{_RELATIVES_ZH}|已婚|结婚|离婚", re.IGNORECASE
)
"""A fact with such a word tells of somebody beside the speaker."""
_OTHERS_EN = (
    rf"(?:{_RELATIVES_EN}|(?:{KIN})s?|step(?:mom|mum|dad|kids?)|hubby|bestie|patients?|clients?|tenants?"
    r"|housemates?|buddy|gran|wom[ae]n|m[ae]n|guys?|girls?|boys?|persons?|people|lady|dude|couple)"
)
_OTHERS_ZH = (
    rf"(?:前[男女]友|[大小二三]?(?:姨妈?|姑|舅|叔|伯)|嫂子?|姐夫|妹夫|弟媳|病人|患者|客户|学[长姐弟妹]|同桌"
    rf"|舍友|网友|师[父傅]|徒弟|{_RELATIVES_ZH}(?!圈)|{KIN_ZH}(?!时代|会|证|着|一))"
)
_PETS = re.compile(r"\b(?:cats?|dogs?|pets?)\b|[猫狗]", re.IGNORECASE)
_CHILDREN = re.compile(
    r"\b(?:sons?|daughters?|kids?|child|children|baby)\b|儿子|女儿|孩子|宝宝", re.IGNORECASE
)
_WED = re.compile(r"\b(?:married|divorced|engaged|dating)\b|已婚|结婚|离婚", re.IGNORECASE)
_SPOUSES = re.compile(
    r"\b(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc\w+|ex)\b|老婆|老公|妻子|丈夫|爱人|女朋友"
    r"|男朋友|女友|男友|对象",
    re.IGNORECASE,
)
_HELD = re.compile(f"{_PETS.pattern}|{_CHILDREN.pattern}|{_WED.pattern}", re.IGNORECASE)
"""Whom others may have as well: "My colleague has two kids" gives the speaker none."""
_CATS, _DOGS = re.compile(r"\bcat|猫", re.IGNORECASE), re.compile(r"\bdog|狗", re.IGNORECASE)
_ANY_PET = re.compile(r"\bpet", re.IGNORECASE)
_TIES = (
    (_CATS, _CATS),
    (_DOGS, _DOGS),
    (_PETS, _ANY_PET),
    (_ANY_PET, _PETS),
    (_CHILDREN, _CHILDREN),
    (_CHILDREN, _SPOUSES),
    (_WED, _SPOUSES),
)
_HAS = re.compile(r"\b(?:has|have|owns?|keeps?)\b|有|养", re.IGNORECASE)
_PREDICATE = re.compile(
    r"\b(?:is|as|became) an? (?:[\w-]+ ){0,2}[\w-]+(?: (?:at|in|for|from) .{1,80})?$"
    r"|用户(?:的职业)?是\S{1,8}$",
    re.IGNORECASE,
)
"""What somebody is by trade is nobody beside them: "User is a doctor"."""
_VERB = (
    r"(?:is|isn['’]t|are|aren['’]t|was|were|has|hasn['’]t|had|does|doesn['’]t|can|can['’]t|cannot|likes|loves"
    r"|hates|lives|works|moved|prefers|got|owns|bought|takes|eats|drinks|plays|speaks|studies|needs|wants"
    r"|suffers|became)\b"
)
_LINK = r"^(?:and |but |so |because |since |while |well |also |但是?|而且|因为|所以|其实|不过)?"
_ANY_OF = r"(?:(?:one|some|many|most|all|both|two|none) of )?"
_DETERMINER = r"(?:my|our|his|her|their|an?|the|this|that|some|another|one|two|three) "
_BETWEEN = r"(?:(?!(?:as|is|was|has|had|to|of|for|with|and|or|in|at|on|are|were|i|who|that)\b)[\w'-]+ ){0,3}?"
_KNOWN_ZH = (
    r"(?:(?:我们?|咱们?|俺|他|她)(?:的|家|们|班|公司|单位|组)?的?)?(?:(?:有"
    r"|认识)的?(?=.{1,8}[^有]))?(?:一?[个位名])?(?:最?好的?|大学|高中|初中|小学|以前的|前)?"
)
_ANOTHER = re.compile(
    rf"{_LINK}(?:{_ANY_OF}{_DETERMINER}{_BETWEEN}{_OTHERS_EN}(?:['’]s)?\b(?: of (?:mine|ours))?"
    r"|(?:(?:his|her|their) [\w'-]{1,30}|he|she|they|everyone|everybody|somebody|someone|people)\b"
    rf"|{_KNOWN_ZH}{_OTHERS_ZH}(?=.)|[我咱]?(?:认识|见过|遇到|知道|有)的?(?:一?[个位名些]|那个)(?:人"
    rf"|[男女](?:生|孩|的))(?=.)|[他她]们?)",
    re.IGNORECASE,
)
_THEIRS = re.compile(rf"{_LINK}(?:his|her|their)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    rf"^,? (?:who|whom|that|which|i|we|i['’]ve|i['’]d)(?: [\w'’-]+){{1,6}}?(?= {_VERB})", re.IGNORECASE
)
"""What tells which person is meant: "I live with" of "the woman I live with"."""
_THE_BOT = re.compile(
    rf"{_LINK}(?:you(?!\s(?:know|see)\b)|you['’]re|your)\b|^(?:你|您)(?!好|知道|看)", re.IGNORECASE
)
"""Words about the bot: "your name is Jarvis"."""
_NOT_ONESELF = re.compile(r"\b(?:he|she|they|you|his|her|him|their|them|your)\b|[他她你您]", re.IGNORECASE)
_NO_SUBJECT = (
    r"(?!(?:I|It|This|That|There|Here|What|Who|Which|Where|When|If|Today|Tomorrow|Yesterday|Now|Just|Also"
    r"|Still|Never|Always|Only|Currently|Recently|Already|In|At|On|Since|As|For|From|With|Not|Age|Name|Job"
    r"|Home|Yes|No|Oh)\b)"
)
_OTHER = re.compile(rf"{_LINK}(?P<name>(?i:{_NO_SUBJECT})[^\W\d_][\w'’-]*(?: [\w'’-]+){{0,5}}?) {_VERB}")
_NOT_NAMES_ZH = r"(?!老[是家实板]|小[时学区心孩]|周[末一二三四五六日天]|高[中考三兴]|马上|许多|何[时况])"
_OTHER_ZH = re.compile(
    rf"{_LINK}(?:[我咱]们?.{{1,3}}的|隔壁的?|楼[上下]的?)?{_NOT_NAMES_ZH}(?P<name>[小老阿][\u4e00-\u9fff]"
    rf"|[{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=对|住|是|有|在|怀孕|今年|喜欢|讨厌|也|很|不|吃|会|得了|\d)"
)
_SHARED_BREATH = re.compile(
    r"(?:,|[,;]? (?:and|but|so|because|while|whereas|though)) "
    rf"(?=(?:[A-Z][\w'-]{{0,30}}|(?:my|the|he|she)\b.{{1,40}}?) {_VERB}|(?:I|i|we|now|then)\b)"
    rf"| (?=who(?:se)? (?!(?:i|we)\b)|that {_VERB})"
    rf"|(?<=\bthat) (?=(?:my|our|his|her|their) {_BETWEEN}{_OTHERS_EN}\b)"
)
_WHO = re.compile(r"(?:who(?:se)?|that)\b", re.IGNORECASE)
_SOMEBODY = re.compile(
    rf"\b(?:(?:{_DETERMINER}{_BETWEEN})?{_OTHERS_EN}(?: (?:from|in|at|named|called) [\w'-]+)?"
    r"|some(?:one|body)|(?-i:[A-Z])[\w'-]+)$",
    re.IGNORECASE,
)
"""Whom "who" may go on about: a friend in "I have a friend who is vegan"."""
_NO_JOINT = r"(?:(?!(?:my|our|his|her|their|the|an?|this|that|some|one|and|or|with|to|for|of|by)\b)[\w'-]+ )"
_AS_ONESELF = re.compile(
    r"\b(?:i am|i['’]?m|i was|i['’]ve (?:been|become)|i became|i work as|my name is)"
    r"(?: (?:not|no longer|also|just|still|only|really|basically|definitely|now|currently|always)){0,3}"
    rf"(?: an? {_NO_JOINT}{{1,5}}?and)?(?: one of(?: th[eo]se)?| the (?:type|kind|sort) of)?"
    rf"(?: an? {_NO_JOINT}{{0,6}}?)? ?$",
    re.IGNORECASE,
)
"""Before it the speaker is meant: "I'm a guy who lives in Oslo"."""
_HAS_VERB = re.compile(
    rf"['’]m\b|\bi (?!and\b|or\b)[a-z]{{2}}"
    rf"|\b(?:am|have|like|love|hate|left|know|knew|met|saw|live|work|\w+ed|{_VERB})",
    re.IGNORECASE,
)
_ONESELF_TOO = re.compile(r"\b(?:i|i'm|i've|i'll|me|we|us)\b|(?:is|was|'s) (?:my|our)\b|我", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:i|i'm|im|i've|i'll|i'd|we|me|my|mine|our)\b|[我咱俺]|本人", re.IGNORECASE)


def is_of_another(near: Surroundings, fact: str) -> bool:
    """Whether the words speak of somebody else while the fact, which names nobody, would be the speaker's."""
    if _BESIDE.search(_HELD.sub(" ", _PREDICATE.sub(" ", fact))):
        return False
    spoken = {clause.start for clause in near.clauses}
    verdicts: list[tuple[float, bool]] = []
    for sentence in near.covering:
        another, last = False, ""
        for clause in sentence.clauses:
            for piece in _pieces(clause.text):
                goes_on = another or _goes_on_about_another(piece, last, fact)
                another, last = _speaks_of_another(piece, fact, before=goes_on), piece
                if clause.start in spoken:
                    verdicts.append((_share(fact, piece), another))
    best = max((share for share, _ in verdicts), default=0)
    return bool(verdicts) and all(another for share, another in verdicts if share == best)


def telling(near: Surroundings, fact: str) -> str:
    """The pieces of the quote's clauses that say the fact, or most of it."""
    said = [piece for clause in near.clauses for piece in _pieces(clause.text)] or [near.quote]
    return " ".join(_best(fact, said))


def is_of_person(near: Surroundings, name: str, fact: str) -> bool:
    """Whether the part of the quote that says the fact may speak of somebody: by name, or as "she".

    "I'm 54" does not, nor does a name that only calls: "Alice, I'm 54".
    """
    said = [piece for c in near.clauses for piece in _pieces(c.text) if len(piece) > len(name) + 1]
    return any(_may_be_of(piece, name) for piece in _best(fact, said))


def is_of_relative(near: Surroundings, relation: str, fact: str) -> bool:
    """Whether the part of the quote that says the fact is not of another relative than the one it names."""
    meant = relatives(relation)
    words = frozenset[str]().union(*meant)
    theirs = words.union(*relatives(fact))  # "his wife is pregnant" of a brother
    said = [piece for c in near.clauses for piece in _pieces(c.text)]
    if not any(words & each for piece in said for each in relatives(piece)):
        return True
    kin = [relatives(piece) for piece in _best(fact, said)]
    return any(not those or any(one in meant or words <= one <= theirs for one in those) for those in kin)


def _best(fact: str, pieces: list[str]) -> list[str]:
    """The pieces that say most of the fact, several where they say as much."""
    shares = [_share(fact, piece) for piece in pieces]
    most = max(shares, default=0)
    return [piece for piece, share in zip(pieces, shares, strict=True) if share == most]


def _share(fact: str, piece: str) -> float:
    if in_two_languages(fact, piece):
        return 0.0 if unrecognised(fact, piece) else 1.0
    return coverage(fact, piece)


def _pieces(clause: str) -> Iterator[str]:
    """A clause in pieces of one subject each: "I am a nurse and Bob is a doctor" has two."""
    at = 0
    for cut in _SHARED_BREATH.finditer(clause[:1_000]):
        if _HAS_VERB.search(clause, at, cut.start() + 1):
            yield clause[at : cut.start()]
            at = cut.end()
    yield clause[at:]


def _may_be_of(piece: str, name: str) -> bool:
    parts = [part for part in re.findall(r"\w+", name.casefold()) if len(part) > 1] or [name.casefold()]
    if any(part in piece.casefold() for part in parts) or _NOT_ONESELF.search(piece):
        return True
    return not _OF_ONESELF.search(piece) and not _other_subject(piece, name)


def _goes_on_about_another(piece: str, before: str, fact: str) -> bool:
    """Whether a piece says "who" of somebody else in the piece before, and not of whom the fact names."""
    goes_on, whom = _WHO.match(piece), _SOMEBODY.search(before)
    if not goes_on or not whom:
        return False
    is_thing = goes_on.group().lower() == "that" and whom.group()[0].isupper()  # "a Honda that is red"
    is_oneself = _AS_ONESELF.search(before[: whom.start()])
    return not (is_thing or is_oneself or coverage(whom.group(), fact))


def _speaks_of_another(clause: str, fact: str, *, before: bool) -> bool:
    """Whether a clause does, or goes on where the clause before it did."""
    if _THE_BOT.search(clause):
        return not _OF_ONESELF.search(clause)
    subject = _ANOTHER.search(clause)
    if subject and _shares(subject.group(), clause[subject.end() :], fact):
        return False
    if subject:
        rest = _RELATIVE.sub("", clause[subject.end() :])
        is_told = coverage(subject.group(), fact) and not _THEIRS.match(subject.group())
        return not _ONESELF_TOO.search(rest) and not is_told
    other = _other_subject(clause, fact)
    return other or (before and not _OF_ONESELF.search(clause))


def _other_subject(clause: str, fact: str) -> bool:
    """Whether a clause has a subject that is neither the speaker nor a thing that the fact names."""
    named_zh = _OTHER_ZH.search(clause)
    if named_zh:
        return named_zh["name"] not in fact
    named = None if _OF_ONESELF.search(clause) else _OTHER.search(clause)
    return bool(named) and not coverage(named["name"], fact)


def _shares(subject: str, rest: str, fact: str) -> bool:
    """Whether what is said of somebody tells that the speaker has a spouse, a child or a pet too.

    "My wife had a baby" does; "My neighbour has a dog" does not.
    """
    held = _HELD.search(_PREDICATE.sub(" ", fact))
    if not held:
        return False
    owned = _HAS.search(fact) and _OF_ONESELF.search(rest)
    return bool(owned) or any(has.search(fact) and of.search(subject) for has, of in _TIES)
