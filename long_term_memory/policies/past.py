"""Words that put what is told into the past, in either language (design 5.3, 5.4).

"When I was a child", 那时 and 住过 speak of what was. "I have lived here for years" and "since I was a child"
speak of now.
"""

import re

WISHES_ZH = r"(?<!联)(?<![在入职去了]理)想(?!念|汽车)"
"""想 as a wish, not in the names of the companies 联想 and 理想."""
_PERFECT = re.compile(r"(?:\b(?:have|has)|['’](?:ve|s)) (?:\w+ ){0,2}(?:lived|worked)\b", re.IGNORECASE)
_PAST = re.compile(
    r"(?<!since )\b(?:when (?:i|user|he|she|they) (?:was|were|lived|worked|studied)\b"
    r"|as an? (?:kid|child|boy|girl|teen\w*)\b"
    r"|back (?:then|in the day|in (?:my|\d))|at (?:the|that) time\b|(?:lived|worked)\b(?! out| hard))"
    r"|小时候|那时|当时|那会儿?|当年"
    r"|(?:小学|初中|高中|中学|大学|年轻|上学|读书|当兵)(?:的?时候?(?!间)|那会|期间|那几?年)"
    r"|(?:[住待呆当养]|工作|上班|任职|就职|实习|生活)过(?!敏|年|来|去)",
    re.IGNORECASE,
)


def is_past(text: str) -> bool:
    """Whether a text tells what was, and perhaps is no more."""
    return bool(_PAST.search(_PERFECT.sub(" ", text)))
