"""Stage 5, budget: as many of the best as fit, never more (design 6.5)."""

import re
from collections.abc import Sequence

from ..domain.reading import Omitted, Ranked, Sifted
from ..policies.read_policy import MemoryReadPolicy
from .format import HEAD, TAIL, line

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_EMOJI = re.compile(r"[\u200d\u2600-\u27bf\ufe00-\ufe0f\U0001f000-\U0001faff]")
_CJK_TENTHS, _EMOJI_TENTHS, _OTHER_TENTHS = 6, 20, 3


def token_tenths(text: str) -> int:
    """Estimate the tokens of a text, in tenths, so that the sum over its parts is exact.

    The host's own estimate: 0.6 for a Chinese character, 2 for an emoji, 0.3 for any other; Japanese and
    Korean characters count as Chinese ones, which the host puts too low.
    """
    if text.isascii():
        return len(text) * _OTHER_TENTHS
    cjk, emoji = len(_CJK.findall(text)), len(_EMOJI.findall(text))
    return cjk * _CJK_TENTHS + emoji * _EMOJI_TENTHS + (len(text) - cjk - emoji) * _OTHER_TENTHS


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
