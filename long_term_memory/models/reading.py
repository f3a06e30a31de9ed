"""What reading works with and leaves behind: vectors, links between accounts, recalls."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field

from ..domain.words import (
    Scope,
)
from ..storage.columns import (
    Words,
    a_level,
    as_json,
    flag,
    instant,
    one_of,
    optional_words,
    words,
)
from .base import Base, to_item


class VectorRow(Base, table=True):
    """A unit vector of an item under one embedding model: little-endian float32.

    There are two: of the fact with the words it rests on, which is what is recalled by, and of the fact alone
    (`policies/embedded.py`).
    """

    __tablename__ = "ltm_vectors"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        UniqueConstraint("memory_id", "model_id", name="ltm_vectors_once"),
        CheckConstraint("dimension > 0 AND length(vector) = 4 * dimension", name="ltm_dimension"),
        Index("ltm_vectors_model", "model_id", "dimension"),
    )

    id: int | None = Field(default=None, primary_key=True)
    memory_id: str = words(refers=to_item())
    model_id: str = words()
    dimension: int
    vector: bytes = Field(sa_type=LargeBinary)
    created_at: datetime = instant()


class NamespaceRow(Base, table=True):
    """How often the vectors of a scope have changed, kept by triggers; rows are never removed."""

    __tablename__ = "ltm_namespaces"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it

    scope: str = Field(sa_type=Words, primary_key=True)
    scope_id: str = Field(sa_type=Words, primary_key=True)
    version: int


class RecallRow(Base, table=True):
    """What was recalled for one request, and why the rest was not."""

    __tablename__ = "ltm_recalls"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        one_of("owner_scope", Scope),
        a_level(),
        Index("ltm_recalls_owner", "owner_scope", "owner_scope_id", "created_at"),
        Index("ltm_recalls_age", "created_at"),
        Index("ltm_recalls_chat", "session_id", "owner_scope", "owner_scope_id", "created_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    recall_id: str = words(unique=True)
    owner_scope: str = words()
    owner_scope_id: str = words()
    session_id: str = optional_words()
    conversation_id: str = optional_words()
    level: int
    query: str = optional_words()
    injected: list[dict[str, Any]] = as_json("[]")
    omitted: list[dict[str, Any]] = as_json("[]")
    vectors: bool = flag()
    created_at: datetime = instant()
    reason: str = optional_words()
    """Why nothing was recalled, or why vectors took no part."""


class EventVectorRow(Base, table=True):
    """The unit vector of an event's text under one embedding model: little-endian float32."""

    __tablename__ = "ltm_event_vectors"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        UniqueConstraint("event_id", "model_id", name="ltm_event_vectors_once"),
        CheckConstraint("dimension > 0 AND length(vector) = 4 * dimension", name="ltm_dimension"),
        Index("ltm_event_vectors_model", "model_id", "dimension"),
    )

    id: int | None = Field(default=None, primary_key=True)
    event_id: str = words(refers=ForeignKey("ltm_events.event_id", ondelete="CASCADE"))
    model_id: str = words()
    dimension: int
    vector: bytes = Field(sa_type=LargeBinary)
    created_at: datetime = instant()


class LinkRow(Base, table=True):
    """An account that its owner has joined to another of theirs."""

    __tablename__ = "ltm_links"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it

    account: str = Field(sa_type=Words, primary_key=True)
    joined_to: str = words()
    created_at: datetime = instant()
