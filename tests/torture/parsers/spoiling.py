"""Ways to spoil JSON: as a value, as text, and as bytes."""

import gzip
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, cast

from hypothesis import strategies as st

type Json = Any
type Draw = st.DrawFn
type Place = tuple[Json, Any]
"""A list or object, and the index or key in it."""

NASTY_WORDS = (
    "", " ", "\0", "\ud800", "\udfff\ud800", "\ufeff", "\u2028", "\u202e", "\x1b[31m", "NaN", "1e999", "null",
    "</think>", "<think>", "```", "K1", "[K2]", "[1]", "user", "deleted", "2025-06-01T12:00:00+00:00",
    "2025-02-30T12:00:00+00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "'; DROP TABLE x",
    "明天", "上周三", "3 days ago", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "e\u0301" * 50, "a" * 121,
    "，" * 501, "x" * 2_001, "用户" * 5_000, "٣", "½", "０.５", "1,000,000", "0x10", "-0", "%s%n", "{0}",
)  # fmt: skip
NASTY_NUMBERS = (
    0, -1, 1, 2, 50, 10**9, 10**15, 10**15 + 1, 2**63, -(2**63), 10**30, 10**400, 0.0, -0.0, 0.5, 1.0000001,
    1e-320, 1e308, -1e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
FRAGMENTS = (
    "[", "]", "{", "}", ",", ":", '"', "\\", "\\u", "\\ud83d", "NaN", "Infinity", "-Infinity", "1e999",
    "-1e999", "9" * 4_000, "9" * 5_000, "0" * 50, "null", "true", "\0", "\ufeff", "\ud800", "/* */", "// x\n",
    "'", "[" * 400, "]" * 400, "{" * 400, '{"a":' * 400, "[1," * 400, ",,", "[]", "{}", "\n```json\n", "```",
    "<think>", "</think>", "<thinking>", "，", "：", "“", "\r\n", "\x85", " " * 2_000, "[" * 900 + "]" * 900,
    "[" * 20_000 + "]" * 20_000, '{"a":' * 900 + "1" + "}" * 900, "[" * 20_000,
)  # fmt: skip
DEEP = (7, 9, 100, 201)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(NASTY_WORDS)
    | st.sampled_from(NASTY_NUMBERS)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


def places(value: Json) -> list[Place]:
    """Everything in it that something else may stand for."""
    found: list[Place] = []
    waiting: list[Json] = [value]
    while waiting:
        here = waiting.pop()
        for key in _keys(here):
            found.append((here, key))
            waiting.append(here[key])
    return found


def _keys(here: Json) -> list[Any]:
    if isinstance(here, dict):
        return list(cast("dict[str, Json]", here))
    return list(range(len(cast("list[Json]", here)))) if isinstance(here, list) else []


def nested(value: Json, depth: int, *, as_list: bool) -> Json:
    """The value so deep in lists or objects."""
    for _ in range(depth):
        value = [value] if as_list else {"a": value}
    return value


def _one[T](draw: Draw, these: Sequence[T]) -> T:
    """One of them: hypothesis would look into each to tell them apart."""
    return these[draw(st.integers(0, len(these) - 1))]


def _replace(draw: Draw, here: Json, key: Any) -> None:
    here[key] = draw(values)


def _drop(_: Draw, here: Json, key: Any) -> None:
    del here[key]


def _twice(_: Draw, here: Json, key: Any) -> None:
    value: Json = here[key]
    if isinstance(here, list):
        cast("list[Json]", here).append(value)
    else:
        here[f"{key}_"] = value


def _deepen(draw: Draw, here: Json, key: Any) -> None:
    here[key] = nested(here[key], draw(st.sampled_from(DEEP)), as_list=draw(st.booleans()))


def _lengthen(draw: Draw, here: Json, key: Any) -> None:
    many = draw(st.sampled_from((2, 60, 1_100)))
    here[key] = [here[key]] * many if isinstance(here[key], dict) else str(here[key]) * many


def _rename(draw: Draw, here: Json, key: Any) -> None:
    if isinstance(here, dict):
        members = cast("dict[str, Json]", here)
        members[draw(st.sampled_from(NASTY_WORDS) | st.text(max_size=8))] = members.pop(key)


def _as_text(_: Draw, here: Json, key: Any) -> None:
    here[key] = str(here[key])


CHANGES: Sequence[Callable[[Draw, Json, Any], None]] = (
    _replace, _replace, _drop, _twice, _deepen, _lengthen, _rename, _as_text,
)  # fmt: skip


@st.composite
def spoilt(draw: Draw, good: st.SearchStrategy[Json], most: int = 3) -> Json:
    """A good value in which up to so many places are no longer good, at times none."""
    value = deepcopy(draw(good))
    for _ in range(draw(st.integers(0, most))):
        if not (there := places(value)):
            break
        if draw(st.integers(0, 4)):  # else of all places alike, most of which are in the longest part
            outermost, name = _one(draw, [place for place in there if place[0] is value])
            there = places(outermost[name]) or there
        here, key = _one(draw, there)
        draw(st.sampled_from(CHANGES))(draw, here, key)
    return value


@st.composite
def marred(draw: Draw, good: st.SearchStrategy[str], most: int = 3) -> str:
    """A text that is cut, or in which something is missing, repeated, moved, inserted or overwritten."""
    text = draw(good)
    for _ in range(draw(st.integers(0, most))):
        start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        fragment = draw(st.sampled_from(FRAGMENTS) | st.text(max_size=5))
        text = _one(
            draw,
            (
                text[:start],
                text[end:],
                text[:start] + text[end:],
                text[:start] + fragment + text[start:],
                text[:start] + fragment + text[end:],
                text[:end] + text[start:],
                text[end:] + text[:start],
            ),
        )
    return text


def bytes_of(text: str) -> bytes:
    """As UTF-8; half characters are written as they are, which is none."""
    return text.encode("utf-8", "surrogatepass")


@st.composite
def damaged(draw: Draw, good: st.SearchStrategy[bytes], most: int = 3) -> bytes:
    """Bytes of which some are others, gone, repeated or too many; packed at times, before or after."""
    data = draw(good)
    for _ in range(draw(st.integers(0, most))):
        at = draw(st.integers(0, len(data)))
        some = draw(
            st.binary(max_size=4) | st.sampled_from((b"\xff\xfe", b"\xef\xbb\xbf", b"\x1f\x8b", b"\xc0\x80"))
        )
        data = _one(
            draw,
            (
                data[:at] + some + data[at + len(some) :],
                data[:at] + some + data[at:],
                data[:at],
                data[:at] + data[at:] * 2,
                some + data,
                gzip.compress(data, 1, mtime=0),
            ),
        )
    return data
