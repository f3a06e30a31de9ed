"""The relation of two facts of one person: same, contrary, or different.

It compares words without grammar and errs towards "different": a duplicate is untidy, a wrong merge is
untrue. Numbers, names, relatives, time and negation keep facts apart, and so does a single difference in
parallel sentences ("likes cats", "likes dogs") or what only one of them tells ("likes green tea"), however
near their vectors are. Another count of the same ("has two kids", "has three kids") is the contrary.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import permutations

from .fact_words import apart, is_over, named_first, polarity, share, tokens, unsupported
from .numbers import with_digits
from .terms import A_DENSE
from .word_forms import (
    chinese_in_one_form,
    is_past_of,
    relative_told_of,
    relatives,
    same_words,
    shared_start,
    simplified,
    stem,
)
from .word_tables import word_table

MAX_COMPARED = 240
"""A longer fact is only compared for identical words."""
ENOUGH = 0.5
"""The share of words in common that near vectors need."""

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_TABLE = word_table(__file__)
_OTHER_TIME, _FORMER, _WISHED, _LISTED, _BUT, _DIRECTED, _COUNTED = map(
    _TABLE.compiled, ("other_time", "former", "wished", "listed", "but", "directed", "counted")
)
_LIGHT, _TIMES, _UNITS = (frozenset(map(stem, _TABLE.words(key))) for key in ("light", "times", "units"))
_ANYWHERE, _TIMES_ZH = _TIMES.union(map(stem, _TABLE.words("anywhere"))), _TABLE.compiled("times_zh")
_ANYWHERE_ZH = re.compile(f"{_TIMES_ZH.pattern}|{_TABLE.pattern('anywhere_zh')}")
_GOES_ON, _ASIDE, _AGAIN, _NAMED, _WIDE, _NARROW = map(
    _TABLE.compiled, ("goes_on", "aside", "again", "named", "wide", "narrow")
)
_ANSWERS = _TABLE.table("answers").patterns(re.NOFLAG).values()
_OPPOSED = [two for each in _TABLE.tables("opposed") for two in permutations(map(each.compiled, each))]
_FRAME = frozenset(map(stem, _TABLE.words("frame")))
_FRAME_ZH = _TABLE.compiled("frame_zh")
"""The words of a slot's question; the rest is the answer."""


class Relation(StrEnum):
    """How two facts relate."""

    SAME = "same"
    CONTRARY = "contrary"
    DIFFERENT = "different"


@lru_cache(maxsize=512)  # a fact is compared with the same ones several times
def relation(fact: str, other: str) -> Relation:
    """The relation of two facts by their words."""
    if same_words(fact, other):
        return Relation.SAME
    words, others = _compared(fact), _compared(other)
    if not words or not others:
        return Relation.DIFFERENT
    if _same_content(words, others) and _particulars_agree(fact, other):
        listed = _LISTED.search(fact) or _LISTED.search(other)
        return _by_stance(fact, other) if listed or _in_one_order(words, others) else Relation.DIFFERENT
    uncounted = (_COUNTED.subn(r"\g<verb>", with_digits(text)) for text in (fact, other))
    (one, counted), (two, other_counted) = uncounted
    is_recounted = counted and other_counted and relation(one, two) is Relation.SAME
    return Relation.CONTRARY if is_recounted else Relation.DIFFERENT


def relation_of_near(fact: str, other: str) -> Relation:
    """The relation of two facts with near vectors."""
    by_words = relation(fact, other)
    words, others = _compared(fact), _compared(other)
    if by_words is not Relation.DIFFERENT or not words or not others:
        return by_words
    common = max(share(words, others), share(others, words))
    is_directed = _DIRECTED.search(fact) and _DIRECTED.search(other) and not _in_one_order(words, others)
    differs = common < ENOUGH or is_directed or _is_parallel(words, others) or _extra(words, others)
    return Relation.DIFFERENT if differs or not _particulars_agree(fact, other) else _by_stance(fact, other)


def same_value(fact: str, other: str) -> bool:
    """Whether two facts give an exclusive slot, such as the home city, the same value."""
    values = _value(fact) == _value(other) and _particulars_agree(fact, other)
    return values and _by_stance(fact, other) is Relation.SAME


def names_value(fact: str, other: str) -> bool:
    """Whether a fact, "left Siemens", names the value that another, "works at Siemens", gives its slot."""
    return bool(_value(other)) and _value(other) <= frozenset(tokens(fact))


def says_otherwise(fact: str, other: str) -> bool:
    """Whether two facts of one person say different things of the same matter.

    Another answer to what has one at a time, the opposite, or another number or day.
    """
    if is_of_former_days(f"{fact} {other}"):
        return False
    for one, two in _OPPOSED:
        if one.search(fact) and two.search(other):
            return polarity(one.sub("", fact)).sides == polarity(two.sub("", other)).sides
    parts, others = (_GOES_ON.split(_ASIDE.sub("", text)) for text in (fact, other))
    return _of_one(fact, other) and any(_differ(one, two) for one in parts for two in others)


def _differ(one: str, two: str) -> bool:
    """The same of two clauses."""
    how = relation(one, two)
    for asks in _ANSWERS if how is Relation.DIFFERENT else ():
        if (answer := asks.search(one)) and (another := asks.search(two)):
            (whose, value), (of_other, instead) = map(_answered, (answer, another))
            if value != instead:
                within = any(map(str.startswith, (value, instead), (f"{instead} ", f"{value} ")))
                return whose == of_other and not within and _place(value) == _place(instead)
    (words, days, numbers), (others, their_days, their_numbers) = map(_contents, (one, two))
    few, many = sorted((words, others), key=len)
    if how is not Relation.DIFFERENT or apart([*few], [*many]) or not 0 < len(many) <= 2 * len(few):
        return how is Relation.CONTRARY
    if (is_on := polarity(one).sides[-1]) is not polarity(two).sides[-1]:
        # What is denied, "sugar in coffee", has no word that the other lacks.
        both = [*words, *days], [*others, *their_days]
        return not apart(*(both[::-1] if is_on else both))
    told = (days, their_days), (numbers, their_numbers)
    differ = any(not (mine <= theirs or theirs <= mine) for mine, theirs in told)
    recurs = days != their_days and (_AGAIN.search(one) or _AGAIN.search(two))
    return differ and not (recurs or is_over(one) or is_over(two))


def _place(value: str) -> tuple[bool, bool]:
    """Whether it is wider or narrower than a town."""
    return bool(_WIDE.fullmatch(value)), bool(_NARROW.fullmatch(value))


def _answered(found: re.Match[str]) -> tuple[frozenset[str], str]:
    """Whose answer it is, by the words before it, and the answer."""
    at = found.lastindex or 0
    return _telling(_FRAME_ZH.sub(" ", found.string[: found.start(at)])) - _FRAME, found[at].casefold()


@lru_cache(maxsize=512)  # a fact is compared with many others
def _contents(text: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """What a clause is about, its times and its numbers."""
    return (
        _telling(text) - _UNITS,
        _TIMES.intersection(tokens(text)).union(_TIMES_ZH.findall(text)),
        frozenset(_NUMBER.findall(with_digits(_NAMED.sub("", text)))) - {"1"},
    )


def _of_one(fact: str, other: str) -> bool:
    """Whether both are about the same relative or none, or one about a relative that the other names."""
    whose, of_other = relative_told_of(fact), relative_told_of(other)
    named, named_by_other = relatives(fact.casefold()), relatives(other.casefold())
    return whose == of_other or bool({whose} & named_by_other or {of_other} & named)


def _telling(text: str) -> frozenset[str]:
    """The words that tell what a fact is about: no time, no number, and no verb that any fact may have."""
    words = tokens(_ANYWHERE_ZH.sub(" ", simplified(text)))
    return frozenset(word for word in words if not word[0].isdecimal()) - _ANYWHERE


def is_of_former_days(fact: str) -> bool:
    """Whether it tells what was so: it answers no question about now."""
    return bool(_FORMER.search(fact))


def is_mistold(fact: str, said: str) -> bool:
    """Whether words of somebody else, of the past or of a wish are told as the user's present."""
    plain, plain_said, name = fact.casefold(), said.casefold(), named_first(said)
    names_another = name not in ("", "user") and name not in plain
    is_of_another = relatives(plain_said) - relatives(plain) or names_another
    is_of_user = named_first(fact) in ("", "user")
    is_unsettled = is_of_former_days(said) or _WISHED.search(said)
    return (is_of_user and bool(is_of_another)) or bool(is_unsettled and not _OTHER_TIME.search(plain))


def _compared(fact: str) -> tuple[str, ...]:
    """Its words; none for a long fact."""
    return tokens(fact) if len(fact) <= MAX_COMPARED else ()


def _particulars_agree(fact: str, other: str) -> bool:
    """Whether numbers, names, who is named first, relatives and time or modality agree."""
    plain, plain_other = fact.casefold(), other.casefold()
    return (
        not (unsupported(fact, other) or unsupported(other, fact))
        and len({named_first(fact), named_first(other)} - {""}) < 2
        and set(_OTHER_TIME.findall(plain)) == set(_OTHER_TIME.findall(plain_other))
        and relatives(plain) == relatives(plain_other)
        and not (is_past_of(plain, plain_other) or is_past_of(plain_other, plain))
    )


def _by_stance(fact: str, other: str) -> Relation:
    """Facts are contrary only with identical words of which one negates or dislikes."""
    one, two = polarity(fact), polarity(other)
    if len(one.likes) != len(two.likes):
        return Relation.DIFFERENT
    if one.sides == two.sides:
        return Relation.SAME
    mixed = len(one.sides) > 1 or _BUT.search(fact) or _BUT.search(other)
    words, others = tokens(fact), tokens(other)
    is_same = share(words, others) == share(others, words) == 1 and _in_one_order(words, others)
    return Relation.CONTRARY if is_same and not mixed else Relation.DIFFERENT


def _same_content(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether both have the same words; a longer one may have light words more."""
    shares = sorted((share(words, others), share(others, words)))
    is_long = min(len(words), len(others)) > 2  # "is a lawyer" and "has a lawyer" differ
    return shares[0] == 1 or (shares[1] == 1 and is_long and not _extra(words, others))


def _extra(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """What one fact tells beyond the other; none where each tells something of its own."""
    left, right = apart(words, others), apart(others, words)
    return [] if left and right else [word for word in left + right if word not in _LIGHT]


def _in_one_order(words: Sequence[str], others: Sequence[str]) -> bool:
    return [word for word in words if word in others] == [word for word in others if word in words]


def _is_parallel(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the two differ in one place: "likes cats", "likes dogs".

    In scripts without spaces additional words count too: a longer name is another one.
    """
    start = shared_start(words, others)
    end = shared_start(words[start:][::-1], others[start:][::-1])
    left, right = words[start : len(words) - end], others[start : len(others) - end]
    if any(not A_DENSE.match(word) for word in set(left) & set(right)):
        return False
    apart = (left and right) or A_DENSE.search("".join((*left, *right)))
    return bool(apart) and 2 * (start + end) >= min(len(words), len(others))


def _value(fact: str) -> frozenset[str]:
    return frozenset(tokens(_FRAME_ZH.sub(" ", chinese_in_one_form(fact)))) - _FRAME
