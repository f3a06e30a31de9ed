"""What stands around a quote: whether its words are plainly said there, and of whom (design 5.3).

A quote may be verbatim and still say nothing: "Am I allergic to nuts?", "nobody would say I am married", "My
sister is allergic to nuts". So the whole sentence is looked at, and what frames the message before it.
"""

import re
from dataclasses import dataclass

from ..policies.stance import has_attitude
from .clauses import MASK, Clause, Sentence, own_words, sentences, stated
from .earnest import EXAMPLES, FRAMES, JESTS, MOCKS, SUPPOSES, denies, is_playful, reports, takes_back

_BEFORE, _AFTER = 1_000, 300
"""Characters around a quote that are looked at."""
_KIN_EN = (
    r"(?:mother|mom|mum|father|dad|parents?|brothers?|sisters?|siblings?|wife|husband|spouse|partner"
    r"|girlfriend"
    r"|boyfriend|fianc\w+|sons?|daughters?|kids?|child|children|baby|uncle|aunt|cousins?|nephews?|nieces?"
    r"|grand\w+"
    r"|friends?|boss|manager|colleagues?|coworkers?|neighbou?rs?|roommates?|flatmates?|teacher|doctor|ex"
    r"|family"
    r"|cats?|dogs?|pets?|in-laws?)"
)
_KIN_ZH = (
    r"(?:妈妈?|爸爸?|父亲|母亲|父母|姐姐?|妹妹?|哥哥?|弟弟?|老婆|老公|妻子|丈夫|爱人|女朋友|男朋友|女友"
    r"|男友|对象|好?朋友"
    r"|同事|同学|老板|领导|儿子|女儿|孩子|宝宝|爷爷|奶奶|外公|外婆|姥姥|姥爷|舅舅|叔叔|阿姨|姑姑"
    r"|[表堂][哥姐弟妹]|室友"
    r"|邻居|家人|[猫狗])"
)
_KIN = re.compile(
    rf"\b(?:{_KIN_EN}|married|divorced|engaged|dating)\b|{_KIN_ZH}|已婚|结婚|离婚", re.IGNORECASE
)
"""A fact with such a word tells of somebody beside the speaker."""
_PETS = re.compile(r"\b(?:cats?|dogs?|pets?)\b|[猫狗]", re.IGNORECASE)
_CHILDREN = re.compile(
    r"\b(?:sons?|daughters?|kids?|child|children|baby)\b|儿子|女儿|孩子|宝宝", re.IGNORECASE
)
_WED = re.compile(r"\b(?:married|divorced|engaged|dating)\b|已婚|结婚|离婚", re.IGNORECASE)
_SPOUSES = re.compile(
    r"\b(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc\w+|ex)\b"
    r"|老婆|老公|妻子|丈夫|爱人|女朋友|男朋友|女友|男友|对象",
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
    r"\b(?:is|as|became) an? (?:[\w-]+ ){0,2}[\w-]+$|用户(?:的职业)?是\S{1,8}$", re.IGNORECASE
)
"""What somebody is by trade is nobody beside them: "User is a doctor"."""
_LINK = r"^(?:and |but |so |because |since |well |also |但是?|而且|因为|所以|其实|不过)?"
_ANOTHER = re.compile(
    rf"{_LINK}(?:(?:my|our|his|her|their) (?:[\w'-]+ ){{0,3}}?{_KIN_EN}(?:'s)?\b|(?:he|she|they|everyone"
    rf"|everybody"
    rf"|somebody|someone)\b|(?:我们?|他|她)(?:的|家|们)?{_KIN_ZH}|[他她]们?|{_KIN_ZH})",
    re.IGNORECASE,
)
_THE_BOT = re.compile(
    rf"{_LINK}(?:you(?!\s(?:know|see)\b)|you['’]re|your)\b|^(?:你|您)(?!好|知道|看)", re.IGNORECASE
)
"""Words about the bot: "your name is Jarvis"."""
_NOT_ONESELF = re.compile(r"\b(?:he|she|they|you|his|her|him|their|them|your)\b|[他她你您]", re.IGNORECASE)
_REPORTS = re.compile(
    r"\b(?:say|said|told|tell|think|thought|believ|claim|according|ask|advi|recommend|heard)|说|告诉|认为"
    r"|觉得|听|问|建议",
    re.IGNORECASE,
)
"""What somebody else says or thinks is a fact only as such."""
_NO_NAME = (
    "(?!(?:I|It|This|That|There|Here|What|Who|Today|Tomorrow|Yesterday|The|A|An|My|Our|Which|Where|When)\\b)"
)
_NAMED = re.compile(
    rf"{_LINK}{_NO_NAME}(?P<name>[A-Z][\w-]{{0,30}})(?:'s [\w' -]{{1,30}})? "
    r"(?:is|isn't|was|has|had|likes|loves|hates|lives|works|moved|prefers|can't|doesn't|got|owns|bought)\b"
)
_GOES_ON = re.compile(
    r"['’]s\b|-\w|(?:这|那)?(?:是|都是)?(?:绝对|根本|完全)?不(?:可能|对|会的)|是(?:假|骗|谎)"
    r"|\s(?:is|was) (?:impossible|a lie|not true|untrue|false|a joke|nonsense)\b",
    re.IGNORECASE,
)
_GOES_ON_OF = re.compile(r"的(?!\W|[吗呢啊吧呀嘛了]|$)")
_OF_A_PLACE = re.compile(r"[住在]|来自|从")
"""我住在北京|的朝阳区 is in Beijing all the same."""
_ONESELF_TOO = re.compile(r"\b(?:i|i'm|i've|i'll|me|we|us)\b|我", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:i|i'm|im|i've|i'll|i'd|we|me|my|mine|our)\b|[我咱]|本人", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """A quote's sentences, at least one, with the text before, inside and after it in them."""

    covering: tuple[Sentence, ...]
    clauses: tuple[Clause, ...]
    """Of these sentences, those the quote has a part of."""
    frame: str
    """All that stands before the quote."""
    before: str
    quote: str
    after: str
    following: str
    """The sentence after it, if there is one."""


def around(text: str, start: int, end: int) -> Surroundings | None:
    """What stands around a quote in a message; None when it is not the speaker's own words there."""
    at = max(0, start - _BEFORE)
    own = own_words(text[at : end + _AFTER])
    start, end = start - at, end - at
    blank = max(0, start - _AFTER)
    every = sentences("\n" * blank + own[blank:])
    covering = [n for n, sentence in enumerate(every) if sentence.start < end and start < sentence.close]
    if not covering or not own[start:end].strip(MASK + " \n"):
        return None
    chosen = tuple(every[covering[0] : covering[-1] + 1])
    following = every[covering[-1] + 1 : covering[-1] + 2]
    return Surroundings(
        covering=chosen,
        clauses=tuple(c for s in chosen for c in s.clauses if c.start < end and start < c.end),
        frame=own[:start],
        before=own[chosen[0].start : start],
        quote=own[start:end],
        after=own[end : chosen[-1].end],
        following=following[0].text if following else "",
    )


def is_plainly_said(near: Surroundings) -> bool:
    """Whether nothing around the quote asks, supposes, denies, reports, plays or takes back its words."""
    if _is_cut(near):
        return False
    framed = FRAMES.search(near.frame) or EXAMPLES.search(near.before)
    doubted = (
        SUPPOSES.search(near.before + near.quote) or reports(near.before) or denies(_clause_before(near))
    )
    return not (framed or doubted or takes_back(near.after, near.following)) and _answers(near)


def _is_cut(near: Surroundings) -> bool:
    """Whether a quote ends where its words go on to say something else, or cuts through a quotation.

    "I am the owner" is not what "I am the owner's neighbour" says.
    """
    of_a_thing = _GOES_ON_OF.match(near.after) and not _OF_A_PLACE.search(near.quote)
    begins_inside = near.frame.endswith(MASK) and near.quote.startswith(MASK)
    ends_inside = near.quote.endswith(MASK) and near.after.startswith(MASK)
    return bool(_GOES_ON.match(near.after) or of_a_thing or begins_inside or ends_inside)


def is_said_otherwise(near: Surroundings, fact: str) -> bool:
    """Whether the quote itself reports or plays, while the fact is put as plainly so."""
    reported = reports(near.quote) and not _REPORTS.search(fact)
    mocked = has_attitude(fact) and MOCKS.search(near.before + near.quote)
    jested = JESTS.search(near.before + near.quote)
    return reported or bool(mocked or jested) or is_playful(near.quote, fact)


def is_of_another(near: Surroundings, fact: str) -> bool:
    """Whether the words speak of somebody else while the fact, which names nobody, would be the speaker's."""
    beside = _PREDICATE.sub(" ", fact)
    if _KIN.search(_HELD.sub(" ", beside)):
        return False
    spoken = {clause.start for clause in near.clauses}
    verdicts: list[bool] = []
    for sentence in near.covering:
        another = False
        for clause in sentence.clauses:
            another = _speaks_of_another(clause.text, fact, before=another)
            if clause.start in spoken:
                verdicts.append(another)
    return bool(verdicts) and all(verdicts)


def is_of_person(near: Surroundings, name: str) -> bool:
    """Whether a part of the quote may speak of somebody: by name, as "she", or without a subject.

    "I'm 54" does not, nor does a name that only calls: "Alice, I'm 54".
    """
    said = [c.text for c in near.clauses if len(c.text) > len(name) + 1]
    parts = [part for part in re.findall(r"\w+", name.casefold()) if len(part) > 1] or [name.casefold()]
    return any(
        any(part in text.casefold() for part in parts)
        or _NOT_ONESELF.search(text)
        or not _OF_ONESELF.search(text)
        for text in said
    )


def _speaks_of_another(clause: str, fact: str, *, before: bool) -> bool:
    """Whether a clause does, or goes on where the clause before it did."""
    if _THE_BOT.search(clause):
        return not _OF_ONESELF.search(clause)
    subject = _ANOTHER.search(clause)
    if subject and _shares(subject.group(), clause[subject.end() :], fact):
        return False
    if subject:
        return not _ONESELF_TOO.search(clause, subject.end())
    named = _NAMED.search(clause)
    if named and not _OF_ONESELF.search(clause):
        return named["name"].casefold() not in fact.casefold()
    return before and not _OF_ONESELF.search(clause)


def _shares(subject: str, rest: str, fact: str) -> bool:
    """Whether what is said of somebody tells that the speaker has a spouse, a child or a pet too.

    "My wife had a baby" does; "My neighbour has a dog" does not.
    """
    held = _HELD.search(_PREDICATE.sub(" ", fact))
    if not held:
        return False
    owned = _HAS.search(fact) and _OF_ONESELF.search(rest)
    return bool(owned) or any(has.search(fact) and of.search(subject) for has, of in _TIES)


def _clause_before(near: Surroundings) -> str:
    """What stands before the quote in the clause it begins in."""
    begun = near.clauses[0].start - near.covering[0].start if near.clauses else 0
    return near.before[begun:]


def _answers(near: Surroundings) -> bool:
    """Whether a clause of the quote states something, where its sentence asks."""
    for sentence in near.covering:
        if not sentence.is_question:
            return True
        places = {clause.start for clause in stated(sentence)} if sentence.asks else set[int]()
        if any(clause.start in places for clause in near.clauses):
            return True
    return False
