"""Which rows travel, and how a row of the tables and an entry of the document become each other.

The columns of the tables are the one list: an entry has a field for each that travels. An entry is checked
for its fields, their types and what would break later; what else a row must be the tables themselves enforce.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BeforeValidator, ConfigDict, Field, TypeAdapter, create_model
from sqlalchemy import Boolean, Column, Float, Integer

from ...domain.enums import Extraction, Level
from ...models import EVENT_CONTENT, EVENTS, EVIDENCE, ITEMS, LINKS, PAUSED
from ..columns import As, Instant, StorableText, from_sqlite, to_sqlite
from .document import checked, damaged

_STAYS = {"id", "retry_at", "lease", "leased_until"}
"""What is of this store alone: row numbers, and who is extracting what at the moment."""
_RENAMED = {"source_role": "role", "session_id": "umo"}
_CONTENT = "content"
"""The column whose parts are fields of their own."""
IMPORTED = "imported"
"""The `last_error` of a message that another store has to read: here it is evidence and talk only."""

TABLES = {"events": EVENTS, "items": ITEMS, "evidence": EVIDENCE, "links": LINKS, "paused": PAUSED}
_TRAVEL: Mapping[str, Sequence[Column[Any]]] = {
    section: [column for column in table.c if column.name not in _STAYS] for section, table in TABLES.items()
}
COLUMNS: Mapping[str, Sequence[str]] = {
    section: tuple(column.name for column in columns) for section, columns in _TRAVEL.items()
}


_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9998, 1, 1, tzinfo=UTC)
_Id = Annotated[str, Field(pattern=r"^[^\x00]+$")]
"""SQLite ends a text at a NUL where it reads a list of ids."""
_OF_TYPE: Mapping[type[Any], Any] = {
    Instant: Annotated[AwareDatetime, Field(ge=_FIRST, le=_LAST)],
    StorableText: str,
    Float: float,
    Integer: Annotated[int, Field(ge=0, le=10**15)],
    Boolean: bool,
}
"""What a field may hold, by the type of its column."""
_OF_NAME: Mapping[str, Any] = {
    **dict.fromkeys(("event_id", "memory_id", "evidence_id", "account", "joined_to", "superseded_by"), _Id),
    "ttl_days": Annotated[int, Field(ge=0, le=10**6)],
    "level": Annotated[Level, BeforeValidator(Level.named)],
    "supersedes": list[_Id],
    "tags": list[str],
    "extraction_meta": dict[str, str | bool | int | float],
}
_STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


def _model(section: str) -> TypeAdapter[Any]:
    fields = dict[str, Any]()
    for column in _TRAVEL[section]:
        of = column.type
        holds: Any = _OF_NAME.get(column.name) or (of.kind if isinstance(of, As) else _OF_TYPE.get(type(of)))
        fields[_RENAMED.get(column.name, column.name)] = (holds | None if column.nullable else holds, ...)
    if fields.pop(_CONTENT, None):
        fields |= dict.fromkeys(EVENT_CONTENT, (str, ...))
        fields["quoted_sender"] = (str, "")  # which documents of before it was kept do not tell
    return TypeAdapter(create_model(section, __config__=_STRICT, **fields))


_MODELS = {section: _model(section) for section in TABLES}
_TO_SQLITE = {section: [*map(to_sqlite, travelling)] for section, travelling in _TRAVEL.items()}
_FROM_SQLITE = {section: [*map(from_sqlite, travelling)] for section, travelling in _TRAVEL.items()}


def row_of(section: str, entry: str, name: str, *, keep_waiting: bool) -> Sequence[object]:
    """The row that an entry stands for, given as JSON. Raises InvalidInputError, which says `name`."""
    values = dict(checked(_MODELS[section], entry, name))
    if values.get("superseded_by", "") == values.get("memory_id"):
        raise damaged(f"{name} supersedes itself")
    if values.get("extraction") is Extraction.PENDING and not keep_waiting:
        values |= {"extraction": Extraction.SKIPPED, "last_error": IMPORTED}
    values[_CONTENT] = {key: values.get(key) for key in EVENT_CONTENT}
    ordered = (values[_RENAMED.get(column, column)] for column in COLUMNS[section])
    return [stored(value) for value, stored in zip(ordered, _TO_SQLITE[section], strict=True)]


def entry_of(section: str, row: Sequence[Any]) -> dict[str, Any]:
    """The entry of the document that holds this row of a table."""
    entry: dict[str, Any] = {}
    for column, value, read in zip(COLUMNS[section], row, _FROM_SQLITE[section], strict=True):
        held = read(value)
        if isinstance(held, datetime):
            held = held.isoformat(timespec="microseconds")
        entry[_RENAMED.get(column, column)] = held
    if "level" in entry:
        entry["level"] = entry["level"].name
    content = entry.pop(_CONTENT, None)
    if content is not None:
        entry |= {key: content.get(key, "") for key in EVENT_CONTENT}
    return entry
