"""Which canaries a text holds, wherever they stand in it."""

import re
from collections.abc import Iterable

_ENGLISH, _CHINESE = 10, 4
"""How long a canary is."""
_RUN = re.compile(rf"([a-z]{{{_ENGLISH},}})|([\u4e00-\u9fff]{{{_CHINESE},}})")


def canaries_in(text: str, known: Iterable[str]) -> set[str]:
    """Those of the known ones that occur in the text, within other words too."""
    windows = set[str]()
    for run in _RUN.finditer(text.lower()):
        word, length = run.group(), _ENGLISH if run[1] else _CHINESE
        windows.update(word[at : at + length] for at in range(len(word) - length + 1))
    return windows.intersection(known)
