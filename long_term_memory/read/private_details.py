"""Private details that a block is better without.

A date of birth, a document's number or an income goes along only with a question that asks for it.
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..domain.enums import MemoryType
from ..domain.memory import Item
from ..policies.slots import words_asked_by
from ..text_analysis.terms import indexed_terms
from ..text_analysis.word_tables import word_table
from .query_intent import asks_for_plans


class _Detail(NamedTuple):
    """A kind of private detail: a pattern of facts of some types, and what asks for it in a question."""

    pattern: re.Pattern[str]
    types: Collection[str]
    asked_by: str
    asked_zh: re.Pattern[str]
    secret: bool
    """Whether it is left out though something else in the memory is asked for."""


_TABLE = word_table(__file__)
_DETAILS = [
    _Detail(
        each.compiled("pattern"),
        each.text("types", MemoryType.PROFILE).split(),
        " ".join(each.words("asked_by")),
        re.compile(each.text("asked_zh", "(?!)")),
        bool(each.text("secret", "")),
    )
    for each in _TABLE.tables("details")
]
_OF_TIME = indexed_terms(" ".join(_TABLE.words("of_time")))


def is_beside_the_point(
    item: Item, asked: frozenset[str] | None, question: str, common: Callable[[], Collection[str]] = frozenset
) -> bool:
    """Whether a memory is a private detail of which the question has no word but a name.

    `asked` are the telling terms of the question; None asks for everything. A task goes along with a question
    for plans. `common` are terms of many of the best memories, which ask for none of them.
    """
    if asked is None or (item.type is MemoryType.TASK_STATE and asks_for_plans(question)):
        return False
    details, own = details_of(item.fact, item.slot, item.type)
    by_own_words = (asked & own) - indexed_terms(item.person) - _OF_TIME
    unasked = [
        kind
        for kind, words in details
        if not (asked & words or kind.asked_zh.search(question) or kind.pattern.search(question))
        and not by_own_words.difference(common() if len(kind.types) > 1 or not kind.asked_by else ())
    ]
    return bool(unasked) and (any(kind.secret for kind in unasked) or len(unasked) == len(details))


@lru_cache(maxsize=4_096)  # the same items come up in many requests
def details_of(
    fact: str, slot: str, kind: MemoryType
) -> tuple[Sequence[tuple[_Detail, frozenset[str]]], frozenset[str]]:
    """The kinds of private details in a fact, with the terms that ask for each, and the terms of the fact."""
    found = [each for each in _DETAILS if kind in each.types and each.pattern.search(fact)]
    words = " ".join((fact, slot.replace("_", " "), words_asked_by(slot, fact))) if found else ""
    return [(each, indexed_terms(each.asked_by)) for each in found], indexed_terms(words)
