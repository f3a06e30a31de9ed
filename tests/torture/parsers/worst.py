"""The worst that may come, by its name: what is endless, deep, or small only for as long as it is packed."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from tests.torture.form import either
from tests.torture.parsers.answers import FACTS

MILLION = 10**6
LONG_TEXT = either(6, 60) * MILLION
BOMB = either(32, 2_048) * 2**20
"""Bytes that a bomb unpacks to; the long form's is longer than any document may be."""
_ONE = json.dumps(FACTS[0])

ANSWERS: Mapping[str, str] = {
    "a million brackets": "[" * MILLION,
    "a million braces": '{"a":' * MILLION,
    "lists that are all shut": "[" * 30_000 + "]" * 30_000,
    "lists that nobody shuts": "[" * 400 + "1," * 29_800,
    "objects that nobody shuts": '{"a":[' * 399 + "0," * 28_000,
    "texts that nobody shuts": "[1," * 400 + '"' + "a" * 58_000,
    "many empty facts": json.dumps([{}] * 20_000),
    "many things that are none": "[1] " * 15_000,
    "many labels": f'[{{"type": "profile", "fact": "x y", "evidence": {json.dumps(["9" * 90] * 600)}}}]',
    "one long text": f'[{{"type": "profile", "fact": "{"a" * LONG_TEXT}"}}]',
    "one long thought": f"<think>{'hm ' * (LONG_TEXT // 3)}</think>[{_ONE}]",
    "many thoughts": "<think></think>" * (LONG_TEXT // 15),
    "many ends of thoughts": "</think>" * (LONG_TEXT // 8),
    "many numbers": f"[{'1' * 4_000}{',' + '9' * 4_000}]" * 12,
    "quotes that nobody shuts": "['" + ", '" * 20_000,
    "quotes that end again and again": "['" + "' :" * 20_000,
    "comments without end": "[" + ",//" * 20_000,
    "curly quotes in vain": "[“" + "”: “" * 15_000,
    "lists in quotes": json.dumps(["[" * 100] * 500),
    "commas and white space": "[" + (", " * 200 + "]") * 150,
}
"""What a model may answer."""


def _repeated(path: Path, begin: bytes, part: bytes, size: int, *, packed: bool) -> int:
    """A file that begins so and goes on with one thing, for about so many bytes."""
    block = part * max(1, min(size, 2**20) // len(part))
    with gzip.open(path, "wb", compresslevel=1) if packed else path.open("wb") as file:
        file.write(begin)
        for _ in range(size // len(block)):
            file.write(block)
    return size


def _names(path: Path, length: int) -> int:
    """A file of members alone, each with another name of so many characters."""
    names = (f'"{number:0{length}}":1,' for number in range(LONG_TEXT // 4 // (length + 4)))
    return path.write_text("{" + "".join(names), "ascii")


_bomb = partial(_repeated, size=BOMB, packed=True)
_plain = partial(_repeated, size=LONG_TEXT, packed=False)
DOCUMENTS: Mapping[str, Callable[[Path], int]] = {
    "a bomb of spaces": partial(_bomb, begin=b"{", part=b" "),
    "a bomb of one text": partial(_bomb, begin=b'{"items":["', part=b"a"),
    "a bomb of brackets": partial(_bomb, begin=b'{"links":', part=b"["),
    "a bomb of links": partial(_bomb, begin=b'{"links":[1', part=b",[]"),
    "links without end": partial(_plain, begin=b'{"links":[1', part=b",[]", size=310_000),
    "messages without end": partial(
        _plain, begin=b'{"events":[1', part=b',{"a":1}', size=either(200_000, 4_100_000)
    ),
    "a million brackets": partial(_plain, begin=b"", part=b"[", size=MILLION),
    "one long text": partial(_plain, begin=b'{"items":["', part=b"a"),
    "one long name": partial(_plain, begin=b'{"', part=b"a"),
    "one long number": partial(_plain, begin=b'{"items":[', part=b"9"),
    "long names": partial(_names, length=200_000),
    "many names": partial(_names, length=20),
}
"""What may be uploaded: each writes itself to a path and says how long it is, unpacked."""


def written(folder: Path, only: str = "") -> Iterator[tuple[str, Path, int]]:
    """Each of these as a file, which goes before the next one comes, and its length.

    `only` is how the names of those begin that are wanted.
    """
    for name in (name for name in DOCUMENTS if name.startswith(only)):
        path = folder / "worst"
        size = DOCUMENTS[name](path)
        yield name, path, size
        path.unlink()
