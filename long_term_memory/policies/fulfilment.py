"""Whether what is only wished, feared, nearly so or over in the words is so in the fact (design 5.3).

"I want kids" is no "User has kids", nor does "My dog died" leave the speaker a dog. Plans and times past, as
in "want to" and "used to", are in `claims`.
"""

import re

from .kinship import KIN_ZH
from .overlap import coverage

_I = (
    r"\b(?:i|we)(?:['’](?:m|ve|d|re))?(?: (?:am|are|have|had|was|were|just|really|only|also|still|always|do"
    r"|don['’]?t)){0,3} "
)
_THAT_I = r"(?: that)? (?:i|we)(?:['’](?:m|ve|re|ll))?\b"
_NOT_OURS_ZH = rf"(?!的|家|们|{KIN_ZH})"
_MUCH_ZH = r"(?:也|就|还|只|真的?|好|很|一直|现在|非常|特别|最){0,3}"


def _unless(said: str, meant: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(said, re.IGNORECASE), re.compile(meant, re.IGNORECASE)


_WISHED = _unless(
    rf"{_I}(?:want(?= \w)(?! you\b)|need (?:an?|another|some|new|more|one)\b|wish for)"
    r"|\b(?:would|['’]d) (?:like|love)(?! you\b)|\b(?:looking|searching|hunting|shopping|hoping"
    r"|saving(?: up)?|applied|applying|trying) for\b|\bconsidering\b"
    rf"|[我咱俺]们?{_MUCH_ZH}(?:需要|要)(?=[一两三几\d个只条辆]|新|再)|想(?:养|买|生|有)"
    rf"|[在想要]{_MUCH_ZH}找(?!到)|找(?=房|工作|对象)|申请(?!到)|考虑",
    r"\b(?:want|need|wish|look|search|seek|hunt|shop|would|like|love|prefer|hop|plan|try|interest|sav|appl"
    r"|consider)|['’]d\b|要|想|找|求|希望|打算|计划|考虑|申请",
)
_REST = (
    _unless(
        rf"\b(?:hop(?:e|ing)|worr(?:y|ied)|fear|scared|concerned|guess|assume|reckon|doubt){_THAT_I}"
        rf"|\bsuspect|怀疑|(?:怕|担心|希望)(?:是|自己|我){_NOT_OURS_ZH}",
        r"\b(?:hop|worr|fear|scared|afraid|concern|guess|assum|suspect|doubt|may|might|possib|probab|think"
        r"|want)|怀疑|怕|担心|希望|可能|疑似|焦虑",
    ),
    _unless(
        rf"{_I}(?:almost|nearly|came close to) (?:\w+ed|got|went|came|became|bought|had|lost|fell|broke)\b"
        r"|\babout to\b|\bnegative for\b|\bgetting (?:married|divorced|engaged)\b|差一?点|险些",
        r"\b(?:almost|nearly|close|about to|not|negative|getting|going to|will)\b|差一?点|险些|没",
    ),
    _unless(
        r"\b(?:sold|died|passed away|ran away|broke up|broken up|split up|resign(?:ed)?|fired|laid off"
        r"|retired|lost|got rid of|gave (?:\w+ ){0,3}away|divorced (?:my|from)|dropped out|moved out)\b"
        rf"|{_I}left (?=[A-Z]|my|the)(?!.*\b(?:for|to)\b)"
        r"|去世|过世|离世|走丢|(?<![想爱累饿热冷困烦笑急吓怕渴疼痛])死了|分手|离职|辞[职了]|被.{0,6}裁|失业"
        r"|[和跟与].{1,6}离了?婚|退[休学]|卖[了掉]|把.{1,6}卖|搬离",
        r"\b(?:had|was|were|used to|former\w*|ex|late|died|dead|death|passed|ran|broke|split|sold|sells?"
        r"|resign\w*|fired|laid|retire\w*|lost|loss|gave|got rid|left|leaving|quit|dropped|moved|no longer"
        r"|not|no|single|unemployed|separated|divorced|griev\w*)\b|n['’]t\b|世|丢|死|分手|离|辞|裁|失业|退|卖"
        r"|搬|前|曾|过|不|没|单身",
    ),
)
"""What says that something is not so, or no longer, and the words of which a fact then has one as well."""
_PART = re.compile(
    r"\b(?:since|after|because|by|and|when|so|but)\b|因为|所以|但是?|(?<=[职开])(?:以|之)?后|(?=加入|入职|跳槽)",
    re.IGNORECASE,
)
_OWN = re.compile(
    rf"\b(?:my|our) (?!own\b)((?:[\w-]+ ?){{1,2}})|我(?:的|家)([\u4e00-\u9fff]{{1,3}})|我({KIN_ZH})",
    re.IGNORECASE,
)


def is_as_fulfilled(fact: str, words: str) -> bool:
    """Whether the fact takes nothing for so that its words only wish, fear, nearly do or have lost.

    What is the speaker's already is none of their wishes ("I need a vet for my dog"), nor what is said before
    the wish ("I'm a vegan looking for a restaurant").
    """
    wish = _WISHED[0].search(words)
    if wish and not (_WISHED[1].search(fact) or _owns(fact, words) or _is_told_before(wish, fact)):
        return False
    told = _telling(fact, words)
    return all(meant.search(fact) for said, meant in _REST if any(said.search(part) for part in told))


def _is_told_before(wish: re.Match[str], fact: str) -> bool:
    """Whether all of the fact stands before it; 我在北京找房子 says it with the wish."""
    before = wish.string[: wish.start()]
    return wish.group().isascii() and 0 < coverage(fact, wish.string) <= coverage(fact, before)


def _telling(fact: str, words: str) -> list[str]:
    """The parts of the words that say most of the fact: "I moved out and live in Leeds now" has two."""
    parts = {part: coverage(fact, part) for part in _PART.split(words) if part.strip()}
    most = max(parts.values(), default=0)
    return [part for part, said in parts.items() if said == most] if most else [words]


def _owns(fact: str, words: str) -> bool:
    return coverage(fact, " ".join("".join(found) for found in _OWN.findall(words))) > 0
