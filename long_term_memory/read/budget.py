"""Stage 5, budget: as many of the best as fit, never more (design 6.5)."""

from collections.abc import Sequence

from ..domain.reading import Omitted, Ranked, Sifted
from ..policies.read_policy import MemoryReadPolicy
from ..policies.tokens import token_tenths
from .format import HEAD, TAIL, line


def fit(varied: Sifted, policy: MemoryReadPolicy) -> Sifted:
    """Keep the longest run from the best on whose block fits `max_items` and `max_tokens`, frame included."""
    count, rule = _longest_run(varied.kept, policy)
    cut = [Omitted(memory_id=each.item.memory_id, rule=rule) for each in varied.kept[count:]]
    return Sifted(kept=varied.kept[:count], omitted=[*varied.omitted, *cut])


def _longest_run(ranked: Sequence[Ranked], policy: MemoryReadPolicy) -> tuple[int, str]:
    """Return how many fit and the rule that stops the next."""
    left = policy.max_tokens * 10 - token_tenths(f"{HEAD}\n{TAIL}")
    for count, each in enumerate(ranked):
        if count == policy.max_items:
            return count, "max_items"
        left -= token_tenths(f"\n{line(each.item)}")
        if left < 0:
            return count, "max_tokens"
    return len(ranked), ""
