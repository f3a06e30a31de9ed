"""Stage 4, diversify: no repetition, not too many of a type, differing values side by side.

A block is better without private details that nobody asked for: a date of birth, a document's number or an
income goes along only when the question has one of its words. "Might travel to Tokyo" misleads beside the
flight that was booked later, and a date beside the one it was moved to.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache

from ..domain.memory import Item
from ..domain.words import MemoryType
from ..policies.memory_policies import MemoryReadPolicy
from ..policies.slots import words_asked_by
from ..text_analysis.fact_relation import Relation, relation
from ..text_analysis.terms import index_terms, terms
from ..text_analysis.word_tables import word_table
from .rank import Ranking

PRIVATE = "private"
"""The rule that leaves a private detail out."""
EARLIER_STATE = "earlier_state"
"""The rule that leaves out what was still open when a later memory tells how it went on."""

_SHARED, _LEAST = 0.3, 2
"""The share of an open plan's terms, and how many at least, that a later memory of the same matter has."""
_SHARED_VALUE = 0.5
"""The share of the terms of a date or number that a later memory has which says what it was changed to."""
_SIGNED = re.compile(r"\w[+#]+")
_BRACKETS, _DIGITS = re.compile(r"[(（][^()（）]*[)）]"), re.compile(r"\d+")
_AMOUNT = re.compile(r"(?<![\d-])(?!(?:19|20)\d\d(?!\d))\d{3,}(?![\d-])")
_TABLE = word_table(__file__)
_OPEN, _CHANGED, _MEASURES = map(_TABLE.compiled, ("open", "changed", "measures"))
_DETAILS = [(each.compiled("pattern"), each.text("asked_by", "")) for each in _TABLE.tables("details")]
_STATES = (MemoryType.TASK_STATE, MemoryType.EPISODE)
_VALUES = (MemoryType.TASK_STATE, MemoryType.PROFILE)


def diversify(ranking: Ranking, policy: MemoryReadPolicy) -> Iterator[tuple[int, str]]:
    """Each row that may be used, in order, and the rule that leaves it out; empty when none does.

    Nothing is worked out before it is asked for.
    """
    said: defaultdict[Hashable, list[str]] = defaultdict(list)
    per_type: Counter[int] = Counter()
    changes = lru_cache(lambda: [*filter(tells_of_change, ranking.first)])
    for row in _side_by_side(ranking):
        kind = ranking.visible.signals.kinds.item(row)
        rule = "max_per_type"
        if per_type[kind] < policy.max_per_type:
            item = ranking.visible.items[row]
            saying = said[item.person, _saying(item.fact)]
            rule = _rule(item, saying, ranking, changes)
            if not rule:
                saying.append(item.fact)
                per_type[kind] += 1
        yield row, rule


def is_beside_the_point(item: Item, asked: frozenset[str] | None) -> bool:
    """Whether a profile is a private detail of which the question has no word but a name.

    `asked` are the telling terms of the question; None asks for everything.
    """
    if asked is None or item.type is not MemoryType.PROFILE:
        return False
    private, words = _details(item.fact, item.slot)
    return private and not (asked & words) - _terms(item.person)


def is_open(item: Item) -> bool:
    """Whether an item tells of a plan or a need, of which something may have come since."""
    return item.type is MemoryType.TASK_STATE and _is_open(item.fact)


def is_overtaken(item: Item, others: Iterable[Item]) -> bool:
    """Whether one of the others tells how the matter of an open item went on later.

    It has all amounts of the item: a debt of 120 is not settled by another mention of whom it is owed to.
    """
    own = _terms(item.fact) - _OF_PLANS
    amounts = {*_AMOUNT.findall(_BRACKETS.sub("", item.fact))}
    enough = max(_LEAST, _SHARED * len(own))
    return any(
        other.type in _STATES
        and not _is_open(other.fact)
        and (not amounts or amounts <= {*_DIGITS.findall(other.fact)})
        and len(own & _terms(other.fact)) >= enough
        for other in _later(item, others)
    )


def has_value(item: Item) -> bool:
    """Whether an item tells of a date or number that may be another one later."""
    return item.type in _VALUES and _DIGITS.search(item.fact) is not None


def tells_of_change(item: Item) -> bool:
    """Whether an item says that a date or number is another one now."""
    return has_value(item) and _matter(item.fact)[2]


def is_changed(item: Item, others: Iterable[Item]) -> bool:
    """Whether one of the others, which tell of changes, says what a value of an item is now."""
    numbers, own, _ = _matter(item.fact)
    return any(
        not numbers >= _matter(other.fact)[0] and len(own & _matter(other.fact)[1]) > _SHARED_VALUE * len(own)
        for other in _later(item, others)
    )


def _later(item: Item, others: Iterable[Item]) -> Iterator[Item]:
    """Those of the same person that were confirmed later."""
    for other in others:
        later = other.last_confirmed_at > item.last_confirmed_at
        if later and (other.owner, other.person) == (item.owner, item.person):
            yield other


def _rule(item: Item, saying: Sequence[str], ranking: Ranking, changes: Callable[[], Sequence[Item]]) -> str:
    if is_beside_the_point(item, ranking.asked):
        return PRIVATE
    if (has_value(item) and is_changed(item, changes())) or (
        is_open(item) and is_overtaken(item, ranking.first)
    ):
        return EARLIER_STATE
    is_said = any(relation(item.fact, other) is Relation.SAME for other in saying)
    return "duplicate" if is_said else ""


def _side_by_side(ranking: Ranking) -> Iterator[int]:
    """The rows in order, but what answers the same of the same person together, the newest value first."""
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for row in ranking.best:
        groups[ranking.visible.answers.item(row) or (row,)].append(row)
    for rows in groups.values():
        yield from sorted(rows, key=ranking.visible.signals.confirmed.item, reverse=True)


@lru_cache(maxsize=4_096)
def _is_open(fact: str) -> bool:
    return _OPEN.search(fact) is not None


@lru_cache(maxsize=4_096)
def _saying(fact: str) -> frozenset[str]:
    """Its words in no order, and C++ and C# beside C."""
    return frozenset((*terms(fact), *_SIGNED.findall(fact)))


@lru_cache(maxsize=4_096)  # the same items come up in many requests
def _details(fact: str, slot: str) -> tuple[bool, frozenset[str]]:
    """Whether a fact holds a private detail, and the terms by which somebody asks for it."""
    kinds = [words for detail, words in _DETAILS if detail.search(fact)]
    asked_by = " ".join((fact, slot.replace("_", " "), words_asked_by(slot, fact), *kinds)) if kinds else ""
    return bool(kinds), _terms(asked_by)


@lru_cache(maxsize=8_192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


@lru_cache(maxsize=4_096)
def _matter(fact: str) -> tuple[frozenset[str], frozenset[str], bool]:
    """Its numbers, the terms of what it is about, and whether it tells of a change of numbers."""
    numbers, matter = frozenset(_DIGITS.findall(fact)), _CHANGED.sub(" ", _MEASURES.sub(" ", fact))
    return numbers, _terms(matter) - _OF_PLANS, bool(numbers and _CHANGED.search(fact))


_OF_PLANS = _terms(_TABLE.text("of_plans"))
