"""Stage 4, diversify: no repetition, not too many of a type, differing values side by side (design 6.4).

What a block is better without is left out here too (`beside.py`).
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from functools import lru_cache

from ..domain.memory import Item
from ..policies.read_policy import MemoryReadPolicy
from ..policies.sameness import Relation, relation
from ..text_analysis.terms import terms
from .beside import EARLIER_STATE, PRIVATE, is_beside_the_point, is_open, is_overtaken
from .ranking import Ranking

_SIGNED = re.compile(r"\w[+#]+")

SPARE = 5
"""So many of a type beyond its share are looked at, since some will turn out to be said already."""


def diversify(ranking: Ranking, policy: MemoryReadPolicy) -> Iterator[tuple[int, str]]:
    """Each place that may be used, in order, and the rule that leaves it out; empty when none does.

    Nothing is worked out before it is asked for.
    """
    said: defaultdict[Hashable, list[str]] = defaultdict(list)
    per_type: Counter[int] = Counter()
    for place in _side_by_side(ranking, policy.max_per_type + SPARE):
        kind = ranking.kinds[place]
        if per_type[kind] >= policy.max_per_type:
            yield place, "max_per_type"
            continue
        item = ranking.item(place)
        if is_beside_the_point(item, ranking.asked):
            yield place, PRIVATE
            continue
        if is_open(item) and is_overtaken(item, ranking.first):
            yield place, EARLIER_STATE
            continue
        saying = said[item.person, _saying(item.fact)]
        if any(_same(item.fact, other) for other in saying):
            yield place, "duplicate"
            continue
        saying.append(item.fact)
        per_type[kind] += 1
        yield place, ""


def _side_by_side(ranking: Ranking, per_type: int) -> Iterator[int]:
    """The places in order, but what answers the same of the same person together, the newest value first.

    So many of each type are looked at; the rest has no prospects.
    """
    answers = [answer for answer in ranking.answers if answer]
    if len(set(answers)) == len(answers):  # as most often: nothing has a place beside another
        yield from range(ranking.usable)
        return
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    seen: Counter[int] = Counter()
    for place, kind in enumerate(ranking.kinds):
        seen[kind] += 1
        item = ranking.item(place) if seen[kind] <= per_type else None
        groups[_question(item) if item and item.slot else place].append(place)
    for places in groups.values():
        if len(places) > 1:
            places.sort(key=lambda place: ranking.item(place).last_confirmed_at, reverse=True)
        yield from places


def _question(item: Item) -> Hashable:
    """What a fact answers: whose home, whose birthday."""
    return item.owner.scope, item.person, item.slot


def _same(fact: str, other: str) -> bool:
    """Whether facts of the same words say the same: not when these are swapped, or one denies it."""
    return _folded(fact) == _folded(other) or relation(fact, other) is Relation.SAME


@lru_cache(maxsize=4_096)
def _saying(fact: str) -> frozenset[str]:
    """Its words in no order, and C++ and C# beside C."""
    return frozenset((*terms(fact), *_SIGNED.findall(fact)))


def _folded(fact: str) -> str:
    folded = unicodedata.normalize("NFKC", fact).casefold()
    return " ".join(folded.split()).rstrip(" .。!！;；,，")
