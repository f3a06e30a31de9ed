"""What of a fact its words do not say, though they say the rest of it (design 5.3).

Half of a fact's words may differ from those it rests on: "I love tea" says that somebody likes tea. But "I
like tea" is no "likes green tea", "I'm allergic to nuts" says nothing of shellfish, and 小美 is not 小梅. A
fact of health has to be said whole.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from .claims import is_claimed
from .kinship import in_one_form
from .names import SURNAMES
from .numbers import with_digits
from .overlap import coverage, in_two_languages
from .relevance import content_words
from .stance import without_stance

_HAN = r"\u4e00-\u9fff"
_LIST = re.compile(r",|\b(?:and|or)\b|[，、]|以及|[和与及]", re.IGNORECASE)
_NO_MEMBER_ZH = re.compile(r"用户|对|过敏|[一两二三四五几\d]{1,3}[只条个辆位名台]")
"""What says nothing of a member of a list."""
_ENOUGH_ZH = 0.5
_NAMED_ZH = re.compile(
    rf"(?:叫做?(?!用户)|名字是|姓名是|昵称是|称为)(?P<name>[{_HAN}·]{{1,8}})"
    rf"|是(?P<who>(?!高[中管])[{SURNAMES}][{_HAN}]{{0,2}}[{_HAN}](?<![人生员师家]))(?![{_HAN}])"
)
_AFTER_NAME_ZH = re.compile(r"今年|[的是住在和与跟及]")
_HEALTH = re.compile(
    r"\b(?:allerg|intoleran|medic(?:ation|ine)|pills?\b|drugs?\b|antidepress|insulin|diabet|cancer|pregnan"
    r"|surger|diseas|disorder|syndrome|asthma|adhd|epilep|autis|anxiety)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+|[^\w\s'’-]")
_TRANSPARENT = frozenset("a an the their his her its my our your s".split())  # noqa: SIM905
_ANY_WORDS = frozenset(
    """
    user speaker person year old age aged name named called currently work works working live lives living
    based located own owns use uses using eat eats eating drink drinks drinking play plays playing watch
    watches watching read reads reading listen drive drives take takes visit visited visits travelled attends
    joined started gets follows finds keeps grows plans around disease condition suffers diagnosed wants
    prefers asks
    """.split()  # noqa: SIM905
)
"""Words in which a model puts what was said in others."""
_MAX_WORDS = 30
"""Words of a fact that are looked for."""


def invented(fact: str, text: str) -> str:
    """The first word of a fact that has to stand in the text and does not; empty when there is none.

    A member of a list has to, and a Chinese name; what stands before a noun without a word between them; and
    of what is of health every word. Across languages the lexicon judges, and nothing is asked here.
    """
    if in_two_languages(fact, text):
        return ""
    fact, text = (in_one_form(with_digits(unicodedata.normalize("NFKC", each))) for each in (fact, text))
    missing = next((name for name in _names(fact) if name not in text), "")
    wanted = dict.fromkeys(word.strip() for find in (_members, _phrased) for word in find(fact))
    untold = (word for word in islice(wanted, _MAX_WORDS) if word and not _is_said(word, text))
    return missing or next(untold, "")


def _names(fact: str) -> Iterator[str]:
    for found in _NAMED_ZH.finditer(fact):
        yield _AFTER_NAME_ZH.split(found["name"] or found["who"], maxsplit=1)[0]


def _members(fact: str) -> Iterator[str]:
    """What tells each member of a list from the others: its last word, in Chinese all of it."""
    members = _LIST.split(without_stance(fact)) if _LIST.search(fact) else []
    for member in members:
        if re.search(f"[{_HAN}]", member):
            yield _NO_MEMBER_ZH.sub(" ", member)
        else:
            yield from [word for word in content_words(member) if _counts(word)][-1:]


def _phrased(fact: str) -> Iterator[str]:
    """The words of each phrase of several; where it is about health those that stand alone as well."""
    least = 1 if _HEALTH.search(fact) else 2
    phrase: list[str] = []
    for word in [*_WORD.findall(without_stance(fact)), "."]:
        if content_words(word) and _counts(word.lower()):
            phrase.append(word)
        elif word.lower() not in _TRANSPARENT:
            if len(phrase) >= least:
                yield from (each for each in phrase if each.islower() and each.isascii())
            phrase = []


def _counts(word: str) -> bool:
    return word not in _ANY_WORDS and not word.isdigit() and (not word.endswith("ly") or word == "family")


def _is_said(word: str, text: str) -> bool:
    if re.search(f"[{_HAN}]", word):
        return word in text or not content_words(word) or coverage(word, text) >= _ENOUGH_ZH
    if coverage(word, text):
        return True
    return not is_claimed(word, "") and is_claimed(word, text)
