"""Stage 4, diversify: no repetition, not too many of a type, differing values side by side.

A block is better without private details that nobody asked for: a date of birth, a document's number or an
income goes along only when the question has one of its words. "Might travel to Tokyo" misleads beside the
flight that was booked later, and a date beside the one it was moved to.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..domain.memory import Item
from ..domain.words import MemoryType
from ..policies.memory_policies import MemoryReadPolicy
from ..policies.slots import is_exclusive, words_asked_by
from ..text_analysis.fact_relation import Relation, relation
from ..text_analysis.terms import index_terms, terms
from ..text_analysis.word_forms import relative_told_of
from ..text_analysis.word_tables import word_table
from .rank import Ranking

PRIVATE = "private"
"""The rule that leaves a private detail out."""
EARLIER_STATE = "earlier_state"
"""The rule that leaves out what a later memory tells the outcome of, or another value of."""

_SHARED, _LEAST = 0.3, 2
"""The share of an open plan's terms, and how many at least, that a later memory of the same matter has."""
_MANY = 2
"""More memories than these have a word that asks for none of them."""
_SHARED_VALUE = 0.5
"""The share of the terms of a date or number that a later memory has which says what it was changed to."""
_TOLD_ANEW, _LESS_IF_OPEN, _MORE_BY_CHANGE = 0.35, 0.25, 1.5
"""The share of the terms of a task, by rarity, that a later talk has which tells it anew.

An open task takes less, and what tells of a change counts more.
"""
_NEXT_TALK = timedelta(hours=6)
_SIGNED = re.compile(r"\w[+#]+")
_BRACKETS, _DIGITS = re.compile(r"[(（][^()（）]*[)）]"), re.compile(r"\d+")
_AMOUNT = re.compile(r"(?<![\d-])(?!(?:19|20)\d\d(?!\d))\d{3,}(?![\d-])")
_TABLE = word_table(__file__)
_OPEN, _CHANGED, _MEASURES, _FORMER = map(_TABLE.compiled, ("open", "changed", "measures", "former"))
_PUT_OFF, _DAYS, _CLAUSE_END = map(_TABLE.compiled, ("put_off", "days", "clause_end"))
_DAY = "\0"


class _Detail(NamedTuple):
    """A kind of private detail: a pattern of facts of some types, and what asks for it in a question."""

    pattern: re.Pattern[str]
    types: Collection[str]
    asked_by: str
    asked_zh: re.Pattern[str]
    secret: bool
    """Whether it is left out though something else in the memory is asked for."""


_DETAILS = [
    _Detail(
        each.compiled("pattern"),
        each.text("types", MemoryType.PROFILE).split(),
        each.text("asked_by"),
        re.compile(each.text("asked_zh", "(?!)")),
        bool(each.text("secret", "")),
    )
    for each in _TABLE.tables("details")
]
_STATES = (MemoryType.TASK_STATE, MemoryType.EPISODE)
_VALUES = (MemoryType.TASK_STATE, MemoryType.PROFILE)


def diversify(ranking: Ranking, policy: MemoryReadPolicy) -> Iterator[tuple[int, str]]:
    """Each row that may be used, in order, and the rule that leaves it out; empty when none does.

    Nothing is worked out before it is asked for.
    """
    said: defaultdict[Hashable, list[str]] = defaultdict(list)
    per_type: Counter[int] = Counter()
    best = _Best(ranking)
    for row in _side_by_side(ranking):
        kind = ranking.visible.signals.kinds.item(row)
        rule = "max_per_type"
        if per_type[kind] < policy.max_per_type:
            item = ranking.visible.items[row]
            saying = said[item.person, _saying(item.fact)]
            rule = best.rule(item, saying)
            if not rule:
                saying.append(item.fact)
                per_type[kind] += 1
        yield row, rule


@dataclass(frozen=True, eq=False)
class _Best:
    """What the best memories say of each other."""

    ranking: Ranking

    def rule(self, item: Item, saying: Sequence[str]) -> str:
        """The rule that leaves an item out, empty when none does; `saying` is what was said in its words."""
        ranking = self.ranking
        if is_beside_the_point(item, ranking.asked, ranking.question, lambda: self.common):
            return PRIVATE
        is_changed_here = item.type in _VALUES and is_changed(item, self.changes)
        is_over = is_open(item) and is_overtaken(item, ranking.first)
        is_over = is_over or (item.type is MemoryType.TASK_STATE and self.is_told_anew(item))
        if is_changed_here or is_over or is_answered_anew(item, ranking.first):
            return EARLIER_STATE
        is_said = any(relation(item.fact, other) is Relation.SAME for other in saying)
        return "duplicate" if is_said else ""

    @cached_property
    def changes(self) -> Sequence[Item]:
        """Those that tell of changes."""
        return [*filter(tells_of_change, self.ranking.first)]

    def is_told_anew(self, item: Item) -> bool:
        """Whether a later talk tells so much of the matter of a task that this is its earlier state."""
        numbers, own, _, _ = _matter(item.fact)
        is_open_here = _is_open(item.fact)
        for other in _later(item, self.ranking.first):
            apart = other.last_confirmed_at - item.last_confirmed_at >= _NEXT_TALK
            their_numbers, theirs, _, _ = _matter(other.fact)
            shared = own & theirs
            if not apart or other.type not in _STATES or len(shared) < _LEAST:
                continue
            changed = bool(_CHANGED.search(other.fact))
            if is_open_here or changed or their_numbers or not numbers:
                share = self.rarity(shared) / self.rarity(own) * (_MORE_BY_CHANGE if changed else 1)
                if share >= _TOLD_ANEW - _LESS_IF_OPEN * is_open_here:
                    return True
        return False

    def rarity(self, matter: Iterable[str]) -> float:
        """How much these terms tell it from the other matters."""
        count = len(self.ranking.first) + 1
        return sum(math.log(count / (self.having[term] or 1)) for term in matter)

    @cached_property
    def having(self) -> Counter[str]:
        """How many of them have each term."""
        return Counter(term for item in self.ranking.first for term in _matter(item.fact)[1])

    @cached_property
    def common(self) -> Collection[str]:
        """The terms of the question that many of them have which hold no private detail."""
        first = self.ranking.first
        facts = [_terms(item.fact) for item in first if not _details(item.fact, item.slot, item.type)[0]]
        return {term for term in self.ranking.asked or () if sum(term in fact for fact in facts) > _MANY}


def is_beside_the_point(
    item: Item, asked: frozenset[str] | None, question: str, common: Callable[[], Collection[str]] = frozenset
) -> bool:
    """Whether a memory is a private detail of which the question has no word but a name.

    `asked` are the telling terms of the question; None asks for everything. `common` are terms of many of the
    best memories, which ask for none of them.
    """
    if asked is None:
        return False
    details, own = _details(item.fact, item.slot, item.type)
    by_own_words = (asked & own) - _terms(item.person)
    unasked = [
        kind
        for kind, words in details
        if not (asked & words or kind.asked_zh.search(question) or kind.pattern.search(question))
        and not by_own_words.difference(common() if len(kind.types) > 1 or not kind.asked_by else ())
    ]
    return bool(unasked) and (any(kind.secret for kind in unasked) or len(unasked) == len(details))


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


def is_answered_anew(item: Item, others: Iterable[Item]) -> bool:
    """Whether one of the others answers the same question later, but did not replace it: at another level."""
    return is_exclusive(item.slot) and any(
        (other.slot, relative_told_of(other.fact)) == (item.slot, relative_told_of(item.fact))
        and other.level is not item.level
        for other in _later(item, others)
    )


def tells_of_change(item: Item) -> bool:
    """Whether an item says that a date or number is another one now, or what was so before."""
    _, _, changes, former = _matter(item.fact)
    return bool(former) or (changes and item.type in _VALUES)


def is_changed(item: Item, others: Iterable[Item]) -> bool:
    """Whether one of the others, which tell of changes, says what something of an item is now."""
    numbers, own, _, _ = _matter(item.fact)
    for other in _later(item, others):
        their_numbers, theirs, _, former = _matter(other.fact)
        if former and former <= own and (former == own or own & theirs - former):
            return True
        others_value = bool(numbers) and not numbers >= their_numbers
        if others_value and (
            len(own & theirs) > _SHARED_VALUE * len(own) or _is_put_off(item.fact, other.fact)
        ):
            return True
    return False


def _is_put_off(fact: str, other: str) -> bool:
    """Whether the other puts the matter of the fact on another day, of which the fact says nothing else.

    What tells of an earlier change may say why, and is changed again without such a word.
    """
    clauses, days = _days(fact)
    own, again, _ = days[0] if len(days) == 1 else (frozenset[str](), False, False)
    return bool(own and (again or clauses == 1)) and any(
        bool(theirs) and (put_off or (again and changed)) and (theirs <= own or (again and own <= theirs))
        for theirs, put_off, changed in _days(other)[1]
    )


def _later(item: Item, others: Iterable[Item]) -> Iterator[Item]:
    """Those of the same person that were confirmed later."""
    for other in others:
        later = other.last_confirmed_at > item.last_confirmed_at
        if later and (other.owner, other.person) == (item.owner, item.person):
            yield other


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
def _details(
    fact: str, slot: str, kind: MemoryType
) -> tuple[Sequence[tuple[_Detail, frozenset[str]]], frozenset[str]]:
    """The kinds of private details in a fact, with the terms that ask for each, and the terms of the fact."""
    found = [each for each in _DETAILS if kind in each.types and each.pattern.search(fact)]
    words = " ".join((fact, slot.replace("_", " "), words_asked_by(slot, fact))) if found else ""
    return [(each, _terms(each.asked_by)) for each in found], _terms(words)


@lru_cache(maxsize=8_192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


@lru_cache(maxsize=4_096)
def _matter(fact: str) -> tuple[frozenset[str], frozenset[str], bool, frozenset[str]]:
    """Its numbers and terms, whether it tells of a change of numbers, and what was before."""
    numbers, matter = frozenset(_DIGITS.findall(fact)), _CHANGED.sub(" ", _MEASURES.sub(" ", fact))
    was = _FORMER.search(fact)
    former = _terms(_MEASURES.sub(" ", was[was.lastindex or 0])) - _OF_PLANS if was else frozenset[str]()
    own = frozenset(term for term in _terms(matter) - _OF_PLANS if len(term) > 1)
    return numbers, own, bool(numbers and _CHANGED.search(fact)), former


@lru_cache(maxsize=4_096)
def _days(fact: str) -> tuple[int, Sequence[tuple[frozenset[str], bool, bool]]]:
    """How many clauses (up to 16); of each with a day its terms (before it, or behind), put off, changed."""
    found: list[tuple[frozenset[str], bool, bool]] = []
    for clause in (clauses := _CLAUSE_END.split(_DAYS.sub(_DAY, fact.replace(_DAY, " ")))[:16]):
        before, day, behind = clause.partition(_DAY)
        plain = (_CHANGED.sub(" ", _PUT_OFF.sub(" ", _MEASURES.sub(" ", part))) for part in (before, behind))
        matter = (frozenset(term for term in _terms(part) - _OF_PLANS if len(term) > 1) for part in plain)
        if day:
            own = next(filter(None, matter), frozenset[str]())
            found.append((own, bool(_PUT_OFF.search(clause)), bool(_CHANGED.search(clause))))
    return len(clauses), found


_OF_PLANS = _terms(_TABLE.text("of_plans"))
