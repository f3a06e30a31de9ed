"""What the tables are made of: columns whose values come back as they went in."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.base import ReadOnlyColumnCollection
from sqlalchemy.types import TypeDecorator, TypeEngine

from ..domain.chat import ScopeRef

type Processor = Callable[[Any], Any]
type Columns = ReadOnlyColumnCollection[str, sa.Column[Any]]
"""Those of a table, or of the same under another name."""


def storable(said: str) -> str:
    """The text with lone surrogates as `?`: some chat clients send them, and UTF-8 cannot hold them."""
    return said.encode("utf-8", "replace").decode("utf-8")


def readable_json(value: object) -> str:
    """JSON as the tables keep it: readable by people, too."""
    return storable(json.dumps(value, ensure_ascii=False))


class Instant(TypeDecorator[datetime]):
    """An aware instant, stored as UTC text of constant width, so that it sorts as time does.

    A naive value is refused with ValueError: nobody can tell which instant it means.
    """

    impl = sa.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Bring it to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Say that it is UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


class StorableText(TypeDecorator[str]):
    """Text of any length that takes whatever a chat client sends."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Make it storable."""
        return None if value is None else storable(value)


class As(TypeDecorator[Any]):
    """Values that come back as what the domain has for them."""

    impl = sa.Text
    cache_ok = True

    def __init__(self, stored: TypeEngine[Any], kind: Callable[[Any], object]) -> None:
        """`stored` is how the table holds them, `kind` makes them of that."""
        super().__init__()
        self.stored = stored
        self.kind = kind

    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[Any]:
        """As it is stored."""
        return dialect.type_descriptor(self.stored)

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> object:  # noqa: ANN401, ARG002 - SQLAlchemy's signature
        """Make it what it stands for."""
        return None if value is None else self.kind(value)


def quoted(values: Iterable[str]) -> str:
    """The values as a list in SQL; for vocabularies only."""
    return ", ".join(f"'{value}'" for value in values)


def values_in(row: Mapping[Any, Any], names: Iterable[str]) -> dict[str, Any]:
    """What a row holds in these columns."""
    return {name: row[name] for name in names}


_DIALECT = sqlite.dialect(json_serializer=readable_json)


def to_sqlite(column: sa.Column[Any] | sa.BindParameter[Any]) -> Processor:
    """How a value of this column or parameter becomes what SQLite holds."""
    return column.type.dialect_impl(_DIALECT).bind_processor(_DIALECT) or (lambda value: value)


def from_sqlite(column: sa.Column[Any]) -> Processor:
    """How a value of this column is made of what SQLite holds."""
    return column.type.dialect_impl(_DIALECT).result_processor(_DIALECT, None) or (lambda value: value)


class Ready:
    """A query, compiled once: SQLAlchemy's way to its rows takes longer than SQLite's."""

    def __init__(self, query: sa.Select[*tuple[Any, ...]]) -> None:
        compiled: Any = query.compile(dialect=_DIALECT)
        self.sql: str = compiled.string
        places: list[str] = compiled.positiontup
        processors = {name: to_sqlite(compiled.binds[name]) for name in places}
        fixed = {name: process(compiled.params[name]) for name, process in processors.items()}
        self._bound = [(name, processors[name], fixed[name]) for name in places]

    def values(self, parameters: Mapping[str, object]) -> tuple[Any, ...]:
        """What the driver is given with the SQL."""
        return tuple(
            to_sqlite(parameters[name]) if name in parameters else value
            for name, to_sqlite, value in self._bound
        )


def scope_in(row: Mapping[Any, Any], prefix: str = "") -> ScopeRef:
    """The scope that a row holds in `scope` and `scope_id`, or in the columns with this prefix."""
    return ScopeRef(scope=row[f"{prefix}scope"], scope_id=row[f"{prefix}scope_id"])


def in_scopes(of: Columns, refs: Iterable[ScopeRef], prefix: str = "") -> sa.ColumnElement[bool]:
    """Rows that hold one of these scopes there; none when there are no scopes."""
    scope, scope_id = of[f"{prefix}scope"], of[f"{prefix}scope_id"]
    return sa.or_(sa.false(), *(sa.and_(scope == ref.scope, scope_id == ref.scope_id) for ref in refs))
