"""What somebody prefers to what: "I prefer tea to coffee" is no "prefers coffee to tea" (design 5.3)."""

import re

from .lexicon import unrecognised
from .overlap import coverage, in_two_languages
from .stance import without_stance

_THING, _THING_ZH = r"[^.,;!?\n]{1,60}", r"[^，,。；;！!\s]{1,12}"
_LIKES_ZH = "(?:喜欢|偏爱|偏好|爱)"
_SPEAKER_ZH = "(?:我|用户|还是|更|比较|会){0,4}"
_NO_AMOUNT = (
    r"(?!an? (?:hour|minute|second|day|week|month|year|mile|kilomet\w+|met\w+|half|quarter|third|dozen)\b"
    r"|\d|half\b)"
)
_BESIDE_ZH = (
    r"(?:比起|相[比较]于?|相对于|[和跟与同](?=[^，,。]{1,12}(?:相比|比起来|比[，,])))"
    rf"(?P<worse>{_THING_ZH}?)(?:来|相比|比起来|比(?=[，,]))?"
)
_ORDERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:prefer\w*|rather) (?P<better>{_THING}?) (?:to|over|rather than|than) (?P<worse>{_THING})",
        rf"(?P<better>{_THING}?) (?:more than|better than|rather than|over) (?P<worse>{_THING})",
        rf"(?P<worse>{_THING}?) (?:less than|worse than) {_NO_AMOUNT}(?P<better>{_THING})",
        rf"{_BESIDE_ZH}[，,]?\s?{_SPEAKER_ZH}{_LIKES_ZH}(?P<better>{_THING_ZH})",
        rf"(?<!不){_LIKES_ZH}(?P<better>{_THING_ZH}?)(?:而不是|胜过|多过|多于|超过)(?P<worse>{_THING_ZH})",
        rf"与其(?P<worse>{_THING_ZH})[，,]?\s?我?不如(?P<better>{_THING_ZH})",
    )
)
_PREFERS = re.compile(r"\bprefer|更(?:喜欢|爱)|偏[爱好]", re.IGNORECASE)


def prefers_otherwise(fact: str, words: str) -> bool:
    """Whether the fact prefers what the words put second."""
    if not _PREFERS.search(fact) and not _order(fact):
        return False
    said = _order(words)
    if not said:
        return False
    better, worse = _order(fact) or (without_stance(fact), "")
    turned = _is_of(better, said[1]) and not _is_of(better, said[0])
    return turned or bool(worse and _is_of(worse, said[0]) and not _is_of(worse, said[1]))


def _order(text: str) -> tuple[str, str] | None:
    """What comes first and second in a comparison."""
    found = next(filter(None, (order.search(text[:300]) for order in _ORDERS)), None)
    return found and (found["better"], found["worse"])


def _is_of(thing: str, said: str) -> bool:
    if in_two_languages(thing, said):
        return not unrecognised(thing, said)
    return coverage(without_stance(thing), said) > 0
