"""Whether a fact and its words say yes or no to the same thing, in either language (design 5.3)."""

import re

from .overlap import coverage

_IDIOMS = re.compile(
    r"\b(?:(?:can['’]?t|cannot) live without|don['’]?t mind|no (?:doubt|problem|matter|idea)|not only"
    r"|do not mind)\b"
    r"|离不开|没问题|不错|不过(?!敏)|不容易|不得不|不止|不少|不久|不仅|不但|不同|差不多|别的|别人|不客气|不好意思",
    re.IGNORECASE,
)
_DISLIKES = re.compile(
    r"\b(?:dislik\w*|hat(?:e|es|ed|ing)|detest\w*|loath\w*|despis\w*|(?:can['’]?t|cannot|can not) (?:stand"
    r"|bear))\b"
    r"|讨厌|厌恶|受不了|反感|恨",
    re.IGNORECASE,
)
_LIKES = re.compile(
    r"\b(?:lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|enjoy\w*|prefer\w*|ador(?:e|es|ed)|fond of|fan of"
    r"|favou?rites?)\b"
    r"|喜欢|喜爱|热爱|偏爱|偏好|钟爱|最爱|爱",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|without|cannot|hardly|neither)\b|n['’]t\b|不|没|(?<![特分区级识])(?<!类)(?<!(?<![男女])性)(?<!男女性)(?<!(?<![这那每哪几两三])个)别(?!墅)|无法|从未",
    re.IGNORECASE,
)
_AVOIDS = re.compile(
    r"\b(?:(?:avoid|refus)\w*|stop(?:s|ped|ping)?|quit\w*|gave up|given up)\b|避免|拒绝|戒", re.IGNORECASE
)
_PREDICATE = (
    r"(?:(?:i|he|she|they|it|user|we|the user|also|really|always|do|does|don['’]?t|doesn['’]?t|not|never"
    r"|can['’]?t"
    r"|cannot)\s){0,3}(?:i|he|she|it|user|dis\w+|hat\w+|lik\w+|lov\w+|enjoy\w*|prefer\w*|avoid\w*|detest\w*"
    r"|stand)\b"
    r"|也?(?:我|他|她|用户|不?喜欢|不?爱|讨厌|受不了|偏)"
)
_MAX_PARTS = 20
_PART = re.compile(
    rf"[.!?。！？;；\n]|[,，]\s?(?=(?:so|because|since|please)\b|所以|因为|请)|[,，]\s?(?:and\s|but\s|但是?|不过|而)?(?={_PREDICATE})"
    rf"|\s(?:and|but|while|though)\s(?={_PREDICATE})|(?:但是?|不过|而且?|可是)(?={_PREDICATE})",
    re.IGNORECASE,
)


def deny_alike(fact: str, words: str) -> bool:
    """Whether each part of the fact says yes or no as the part of the words does that is nearest to it."""
    said = _parts(words)
    return all(_alike(part, _nearest(part, said)) for part in _parts(fact))


def without_stance(text: str) -> str:
    """The text without its words of liking, disliking, denial and avoidance: what it is about."""
    for words in (_IDIOMS, _DISLIKES, _LIKES, _DENIES, _AVOIDS):
        text = words.sub(" ", text)
    return text


def has_attitude(text: str) -> bool:
    """Whether it says that somebody likes or dislikes something."""
    return _attitude(text) != 0


def _nearest(part: str, said: list[str]) -> str:
    """The words that speak of the same thing, whatever they say of it."""
    thing = _LIKES.sub(" ", _DISLIKES.sub(" ", part))
    return max(said, key=lambda words: coverage(thing, words))


def _parts(text: str) -> list[str]:
    parts = [part for part in _PART.split(_IDIOMS.sub(" ", text), _MAX_PARTS) if part.strip()]
    return parts or [text]


def _alike(fact: str, words: str) -> bool:
    """Likes and dislikes must agree. A dislike without one in the words needs at least a denial there."""
    wanted, said = _attitude(fact), _attitude(words)
    if wanted and said:
        return wanted == said
    if wanted < 0:
        return _is_negative(words)
    if said < 0 and not _is_negative(words):
        return True
    return _is_negative(fact) == _is_negative(words)


def _attitude(text: str) -> int:
    """1 for liking, -1 for disliking, 0 for neither."""
    if _DISLIKES.search(text):
        return 1 if _denials(_DISLIKES.sub(" ", text)) else -1
    if _LIKES.search(text):
        return -1 if _denials(text) else 1
    return 0


def _denials(text: str) -> bool:
    return len(_DENIES.findall(text)) % 2 == 1


def _is_negative(text: str) -> bool:
    plain = _DISLIKES.sub(" ", text)
    return bool(_DENIES.search(plain) or _AVOIDS.search(plain))
