"""Words of a question that say little: looked for to order by, but they tell nothing (design 6.2)."""

from ..text_analysis.stems import stem

_ENGLISH = """
able actually advice afternoon amount answer anyway apart appreciate april august available bad
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
question quick quickly quite read ready real recent recently recommend recommendation rest right run
saturday second see seem send september set short show similar simple simply single situation small
soon sort sound start state step stop stuff suggest suggestion summarise summarize summary sunday
suppose sure talk term test think three thursday time tip today together tomorrow tonight top topic
total translate true try tuesday turn two type understand usual usually way wednesday week whole
wonder word work world worth write wrong year yesterday
"""
_OF_ASKING = """
ask forget note remember remind save
记住 记得 还记
"""
_CHINESE = """
推荐 介绍 喜欢 最近 问题 方法 办法 建议 比较 解释 说明 学习 开始 事情 情况 名字
人们 发生 说过 说了 聊过 聊了 干嘛 干了 干什 做了 去过 去了 吃了 忙什 经历 了什
别人 帮忙 好的 好吃 好玩 好看 最好 一般 平时 平常 通常 经常 总是 特别 非常 真的
简单 具体 详细 内容 例子 区别 意思 重要 需要 打算 准备 计划 决定 希望 感觉 认为
以为 了解 看看 想想 试试 说说 聊聊 写一 一篇 一段 一首 一句 适合 合适 主要 基本
常见 有名 著名 明天 昨天 今年 去年 明年 上次 下次 以前 以后 之前 之后 今晚 早上
晚上 上午 下午 中午 每天 周末 注意 一款 一道 一份 一种 一本 多久 多长 多少 怎样
如何 另外 来着 多大
"""
_OF_LONGER = """
工作 生活 世界 中国 时间 地方 流行 我的
"""

OF_ASKING = frozenset(map(stem, _OF_ASKING.split()))
"""What somebody says to a memory: many quotes begin so, whatever they are about."""
WHOLE = frozenset(_CHINESE.split()) | OF_ASKING
"""Chinese words that are parts of none: a pair that has one character of theirs is none (不喜, 欢看)."""
SAYS_LITTLE = WHOLE | frozenset(map(stem, _ENGLISH.split())) | frozenset(_OF_LONGER.split())
"""All of them, as an index holds them. Longer words are made of some: 中国菜, 世界杯."""
