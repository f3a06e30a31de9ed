"""Stage 5, budget: as many of the best as fit, never more (design 6.5)."""

from collections.abc import Iterable, Iterator

from ..policies.read_policy import MemoryReadPolicy
from ..text_analysis.tokens import token_tenths
from .diversify import diversify
from .format import HEAD, TAIL
from .ranking import Ranking

_FRAME = token_tenths(f"{HEAD}\n{TAIL}")
_NEWLINE = token_tenths("\n")


def fitting(ranking: Ranking, policy: MemoryReadPolicy) -> list[int]:
    """The places of what goes along, the best first."""
    kept: list[int] = []
    for place, rule in fit(ranking, diversify(ranking, policy), policy):
        if rule in ("max_items", "max_tokens"):
            break
        if not rule:
            kept.append(place)
    return kept


def fit(
    ranking: Ranking, varied: Iterable[tuple[int, str]], policy: MemoryReadPolicy
) -> Iterator[tuple[int, str]]:
    """Each place with the rule that leaves it out, as before; the first that is over the budget ends it.

    What is kept is the longest run from the best on whose block fits `max_items` and `max_tokens`, frame
    included: nothing smaller overtakes what does not fit.
    """
    count, left, full = 0, policy.max_tokens * 10 - _FRAME, ""
    for place, rule in varied:
        if rule:
            yield place, rule
            continue
        if not full and count == policy.max_items:
            full = "max_items"
        if not full:
            left -= _NEWLINE + ranking.line(place)[1]
            full = "max_tokens" if left < 0 else ""
        count += 1
        yield place, full
