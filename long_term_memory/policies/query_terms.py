"""What a question looks for, as an index in memory holds it (design 6.2).

Words that serve the question alone are out ("what is my ...", 请问), greetings too. Words that say little
("good", "recommend", 推荐) are looked for, but tell nothing: a fact is not to come up because somebody
wants a good time. Where a person asks about oneself and says nothing else ("What do I like?"), they tell all
there is to tell. Beside words that tell something the characters of Chinese words are looked for too, since
养猫 and 猫咪 have no pair of them in common.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..domain.reading import Term
from .relevance import WEAK_ALONE, content_parts
from .stems import stem

MAX_TERMS = 256

SMALL = 0.5
"""What a word that says little, or a lone character, counts beside the others: enough to order by."""
CHARACTER = 0.15
"""What each character of a longer run counts: enough to tell apart what pairs do not."""
MAX_CHARACTERS = 32
"""A text of more different ones has pairs enough."""

_SAYS_LITTLE_EN = """
able actually advice afternoon amount answer anyway apart appreciate april ask august available bad
basic basically best better big bit brief briefly bring call change check clear come common compare
consider could couple create current currently day deal december decide describe detail details
difference different do easily easy end enjoy enough error evening exactly example examples explain
explanation fact fail far favorite favourite february feel figure find fine first fix follow friday
friendly full general generally gonna good great guess guide happen happy hard high hope hour idea
important include information instead interesting issue january july june keep kind know large last
late lately later learn least left less level like line list little live long look lot love low main
major make march matter maybe mean mention method minute moment monday month morning name near new
next nice night normal normally november number october old open option options order part past
people person piece place plan plenty point popular possible prefer pretty probably problem put
question quick quickly quite read ready real recent recently recommend recommendation remember
remind rest right run saturday second see seem send september set short show similar simple simply
single situation small soon sort sound start state step stop stuff suggest suggestion summarise
summarize summary sunday suppose sure talk term test think three thursday time tip today together
tomorrow tonight top topic total translate true try tuesday turn two type understand usual usually
way wednesday week whole wonder word work world worth write wrong year yesterday
"""
_SAYS_LITTLE_ZH = """
推荐 介绍 喜欢 最近 时间 问题 方法 办法 建议 比较 解释 说明 工作 生活 学习 开始 事情
情况 地方 名字 人们 发生 说过 说了 聊过 聊了 干嘛 干了 干什 做了 去过 去了 吃了 忙什
经历 了什 别人 帮忙 好的 好吃 好玩 好看 最好 一般 平时 平常 通常 经常 总是 特别 非常
真的 简单 具体 详细 内容 例子 区别 意思 重要 需要 打算 准备 计划 决定 希望 感觉 认为
以为 了解 看看 想想 试试 说说 聊聊 写一 一篇 一段 一首 一句 适合 合适 主要 基本 常见
流行 有名 著名 世界 中国 明天 昨天 今年 去年 明年 上次 下次 以前 以后 之前 之后 今晚
早上 晚上 上午 下午 中午 每天 周末 注意 一款 一道 一份 一种 一本 多久 多长 多少 怎样
如何 另外 来着
"""
_GREETING = re.compile(
    r"\bgood\s(?:morning|afternoon|evening|night|day)\b(?!\s\w)|\bthank(?:s|\syou)\b|\b(?:bye|cheers|welcome)\b"
    r"|早上好|上午好|中午好|下午好|晚上好|早安|午安|晚安|再见|辛苦了|谢谢",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:my|mine|our|ours)\b"
    r"|(?<![自帮给诉请教让跟为替])[我咱俺](?!们?(?:想(?:知道|问|了解|要|请)|国(?!庆)))",
    re.IGNORECASE,
)
_ABOUT_ONESELF = re.compile(r"\b(?:i|me|my|mine|myself|we|our|us)\b|[我咱俺]", re.IGNORECASE)
_NOUNS = frozenset(
    "猫狗鸟鱼兔马鸡猪牛羊茶酒饭菜面汤肉蛋糖盐米奶书歌琴棋画车船房家妈爸哥姐弟妹爷叔姨儿女孙药病钱花树草雨雪"
    "鞋衣裤裙帽包表笔灯床刀腿脚手头牙眼腰胃猴龟虾蟹果瓜梨桃"
)
_LEANING = WEAK_ALONE | frozenset(
    "爱喝吃养买住叫学玩开写读听穿用坐走跑打找问送修洗怕讨几多少大小新老那这哪只条个"
)
"""Between such characters a noun of one character is a word of its own: 猫 in 猫叫, 茶 in 喝茶."""


@lru_cache(maxsize=256)
def query_terms(text: str, dates: str = "") -> tuple[Term, ...]:
    """The terms of a question, in order, each once, at most `MAX_TERMS`; none when it says nothing.

    `dates` are words of it that say a date: they tell nothing, since not the words but the days count.
    """
    parts = [*content_parts(_GREETING.sub(" ", text))]
    found: dict[str, Term] = {}
    for term in _terms(parts):
        found.setdefault(term.text, term)
    terms = tuple(found.values())[:MAX_TERMS]
    if not dates and _ABOUT_ONESELF.search(text) and not any(term.tells for term in terms):
        terms = tuple(Term(term.text) for term in terms)
    beside = {term.text: Term(term.text, SMALL, tells=False) for term in _terms(content_parts(dates))}
    characters = {*_characters(parts)} if any(term.tells for term in terms) else set[str]()
    if len(characters) <= MAX_CHARACTERS:
        for char in sorted(characters):
            beside.setdefault(char, Term(char, CHARACTER, tells=False))
    return (*terms, *(term for name, term in beside.items() if name not in found))[:MAX_TERMS]


def whole_words(terms: Iterable[Term]) -> list[Term]:
    """The terms without the characters that longer ones consist of."""
    return [term for term in terms if term.weight > CHARACTER]


def of_ones_own(text: str) -> bool:
    """Whether a question is about something of the person's own: "my thesis", 我的猫; not 帮我写."""
    return bool(_OWN.search(text))


def _terms(parts: Iterable[tuple[str, bool]]) -> Iterator[Term]:
    for part, dense in parts:
        if not dense:
            yield _term(stem(part))
        elif len(part) > 1:
            yield from (_term(part[at : at + 2]) for at in range(len(part) - 1))
            yield from (Term(char, SMALL) for char in _lone(part))
        elif part not in WEAK_ALONE:
            yield Term(part, SMALL, tells=part in _NOUNS)


def _characters(parts: Iterable[tuple[str, bool]]) -> Iterator[str]:
    longer = (part for part, dense in parts if dense and len(part) > 1)
    return (char for part in longer for char in part if char not in WEAK_ALONE)


def _term(text: str) -> Term:
    if text in _SAYS_LITTLE:
        return Term(text, SMALL, tells=False)
    return Term(text, tells=not text.isdecimal())


def _lone(part: str) -> Iterator[str]:
    for at, char in enumerate(part):
        around = part[max(0, at - 1) : at] + part[at + 1 : at + 2]
        if char in _NOUNS and all(other in _LEANING for other in around):
            yield char


_SAYS_LITTLE = frozenset(map(stem, _SAYS_LITTLE_EN.split())) | frozenset(_SAYS_LITTLE_ZH.split())
