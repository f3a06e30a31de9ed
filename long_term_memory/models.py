"""The tables (design 4), on a registry of their own so that the host can reload the plugin.

They mirror what `migrations/` creates; a test holds the two equal. Full-text index and triggers are SQL and
stand in the migrations only.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, MetaData, UniqueConstraint, text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from .domain.words import (
    LIVE_STATUSES,
    Audience,
    Extraction,
    MemoryType,
    Origin,
    Role,
    Scope,
    SourceType,
    Status,
)
from .storage.columns import (
    Words,
    a_level,
    as_json,
    flag,
    instant,
    not_blank,
    number,
    one_of,
    optional_instant,
    optional_words,
    quoted,
    share,
    words,
)


class Base(SQLModel, registry=registry(metadata=MetaData())):
    """The root of every table here."""


def _to_item(*, ondelete: str | None = None) -> ForeignKey:
    """Checked at the commit, because evidence goes in before its item."""
    return ForeignKey("ltm_items.memory_id", ondelete=ondelete, deferrable=True, initially="DEFERRED")


class EventRow(Base, table=True):
    """One raw thing that happened."""

    __tablename__ = "ltm_events"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        one_of("scope", Scope),
        one_of("owner_scope", Scope),
        one_of("source_type", SourceType),
        one_of("source_role", Role),
        one_of("extraction", Extraction),
        a_level(),
        CheckConstraint("attempts >= 0", name="ltm_attempts"),
        Index("ltm_events_queue", "extraction", "session_id", "created_at"),
        Index("ltm_events_owner", "owner_scope", "owner_scope_id", "created_at"),
        Index("ltm_events_age", "created_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    event_id: str = words(unique=True)
    scope: str = words()
    scope_id: str = words()
    owner_scope: str = words()
    owner_scope_id: str = words()
    source_type: str = words()
    source_role: str = words()
    content: dict[str, str] = as_json("{}")
    platform_id: str = optional_words()
    session_id: str = optional_words()
    """The chat's unified message origin."""
    conversation_id: str = optional_words()
    message_id: str = optional_words()
    sender_id: str = optional_words()
    sender_name: str = optional_words()
    level: int
    extraction: str = words()
    attempts: int = number(0)
    last_error: str = optional_words()
    retry_at: datetime | None = optional_instant()
    lease: str = optional_words()
    """Who is extracting it; counts until `leased_until`."""
    leased_until: datetime | None = optional_instant()
    urgent: bool = flag()
    created_at: datetime = instant()


class ItemRow(Base, table=True):
    """One compact fact."""

    __tablename__ = "ltm_items"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        one_of("scope", Scope),
        one_of("type", MemoryType),
        one_of("status", Status),
        one_of("audience", Audience),
        one_of("origin", Origin),
        a_level(),
        not_blank("fact"),
        share("confidence"),
        share("importance"),
        share("emotion"),
        CheckConstraint("evidence_count >= 1", name="ltm_evidence_count"),
        CheckConstraint("access_count >= 0", name="ltm_access_count"),
        CheckConstraint("ttl_days >= 0", name="ltm_ttl_days"),
        Index(
            "ltm_items_live",
            "scope",
            "scope_id",
            "level",
            "fact_key",
            "person",
            unique=True,
            sqlite_where=text(f"status IN ({quoted(sorted(LIVE_STATUSES))})"),
        ),
        Index("ltm_items_key", "scope", "scope_id", "fact_key"),
        Index("ltm_items_slot", "scope", "scope_id", "slot"),
        Index("ltm_items_scope", "scope", "scope_id", "status"),
        Index("ltm_items_status", "status", "updated_at"),
        Index("ltm_items_chat", "origin_umo", "created_at"),
        Index("ltm_items_age", "created_at"),
        Index("ltm_items_superseded_by", "superseded_by"),
    )

    id: int | None = Field(default=None, primary_key=True)
    memory_id: str = words(unique=True)
    scope: str = words()
    scope_id: str = words()
    type: str = words()
    fact: str = words()
    fact_key: str = words()
    confidence: float
    importance: float
    evidence_count: int
    ttl_days: int | None = None
    status: str = words()
    reason: str = optional_words()
    level: int
    audience: str = words()
    origin: str = words()
    origin_umo: str = optional_words()
    person: str = optional_words()
    teller: str = optional_words()
    relationship: str = optional_words()
    backstory: str = optional_words()
    slot: str = optional_words()
    superseded_by: str | None = Field(
        default=None, sa_type=Words, nullable=True, sa_column_args=[_to_item(ondelete="SET NULL")]
    )
    supersedes: list[str] = as_json("[]")
    tags: list[str] = as_json("[]")
    emotion: float = Field(default=0.0, sa_column_kwargs={"server_default": "0"})
    persona_id: str = optional_words()
    access_count: int = number(0)
    created_at: datetime = instant()
    updated_at: datetime = instant()
    last_confirmed_at: datetime = instant()
    last_accessed_at: datetime | None = optional_instant()
    expires_at: datetime | None = optional_instant()
    deleted_at: datetime | None = optional_instant()


class EvidenceRow(Base, table=True):
    """The link from an item to an event. It goes in before its item, which the schema refuses without it."""

    __tablename__ = "ltm_evidence"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        UniqueConstraint("memory_id", "event_id", name="ltm_evidence_once"),
        one_of("extraction_method", Origin),
        not_blank("quote"),
        Index("ltm_evidence_event", "event_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    evidence_id: str = words(unique=True)
    memory_id: str = words(refers=_to_item())
    event_id: str = words(refers=ForeignKey("ltm_events.event_id", ondelete="RESTRICT"))
    quote: str = words()
    extraction_method: str = words()
    extraction_meta: dict[str, str | float] = as_json("{}")
    created_at: datetime = instant()


class VectorRow(Base, table=True):
    """The unit vector of an item's fact under one embedding model: little-endian float32."""

    __tablename__ = "ltm_vectors"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        UniqueConstraint("memory_id", "model_id", name="ltm_vectors_once"),
        CheckConstraint("dimension > 0 AND length(vector) = 4 * dimension", name="ltm_dimension"),
    )

    id: int | None = Field(default=None, primary_key=True)
    memory_id: str = words(refers=_to_item())
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


class AuditRow(Base, table=True):
    """Who changed what and why. Append-only; never the text of a memory."""

    __tablename__ = "ltm_audit"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (Index("ltm_audit_memory", "memory_id", "created_at"),)

    id: int | None = Field(default=None, primary_key=True)
    actor: str = words()
    action: str = words()
    memory_id: str = optional_words()
    before: str = optional_words()
    after: str = optional_words()
    reason: str = optional_words()
    created_at: datetime = instant()


class RecallRow(Base, table=True):
    """What was recalled for one request, and why the rest was not."""

    __tablename__ = "ltm_recalls"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        one_of("owner_scope", Scope),
        a_level(),
        Index("ltm_recalls_owner", "owner_scope", "owner_scope_id", "created_at"),
        Index("ltm_recalls_age", "created_at"),
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


class PolicyVersionRow(Base, table=True):
    """A policy that was in force from then until the next version."""

    __tablename__ = "ltm_policy_versions"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it

    version: int | None = Field(default=None, primary_key=True)
    policy: dict[str, Any] = as_json("{}")
    actor: str = optional_words()
    created_at: datetime = instant()


class TokenRow(Base, table=True):
    """What one provider was asked on one day (UTC), in model tokens."""

    __tablename__ = "ltm_tokens"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (
        CheckConstraint("calls >= 0 AND prompt_tokens >= 0 AND answer_tokens >= 0", name="ltm_tokens"),
    )

    day: str = Field(sa_type=Words, primary_key=True)
    """As in 2026-01-31."""
    provider_id: str = Field(sa_type=Words, primary_key=True)
    calls: int = number(0)
    prompt_tokens: int = number(0)
    answer_tokens: int = number(0)


class PausedRow(Base, table=True):
    """A scope of which nothing is learnt: a person paused their memory, or an operator a group's."""

    __tablename__ = "ltm_paused"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (one_of("scope", Scope),)

    scope: str = Field(sa_type=Words, primary_key=True)
    scope_id: str = Field(sa_type=Words, primary_key=True)
    actor: str = optional_words()
    created_at: datetime = instant()


class MetaRow(Base, table=True):
    """What the store says about itself: its id."""

    __tablename__ = "ltm_meta"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it

    name: str = Field(sa_type=Words, primary_key=True)
    value: str = words()


EVENTS = Base.metadata.tables["ltm_events"]
ITEMS = Base.metadata.tables["ltm_items"]
EVIDENCE = Base.metadata.tables["ltm_evidence"]
VECTORS = Base.metadata.tables["ltm_vectors"]
NAMESPACES = Base.metadata.tables["ltm_namespaces"]
AUDIT = Base.metadata.tables["ltm_audit"]
RECALLS = Base.metadata.tables["ltm_recalls"]
POLICY_VERSIONS = Base.metadata.tables["ltm_policy_versions"]
TOKENS = Base.metadata.tables["ltm_tokens"]
PAUSED = Base.metadata.tables["ltm_paused"]
META = Base.metadata.tables["ltm_meta"]
