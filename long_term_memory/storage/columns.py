"""What the tables are made of: columns whose values come back as they went in, and checks."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    DateTime,
    Dialect,
    Integer,
    Text,
    TextClause,
    and_,
    false,
    or_,
    text,
)
from sqlalchemy.sql.base import ReadOnlyColumnCollection
from sqlalchemy.types import TypeDecorator, TypeEngine

from ..domain.chat import ScopeRef
from ..domain.words import Scope

type Columns = ReadOnlyColumnCollection[str, Column[Any]]
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

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Bring it to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Say that it is UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


class Words(TypeDecorator[str]):
    """Text of any length that takes whatever a chat client sends."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Make it storable."""
        return None if value is None else storable(value)


def columns(
    kind: type[TypeEngine[Any]],
    *names: str,
    nullable: bool = False,
    server_default: str | TextClause | None = None,
    unique: bool | None = None,
    primary_key: bool = False,
) -> list[Column[Any]]:
    """Columns of one kind, one after the other."""
    return [
        Column(
            name,
            kind,
            nullable=nullable,
            server_default=server_default,
            unique=unique,
            primary_key=primary_key,
        )
        for name in names
    ]


words = partial(columns, Words)
"""Text that must be given."""
texts = partial(columns, Words, server_default="")
"""Text that is empty when there is nothing to say; never NULL, which would escape a unique index."""
instants = partial(columns, Instant)
optional_instants = partial(columns, Instant, nullable=True)
counts = partial(columns, Integer, server_default="0")
flags = partial(columns, Boolean, server_default=text("0"))
lists = partial(columns, JSON, server_default="[]")
objects = partial(columns, JSON, server_default="{}")


NO_KINDS: Mapping[str, Callable[[Any], object]] = {}


def values_in(
    row: Mapping[Any, Any], names: Iterable[str], kinds: Mapping[str, Callable[[Any], object]] = NO_KINDS
) -> dict[str, Any]:
    """What a row holds in these columns, some of them as what the domain has for it."""
    return {name: kinds[name](row[name]) if name in kinds else row[name] for name in names}


def scope_in(row: Mapping[Any, Any], prefix: str = "") -> ScopeRef:
    """The scope that a row holds in `scope` and `scope_id`, or in the columns with this prefix."""
    return ScopeRef(scope=Scope(row[f"{prefix}scope"]), scope_id=row[f"{prefix}scope_id"])


def in_scopes(of: Columns, refs: Iterable[ScopeRef], prefix: str = "") -> ColumnElement[bool]:
    """Rows that hold one of these scopes there; none when there are no scopes."""
    scope, scope_id = of[f"{prefix}scope"], of[f"{prefix}scope_id"]
    return or_(false(), *(and_(scope == ref.scope, scope_id == ref.scope_id) for ref in refs))


def quoted(values: Iterable[str]) -> str:
    """The values as a list in SQL; for vocabularies only."""
    return ", ".join(f"'{value}'" for value in values)


def one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    """The column holds one of these."""
    return CheckConstraint(f"{column} IN ({quoted(values)})", name=f"ltm_{column}")


def share(column: str) -> CheckConstraint:
    """The column holds a number in 0..1."""
    return CheckConstraint(f"{column} BETWEEN 0 AND 1", name=f"ltm_{column}")


def not_blank(column: str) -> CheckConstraint:
    """The column says something: more than tabs, line ends and spaces."""
    return CheckConstraint(f"trim({column}, char(9, 10, 13, 32)) <> ''", name=f"ltm_{column}")


def a_level() -> CheckConstraint:
    """The column `level` holds one of the four."""
    return CheckConstraint("level BETWEEN 1 AND 4", name="ltm_level")
