"""JSON as models write it: found in what stands around it, and mended where it is nearly JSON.

Every step takes a time that grows with the text alone: texts are hostile at times, and endless.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from pydantic import ValidationError

MAX_THOUGHT = 2_000_000
"""Characters in which the end of what a model thought aloud is looked for."""
MAX_DEPTH = 8
"""How deep in lists and objects something is looked for."""
_MAX_TRIED = 480_000
"""Characters that are tried in vain, in all: brackets that nobody shuts have the rest read once for each."""
_MAX_TRIES = 400
"""Places in a text where JSON is tried, so that a hostile answer costs little."""

_DECODER = json.JSONDecoder(strict=False)
"""Takes line breaks and tabs in a string as they stand."""
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_BRACKET = re.compile(r"[\[{]")

_OPENING = re.compile(r"(?<=[\[{,:［｛，：])\s*+(?P<quote>[\"'“”„‘’＂])")
_NEXT = r"(?:[\"'“”„‘’＂\[{\]}［］｛｝\d-]|(?:null|true|false|None|True|False)\b)"
_ENDS = rf"(?=\s*+(?:[\]}}:］｝：]|[,，]\s*+{_NEXT}|\Z))"
_CLOSING = {
    quotes: re.compile(rf"(?<!\\)(?:\\\\)*+[{quotes}]{_ENDS}|\n") for quotes in ('"', "'", "“”„＂", "‘’")
}
"""Each way to quote, and where that ends: what follows shows it, for there may be quotes inside.

It ends in its line, or what opens it may stand in the prose above the answer.
"""
_ESCAPE = re.compile(
    r"(?P<valid>\\(?:[\"\\/bfnrt]|u[0-9a-f]{4}))|\\(?P<other>.?)|\"", re.DOTALL | re.IGNORECASE
)
_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_PYTHON = {"None": "null", "True": "true", "False": "false"}
_PYTHON_WORD = re.compile(rf"\b(?:{'|'.join(_PYTHON)})\b")
_WIDE = str.maketrans("［］｛｝，：", "[]{},:")


class Value(NamedTuple):
    """A list or object that was read."""

    value: object
    alone: bool
    """Whether it surely is no part of something that could not be read."""


class Reading(NamedTuple):
    """What a text holds."""

    values: list[Value]
    broken: bool
    """Whether something in it looks like a list or an object and cannot be read."""


def readings(answer: str, limit: int) -> Iterator[Reading]:
    """What a model's answer holds, its first `limit` characters that are no thought.

    Read as it stands, and where that leaves something out, once more as far as it can be mended.
    """
    text = _THOUGHT_END.split(_THOUGHT.sub(" ", answer[:MAX_THOUGHT]))[-1][:limit]
    reading = _read(text)
    yield reading
    if reading.broken or not reading.values:
        yield _read(mended(text))


def objects_with(field: str, value: object, depth: int = 0) -> Iterator[Mapping[str, object]]:
    """The outermost objects with this field in a value, at most `MAX_DEPTH` deep."""
    members = cast("Mapping[str, object] | Sequence[object] | None", value)
    if isinstance(members, dict) and field in members:
        yield members
    elif isinstance(members, dict | list) and depth < MAX_DEPTH:
        for member in members.values() if isinstance(members, dict) else members:
            yield from objects_with(field, member, depth + 1)


def rejection(error: ValidationError) -> str:
    """The field that an object does not fit its schema by, and what is wrong with it; never what it holds."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = str(first["loc"][0]) if first["loc"] else "element"
    return f"{field}: {first['type']}"


def mended(text: str) -> str:
    """The text with its quotes, signs and words turned into those of JSON, as far as can be seen.

    Curly and single quotes, quotes inside of quotes, wide signs, Python's words, commas before a closing
    bracket and escapes that JSON does not know. What is in quotes stays as it was said.
    """
    closing = {quotes: [end.end() - 1 for end in ends.finditer(text)] for quotes, ends in _CLOSING.items()}
    parts = list[str]()
    done = at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        ends = next(ends for quotes, ends in closing.items() if opening["quote"] in quotes)
        nearest = bisect_left(ends, at)
        if nearest < len(ends) and text[ends[nearest]] != "\n":
            parts.append(_outside(text[done : at - 1]))
            parts.append(f'"{_ESCAPE.sub(_escaped, text[at : ends[nearest]])}"')
            done = at = ends[nearest] + 1
    return "".join((*parts, _outside(text[done:])))


def _read(text: str) -> Reading:
    """Read each list or object in a text, outermost first; where one is broken, those inside it."""
    values: list[Value] = []
    broken = False
    at = tried = 0
    for _ in range(_MAX_TRIES):
        start = _BRACKET.search(text, at)
        if start is None or tried > _MAX_TRIED:
            break
        try:
            value, at = cast("tuple[object, int]", _DECODER.raw_decode(text, start.start()))
        except (ValueError, RecursionError) as error:
            at, broken = start.end(), True
            read_to = error.pos if isinstance(error, json.JSONDecodeError) else len(text)
            tried += read_to - start.start()
        else:
            values.append(Value(value=value, alone=not broken or _is_alone(text, start.start(), at)))
    return Reading(values=values, broken=broken)


def _outside(text: str) -> str:
    text = _TRAILING_COMMA.sub(r"\1", text.translate(_WIDE))
    return _PYTHON_WORD.sub(lambda word: _PYTHON[word[0]], text)


def _escaped(found: re.Match[str]) -> str:
    return found["other"] if found["other"] is not None else found["valid"] or '\\"'


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether what is before it is all shut, and there is nothing more in brackets after it."""
    before = text[:start]
    shut = before.count("[") == before.count("]") and before.count("{") == before.count("}")
    return shut and not _BRACKET.search(text, end)
