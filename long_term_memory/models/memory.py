"""What is remembered: events, items and the evidence between them."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
    text,
)

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
    columns,
    counts,
    flags,
    instants,
    lists,
    not_blank,
    objects,
    one_of,
    optional_instants,
    quoted,
    share,
    texts,
    words,
)

METADATA = MetaData()
EVENT_CONTENT = ("text", "tool", "quoted", "quoted_sender")
"""The words of a message, each under its key of `content`; what a row lacks is empty."""


def row_id() -> Column[int]:
    """The number of the row."""
    return Column("id", Integer, primary_key=True)


def to_item(*, ondelete: str | None = None) -> ForeignKey:
    """Checked at the commit, because evidence goes in before its item."""
    return ForeignKey("ltm_items.memory_id", ondelete=ondelete, deferrable=True, initially="DEFERRED")


EVENTS = Table(
    "ltm_events",
    METADATA,
    row_id(),
    *words("event_id", unique=True),
    *words("scope", "scope_id", "owner_scope", "owner_scope_id", "source_type", "source_role"),
    *objects("content"),
    *texts("platform_id"),
    *texts("session_id"),  # the chat's unified message origin
    *texts("conversation_id", "message_id", "sender_id", "sender_name"),
    *columns(Integer, "level"),
    *words("extraction"),
    *counts("attempts"),
    *texts("last_error"),
    *optional_instants("retry_at"),
    *texts("lease"),  # who is extracting it; counts until `leased_until`
    *optional_instants("leased_until"),
    *flags("urgent"),
    *instants("created_at"),
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
    comment="One raw thing that happened.",
)
ITEMS = Table(
    "ltm_items",
    METADATA,
    row_id(),
    *words("memory_id", unique=True),
    *words("scope", "scope_id", "type", "fact", "fact_key"),
    *columns(Float, "confidence", "importance"),
    *columns(Integer, "evidence_count"),
    *columns(Integer, "ttl_days", nullable=True),
    *words("status"),
    *texts("reason"),
    *columns(Integer, "level"),
    *words("audience", "origin"),
    *texts("origin_umo", "person", "teller", "relationship", "backstory", "slot"),
    Column("superseded_by", Words, to_item(ondelete="SET NULL")),
    *lists("supersedes", "tags"),
    *columns(Float, "emotion", server_default="0"),
    *texts("persona_id"),
    *counts("access_count"),
    *instants("created_at", "updated_at", "last_confirmed_at"),
    *optional_instants("last_accessed_at", "expires_at", "deleted_at"),
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
    comment="One compact fact.",
)
EVIDENCE = Table(
    "ltm_evidence",
    METADATA,
    row_id(),
    *words("evidence_id", unique=True),
    Column("memory_id", Words, to_item(), nullable=False),
    Column("event_id", Words, ForeignKey("ltm_events.event_id", ondelete="RESTRICT"), nullable=False),
    *words("quote", "extraction_method"),
    *objects("extraction_meta"),
    *instants("created_at"),
    UniqueConstraint("memory_id", "event_id", name="ltm_evidence_once"),
    one_of("extraction_method", Origin),
    not_blank("quote"),
    Index("ltm_evidence_event", "event_id"),
    comment="From an item to an event. It goes in before its item, which the schema refuses without it.",
)
