"""Chinese in traditional characters and in simplified ones, as far as words of every day go (design 6.2)."""

_TABLE = str.maketrans(
    "为么书买于个东们会写决准几别办单历吗听国备头妈孙学对帮应开总户时样树欢汤没点灯爱爷猪猫现画盐着种笔简细绍经给脚荐"
    "药虾裤见觉计认讨让议诉试该详说请读谁谢较过还这适释钱长问间题饭马鱼鸟鸡龟面表后从关养儿发习区划车记来干体况内岁职业",
    "為麼書買於個東們會寫決準幾別辦單歷嗎聽國備頭媽孫學對幫應開總戶時樣樹歡湯沒點燈愛爺豬貓現畫鹽著種筆簡細紹經給腳薦"
    "藥蝦褲見覺計認討讓議訴試該詳說請讀誰謝較過還這適釋錢長問間題飯馬魚鳥雞龜麵錶後從關養兒發習區劃車記來幹體況內歲職業",
)
_SIMPLIFIED = {new: old for old, new in _TABLE.items() if new != ord("著")} | {ord("瞭"): ord("了")}
"""著 is a word of its own, as in 著名."""


def simplified(text: str) -> str:
    """The text, as long as before, with these characters simplified."""
    return text.translate(_SIMPLIFIED)


def in_both_scripts(words: str) -> str:
    """The words, and right behind them the same in traditional characters: single ones, or between blanks."""
    return words + words.translate(_TABLE)
