"""The English rules: plain statements about oneself (design 5.2). Better to miss one than to invent one."""

import re

from ..domain.words import MemoryType
from .statement import Rule, Statement, first
from .values_en import (
    age,
    allergen,
    allergen_alone,
    date,
    habit,
    lower,
    name,
    nickname,
    origin,
    place,
    proper,
    thing,
)
from .work_en import employer, job, role

_START = (
    r"^(?:(?:hi|hello|hey|well|so|ok|okay|btw|by the way|also|and|but|actually|yes|yeah|yep|oh|thanks"
    r"|thank you|fyi|because|since)(?: there| bot)?[\s,!]{1,3}){0,4}"
)
_AM = r"i(?:'m| am|m)"
_HAVE = r"i(?:'ve got| have got| have|'ve)"
_ADVERB = r"(?:(?:very|really|also|still|severely|highly|currently|now|absolutely|always|just|usually) ){0,3}"
_COUNT = r"(?:[2-9]|1\d|two|three|four|five|six|seven|eight|nine|ten)"
_KIN = r"wife|husband|partner|girlfriend|boyfriend|son|daughter|mother|father|sister|brother|dog|cat|boss"
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
    return first(_RULES, clause)


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(_START + body + r"$", re.IGNORECASE)


_RULES = (
    Rule(
        pattern=_pattern(r"my (?:full |first |real )?name(?:'s| is) (?P<v>.{1,60})"),
        fact="User's name is {v}",
        value=name,
        importance=0.9,
        slot="name",
    ),
    Rule(
        pattern=_pattern(r"(?:please |just |you can |you may |you could ){0,2}call me (?P<v>.{1,60})"),
        fact="User wants to be called {v}",
        value=nickname,
        importance=0.9,
        slot="nickname",
    ),
    Rule(
        pattern=_pattern(rf"my (?P<verb>{_KIN})(?:'s name is| is called| is named) (?P<v>.{{1,60}})"),
        fact="User's {verb} is called {v}",
        value=proper,
    ),
    Rule(
        pattern=_pattern(rf"{_AM} {_ADVERB}allergic to (?P<v>.{{2,120}})"),
        fact="User is allergic to {v}",
        value=allergen,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    Rule(
        pattern=_pattern(
            rf"{_HAVE} (?:an? )?(?:really |very )?(?:(?:bad|severe|serious|terrible|mild|strong) )?"
            r"(?P<v>[a-z]{3,20}(?: [a-z]{3,20})?) allerg(?:y|ies)"
        ),
        fact="User is allergic to {v}",
        value=allergen_alone,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    Rule(
        pattern=_pattern(rf"{_AM} {_ADVERB}(?P<v>lactose|gluten|fructose|histamine)[ -]intolerant"),
        fact="User is {v} intolerant",
        value=lower,
        type=MemoryType.CONSTRAINT,
        importance=0.9,
    ),
    Rule(
        pattern=_pattern(
            rf"{_AM} {_ADVERB}(?:an? )?(?:strict )?(?P<v>vegetarian|vegan|pescatarian)(?: now| too)?"
        ),
        fact="User is {v}",
        value=lower,
        type=MemoryType.CONSTRAINT,
        importance=0.8,
        slot="diet",
    ),
    Rule(
        pattern=_pattern(rf"i {_ADVERB}live in (?P<v>.{{2,80}})"),
        fact="User lives in {v}",
        value=place,
        slot="home_city",
    ),
    Rule(
        pattern=_pattern(rf"(?:{_AM} {_ADVERB}(?:originally )?|i {_ADVERB}come )from (?P<v>.{{2,60}})"),
        fact="User is from {v}",
        value=origin,
    ),
    Rule(
        pattern=_pattern(rf"i {_ADVERB}work as (?P<v>an? .{{2,60}})"),
        fact="User works as {v}",
        value=role,
        slot="job",
    ),
    Rule(
        pattern=_pattern(rf"{_AM} {_ADVERB}(?P<verb>an?) (?P<v>.{{2,60}})"),
        fact="User works as {verb} {v}",
        value=lambda value: "" if value.lower().endswith("student") else job(value),
        slot="job",
    ),
    Rule(
        pattern=_pattern(rf"{_AM} {_ADVERB}(?P<verb>an?) (?P<v>.{{0,40}}student)"),
        fact="User is {verb} {v}",
        value=job,
        slot="job",
    ),
    Rule(
        pattern=_pattern(rf"i {_ADVERB}work (?:at|for) (?P<v>.{{2,60}})"),
        fact="User works at {v}",
        value=employer,
        slot="employer",
    ),
    Rule(
        pattern=_pattern(rf"{_AM} {_ADVERB}(?P<v>\d{{1,3}}) (?:years? old|yo|y/o)(?: now)?"),
        fact="User is {v} years old",
        value=age,
        slot="age",
    ),
    Rule(
        pattern=_pattern(rf"{_AM} (?P<v>[1-9]\d)"),
        fact="User is {v} years old",
        value=age,
        slot="age",
    ),
    Rule(
        pattern=_pattern(
            rf"{_HAVE} (?P<v>{_COUNT} (?:kids|children|sons|daughters|brothers|sisters|siblings|cats|dogs))"
        ),
        fact="User has {v}",
        value=thing,
    ),
    Rule(
        pattern=_pattern(
            rf"{_HAVE} (?P<v>an? (?:son|daughter|kid|child|cat|dog|brother|sister|twin (?:brother|sister)))"
        ),
        fact="User has {v}",
        value=lower,
    ),
    Rule(
        pattern=_pattern(r"my birthday(?:'s| is)(?: on)? (?P<v>.{3,40})"),
        fact="User's birthday is {v}",
        value=date,
        importance=0.8,
        slot="birthday",
    ),
    Rule(
        pattern=_pattern(r"i was born (?:on|in) (?P<v>.{3,40})"),
        fact="User was born on {v}",
        value=date,
        importance=0.8,
        slot="birthday",
    ),
    Rule(
        pattern=_pattern(
            rf"i {_ADVERB}(?P<verb>{'|'.join(sorted(_VERBS, key=len, reverse=True))}) (?P<v>.{{2,120}})"
        ),
        fact="User {verb} {v}",
        value=habit,
        type=MemoryType.PREFERENCE,
        importance=0.5,
        verbs=_VERBS,
    ),
)
