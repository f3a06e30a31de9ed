"""The English rules: plain statements about oneself (design 5.2). Better to miss one than to invent one."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..domain.words import MemoryType
from .statement import Statement

_START = (
    r"^(?:(?:hi|hello|hey|well|so|ok|okay|btw|by the way|also|and|but|actually|yes|yeah|yep|oh|thanks"
    r"|thank you|fyi|because|since)(?: there| bot)?[\s,!]{1,3}){0,4}"
)
_AM = r"i(?:'m| am|m)"
_ADVERB = r"(?:(?:very|really|also|still|severely|highly|currently|now|absolutely|always|just|usually) ){0,3}"
_TAIL = re.compile(
    r"[\s,]{0,3}\b(?:by the way|btw|though|too|as well|you know|please|lol|haha|now|thanks|thank you)$",
    re.IGNORECASE,
)
_TRAILS = " \t:;,)(-~"
_VAGUE_WORDS = """
    it this that these those you your yours him her his hers them their there here me my mine i i'm i've we us
    our he she they how what when where why who which if not never nothing none nobody anything everything
    something everyone one ones both either neither option answer idea version choice reply response today
    tomorrow now so is are was were am be will would can could should do does did until till while because
    than but please
"""
_NOT_A_NAME = """
    not a an the in on at so too very my your his her their our its it this that none nothing nobody unknown
    secret private important irrelevant hard easy long short weird what who back later tomorrow today maybe
    when if crazy sometime soon again anytime whatever anything also just all old common unique up out
"""
_NO_ALLERGEN = frozenset(
    ["mondays", "bullshit", "work", "stupidity", "people", "love", "fun", "drama", "commitment", "school"]
)
_VAGUE = frozenset(_VAGUE_WORDS.split())
_NOT_NAMES = frozenset(_NOT_A_NAME.split())
_PARTICLES = frozenset({"de", "da", "di", "van", "von", "der", "den", "la", "le", "el", "bin", "al", "ibn"})
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*\d|\d.*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)[a-z]*\b|\d{1,4}[./-]\d{1,2}",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class _Rule:
    pattern: re.Pattern[str]
    fact: str
    """With `{v}` for the value and `{verb}` for the verb."""
    value: Callable[[str], str]
    """The value as it is kept; empty when it is none."""
    type: MemoryType = MemoryType.PROFILE
    importance: float = 0.7
    slot: str = ""


_VERBS = {
    "like": "likes",
    "love": "loves",
    "enjoy": "enjoys",
    "prefer": "prefers",
    "hate": "hates",
    "dislike": "dislikes",
    "can't stand": "cannot stand",
    "don't like": "does not like",
    "do not like": "does not like",
    "don't eat": "does not eat",
    "do not eat": "does not eat",
    "don't drink": "does not drink",
    "do not drink": "does not drink",
}


def read_clause(clause: str) -> Statement | None:
    """What an English clause states of its speaker, if anything."""
    for rule in _RULES:
        found = rule.pattern.search(clause)
        value = rule.value(_shorn(found["v"])) if found else ""
        if found and value:
            verb = _VERBS.get(" ".join(found.groupdict().get("verb", "").lower().split()), "")
            fact = rule.fact.format(v=value, verb=verb)
            return Statement(fact=fact, type=rule.type, importance=rule.importance, slot=rule.slot)
    return None


def _shorn(value: str) -> str:
    """The value without what merely trails after it, such as ", by the way :)"."""
    for _ in range(3):
        value = _TAIL.sub("", value.strip(_TRAILS))
    return value.strip(_TRAILS)


def _thing(value: str) -> str:
    """A noun phrase or a list of them: few words, none of them vague."""
    value = _list_or_first(value)
    words = re.findall(r"[\w'-]+", value.lower())
    fits = 1 <= len(words) <= 8 and len(value) <= 80 and not _VAGUE & set(words)
    return value if fits and words[0] != "the" and re.fullmatch(r"[\w\s,'&+#./-]+", value) else ""


def _allergen(value: str) -> str:
    thing = _thing(value)
    return "" if _NO_ALLERGEN & set(thing.lower().split()) else thing


def _habit(value: str) -> str:
    """What somebody likes or not; "being woken at 5am" and "waiting in line" are said in mockery."""
    return "" if re.match(r"being\b|waiting\b|when\b", value, re.IGNORECASE) else _thing(value)


def _list_or_first(value: str) -> str:
    """A list as it is when it plainly is one ("nuts, eggs and milk"), else what precedes the first comma."""
    parts = [part.strip() for part in value.split(",")]
    is_list = re.match(r"(?:and|or)\b|\S+ (?:and|or) \S+$", parts[-1]) and all(
        len(p.split()) <= 3 for p in parts
    )
    kept = value if is_list else parts[0]
    return re.split(r"\s(?:and|but)\s(?=(?:love|like|hate|live|work|prefer|want|need|have|am)\b)", kept)[0]


def _name(value: str) -> str:
    words = value.split()
    if not 1 <= len(words) <= 4 or not re.fullmatch(r"[^\W\d_][\w'.\- ]{0,60}", value):
        return ""
    if any(word.lower() in _NOT_NAMES or word.lower() in _VAGUE for word in words):
        return ""
    if all(word[0].isupper() or word in _PARTICLES for word in words) or not value[0].isascii():
        return value
    return value if len(words) == 1 and not value.endswith("ing") else ""


def _proper(value: str) -> str:
    return _name(value) if value[:1].isupper() else ""


def _place(value: str) -> str:
    if re.search(r"\b(?:until|till|during|while)\b", value, re.IGNORECASE):
        return ""
    place = re.split(r"\s(?:with|near|since|for|by|together|these days|at the moment)\b", value, maxsplit=1)[
        0
    ]
    first = place.split(" ", 1)[0].lower()
    excluded = _VAGUE | {
        "a",
        "an",
        "the",
        "two",
        "fear",
        "hope",
        "peace",
        "constant",
        "denial",
        "harmony",
        "poverty",
        "sin",
    }
    words = place.split()
    fits = 1 <= len(words) <= 4 and first not in excluded and not _VAGUE & {word.lower() for word in words}
    return place.rstrip(",") if fits and re.fullmatch(r"[\w\s,'.-]+", place) else ""


def _date(value: str) -> str:
    first, _, rest = value.partition(",")
    date = value if rest.strip().isdecimal() else first
    return date if len(date) <= 30 and _MONTH.search(date) else ""


def _diet(value: str) -> str:
    return value.lower()


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(_START + body + r"$", re.IGNORECASE)


_RULES = (
    _Rule(
        pattern=_pattern(r"my (?:full |first |real )?name(?:'s| is) (?P<v>.{1,60})"),
        fact="User's name is {v}",
        value=_name,
        importance=0.9,
        slot="name",
    ),
    _Rule(
        pattern=_pattern(r"(?:please |just |you can |you may |you could ){0,2}call me (?P<v>.{1,60})"),
        fact="User wants to be called {v}",
        value=_proper,
        importance=0.9,
        slot="nickname",
    ),
    _Rule(
        pattern=_pattern(rf"{_AM} {_ADVERB}allergic to (?P<v>.{{2,120}})"),
        fact="User is allergic to {v}",
        value=_allergen,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    _Rule(
        pattern=_pattern(
            rf"{_AM} {_ADVERB}(?:an? )?(?:strict )?(?P<v>vegetarian|vegan|pescatarian)(?: now| too)?"
        ),
        fact="User is {v}",
        value=_diet,
        type=MemoryType.CONSTRAINT,
        importance=0.8,
        slot="diet",
    ),
    _Rule(
        pattern=_pattern(rf"i {_ADVERB}live in (?P<v>.{{2,80}})"),
        fact="User lives in {v}",
        value=_place,
        slot="home_city",
    ),
    _Rule(
        pattern=_pattern(rf"i {_ADVERB}work as (?P<v>an? .{{2,60}})"),
        fact="User works as {v}",
        value=_thing,
        slot="job",
    ),
    _Rule(
        pattern=_pattern(rf"i {_ADVERB}work (?:at|for) (?P<v>.{{2,60}})"),
        fact="User works at {v}",
        value=_proper,
        slot="employer",
    ),
    _Rule(
        pattern=_pattern(r"my birthday(?:'s| is)(?: on)? (?P<v>.{3,40})"),
        fact="User's birthday is {v}",
        value=_date,
        importance=0.8,
        slot="birthday",
    ),
    _Rule(
        pattern=_pattern(r"i was born (?:on|in) (?P<v>.{3,40})"),
        fact="User was born on {v}",
        value=_date,
        importance=0.8,
        slot="birthday",
    ),
    _Rule(
        pattern=_pattern(
            rf"i {_ADVERB}(?P<verb>{'|'.join(sorted(_VERBS, key=len, reverse=True))}) (?P<v>.{{2,120}})"
        ),
        fact="User {verb} {v}",
        value=_habit,
        type=MemoryType.PREFERENCE,
        importance=0.5,
    ),
)
