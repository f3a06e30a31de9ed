"""What the tables are made of: columns whose values come back as they went in, and checks."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, DateTime, Dialect, ForeignKey, Text, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field


def storable(said: str) -> str:
    """The text with lone surrogates as `?`: some chat clients send them, and UTF-8 cannot hold them."""
    return said.encode("utf-8", "replace").decode("utf-8")


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


# What SQLModel's own Field returns is Any: it stands for a default of whatever type the attribute has.


def words(*, unique: bool = False, refers: ForeignKey | None = None) -> Any:  # noqa: ANN401 - see above
    """Text that must be given."""
    return Field(sa_type=Words, unique=unique, sa_column_args=() if refers is None else (refers,))


def optional_words() -> Any:  # noqa: ANN401 - see above
    """Text that is empty when there is nothing to say; never NULL, which would escape a unique index."""
    return Field(default="", sa_type=Words, sa_column_kwargs={"server_default": ""})


def instant() -> Any:  # noqa: ANN401 - see above
    """An instant that must be given."""
    return Field(sa_type=Instant)


def optional_instant() -> Any:  # noqa: ANN401 - see above
    """An instant or NULL."""
    return Field(default=None, sa_type=Instant, nullable=True)


def as_json(empty: str) -> Any:  # noqa: ANN401 - see above
    """A JSON value; `empty` is the JSON text of none."""
    return Field(sa_type=JSON, sa_column_kwargs={"server_default": empty})


def number(default: int) -> Any:  # noqa: ANN401 - see above
    """A whole number that starts at `default`."""
    return Field(default=default, sa_column_kwargs={"server_default": str(default)})


def flag() -> Any:  # noqa: ANN401 - see above
    """A flag that starts as false."""
    return Field(default=False, sa_column_kwargs={"server_default": text("0")})


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
