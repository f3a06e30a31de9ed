"""Which files this process writes or removes, wherever they lie: those that Python itself does it to.

What SQLite opens is told by the name that it is given.
"""

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PLACES = {
    "os.mkdir": 0,
    "os.rename": 1,
    "os.link": 1,
    "os.symlink": 1,
    "os.truncate": 0,
    "os.remove": 0,
    "os.rmdir": 0,
    "sqlite3.connect": 0,
}
"""The argument of an event that names what is written or removed."""

_heard: set[Path] | None = None


def _hear(event: str, arguments: Sequence[object]) -> None:
    """Note a file that is to be written; nothing while nobody watches."""
    if _heard is None:
        return
    if event == "open":
        name, _, flags = arguments
        if not (isinstance(flags, int) and flags & _WRITES):
            return
    elif event in _PLACES:
        name = arguments[_PLACES[event]]
    else:
        return
    if not isinstance(name, int) and name != ":memory:":
        _heard.add(_place(os.fsdecode(cast("str | bytes | os.PathLike[str]", name))))


def _place(name: str) -> Path:
    """Where that is; a link leads to what it is of."""
    return Path(unquote(urlsplit(name).path) if name.startswith("file:") else name).resolve()


@cache
def _listen() -> None:
    """Once in a process: what listens cannot be taken away, only made deaf."""
    sys.addaudithook(_hear)


@contextmanager
def watched() -> Generator[set[Path]]:
    """All that is written or removed until the block ends."""
    global _heard  # noqa: PLW0603  one listens in a process
    _listen()
    caches, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # a module may be imported meanwhile
    heard: set[Path] = set()
    _heard = heard
    try:
        yield heard
    finally:
        _heard, sys.dont_write_bytecode = None, caches


def outside(paths: set[Path], folder: Path) -> list[str]:
    """Those that do not lie in this folder."""
    return sorted(str(path) for path in paths if not path.is_relative_to(folder.resolve()))
