"""Word tables: TOML files beside the modules that read them once, validated as they are read."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

_USED = re.compile("&([a-z_]+)")


class WordTableError(ValueError):
    """A word table that is not as its module needs it; the message names the file and the key."""


class WordTable:
    """A table of such a file; each value is read by its key, as the type it has to have."""

    def __init__(self, values: Mapping[str, object], place: str) -> None:
        """`place` is the name of the file and the keys that lead to the table."""
        self._values = values
        self._place = place

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def number(self, key: str) -> float:
        """A number from 0 to 1."""
        value = self._values.get(key)
        if not isinstance(value, float | int) or isinstance(value, bool) or not 0 <= value <= 1:
            raise self.error(key, "has to be a number from 0 to 1")
        return float(value)

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty; of several lines the breaks and the indents are no part of it."""
        value = self._values.get(key, default)
        if not isinstance(value, str) or not (value or default == ""):
            raise self.error(key, "has to be a text")
        return "".join(map(str.lstrip, value.splitlines())) if "\n" in value else value

    def pattern(self, key: str) -> str:
        """A regular expression: a text, or an array of alternatives."""
        return "|".join(self.texts(key)) if isinstance(self._values.get(key), list) else self.text(key)

    def texts(self, key: str) -> Sequence[str]:
        """The texts of an array, none of them empty."""
        value = self._values.get(key)
        parts = cast("list[object]", value) if isinstance(value, list) else []
        if not parts or not all(part and isinstance(part, str) for part in parts):
            raise self.error(key, "has to be an array of texts")
        return [*map(str, parts)]

    def compiled(self, key: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
        """The regular expression ready for use."""
        return self.compile(self.pattern(key), key, flags)

    def patterns(
        self, flags: re.RegexFlag = re.IGNORECASE, *, plain: Callable[[str], str] = str
    ) -> Mapping[str, re.Pattern[str]]:
        """All regular expressions of the table; `&name` stands for one further up."""
        found: dict[str, str] = {}
        for name in self:
            pattern = plain(self.pattern(name))
            if unknown := set(_USED.findall(pattern)) - found.keys():
                raise self.error(name, f"names patterns that are not further up: {', '.join(unknown)}")
            found[name] = _USED.sub(lambda used: f"(?:{found[used[1]]})", pattern)
        return {name: self.compile(pattern, name, flags) for name, pattern in found.items()}

    def words(self, key: str) -> Sequence[str]:
        """The words of a text, between spaces and lines."""
        self.text(key)
        return str(self._values[key]).split()

    def compile(self, pattern: str, key: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
        """A regular expression made of the one of this key."""
        try:
            return re.compile(pattern, flags)
        except re.error as error:
            raise self.error(key, f"is no regular expression: {error}") from error

    def table(self, key: str) -> "WordTable":
        """The table of this key."""
        value = self._values.get(key)
        if not isinstance(value, dict):
            raise self.error(key, "has to be a table")
        return WordTable(cast("dict[str, Any]", value), f"{self._place}: {key}")

    def tables(self, key: str) -> list["WordTable"]:
        """The tables of the array of this key."""
        value = self._values.get(key)
        if not isinstance(value, list) or not all(
            isinstance(each, dict) for each in cast("list[Any]", value)
        ):
            raise self.error(key, "has to be an array of tables")
        tables = cast("list[dict[str, Any]]", value)
        return [WordTable(each, f"{self._place}: {key} {n}") for n, each in enumerate(tables, start=1)]

    def error(self, key: str, what: str) -> WordTableError:
        """The error that a value of this table is not as it has to be."""
        return WordTableError(f"{self._place}: {key} {what}")


def word_table(module: str) -> WordTable:
    """The table of the file beside a module, given as its `__file__`. Raises WordTableError."""
    path = Path(module).with_suffix(".toml")
    try:
        return WordTable(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    except tomllib.TOMLDecodeError as error:
        raise WordTableError(f"{path.name}: {error}") from error
