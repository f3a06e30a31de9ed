"""Stage 5, budget: as many of the best as fit, never more."""

from collections.abc import Iterable, Iterator
from itertools import chain

from ..domain.reading import Omitted, met
from ..policies.memory_policies import MemoryReadPolicy
from ..text_analysis.tokens import token_tenths
from .diversify import diversify
from .format import HEAD, TAIL
from .rank import Ranking

_FRAME = token_tenths(f"{HEAD}\n{TAIL}")
_NEWLINE = token_tenths("\n")
_FULL = _ALL_ITEMS, _ALL_TOKENS = "max_items", "max_tokens"


def fitting(ranking: Ranking, policy: MemoryReadPolicy) -> dict[int, str]:
    """The rows that are injected with their lines, the best first."""
    kept: dict[int, str] = {}
    for row, rule, line in fit(ranking, diversify(ranking, policy), policy):
        if rule in _FULL:
            break
        if not rule:
            kept[row] = line
    return kept


def left_out(ranking: Ranking, policy: MemoryReadPolicy) -> Iterator[Omitted]:
    """The next best memories, each with its rule; what the question has nothing to do with comes last."""
    visible, ranked = ranking.visible, fit(ranking, diversify(ranking, policy), policy)
    rest = ((row, "shadowed" if visible.signals.shadowed[row] else "not_relevant") for row in ranking.rest())
    for row, rule in chain(((row, rule) for row, rule, _ in ranked if rule), rest):
        yield Omitted(**met(visible.items[row]), rule=rule, score=float(ranking.scores[row]))


def fit(
    ranking: Ranking, varied: Iterable[tuple[int, str]], policy: MemoryReadPolicy
) -> Iterator[tuple[int, str, str]]:
    """Each row with the rule that leaves it out, empty when none does, and its line if that was needed.

    What is kept is the longest run from the best on whose block fits `max_items` and `max_tokens`, frame
    included: nothing smaller overtakes what does not fit.
    """
    count, left, full = 0, policy.max_tokens * 10 - _FRAME, ""
    for row, rule in varied:
        if rule:
            yield row, rule, ""
            continue
        line = ""
        if not full and count == policy.max_items:
            full = _ALL_ITEMS
        if not full:
            line, tenths = ranking.line(row)
            left -= _NEWLINE + tenths
            full = _ALL_TOKENS if left < 0 else ""
        count += 1
        yield row, full, line
