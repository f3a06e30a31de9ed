"""Reads a JSON object whose members are long lists, entry by entry: never more than one entry in memory.

The decoder of the standard library holds up every other thread for as long as it works; so it gets at most
one entry at a time, and an entry is bounded.
"""

import json
import re
from collections.abc import Generator
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any, Protocol

from ...domain.errors import InvalidInputError

MAX_ENTRY = 256 * 1024
"""Characters of one entry."""
MAX_MEMBERS, MAX_NAME = 100, 100
"""Members of the outermost object, and characters of the name of one: all the names are kept in memory."""
_CHUNK = 64 * 1024
_SPACE = re.compile(r"[ \t\n\r]*")
_TOO_DEEP = "is nested too deeply"


class Source(Protocol):
    """Text that is read piece by piece."""

    def read(self, size: int, /) -> str:
        """At most so many characters; none at the end."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """The beginning of a list, one entry of a list, or a member that is no list."""

    name: str
    value: Any = None
    is_entry: bool = False
    is_list: bool = False


def damaged(why: str) -> InvalidInputError:
    """The document cannot be read."""
    return InvalidInputError("file", f"cannot be read, it is damaged or no export: {why}")


def members(source: Source, *, most: int) -> Generator[Member]:
    """The members of the outermost object, in the order of the document, which has at most `most` characters.

    Raises InvalidInputError for whatever is not one whole JSON object.
    """
    text = _Text(source, most)
    if not text.take("{"):
        raise damaged("it is no JSON object")
    seen = set[str]()
    more = not text.take("}")
    while more:
        name = text.value()
        if not isinstance(name, str) or name in seen:
            raise damaged("a name stands there twice or is none")
        if len(name) > MAX_NAME or len(seen) == MAX_MEMBERS:
            raise damaged("it has too many parts or one with too long a name")
        seen.add(name)
        text.expect(":")
        yield from _member(text, name)
        more = text.take(",")
        if not more:
            text.expect("}")
    text.end()


def _member(text: "_Text", name: str) -> Generator[Member]:
    if not text.take("["):
        yield Member(name=name, value=text.value())
        return
    yield Member(name=name, is_list=True)
    more = not text.take("]")
    while more:
        yield Member(name=name, value=text.value(), is_entry=True)
        more = text.take(",")
        if not more:
            text.expect("]")


def _no_number(said: str) -> None:
    raise damaged(f"{said} is no number")


_DECODER = json.JSONDecoder(parse_constant=_no_number)


class _Text:
    """A window on the text: what is taken is forgotten."""

    def __init__(self, source: Source, most: int) -> None:
        self._source = source
        self._left = most
        self._text = ""
        self._at = 0

    def take(self, mark: str) -> bool:
        """Step over this character if it is next."""
        if self._next() != mark:
            return False
        self._at += 1
        return True

    def expect(self, mark: str) -> None:
        """Step over this character, which must be next."""
        if not self.take(mark):
            raise damaged(f"{mark} is missing" if self._next() else "it ends too early")

    def end(self) -> None:
        """Nothing may follow."""
        if self._next():
            raise damaged("something follows its end")

    def value(self) -> Any:  # noqa: ANN401 - whatever JSON may hold
        """The value that is next."""
        if not self._next():
            raise damaged("it ends too early")
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except JSONDecodeError as error:
                if self._more():
                    continue
                raise damaged("it is no JSON or ends too early") from error
            except RecursionError as error:
                raise damaged(_TOO_DEEP) from error
            except ValueError as error:
                raise damaged("a number is too long") from error
            # A number at the end of the window may go on.
            if end < len(self._text) or not self._more():
                self._at = end
                return value

    def _next(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        """Read on; False at the end."""
        rest = self._text[self._at :]
        if len(rest) > MAX_ENTRY:
            raise damaged(f"it is no JSON, or an entry is longer than {MAX_ENTRY} characters")
        try:
            read = self._source.read(_CHUNK)
        except UnicodeDecodeError as error:
            raise damaged("it is not written in UTF-8") from error
        self._left -= len(read)
        if self._left < 0:
            raise InvalidInputError("file", "is too long")
        self._text, self._at = rest + read, 0
        return bool(read)
