"""The tables and what their columns hold, on a registry of their own so that the host can reload the plugin.

Foreign keys, indexes, checks, triggers and the full-text index stand in `migrations/` alone; a test holds the
columns of both equal.
"""

from enum import StrEnum
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.types import TypeEngine

from ..domain.enums import Audience, Extraction, Level, MemoryType, Origin, Role, Scope, Status
from ..domain.transfer import Kind
from ..storage.columns import As, Instant, StorableText

METADATA = sa.MetaData()
EVENT_CONTENT = ("text", "tool", "quoted", "quoted_sender")
"""The words of a message, each under its key of `content`; what a row lacks is empty."""


def _columns(
    kind: type[TypeEngine[Any]] | TypeEngine[Any],
    *names: str,
    nullable: bool = False,
    server_default: str | sa.TextClause | None = None,
    primary_key: bool = False,
) -> list[sa.Column[Any]]:
    """Columns of one kind, one after the other."""
    return [
        sa.Column(name, kind, nullable=nullable, server_default=server_default, primary_key=primary_key)
        for name in names
    ]


_required_texts = partial(_columns, StorableText)
"""Text that must be given."""
_key = partial(_columns, StorableText, primary_key=True)
_texts = partial(_columns, StorableText, server_default="")
"""Text that is empty when there is nothing to say; never NULL, which would escape a unique index."""
_instants = partial(_columns, Instant)
_optional_instants = partial(_columns, Instant, nullable=True)
_counts = partial(_columns, sa.Integer, server_default="0")
_flags = partial(_columns, sa.Boolean, server_default=sa.text("0"))
_lists = partial(_columns, sa.JSON, server_default="[]")
_strings = partial(_columns, As(sa.JSON(), tuple), server_default="[]")
_objects = partial(_columns, sa.JSON, server_default="{}")
_numbers = partial(_columns, sa.Float)
_levels = partial(_columns, As(sa.Integer(), Level))


def _one_of(kind: type[StrEnum], *names: str, primary_key: bool = False) -> list[sa.Column[Any]]:
    """Columns that hold one of these words."""
    return _columns(As(sa.Text(), kind), *names, primary_key=primary_key)


def _scope(prefix: str = "", *, primary_key: bool = False) -> list[sa.Column[Any]]:
    """The two columns of a scope, whose names begin like this."""
    kind = _one_of(Scope, f"{prefix}scope", primary_key=primary_key)
    return [*kind, *_required_texts(f"{prefix}scope_id", primary_key=primary_key)]


def _row_id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _table(name: str, comment: str, *its: sa.Column[Any]) -> sa.Table:
    return sa.Table(name, METADATA, *its, comment=comment)


EVENTS = _table(
    "ltm_events",
    "One raw thing that happened.",
    _row_id(),
    *_required_texts("event_id"),
    *_scope(),
    *_scope("owner_"),
    *_required_texts("source_type"),  # `tool_result` or `message`, by the role
    *_one_of(Role, "source_role"),
    *_objects("content"),
    # `session_id` is the chat's unified message origin.
    *_texts("platform_id", "session_id", "conversation_id", "message_id", "sender_id", "sender_name"),
    *_levels("level"),
    *_one_of(Extraction, "extraction"),
    *_counts("attempts"),
    *_texts("last_error"),
    *_optional_instants("retry_at"),
    *_texts("lease"),  # who is extracting it; counts until `leased_until`
    *_optional_instants("leased_until"),
    *_flags("urgent"),
    *_instants("created_at"),
)
ITEMS = _table(
    "ltm_items",
    "One compact fact.",
    _row_id(),
    *_required_texts("memory_id"),
    *_scope(),
    *_one_of(MemoryType, "type"),
    *_required_texts("fact", "fact_key"),
    *_numbers("confidence", "importance"),
    *_columns(sa.Integer, "evidence_count"),
    *_columns(sa.Integer, "ttl_days", nullable=True),
    *_one_of(Status, "status"),
    *_texts("reason"),
    *_levels("level"),
    *_one_of(Audience, "audience"),
    *_one_of(Origin, "origin"),
    *_texts("origin_umo", "person", "teller", "relationship", "backstory", "slot"),
    *_columns(StorableText, "superseded_by", nullable=True),
    *_strings("supersedes", "tags"),
    *_numbers("emotion", server_default="0"),
    *_texts("persona_id"),
    *_counts("access_count"),
    *_instants("created_at", "updated_at", "last_confirmed_at"),
    *_optional_instants("last_accessed_at", "expires_at", "deleted_at"),
)
EVIDENCE = _table(
    "ltm_evidence",
    "From an item to an event. It goes in before its item, which the schema refuses without it.",
    _row_id(),
    *_required_texts("evidence_id", "memory_id", "event_id", "quote"),
    *_one_of(Origin, "extraction_method"),
    *_objects("extraction_meta"),
    *_instants("created_at"),
)


def _vectors(name: str, of: str, comment: str) -> sa.Table:
    """Unit vectors under embedding models: little-endian float32."""
    return _table(
        name,
        comment,
        _row_id(),
        *_required_texts(of, "model_id"),
        *_columns(sa.Integer, "dimension"),
        *_columns(sa.LargeBinary, "vector"),
        *_instants("created_at"),
    )


VECTORS = _vectors(
    "ltm_vectors",
    "memory_id",
    "Two of each item: of the fact with the words it rests on, and of the fact alone.",
)
EVENT_VECTORS = _vectors("ltm_event_vectors", "event_id", "Of what people and the bot said.")
RECALLS = _table(
    "ltm_recalls",
    "What was recalled for one request, and why the rest was not.",
    _row_id(),
    *_required_texts("recall_id"),
    *_scope("owner_"),
    *_texts("session_id", "conversation_id"),
    *_levels("level"),
    *_texts("query"),
    *_lists("injected", "omitted"),
    *_flags("vectors"),
    *_instants("created_at"),
    *_texts("reason"),  # why nothing was recalled, or why vectors took no part
)
LINKS = _table(
    "ltm_links",
    "An account that its owner has joined to another of theirs.",
    *_key("account"),
    *_required_texts("joined_to"),
    *_instants("created_at"),
)
AUDIT = _table(
    "ltm_audit",
    "Who changed what and why. Append-only; never the text of a memory.",
    _row_id(),
    *_required_texts("actor", "action"),
    *_texts("memory_id", "before", "after", "reason"),
    *_instants("created_at"),
)
POLICY_VERSIONS = _table(
    "ltm_policy_versions",
    "A policy that was in force from then until the next version.",
    sa.Column("version", sa.Integer, primary_key=True),
    *_objects("policy"),
    *_texts("actor"),
    *_instants("created_at"),
)
TOKENS = _table(
    "ltm_tokens",
    "What one provider was asked on one day (UTC), in model tokens.",
    *_key("day", "provider_id"),  # the day as in 2026-01-31
    *_counts("calls", "prompt_tokens", "answer_tokens"),
)
PAUSED = _table(
    "ltm_paused",
    "A scope of which nothing is learnt: a person paused their memory, or an operator a group's.",
    *_scope(primary_key=True),
    *_texts("actor"),
    *_instants("created_at"),
)
SESSION_LEVELS = _table(
    "ltm_session_levels",
    "How confidential a conversation is by the tools used in it; it ends with the conversation.",
    *_key("umo", "conversation_id"),
    *_levels("level"),
    *_texts("raised_by"),  # the tool that raised it last
    *_instants("updated_at"),
)
META = _table(
    "ltm_meta", "What the store says about itself: its id.", *_key("name"), *_required_texts("value")
)
IMPORTS = _table(
    "ltm_imports",
    "One document that was brought in whole.",
    *_key("import_id"),
    *_required_texts("actor"),
    *_one_of(Kind, "kind"),
    *_required_texts("sha256"),  # of the document, as its manifest has it
    *_texts("store_id"),  # the store it was taken of
    *_counts("items", "evidence", "events"),
    *_instants("created_at"),
    *_optional_instants("undone_at"),
)
IMPORTED_ITEMS = _table(
    "ltm_imported_items",
    "A memory that an import added.",
    *_key("memory_id"),
    *_required_texts("import_id"),
    *_instants("updated_at"),  # as it came in: another one tells that somebody has changed it since
)
IMPORTED_EVENTS = _table(
    "ltm_imported_events", "A message that an import added.", *_key("event_id"), *_required_texts("import_id")
)
