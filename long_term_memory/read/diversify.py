"""Stage 4, diversify: no repetition, not too many of a type, differing values side by side.

"Might travel to Tokyo" misleads beside the flight that was booked later.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, lru_cache

from ..domain.enums import MemoryType
from ..domain.memory import Item
from ..policies.memory_policies import MemoryReadPolicy
from ..policies.slots import is_exclusive, same_question
from ..text_analysis.fact_relation import Relation, relation
from ..text_analysis.terms import indexed_terms, terms
from ..text_analysis.word_tables import word_table
from .private_details import details_of, is_beside_the_point
from .rank import Ranking

PRIVATE = "private"
"""The rule that leaves a private detail out."""
EARLIER_STATE = "earlier_state"
"""The rule that leaves out what a later memory tells the outcome of."""

_TASK, _PLAN, _OF_ONE_TALK, _MORE_BY_CHANGE = 0.35, 0.1, 0.25, 1.5
"""The share of them, by rarity, that tells a task anew, an open one, and an open one in the same talk.

What tells of a change counts more.
"""
_SIGNED = re.compile(r"\w[+#]+")
_DIGITS = re.compile(r"\d+")
_TABLE = word_table(__file__)
_OPEN, _CHANGED, _MEASURES = map(_TABLE.compiled, ("open", "changed", "measures"))
_STATES = (MemoryType.TASK_STATE, MemoryType.EPISODE)


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
        if self.is_told_anew(item) or is_answered_anew(item, ranking.first):
            return EARLIER_STATE
        is_said = any(relation(item.fact, other) is Relation.SAME for other in saying)
        return "duplicate" if is_said else ""

    def is_told_anew(self, item: Item) -> bool:
        """Whether a later talk tells so much of the matter of a task that this is its earlier state.

        The same talk may tell what came of a plan.
        """
        if item.type is not MemoryType.TASK_STATE:
            return False
        numbers, own = _matter(item.fact)
        is_plan = _is_open(item.fact)
        for other in _later(item, self.ranking.first):
            their_numbers, theirs = _matter(other.fact)
            shared = own & theirs
            if other.type not in _STATES or len(shared) < 2:
                continue
            apart = other.last_confirmed_at - item.last_confirmed_at >= timedelta(hours=6)
            if not apart and (not is_plan or _is_open(other.fact)):
                continue
            changed = bool(_CHANGED.search(other.fact))
            if is_plan or changed or their_numbers or not numbers:
                enough = (_PLAN if apart else _OF_ONE_TALK) if is_plan else _TASK
                if self.rarity(shared) / self.rarity(own) * (_MORE_BY_CHANGE if changed else 1) >= enough:
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
        """The terms of the question that more than two of them have which hold no private detail."""
        first = self.ranking.first
        plain = (one for one in first if not details_of(one.fact, one.slot, one.type)[0])
        facts = [indexed_terms(one.fact) for one in plain]
        return {term for term in self.ranking.asked or () if sum(term in fact for fact in facts) > 2}


def is_answered_anew(item: Item, others: Iterable[Item]) -> bool:
    """Whether one of the others answers the same question later, but did not replace it: at another level."""
    return is_exclusive(item.slot) and any(
        same_question(item, other) and other.level is not item.level for other in _later(item, others)
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


@lru_cache(maxsize=4_096)
def _matter(fact: str) -> tuple[frozenset[str], frozenset[str]]:
    """Its numbers, and its terms without what numbers are of and what tells of a change."""
    matter = _CHANGED.sub(" ", _MEASURES.sub(" ", fact))
    own = frozenset(term for term in indexed_terms(matter) - _OF_PLANS if len(term) > 1)
    return frozenset(_DIGITS.findall(fact)), own


_OF_PLANS = indexed_terms(_TABLE.text("of_plans"))
