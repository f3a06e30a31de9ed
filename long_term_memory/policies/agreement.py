"""Whether a message is a plain yes, in the languages people chat in most (design 5.3)."""

import re

from .keys import normal_words

_WORDS = """
yes yeah yep yup yea ya sure ok okay k correct right exactly absolutely definitely perfect
confirmed agreed indeed affirmative deal great excellent awesome wonderful fantastic cool nice good
understood noted reasonable thanks
是 是的 对 对的 对啊 嗯 嗯嗯 嗯对 好 好的 好啊 行 可以 没错 没问题
正确 确认 同意 就这样 就这么定 明白 知道了 了解 收到 太好了 不错 挺好 谢谢 係 係呀 啱 得 冇錯 對 沒錯
ja genau richtig stimmt klar gerne passt jawohl
oui exact exactement parfait voilà ouais
sí si claro correcto exacto vale perfecto bueno dale
sì certo esatto giusto sim certo isso exato
да верно точно конечно правильно хорошо
はい うん ええ そうです そう 네 예 맞아요 응
"""
_PHRASES = (
    "that s (?:right|correct|great|good|fine|perfect|reasonable|nice|helpful)|that is (?:right|correct)"
    "|sounds good|of course|go ahead|that works|works for me|please do|you got it|let s do it|do it"
    "|all correct|got it|i see|makes sense|oh good|wow|das stimmt|c est ça|d accord|bien sûr"
    "|está bien|de acuerdo|va bene|tudo bem|всё верно"
)
_YES = re.compile(rf"(?:(?:{'|'.join(_WORDS.split())})\b|{_PHRASES})")
_MAX_WORDS = 6
"""A longer message says more than yes, and what it says may take the yes back."""
_BUT = frozenset("but not no none never wrong doubt what wait except aber nicht mais non pero".split())  # noqa: SIM905
_TAKEN_BACK = re.compile("但|不(?!错|錯)|别|別|没(?!错|问题)|等等|[?？]")


def is_plain_yes(text: str) -> bool:
    """Whether a short message begins with a word of agreement and takes nothing back."""
    words = normal_words(re.sub("[，。！、]", " ", text)).split()
    short = 0 < len(words) <= _MAX_WORDS and _BUT.isdisjoint(words)
    return short and bool(_YES.match(" ".join(words))) and not _TAKEN_BACK.search(text)
