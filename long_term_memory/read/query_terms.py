"""What a question looks for, as an index in memory holds it.

Words that serve the question alone are out ("what is my ...", 请问), greetings too. Words that say little
("good", "recommend", 推荐) are looked for, but tell nothing: a fact is not to come up because
somebody wants a good time. Where a person asks about oneself and says nothing else ("What do I like?"), they
tell all there is to tell.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ..domain.reading import Term
from ..text_analysis.terms import WEAK_ALONE, content_parts, names
from ..text_analysis.word_forms import chinese_in_one_form, one_form, simplified, stem, synonyms
from ..text_analysis.word_tables import word_table

MAX_TERMS = 256

SMALL = 0.5
"""What a word that says little, or a character alone, counts beside the others: enough to order by."""
CHARACTER = 0.1
"""What a character within a Chinese word counts: 生 in 生日 finds 出生."""

_TABLE = word_table(__file__)
_IS = _TABLE.table("patterns").patterns()
_OF_ASKING = frozenset(map(stem, _TABLE.words("of_asking")))
"""What somebody says to a memory: many quotes begin so."""
_WHOLE = _OF_ASKING.union(_TABLE.words("whole"))
"""Chinese words that are parts of none."""
_WEAK = _WHOLE.union(_TABLE.words("of_longer"), map(stem, _TABLE.words("english")))
"""All words that say little, as an index holds them."""
_NOUNS, _PETS = frozenset(_TABLE.text("nouns")), frozenset(_TABLE.text("pets"))
_LEANING = WEAK_ALONE | frozenset(_TABLE.text("leaning"))
"""Between such characters a noun of one character is a word of its own: 猫 in 猫叫, 茶 in 喝茶."""
_HOME = re.compile(f"[我咱俺你您][们們]?家(?=的?[{''.join(sorted(_NOUNS))}])")
"""It says whose: 我家猫 is 我的猫."""
_MONTHS = frozenset(("April", "May", "June", "August"))


@lru_cache(maxsize=256)
def query_terms(text: str, dates: str = "") -> tuple[Term, ...]:
    """The terms of a question, in order, each once, at most `MAX_TERMS`; none when it says nothing.

    `dates` are words of it that say a date: they tell nothing, since not the words but the days count.
    """
    plain = _HOME.sub(" ", chinese_in_one_form(simplified(_IS["greeting"].sub(" ", text))))
    found = {name: Term(name) for name in _names(text, dates)}
    for term in _terms(content_parts(plain)):
        found.setdefault(term.text, term)
    terms = tuple(found.values())[:MAX_TERMS]
    if not dates and not any(term.tells for term in terms) and _IS["about_oneself"].search(text):
        terms = _telling(terms)
    of_dates = _terms(content_parts(simplified(dates))) if dates else ()
    beside = {term.text: Term(term.text, SMALL, tells=False) for term in of_dates}
    return (*terms, *(term for name, term in beside.items() if name not in found))[:MAX_TERMS]


def telling_words(terms: Sequence[Term]) -> Sequence[Term]:
    """The terms that tell something; where none does, all of them."""
    return [term for term in terms if term.tells] or terms


def _names(text: str, dates: str) -> Iterator[str]:
    for name, start in names(text):
        before = text[max(0, start - 40) : start]
        if name in _MONTHS:
            is_name = bool(_IS["of_a_person"].search(before)) and not _IS["month_said"].search(dates)
        else:
            is_name = not (name.isalpha() and len(name) > 1 and _IS["opening"].search(before))
        if is_name:
            yield name


def _telling(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms of a question about oneself: of what says little the most tells, 欢吃 before 喜欢."""
    most = [term.text for term in terms if len(term.text) > 1 and term.text not in _WEAK]
    much = [term.text for term in terms if term.text not in _OF_ASKING and len(term.text) > 1]
    telling = frozenset(most or much or (term.text for term in terms))
    return tuple(Term(term.text) if term.text in telling else term for term in terms)


def _terms(parts: Iterable[tuple[str, bool]]) -> Iterator[Term]:
    for part, dense in parts:
        if not dense:
            yield _term(stem(one_form(part)))
        elif len(part) > 1:
            yield from chain(_pairs(part), map(_term, synonyms(part)))
        elif part not in WEAK_ALONE:
            yield Term(part, SMALL, tells=part in _NOUNS)


def _pairs(part: str) -> Iterator[Term]:
    """Neighbouring characters, nouns of one character that stand alone, and the characters of what tells."""
    pairs = [part[at : at + 2] for at in range(len(part) - 1)]
    whole = [pair in _WHOLE for pair in pairs]
    telling = set[str]()
    for at, pair in enumerate(pairs):
        beside = any(whole[max(0, at - 1) : at + 2]) and not whole[at]
        yield (term := Term(pair, SMALL, tells=False) if beside else _term(pair))
        telling.update(pair if term.tells else "")
    for at, char in enumerate(part):
        if char in _NOUNS and _stands_alone(part, whole, at):
            yield Term(char, SMALL)
        elif char in telling and char not in WEAK_ALONE:
            yield Term(char, CHARACTER, tells=False)


def _stands_alone(part: str, whole: Sequence[bool], at: int) -> bool:
    """Whether the characters on either side are no part of a word with this one: 茶 in 喜欢喝茶, 喜欢茶."""
    char, last = part[at], len(part) - 1
    before = at == 0 or _leans(part[at - 1], char) or any(whole[max(0, at - 2) : at - 1])
    after = at == last or _leans(part[at + 1], char) or any(whole[at + 1 : at + 2])
    return before and after


def _leans(other: str, char: str) -> bool:
    return other in _LEANING or (other == char and char in _PETS)


def _term(text: str) -> Term:
    if text in _WEAK:
        return Term(text, SMALL, tells=False)
    return Term(text, tells=not text.isdecimal())
