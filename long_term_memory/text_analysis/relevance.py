"""Which words of a text carry content (design 6.3).

A question's function words match every fact ("what is my ..." and "My name is ...", "用户喜欢..."), so they
are not looked for at all: then every match of words is a shared content word.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from .traditional import in_both_scripts

_ENGLISH_WORDS = """
a about after again all also am an and any anyone anything are as at be because been before being but by can
cannot could couldn did didn do does doesn doing don done else even ever every few for from get give go
going got had hadn has hasn have haven having he hello help her here hers hey hi him his how if in into is
isn it its just know let ll make many may maybe me might mine more most much must my need no nor not now of
off ok on one only or other our ours out over own please re really same say shall she should shouldn so some
someone something still such take tell than thank thanks that the their them then there these they thing
things this those to today too up us use user users ve very want was wasn way we well were what when where
whether which while who whom whose why will with won would wouldn yes yet you your yours
"""
_ENGLISH_PHRASES = r"""
    \b(?:would|feels?|looks?|sounds?|something|anything|things)\s+like\b
    | ['’]d\s+like\b
    | \blike\s+th(?:is|at)\b
    | (\bwhat(?:['’]s|\s+(?:is|are|was|were))\b[^.?!]{0,80}?)\blike\b
"""
"""Where `like` states no preference."""
_CHINESE_WORDS = """
可不可以 为什么 能不能 是不是 有没有 要不要 什么 怎么 怎样 为何 如何 应该 可以 可能 知道 觉得
今天 现在 一个 一下 一些 一点 这个 那个 这样 那样 不是 没有 就是 还是 但是 因为 所以 如果 时候
东西 告诉 请问 帮我 需要 想要 多少 几个 谢谢 你好 您好 或者 而且 然后 已经 一直 自己 大家 有点
关于 用户 我 你 您 她 它 们 的 了 吗 呢 啊 呀 么 嘛 哦 呗 是 这 那 哪 谁 很 在 有
"""
_KEPT = (
    "我的世界(?![观觀杯])|哪吒|那不勒斯|自我|了解|了不起|有氧|有[声聲](?!音)|有[轨軌]|在[线線]|[吗嗎]啡|喇嘛"
    "|有[机機](?=[食蔬农農肥化玻奶牛菜茶棉酸])|(?<![保库庫内內缓緩])存在|的士(?![兵气氣])"
    "|(?<![项項节節题題盲曲数數科栏欄])目的"
)
"""Words and names that such words are a part of."""
WEAK_ALONE = frozenset(
    in_both_scripts("能会要去来做说看想用到给和跟把被让就都也还再又不没好吧他得地着过上下个只从对为以请")
)
"""Characters that mean little once the words around them are gone."""

_HAN = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<han>[{_HAN}]+)|[^\W_{_HAN}]+")
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_PHRASES = re.compile(_ENGLISH_PHRASES, re.IGNORECASE | re.VERBOSE)
_CUT = "|".join(sorted({*in_both_scripts(_CHINESE_WORDS).split()}, key=len, reverse=True))
_CHINESE = re.compile(f"(?P<kept>{_KEPT})|{_CUT}")  # the longer ones stand first


@lru_cache(maxsize=512)  # a fact is compared with many others
def content_words(text: str, *, limit: int = 64) -> tuple[str, ...]:
    """List the words that carry content, in order, each once, at most `limit`.

    Words of scripts without spaces come as pairs of neighbouring characters, a lone character as itself.
    """
    words: dict[str, None] = {}
    for part, dense in content_parts(text):
        words.update(dict.fromkeys(_pairs(part) if dense else [part]))
        if len(words) >= limit:
            break
    return tuple(words)[:limit]


def content_parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text's words in one case without those that only serve a question, in order.

    Of scripts without spaces it gives what stands between such words, marked true; never a lone letter.
    """
    for run in _RUN.finditer(_PHRASES.sub(r"\1 ", unicodedata.normalize("NFKC", text)).casefold()):
        found = run.group()
        if run["han"]:
            yield from ((part, True) for part in _CHINESE.sub(_without, found).split())
        elif found not in _ENGLISH and not (len(found) == 1 and found.isalpha()):
            yield found, False


def _without(found: re.Match[str]) -> str:
    return found["kept"] or " "


def _pairs(part: str) -> list[str]:
    if len(part) > 1:
        return [first + second for first, second in pairwise(part)]
    return [] if part in WEAK_ALONE else [part]
