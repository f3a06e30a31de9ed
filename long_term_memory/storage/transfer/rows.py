"""Which rows travel, and how a row of the tables and an entry of the document become each other.

The columns of the tables are the one list: an entry has a field for each that travels.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, create_model, model_validator
from sqlalchemy import Boolean, Column, Float, Integer
from sqlalchemy.types import TypeEngine

from ...domain.words import Extraction, Level
from ...models import EVENT_CONTENT, EVENTS, EVIDENCE, ITEMS, LINKS, PAUSED
from ..columns import As, Instant, Words, from_sqlite, to_sqlite
from .document import Name, Number, Strict, checked

_STAYS = {"id", "retry_at", "lease", "leased_until"}
"""What is of this store alone: row numbers, and who is extracting what at the moment."""
_RENAMED = {"source_role": "role", "session_id": "umo"}
_CONTENT = "content"
"""The column whose parts are fields of their own."""
IMPORTED = "imported"
"""The `last_error` of a message that another store has to read: here it is evidence and talk only."""
MAX_TEXT = 200_000
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9998, 1, 1, tzinfo=UTC)

TABLES = {"events": EVENTS, "items": ITEMS, "evidence": EVIDENCE, "links": LINKS, "paused": PAUSED}
_TRAVEL: Mapping[str, Sequence[Column[Any]]] = {
    section: [column for column in table.c if column.name not in _STAYS] for section, table in TABLES.items()
}
COLUMNS: Mapping[str, Sequence[str]] = {
    section: tuple(column.name for column in columns) for section, columns in _TRAVEL.items()
}


def _in_time(at: datetime) -> datetime:
    if not _FIRST <= at <= _LAST:
        raise ValueError("is no date of this calendar")
    return at


def _says_something(text: str) -> str:
    if not text.strip("\t\n\r "):
        raise ValueError("must say something")
    return text


def _named_level(name: object) -> Level:
    if not isinstance(name, str) or name not in Level.__members__:
        raise ValueError(f"must be one of {', '.join(Level.__members__)}")
    return Level[name]


def _without_nul(text: str) -> str:
    # SQLite ends a text there where it reads a list of ids.
    if "\0" in text:
        raise ValueError("must have no NUL")
    return text


_Id = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_without_nul)]
_Text = Annotated[str, Field(max_length=MAX_TEXT)]
_Said = Annotated[_Text, AfterValidator(_says_something)]
_OF_TYPE: Mapping[type[Any], Any] = {
    Instant: Annotated[AwareDatetime, AfterValidator(_in_time)],
    Words: Name,
    Float: Annotated[float, Field(ge=0, le=1)],
    Integer: Number,
    Boolean: bool,
}
"""What a field may hold, by the type of its column."""
_OF_NAME: Mapping[str, Any] = {
    **dict.fromkeys(("event_id", "memory_id", "evidence_id", "account", "joined_to", "superseded_by"), _Id),
    "level": Annotated[Level, BeforeValidator(_named_level)],
    "fact": _Said,
    "quote": _Said,
    "relationship": _Text,
    "backstory": _Text,
    "evidence_count": Annotated[int, Field(ge=1, le=10**9)],
    "ttl_days": Annotated[int, Field(ge=0, le=10**6)],
    "supersedes": Annotated[list[_Id], Field(max_length=1_000)],
    "tags": Annotated[list[Name], Field(max_length=1_000)],
    "extraction_meta": Annotated[dict[Name, _Text | bool | int | float], Field(max_length=100)],
}
"""Where the type of the column says too little."""
_OF_CONTENT: Mapping[str, Any] = {
    "text": (_Text, ...),
    "tool": (Name, ...),
    "quoted": (_Text, ...),
    "quoted_sender": (Name, ""),  # which documents of before it was kept do not tell
}


class _Entry(Strict):
    @model_validator(mode="after")
    def _not_of_itself(self) -> Self:
        for one, other in (("superseded_by", "memory_id"), ("joined_to", "account")):
            named = getattr(self, one, None)
            if named is not None and named == getattr(self, other):
                raise ValueError(f"{one} names the {other} itself")
        return self


def _of_type(kind: TypeEngine[Any]) -> Any:  # noqa: ANN401 - a type or an annotated one
    return kind.kind if isinstance(kind, As) else _OF_TYPE[type(kind)]


def _model(section: str) -> type[_Entry]:
    fields = dict[str, Any]()
    for column in _TRAVEL[section]:
        if column.name == _CONTENT:
            fields |= _OF_CONTENT
        else:
            holds = _OF_NAME.get(column.name) or _of_type(column.type)
            fields[_RENAMED.get(column.name, column.name)] = (holds | None if column.nullable else holds, ...)
    return create_model(section, __base__=_Entry, **fields)


_MODELS = {section: _model(section) for section in TABLES}


_TO_SQLITE = {section: [*map(to_sqlite, travelling)] for section, travelling in _TRAVEL.items()}
_FROM_SQLITE = {section: [*map(from_sqlite, travelling)] for section, travelling in _TRAVEL.items()}


def row_of(section: str, entry: str, name: str, *, keep_waiting: bool) -> Sequence[object]:
    """The row that an entry stands for, given as JSON. Raises InvalidInputError, which says `name`."""
    values = dict(checked(_MODELS[section], entry, name))
    if values.get("extraction") is Extraction.PENDING and not keep_waiting:
        values |= {"extraction": Extraction.SKIPPED, "last_error": IMPORTED}
    values[_CONTENT] = {key: values.get(key) for key in EVENT_CONTENT}
    told = (values[_RENAMED.get(column, column)] for column in COLUMNS[section])
    return [stored(value) for value, stored in zip(told, _TO_SQLITE[section], strict=True)]


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
