"""Masking of secrets: a mark with the kind replaces each.

`shapes` finds secrets by their form, `labels` by the words around them, such as "my wifi password is ..." or
验证码：..., `answers` by the messages before, which ask for them or contain them.
"""

import re
from collections.abc import Mapping, Sequence
from string import ascii_letters, digits

from .answers import ExpectedAnswer, answered, repeated, wanted
from .labels import labelled
from .shapes import shaped
from .values import Kind, SecretSpan

MARK = re.compile(rf"\[secret:(?:{'|'.join(Kind)})\]")
_NARROW = {ord(char) + 0xFEE0: char for char in f"{digits}{ascii_letters}:="}
"""Full-width digits, letters, colon and equals sign."""
_LABELS = str.maketrans(
    "驗證碼號動態鑰門鎖櫃險機員網輸儲賬帳銀開複復詞語護駕駛軍錄設換統應係為",
    "验证码号动态钥门锁柜险机员网输储账帐银开复复词语护驾驶军录设换统应是为",
)
"""Labels in traditional characters are read as those in simplified ones."""
CUT = " […]"
"""Ends a text that was cut."""
_MORE_MASKED = 1_000


def mask(text: str, asked: str = "") -> str:
    """The text with a mark like `[secret:password]` for each secret; idempotent, and linear in time.

    `asked` are the messages before, the latest last, which the text may answer or read back. Their secrets
    are masked in the text, too.
    """
    before = asked[-2_000:]
    row = wanted(before)
    asked_secrets = _found(before, row, {}) if before else []
    known = {before[each.start : each.end]: each.kind for each in asked_secrets[:8]}
    known = {value: kind for value, kind in known.items() if len(value) > 5 or not value.isalpha()}
    if asked_secrets:
        row = wanted(_marked(before, asked_secrets))
    for _ in range(5):  # a text that reveals new secrets with each pass is hostile: none of it is kept
        found = _found(text, row, known)
        if not found:
            return text
        text = _marked(text, found)
    return f"[secret:{Kind.PASSWORD}]"


def mask_and_cut(text: str, most: int, asked: str = "") -> str:
    """The text as it can be stored: valid Unicode, masked, then cut to `most` characters.

    Masking comes first, so that no part of a secret remains at the end. `asked` is as for `mask`.
    """
    plain = text.encode("utf-8", "replace").decode().replace("\0", "").strip()
    masked = mask(plain[: most + _MORE_MASKED], asked)
    if len(plain) > most + _MORE_MASKED:
        masked = masked[:-200]  # longer than any secret whose first half is not recognised
    elif len(masked) <= most:
        return masked
    return masked[: most - len(CUT)] + CUT


def _found(text: str, row: Sequence[ExpectedAnswer], known: Mapping[str, Kind]) -> list[SecretSpan]:
    """The secrets of a text in order; overlapping ones are joined, and the longest gives the kind."""
    blanked = MARK.sub(lambda mark: "\0" * len(mark.group()), text)  # no pattern of a secret matches it
    plain = blanked if blanked.isascii() else blanked.translate(_NARROW)
    alike = plain if plain.isascii() else plain.translate(_LABELS)
    merged: list[SecretSpan] = []
    for found in sorted({*shaped(plain), *labelled(alike), *answered(plain, row), *repeated(plain, known)}):
        if merged and found.start < merged[-1].end:
            last = merged.pop()
            longest = max(last, found, key=lambda each: each.end - each.start)
            found = SecretSpan(last.start, max(last.end, found.end), longest.kind)  # noqa: PLW2901 - grown by the last
        merged.append(found)
    return merged


def _marked(text: str, found: Sequence[SecretSpan]) -> str:
    for start, end, kind in reversed(found):
        text = f"{text[:start]}[secret:{kind}]{text[end:]}"
    return text
