"""Everything the bot says to people, in their language.

The tables are `texts/<locale>.json`, one sentence a key with `{named}` places; `{count:memory|memories}` is
the first word for 1 and else the second, and `/{ltm}` the command under the name it was called by. What is
put into a place is data: it is flattened to one line, cut to a length, and never read as a template, so a
memory's text can neither break out of its line nor reach another value.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from .domain.time import shown_instant
from .text_analysis.sanitize import seen_line
from .text_analysis.terms import A_HAN
from .text_analysis.word_forms import simplified
from .text_analysis.word_tables import word_table

type Locale = Literal["zh-CN", "en-US"]

LOCALES: Final[tuple[Locale, ...]] = ("zh-CN", "en-US")

TYPED = word_table(__file__)
"""What people type."""
_NAMED = TYPED.table("subcommands")


def _meant(key: str) -> Mapping[str, str]:
    """The words of such a table as `simplified` leaves them, and which name each stands for."""
    table = TYPED.table(key)
    return {simplified(word): name for name in table for word in table.words(name)}


SUBCOMMANDS: Final[Mapping[str, str]] = {name: _NAMED.text(name) for name in _NAMED}
"""The subcommands of `/ltm`, each with its Chinese alias."""
SYNONYMS: Final[Mapping[str, str]] = _meant("synonyms")
"""What people type for a subcommand, and which is meant."""
ARGUMENTS: Final[Mapping[str, str]] = _meant("arguments")
"""What people type where a fixed word is expected, and which is meant."""
SUGGESTIONS: Final[Mapping[str, str]] = _meant("suggestions")
"""What people type that is no subcommand, and which may be meant."""
LTM: Final[Mapping[Locale, str]] = {"en-US": "ltm", "zh-CN": "记忆"}
"""The command in each language, where nobody has called it yet."""

MAX_VALUE_LENGTH: Final = 500
"""Characters of one inserted value; what is longer is cut, and says so."""

_TEXTS = Path(__file__).parent / "texts"


class _Value(str):
    """What is put into a place; a place with two words takes the one that fits the number."""

    __slots__ = ()

    def __format__(self, words: str) -> str:
        if not words:
            return str(self)
        one, _, many = words.partition("|")
        return one if self == "1" else many


class Messages:
    """The texts of one language, told to the person they are about."""

    # Beside the two words "1" where the person is told, else nothing.
    _YOU: ClassVar = {"en-US": ("you", "your", "1"), "zh-CN": ("你", "你的", "1")}

    def __init__(self, locale: Locale, *, ltm: str = "", zone: tzinfo = UTC) -> None:
        """`ltm` is the name of the command that the texts are to name, `zone` that of the times."""
        self._locale = locale
        self._texts = _table(locale)
        self._zone = zone
        self._whose = dict(zip(("you", "your", "told"), map(_Value, self._YOU[locale]), strict=True))
        self._ltm = _Value(_one_line(ltm) or LTM[locale])

    def subcommand(self, name: str) -> str:
        """A subcommand in this language; what is none stays as it is."""
        return SUBCOMMANDS.get(name, name) if self._locale == "zh-CN" else name

    def text(self, key: str, /, **values: str | float) -> str:
        """The text of this key with the values in their places.

        Raises KeyError for an unknown key or a missing value: both are mistakes of the caller.
        """
        places = {name: _Value(_one_line(value)) for name, value in values.items()}
        return self._texts[key].format_map({"ltm": self._ltm, **self._whose, **places})

    def setting(self, path: str) -> str:
        """What a setting is called in the plugin's form, behind its section."""
        words, names = _table(self._locale, _TEXTS.parents[1] / ".astrbot-plugin/i18n")["config"], list[str]()
        for name in path.split("."):
            words = words.get(name, {})
            names.append(words.get("description", name))
        return " → ".join(names)

    def instant(self, at: datetime) -> str:
        """To the minute."""
        return shown_instant(at, self._zone)

    def day(self, at: datetime) -> str:
        """The day."""
        return at.astimezone(self._zone).strftime("%Y-%m-%d")

    def days(self, first: datetime, last: datetime) -> int:
        """From the day of the one to that of the other."""
        return (last.astimezone(self._zone).date() - first.astimezone(self._zone).date()).days

    def after(self, text: str, following: str) -> str:
        """A sentence and the one behind it."""
        return f"{text}{following}" if self._locale == "zh-CN" else f"{text} {following}"

    def joined(self, words: Iterable[str], *, short: bool = False) -> str:
        """An enumeration, of sentences or of `short` words, which names each once."""
        between = {"zh-CN": "、" if short else "；", "en-US": ", " if short else "; "}
        return between[self._locale].join(dict.fromkeys(words))

    def rule(self, name: str) -> str:
        """Why a rule of this name holds a memory back; a reason without a text is given as it is.

        What follows a colon, as in `not_in_evidence:Paris`, is the detail that the text names.
        """
        known, _, detail = name.partition(":")
        key = f"rule.{known}"
        if key not in self._texts:
            return self.text("rule.other", rule=name)
        # Where several reasons are counted together the detail is missing.
        return self.text(key, detail=detail).rstrip(" :：")

    def known(self, key: str, otherwise: str) -> str:
        """The text of a key whose last part comes from data; `otherwise` where there is none."""
        return self.text(key) if key in self._texts else self.text("rule.other", rule=otherwise)


class MessagesForOperators(Messages):
    """The same about somebody else, with instants as the page reads them."""

    _YOU: ClassVar = {"en-US": ("the person", "the person's", ""), "zh-CN": ("此人", "此人的", "")}

    def instant(self, at: datetime) -> str:
        """In ISO 8601."""
        return at.isoformat()


def locale_of(text: str) -> Locale:
    """The language to answer this command in: Chinese where the message has any Chinese character."""
    return "zh-CN" if A_HAN.search(text) else "en-US"


@cache
def _table(locale: Locale, folder: Path = _TEXTS) -> Mapping[str, Any]:
    return json.loads((folder / f"{locale}.json").read_text(encoding="utf-8"))


def _one_line(value: str | float) -> str:
    line = seen_line(str(value))
    return line if len(line) <= MAX_VALUE_LENGTH else f"{line[: MAX_VALUE_LENGTH - 1]}…"
