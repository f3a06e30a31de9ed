"""Word tables: TOML files beside the modules that read them once."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_USED = re.compile("&([a-z_]+)")


class WordTable:
    """A table of such a file; each value is read by its key, as the type it has to have."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def number(self, key: str) -> float:
        """A number."""
        return float(self._values[key])

    def text(self, key: str, default: str | None = None) -> str:
        """A text; of several lines the breaks and the indents are no part of it."""
        value = self._values[key] if default is None else self._values.get(key, default)
        return "".join(map(str.lstrip, value.splitlines()))

    def texts(self, key: str) -> Sequence[str]:
        """An array of texts."""
        return self._values[key]

    def words(self, key: str) -> Sequence[str]:
        """The words of a text, between spaces and lines."""
        return self._values[key].split()

    def pattern(self, key: str) -> str:
        """A regular expression: a text, or an array of alternatives."""
        return "|".join(self.texts(key)) if isinstance(self._values[key], list) else self.text(key)

    def compiled(self, key: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
        """The regular expression ready for use."""
        return re.compile(self.pattern(key), flags)

    def patterns(
        self, flags: re.RegexFlag = re.IGNORECASE, *, plain: Callable[[str], str] = str
    ) -> Mapping[str, re.Pattern[str]]:
        """All regular expressions of the table, not of tables in it; `&name` stands for one further up."""
        found: dict[str, str] = {}
        for name in (each for each, value in self._values.items() if not isinstance(value, dict)):
            found[name] = _USED.sub(lambda used: f"(?:{found[used[1]]})", plain(self.pattern(name)))
        return {name: re.compile(pattern, flags) for name, pattern in found.items()}

    def groups(self, key: str) -> Mapping[str, str]:
        """Of each text in the arrays of the table of this key, the key of its array."""
        return {text: group for group, texts in self._values[key].items() for text in texts}

    def table(self, key: str) -> "WordTable":
        """The table of this key."""
        return WordTable(self._values[key])

    def tables(self, key: str) -> list["WordTable"]:
        """The tables of the array of this key."""
        return [WordTable(each) for each in self._values[key]]


def word_table(module: str) -> WordTable:
    """The table of the file beside a module, given as its `__file__`."""
    return WordTable(tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8")))
