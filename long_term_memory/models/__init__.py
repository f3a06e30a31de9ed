"""The tables, on a registry of their own so that the host can reload the plugin.

They mirror what `migrations/` creates; a test holds the two equal. Full-text index and triggers are SQL and
stand in the migrations only.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    text,
)
from sqlalchemy.schema import SchemaItem

from ..domain.transfer import Kind
from ..domain.words import (
    LIVE_STATUSES,
    Audience,
    Extraction,
    MemoryType,
    Origin,
    Role,
    SourceType,
    Status,
)
from ..storage.columns import (
    Words,
    columns,
    counts,
    flags,
    instants,
    levels,
    lists,
    objects,
    one_of,
    optional_instants,
    quoted,
    scope,
    shares,
    statements,
    strings,
    texts,
    words,
)

METADATA = MetaData()
EVENT_CONTENT = ("text", "tool", "quoted", "quoted_sender")
"""The words of a message, each under its key of `content`; what a row lacks is empty."""


def _row_id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _to_item(*, ondelete: str | None = None) -> ForeignKey:
    """Checked at the commit, because evidence goes in before its item."""
    return ForeignKey("ltm_items.memory_id", ondelete=ondelete, deferrable=True, initially="DEFERRED")


def _key(*names: str) -> list[SchemaItem]:
    return columns(Words, *names, primary_key=True)


def _brought() -> Column[str]:
    return Column("import_id", Words, ForeignKey("ltm_imports.import_id", ondelete="CASCADE"), nullable=False)


EVENTS = Table(
    "ltm_events",
    METADATA,
    _row_id(),
    *words("event_id", unique=True),
    *scope(),
    *scope("owner_"),
    *one_of(SourceType, "source_type"),
    *one_of(Role, "source_role"),
    *objects("content"),
    *texts("platform_id"),
    *texts("session_id"),  # the chat's unified message origin
    *texts("conversation_id", "message_id", "sender_id", "sender_name"),
    *levels("level"),
    *one_of(Extraction, "extraction"),
    *counts("attempts"),
    *texts("last_error"),
    *optional_instants("retry_at"),
    *texts("lease"),  # who is extracting it; counts until `leased_until`
    *optional_instants("leased_until"),
    *flags("urgent"),
    *instants("created_at"),
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
    _row_id(),
    *words("memory_id", unique=True),
    *scope(),
    *one_of(MemoryType, "type"),
    *statements("fact"),
    *words("fact_key"),
    *shares("confidence", "importance"),
    *columns(Integer, "evidence_count"),
    *columns(Integer, "ttl_days", nullable=True),
    *one_of(Status, "status"),
    *texts("reason"),
    *levels("level"),
    *one_of(Audience, "audience"),
    *one_of(Origin, "origin"),
    *texts("origin_umo", "person", "teller", "relationship", "backstory", "slot"),
    Column("superseded_by", Words, _to_item(ondelete="SET NULL")),
    *strings("supersedes", "tags"),
    *shares("emotion", server_default="0"),
    *texts("persona_id"),
    *counts("access_count"),
    *instants("created_at", "updated_at", "last_confirmed_at"),
    *optional_instants("last_accessed_at", "expires_at", "deleted_at"),
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
    _row_id(),
    *words("evidence_id", unique=True),
    Column("memory_id", Words, _to_item(), nullable=False),
    Column("event_id", Words, ForeignKey("ltm_events.event_id", ondelete="RESTRICT"), nullable=False),
    *statements("quote"),
    *one_of(Origin, "extraction_method"),
    *objects("extraction_meta"),
    *instants("created_at"),
    UniqueConstraint("memory_id", "event_id", name="ltm_evidence_once"),
    Index("ltm_evidence_event", "event_id"),
    comment="From an item to an event. It goes in before its item, which the schema refuses without it.",
)


def _vectors(name: str, of: str, refers: ForeignKey, comment: str) -> Table:
    """Unit vectors under embedding models: little-endian float32."""
    return Table(
        name,
        METADATA,
        _row_id(),
        Column(of, Words, refers, nullable=False),
        *words("model_id"),
        *columns(Integer, "dimension"),
        *columns(LargeBinary, "vector"),
        *instants("created_at"),
        UniqueConstraint(of, "model_id", name=f"{name}_once"),
        CheckConstraint("dimension > 0 AND length(vector) = 4 * dimension", name="ltm_dimension"),
        Index(f"{name}_model", "model_id", "dimension"),
        comment=comment,
    )


VECTORS = _vectors(
    "ltm_vectors",
    "memory_id",
    _to_item(),
    "Two of each item: of the fact with the words it rests on, and of the fact alone.",
)
EVENT_VECTORS = _vectors(
    "ltm_event_vectors",
    "event_id",
    ForeignKey("ltm_events.event_id", ondelete="CASCADE"),
    "Of what people and the bot said.",
)
RECALLS = Table(
    "ltm_recalls",
    METADATA,
    _row_id(),
    *words("recall_id", unique=True),
    *scope("owner_"),
    *texts("session_id", "conversation_id"),
    *levels("level"),
    *texts("query"),
    *lists("injected", "omitted"),
    *flags("vectors"),
    *instants("created_at"),
    *texts("reason"),  # why nothing was recalled, or why vectors took no part
    Index("ltm_recalls_owner", "owner_scope", "owner_scope_id", "created_at"),
    Index("ltm_recalls_age", "created_at"),
    Index("ltm_recalls_chat", "session_id", "owner_scope", "owner_scope_id", "created_at"),
    comment="What was recalled for one request, and why the rest was not.",
)
LINKS = Table(
    "ltm_links",
    METADATA,
    *_key("account"),
    *words("joined_to"),
    *instants("created_at"),
    comment="An account that its owner has joined to another of theirs.",
)
AUDIT = Table(
    "ltm_audit",
    METADATA,
    _row_id(),
    *words("actor", "action"),
    *texts("memory_id", "before", "after", "reason"),
    *instants("created_at"),
    Index("ltm_audit_memory", "memory_id", "created_at"),
    comment="Who changed what and why. Append-only; never the text of a memory.",
)
POLICY_VERSIONS = Table(
    "ltm_policy_versions",
    METADATA,
    Column("version", Integer, primary_key=True),
    *objects("policy"),
    *texts("actor"),
    *instants("created_at"),
    comment="A policy that was in force from then until the next version.",
)
TOKENS = Table(
    "ltm_tokens",
    METADATA,
    *_key("day", "provider_id"),  # the day as in 2026-01-31
    *counts("calls", "prompt_tokens", "answer_tokens"),
    CheckConstraint("calls >= 0 AND prompt_tokens >= 0 AND answer_tokens >= 0", name="ltm_tokens"),
    comment="What one provider was asked on one day (UTC), in model tokens.",
)
PAUSED = Table(
    "ltm_paused",
    METADATA,
    *scope(primary_key=True),
    *texts("actor"),
    *instants("created_at"),
    comment="A scope of which nothing is learnt: a person paused their memory, or an operator a group's.",
)
SESSION_LEVELS = Table(
    "ltm_session_levels",
    METADATA,
    *_key("umo", "conversation_id"),
    *levels("level"),
    *texts("raised_by"),  # the tool that raised it last
    *instants("updated_at"),
    comment="How confidential a conversation is by the tools used in it; it ends with the conversation.",
)
META = Table(
    "ltm_meta",
    METADATA,
    *_key("name"),
    *words("value"),
    comment="What the store says about itself: its id.",
)
IMPORTS = Table(
    "ltm_imports",
    METADATA,
    *_key("import_id"),
    *words("actor"),
    *one_of(Kind, "kind"),
    *words("sha256"),  # of the document, as its manifest has it
    *texts("store_id"),  # the store it was taken of
    *counts("items", "evidence", "events"),
    *instants("created_at"),
    *optional_instants("undone_at"),
    Index("ltm_imports_age", "created_at"),
    comment="One document that was brought in whole.",
)
IMPORTED_ITEMS = Table(
    "ltm_imported_items",
    METADATA,
    Column("memory_id", Words, _to_item(ondelete="CASCADE"), primary_key=True),
    _brought(),
    *instants("updated_at"),  # as it came in: another one tells that somebody has changed it since
    Index("ltm_imported_items_import", "import_id"),
    comment="A memory that an import added.",
)
IMPORTED_EVENTS = Table(
    "ltm_imported_events",
    METADATA,
    Column("event_id", Words, ForeignKey("ltm_events.event_id", ondelete="CASCADE"), primary_key=True),
    _brought(),
    Index("ltm_imported_events_import", "import_id"),
    comment="A message that an import added.",
)
