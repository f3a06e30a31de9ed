"""What is kept beside: vectors, recalls, links, imports, and about the work itself."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    UniqueConstraint,
)

from ..domain.transfer import Kind
from ..domain.words import Scope
from ..storage.columns import (
    Words,
    a_level,
    columns,
    counts,
    flags,
    instants,
    lists,
    objects,
    one_of,
    optional_instants,
    texts,
    words,
)
from .memory import METADATA, row_id, to_item


def _key(*names: str) -> list[Column[str]]:
    return columns(Words, *names, primary_key=True)


def _vectors(name: str, of: str, refers: ForeignKey, comment: str) -> Table:
    """Unit vectors under embedding models: little-endian float32."""
    return Table(
        name,
        METADATA,
        row_id(),
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
    to_item(),
    "Two of each item: of the fact with the words it rests on, and of the fact alone.",
)
EVENT_VECTORS = _vectors(
    "ltm_event_vectors",
    "event_id",
    ForeignKey("ltm_events.event_id", ondelete="CASCADE"),
    "Of what people and the bot said.",
)
NAMESPACES = Table(
    "ltm_namespaces",
    METADATA,
    *_key("scope", "scope_id"),
    *columns(Integer, "version"),
    comment="How often the vectors of a scope have changed, kept by triggers; rows are never removed.",
)
RECALLS = Table(
    "ltm_recalls",
    METADATA,
    row_id(),
    *words("recall_id", unique=True),
    *words("owner_scope", "owner_scope_id"),
    *texts("session_id", "conversation_id"),
    *columns(Integer, "level"),
    *texts("query"),
    *lists("injected", "omitted"),
    *flags("vectors"),
    *instants("created_at"),
    *texts("reason"),  # why nothing was recalled, or why vectors took no part
    one_of("owner_scope", Scope),
    a_level(),
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
    row_id(),
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
    *_key("scope", "scope_id"),
    *texts("actor"),
    *instants("created_at"),
    one_of("scope", Scope),
    comment="A scope of which nothing is learnt: a person paused their memory, or an operator a group's.",
)
SESSION_LEVELS = Table(
    "ltm_session_levels",
    METADATA,
    *_key("umo", "conversation_id"),
    *columns(Integer, "level"),
    *texts("raised_by"),  # the tool that raised it last
    *instants("updated_at"),
    a_level(),
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
    *words("actor", "kind"),
    *words("sha256"),  # of the document, as its manifest has it
    *texts("store_id"),  # the store it was taken of
    *counts("items", "evidence", "events"),
    *instants("created_at"),
    *optional_instants("undone_at"),
    one_of("kind", Kind),
    Index("ltm_imports_age", "created_at"),
    comment="One document that was brought in whole.",
)


def _brought() -> Column[str]:
    return Column("import_id", Words, ForeignKey("ltm_imports.import_id", ondelete="CASCADE"), nullable=False)


IMPORTED_ITEMS = Table(
    "ltm_imported_items",
    METADATA,
    Column("memory_id", Words, to_item(ondelete="CASCADE"), primary_key=True),
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
