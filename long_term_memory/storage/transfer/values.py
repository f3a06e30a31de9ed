"""Values of the tables as the document has them, and back."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from ...domain.words import Level
from ...models.memory import EVENT_CONTENT

_AS_IT_IS = frozenset({str, int, float, type(None)})


def stored(value: object) -> object:
    """A value as SQLite keeps it."""
    if type(value) in _AS_IT_IS:
        return value
    match value:
        case datetime():
            return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
        case Level() | bool():
            return int(value)
        case Enum():
            return str(value.value)
        case dict() | list():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return value


def _instant(at: str | None) -> str | None:
    """As in 2026-01-31T12:00:00.000000+00:00; the tables keep UTC without saying so."""
    return None if at is None else f"{at.replace(' ', 'T')}+00:00"


def _level(level: int) -> str:
    return Level(level).name


_TOLD: Mapping[str, Callable[[Any], object]] = {
    "level": _level,
    "urgent": bool,
    "supersedes": json.loads,
    "tags": json.loads,
    "extraction_meta": json.loads,
    "content": json.loads,
    **dict.fromkeys(
        (
            "created_at",
            "updated_at",
            "last_confirmed_at",
            "last_accessed_at",
            "expires_at",
            "deleted_at",
        ),
        _instant,
    ),
}
_RENAMED: Mapping[str, str] = {"source_role": "role", "session_id": "umo"}


def told(columns: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    """The entry of the document that holds this row of a table."""
    entry: dict[str, Any] = {}
    for column, value in zip(columns, row, strict=True):
        entry[_RENAMED.get(column, column)] = _TOLD[column](value) if column in _TOLD else value
    content = entry.pop("content", None)
    if content is not None:
        entry |= {key: content.get(key, "") for key in EVENT_CONTENT}
    return entry
