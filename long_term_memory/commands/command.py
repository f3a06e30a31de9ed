"""One `/ltm` message, taken apart, and its answer."""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..domain.chat import Chat
from ..domain.errors import LtmError, RefusedError
from ..domain.memory import Item, Page
from ..domain.review import Rival
from ..manager import LTMManager
from ..manager.confirmation_codes import Confirming
from ..manager.editing import shown
from ..manager.operations import MIN_ID_LENGTH
from ..messages import ARGUMENTS, TYPED, Messages
from ..text_analysis.numbers import in_digits, number_of
from ..text_analysis.word_forms import simplified

SHORT_ID = 8
PAGE_SIZE = 10
_ALL = re.compile(TYPED.text("all"), re.IGNORECASE)
BETWEEN = re.compile(r"[\s,，、;；&]+(?:and\s+|[和与跟及]\s*|[条号]\s*)?|[和与跟及]")
_RANGE = re.compile(r" ?(?:[-–~〜到至]|\b(?:to|through)\b) ?", re.IGNORECASE)
_FIRST = re.compile(r"(?:the )?(?:前(?![一百千万亿])|first ) ?(\w{1,5}?) ?[条个]?", re.IGNORECASE)
_NTH = re.compile(r"(?:the )?(\d{1,3})(?:st|nd|rd|th)\b", re.IGNORECASE)
_NTH_OR_NUMBER = rf"(?:{_NTH.pattern}|\d{{1,3}}\b)"
_NTHS = re.compile(
    r"(?=.*\d(?:st|nd|rd|th)\b)"
    rf"(?P<all>{_NTH_OR_NUMBER}(?:(?:,? and |, ?| & | to ){_NTH_OR_NUMBER})*)(?: (?:ones?|memory|memories))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\b(?:(?:no\.?|nr\.?) ?(?=\d)|(?:number|item) ?(?=\w))", re.IGNORECASE)
_NUMERAL = re.compile(r"[a-z]{3,9}", re.IGNORECASE)
"""A word that may be one: the longest is seventeen."""
MOST_LISTED = 1_000
"""Numbers that a list may have: of more nobody speaks, and a range of them is a long list."""
_MAX_NTHS = 80
"""Characters of the names of places in a list, such as "the third and the twenty-first memory", and more."""
MAX_NAMED = 5
"""Memories that one line names."""


class Listed(dict[int, str]):
    """The ids of the last list that a person was shown in a chat, by the numbers in it."""

    of = ""
    """Of what it is: the subcommand and its argument, the same for all its pages."""

    def __init__(self) -> None:
        super().__init__()
        self.corrected: dict[str, str] = {}
        """Ids of memories that were forgotten for a correction, and of that."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """Who asks for what, and the language of the answer."""

    chat: Chat
    admin: bool
    message_id: str
    said: str
    """The whole message: the evidence of what is saved by it."""
    name: str
    """The subcommand in English; empty for a bare `/ltm`."""
    argument: str
    say: Messages
    confirming: Confirming
    """The codes by which people say a second time what they cannot undo."""
    listed: Listed
    """What the speaker was shown last in this chat."""
    ids: tuple[str, ...] = ()
    """The speaker's own memories that the argument means."""
    unlisted: tuple[int, ...] = ()
    """Further numbers in it, which the list does not have."""

    @property
    def operator(self) -> str:
        """How the audit names the admin who gives it."""
        return f"operator:{self.chat.platform_id}:{self.chat.sender_id}"

    @property
    def shown(self) -> str:
        """The subcommand as the answer names it."""
        return self.say.subcommand(self.name)

    @property
    def word(self) -> str:
        """The argument where a fixed word is expected: that word in English, whatever stands for it."""
        word = simplified(self.argument.lower())
        return ARGUMENTS.get(word, word)


@dataclass(frozen=True, kw_only=True)
class File:
    """What is handed over beside the text, under the name that the person is to see."""

    name: str
    content: bytes


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The answer to one message."""

    text: str
    file: File | None = None


class UsageError(LtmError):
    """The arguments make no sense; the reply shows how it is meant."""


def means_all(word: str) -> bool:
    """Whether a word stands for all there is, also where it is asked for politely."""
    return _ALL.fullmatch(word) is not None


def facts_of(items: Sequence[Item | Rival], say: Messages) -> str:
    """What they say, of many the first few."""
    more = [say.text("why.more", count=len(items) - MAX_NAMED)] if len(items) > MAX_NAMED else []
    return say.joined([*(item.fact for item in items[:MAX_NAMED]), *more])


def approving(replaces: Sequence[Rival], otherwise: Sequence[Rival], say: Messages) -> list[str]:
    """What an approval takes out of use, and what it leaves that says otherwise, a line each."""
    key = "pending.replaces_newer" if any(one.newer for one in replaces) else "pending.replaces"
    lines = [say.text(key, facts=facts_of(replaces, say))] if replaces else []
    return lines + [say.text(f"otherwise.{one.then}", fact=one.fact) for one in otherwise[:MAX_NAMED]]


def page_number(word: str) -> int | None:
    """The page a word asks for; None when it is no number that a page may have."""
    plain = unicodedata.normalize("NFKC", word)
    word = plain.strip("第页")
    if word != plain and not word.isascii():  # 第二页
        return number_of(word) or None
    # isascii: int() also reads digits of other scripts, and a long run of digits costs quadratic time.
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 and int(word) else None


def pages_of(found: Page[Any]) -> int:
    """How many pages there are in all."""
    return math.ceil(found.total / PAGE_SIZE)


def _list_number(word: str, *, alone: bool, sure: bool) -> int | None:
    """The number in a list that a word is, also as in 第三条, and 三 if not `alone`; ids are longer.

    五一 is a holiday and "two" a word, unless `sure`: beside 第, 条, 号 or "number", or in a range.
    """
    number = word.strip(f"#.()[]、。第条号{'个' if word[:1] == '第' else ''}")
    is_spelt = sure and _NUMERAL.fullmatch(number)
    is_place = sure or (len(number) == 1 and not (alone and number == word))
    is_number = "两" not in number and (number.isdigit() if number.isascii() else is_place)  # 两 counts
    value = number_of(number) if is_spelt or (is_number and len(number) < MIN_ID_LENGTH) else None
    return value if value is not None and value < MOST_LISTED else None


def list_numbers(words: str) -> Sequence[int]:
    """The numbers in a list that these are, also as in 1-3 and 前三条; none where there are other words."""
    numbers, words = list[int](), " ".join(unicodedata.normalize("NFKC", words).split())
    words, called = _NUMBER.subn("", words)
    if (found := _FIRST.fullmatch(words)) and (last_of_all := number_of(found[1])):
        words = f"1-{last_of_all}"
    elif len(words) < _MAX_NTHS and (nths := _NTHS.fullmatch(in_digits(words))):
        words = _NTH.sub(r"\1", nths["all"])
    parts = [part.split("-", 1) for part in BETWEEN.split(_RANGE.sub("-", words)) if part]
    alone, named = sum(map(len, parts)) == 1, called or not {*"第条号"}.isdisjoint(words)
    for part in parts:
        first, *last = (_list_number(word, alone=alone, sure=bool(named) or len(part) > 1) for word in part)
        end = last[0] if last else first
        if first is None or end is None or end < first or len(numbers) > MOST_LISTED:
            return ()
        numbers += range(first, end + 1)
    return numbers


def ranges(numbers: Iterable[int]) -> Iterator[str]:
    """These as people write them, in their order: 5-9."""
    for _, run in groupby(enumerate(sorted({*numbers})), lambda each: each[1] - each[0]):
        (_, first), *others = run
        yield f"{first}-{others[-1][1]}" if others else f"{first}"


def short(item: Item) -> str:
    """The id that people are shown."""
    return item.memory_id[:SHORT_ID]


def type_of(item: Item, say: Messages) -> str:
    """What lists call its type."""
    return say.text(f"type.{shown(item.type, item.origin)}")


def refuse_while_read_only(manager: LTMManager) -> None:
    """Raise RefusedError while read-only: nobody is asked for a code that could not be used."""
    if manager.switches.read_only:
        raise RefusedError("emergency_read_only")
