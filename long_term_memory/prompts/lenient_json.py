"""JSON as models write it, found in what stands around it; of what is broken the parts that can be read.

Every step takes a time that grows with the text alone: texts are hostile at times, and endless.
"""

import json
import re
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


class Value(NamedTuple):
    """A list or object that was read."""

    value: object
    alone: bool
    """Whether it surely is no part of something that could not be read."""


class Reading(NamedTuple):
    """What a text holds."""

    values: Sequence[Value]
    broken: bool
    """Whether something in it looks like a list or an object and cannot be read."""


def read(answer: str, limit: int) -> Reading:
    """What a model's answer holds, its first `limit` characters that are no thought.

    Each list or object, outermost first; where one is broken, those inside it.
    """
    text = _THOUGHT_END.split(_THOUGHT.sub(" ", answer[:MAX_THOUGHT]))[-1][:limit]
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


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether what is before it is all shut, and there is nothing more in brackets after it."""
    before = text[:start]
    shut = before.count("[") == before.count("]") and before.count("{") == before.count("}")
    return shut and not _BRACKET.search(text, end)
