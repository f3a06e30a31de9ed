"""What is remembered: events, items and the evidence between them."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlmodel import Field

from ..domain.words import (
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
from ..storage.columns import (
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
from .base import Base, to_item

EVENT_CONTENT = ("text", "tool", "quoted", "quoted_sender")
"""The words of a message, each under its key of `content`; what a row lacks is empty."""


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
        Index("ltm_events_scope", "scope", "scope_id", "created_at"),
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
        default=None, sa_type=Words, nullable=True, sa_column_args=[to_item(ondelete="SET NULL")]
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
    memory_id: str = words(refers=to_item())
    event_id: str = words(refers=ForeignKey("ltm_events.event_id", ondelete="RESTRICT"))
    quote: str = words()
    extraction_method: str = words()
    extraction_meta: dict[str, str | float] = as_json("{}")
    created_at: datetime = instant()
