"""What a source gives of one sight: one document per visible row, column by column."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection

from ...domain.chat import ScopeRef

type Row = tuple[Any, ...]
"""A row as the driver gives it: nothing is made of its texts until somebody takes it."""

NEVER = 2**63 - 1
"""The moment that does not come."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Field(IntEnum):
    """The searched texts of a document."""

    TEXT = 0
    """What it states."""
    QUOTES = 1
    """The words it rests on, as far as this sight may show them."""
    NAMES = 2
    """Whom it is about."""
    ANSWERS = 3
    """The words in which a person asks for what it answers; stands last, for not all questions count it."""


def moment(at: datetime) -> int:
    """Microseconds since 1970, exactly."""
    return (at - _EPOCH) // _MICROSECOND


class Sight(Hashable, Protocol):
    """What somebody may see of one scope: the key of a slice."""

    @property
    def ref(self) -> ScopeRef:
        """The scope."""
        ...


class Version(NamedTuple):
    """Which fact a document is a version of, and its place among the versions."""

    identity: Hashable
    precedence: tuple[Any, ...]
    """The highest counts."""


@dataclass(frozen=True, kw_only=True)
class Documents:
    """Rows and what is searched and ranked of them, all of one length but for what may be left out."""

    ids: Sequence[int]
    """Of the rows that were read (`Change.row_id`)."""
    rows: Sequence[Row]
    texts: Sequence[Sequence[str]]
    """For each `Field` the text of each document."""
    kinds: Sequence[int]
    """The place of its type in `read.signals.KINDS`."""
    importance: Sequence[float]
    said: Sequence[int]
    """As `moment` gives it, like the next two."""
    confirmed: Sequence[int]
    expires: Sequence[int]
    identities: Sequence[int]
    """The hash of each document's `Version.identity`."""
    vectors: Sequence[tuple[int, bytes]] = ()
    """Place of a document and its unit vector, little-endian float32."""
    answers: Sequence[int] = ()
    """The hash of what each document answers (`read.signals.Visible.answers`); none where none does."""
    threads: Sequence[int] = ()
    """The hash of the talk each document is part of; none where documents are no talk."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be loaded."""

    now: datetime
    model_id: str | None
    """Whose vectors come along; None: of no model."""
    only: Collection[int] | None
    """Ids of documents to look at again; None: all there are."""


class Source[S: Sight, T](Protocol):
    """A kind of documents: where they come from and what they are."""

    tables: frozenset[str]
    """Whose changes name a document by its row and scope."""

    def load(self, connection: Connection, sight: S, wanted: Wanted) -> Documents:
        """What this sight sees now, through the choke point, oldest first."""
        ...

    def make(self, row: Row) -> T:
        """What a row holds."""
        ...

    def version(self, row: Row) -> Version:
        """Which version of what it is."""
        ...
