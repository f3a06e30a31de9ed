"""The tables and what their columns hold, on a registry of their own so that the host can reload the plugin.

Foreign keys, indexes, checks, triggers and the full-text index stand in `migrations/` alone; a test holds the
columns of both equal.
"""

from typing import Any

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table

from ..domain.transfer import Kind
from ..domain.words import Audience, Extraction, MemoryType, Origin, Role, SourceType, Status
from ..storage.columns import (
    Words,
    columns,
    counts,
    flags,
    instants,
    levels,
    lists,
    numbers,
    objects,
    one_of,
    optional_instants,
    scope,
    strings,
    texts,
    words,
)

METADATA = MetaData()
EVENT_CONTENT = ("text", "tool", "quoted", "quoted_sender")
"""The words of a message, each under its key of `content`; what a row lacks is empty."""


def _row_id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _key(*names: str) -> list[Column[Any]]:
    return columns(Words, *names, primary_key=True)


EVENTS = Table(
    "ltm_events",
    METADATA,
    _row_id(),
    *words("event_id"),
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
    comment="One raw thing that happened.",
)
ITEMS = Table(
    "ltm_items",
    METADATA,
    _row_id(),
    *words("memory_id"),
    *scope(),
    *one_of(MemoryType, "type"),
    *words("fact"),
    *words("fact_key"),
    *numbers("confidence", "importance"),
    *columns(Integer, "evidence_count"),
    *columns(Integer, "ttl_days", nullable=True),
    *one_of(Status, "status"),
    *texts("reason"),
    *levels("level"),
    *one_of(Audience, "audience"),
    *one_of(Origin, "origin"),
    *texts("origin_umo", "person", "teller", "relationship", "backstory", "slot"),
    *columns(Words, "superseded_by", nullable=True),
    *strings("supersedes", "tags"),
    *numbers("emotion", server_default="0"),
    *texts("persona_id"),
    *counts("access_count"),
    *instants("created_at", "updated_at", "last_confirmed_at"),
    *optional_instants("last_accessed_at", "expires_at", "deleted_at"),
    comment="One compact fact.",
)
EVIDENCE = Table(
    "ltm_evidence",
    METADATA,
    _row_id(),
    *words("evidence_id", "memory_id", "event_id"),
    *words("quote"),
    *one_of(Origin, "extraction_method"),
    *objects("extraction_meta"),
    *instants("created_at"),
    comment="From an item to an event. It goes in before its item, which the schema refuses without it.",
)


def _vectors(name: str, of: str, comment: str) -> Table:
    """Unit vectors under embedding models: little-endian float32."""
    return Table(
        name,
        METADATA,
        _row_id(),
        *words(of, "model_id"),
        *columns(Integer, "dimension"),
        *columns(LargeBinary, "vector"),
        *instants("created_at"),
        comment=comment,
    )


VECTORS = _vectors(
    "ltm_vectors",
    "memory_id",
    "Two of each item: of the fact with the words it rests on, and of the fact alone.",
)
EVENT_VECTORS = _vectors("ltm_event_vectors", "event_id", "Of what people and the bot said.")
RECALLS = Table(
    "ltm_recalls",
    METADATA,
    _row_id(),
    *words("recall_id"),
    *scope("owner_"),
    *texts("session_id", "conversation_id"),
    *levels("level"),
    *texts("query"),
    *lists("injected", "omitted"),
    *flags("vectors"),
    *instants("created_at"),
    *texts("reason"),  # why nothing was recalled, or why vectors took no part
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
    "ltm_meta", METADATA, *_key("name"), *words("value"), comment="What the store says about itself: its id."
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
    comment="One document that was brought in whole.",
)
IMPORTED_ITEMS = Table(
    "ltm_imported_items",
    METADATA,
    *_key("memory_id"),
    *words("import_id"),
    *instants("updated_at"),  # as it came in: another one tells that somebody has changed it since
    comment="A memory that an import added.",
)
IMPORTED_EVENTS = Table(
    "ltm_imported_events",
    METADATA,
    *_key("event_id"),
    *words("import_id"),
    comment="A message that an import added.",
)
