"""How many model tokens a text has, estimated as the host does: exact enough for a budget, and free."""

import re

_CJK = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_EMOJI = re.compile(r"[\u200d\u2600-\u27bf\ufe00-\ufe0f\U0001f000-\U0001faff]+")
_CJK_TENTHS, _EMOJI_TENTHS, _OTHER_TENTHS = 6, 20, 3


def token_tenths(text: str) -> int:
    """Estimate the tokens of a text, in tenths, so that the sum over its parts is exact.

    The host's own estimate: 0.6 for a Chinese character, 2 for an emoji, 0.3 for any other; Japanese and
    Korean characters count as Chinese ones, which the host puts too low.
    """
    if text.isascii():
        return len(text) * _OTHER_TENTHS
    cjk, emoji = _count(_CJK, text), _count(_EMOJI, text)
    return cjk * _CJK_TENTHS + emoji * _EMOJI_TENTHS + (len(text) - cjk - emoji) * _OTHER_TENTHS


def _count(runs: re.Pattern[str], text: str) -> int:
    return sum(map(len, runs.findall(text)))


def tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up."""
    return -(-token_tenths(text) // 10)
