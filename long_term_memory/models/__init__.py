"""The tables and what their columns hold, on a registry of their own so that the host can reload the plugin.

Foreign keys, indexes, checks, triggers and the full-text index stand in `migrations/` alone; a test holds the
columns of both equal.
"""

from typing import Any

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table

from ..domain.enums import Audience, Extraction, MemoryType, Origin, Role, SourceType, Status
from ..domain.transfer import Kind
from ..storage.columns import (
    StorableText,
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
    required_texts,
    scope,
    strings,
    texts,
)

METADATA = MetaData()
EVENT_CONTENT = ("text", "tool", "quoted", "quoted_sender")
"""The words of a message, each under its key of `content`; what a row lacks is empty."""


def _row_id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _key(*names: str) -> list[Column[Any]]:
    return columns(StorableText, *names, primary_key=True)


def _table(name: str, comment: str, *its: Column[Any]) -> Table:
    return Table(name, METADATA, *its, comment=comment)


EVENTS = _table(
    "ltm_events",
    "One raw thing that happened.",
    _row_id(),
    *required_texts("event_id"),
    *scope(),
    *scope("owner_"),
    *one_of(SourceType, "source_type"),
    *one_of(Role, "source_role"),
    *objects("content"),
    # `session_id` is the chat's unified message origin.
    *texts("platform_id", "session_id", "conversation_id", "message_id", "sender_id", "sender_name"),
    *levels("level"),
    *one_of(Extraction, "extraction"),
    *counts("attempts"),
    *texts("last_error"),
    *optional_instants("retry_at"),
    *texts("lease"),  # who is extracting it; counts until `leased_until`
    *optional_instants("leased_until"),
    *flags("urgent"),
    *instants("created_at"),
)
ITEMS = _table(
    "ltm_items",
    "One compact fact.",
    _row_id(),
    *required_texts("memory_id"),
    *scope(),
    *one_of(MemoryType, "type"),
    *required_texts("fact"),
    *required_texts("fact_key"),
    *numbers("confidence", "importance"),
    *columns(Integer, "evidence_count"),
    *columns(Integer, "ttl_days", nullable=True),
    *one_of(Status, "status"),
    *texts("reason"),
    *levels("level"),
    *one_of(Audience, "audience"),
    *one_of(Origin, "origin"),
    *texts("origin_umo", "person", "teller", "relationship", "backstory", "slot"),
    *columns(StorableText, "superseded_by", nullable=True),
    *strings("supersedes", "tags"),
    *numbers("emotion", server_default="0"),
    *texts("persona_id"),
    *counts("access_count"),
    *instants("created_at", "updated_at", "last_confirmed_at"),
    *optional_instants("last_accessed_at", "expires_at", "deleted_at"),
)
EVIDENCE = _table(
    "ltm_evidence",
    "From an item to an event. It goes in before its item, which the schema refuses without it.",
    _row_id(),
    *required_texts("evidence_id", "memory_id", "event_id", "quote"),
    *one_of(Origin, "extraction_method"),
    *objects("extraction_meta"),
    *instants("created_at"),
)


def _vectors(name: str, of: str, comment: str) -> Table:
    """Unit vectors under embedding models: little-endian float32."""
    return _table(
        name,
        comment,
        _row_id(),
        *required_texts(of, "model_id"),
        *columns(Integer, "dimension"),
        *columns(LargeBinary, "vector"),
        *instants("created_at"),
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
    *required_texts("recall_id"),
    *scope("owner_"),
    *texts("session_id", "conversation_id"),
    *levels("level"),
    *texts("query"),
    *lists("injected", "omitted"),
    *flags("vectors"),
    *instants("created_at"),
    *texts("reason"),  # why nothing was recalled, or why vectors took no part
)
LINKS = _table(
    "ltm_links",
    "An account that its owner has joined to another of theirs.",
    *_key("account"),
    *required_texts("joined_to"),
    *instants("created_at"),
)
AUDIT = _table(
    "ltm_audit",
    "Who changed what and why. Append-only; never the text of a memory.",
    _row_id(),
    *required_texts("actor", "action"),
    *texts("memory_id", "before", "after", "reason"),
    *instants("created_at"),
)
POLICY_VERSIONS = _table(
    "ltm_policy_versions",
    "A policy that was in force from then until the next version.",
    Column("version", Integer, primary_key=True),
    *objects("policy"),
    *texts("actor"),
    *instants("created_at"),
)
TOKENS = _table(
    "ltm_tokens",
    "What one provider was asked on one day (UTC), in model tokens.",
    *_key("day", "provider_id"),  # the day as in 2026-01-31
    *counts("calls", "prompt_tokens", "answer_tokens"),
)
PAUSED = _table(
    "ltm_paused",
    "A scope of which nothing is learnt: a person paused their memory, or an operator a group's.",
    *scope(primary_key=True),
    *texts("actor"),
    *instants("created_at"),
)
SESSION_LEVELS = _table(
    "ltm_session_levels",
    "How confidential a conversation is by the tools used in it; it ends with the conversation.",
    *_key("umo", "conversation_id"),
    *levels("level"),
    *texts("raised_by"),  # the tool that raised it last
    *instants("updated_at"),
)
META = _table(
    "ltm_meta", "What the store says about itself: its id.", *_key("name"), *required_texts("value")
)
IMPORTS = _table(
    "ltm_imports",
    "One document that was brought in whole.",
    *_key("import_id"),
    *required_texts("actor"),
    *one_of(Kind, "kind"),
    *required_texts("sha256"),  # of the document, as its manifest has it
    *texts("store_id"),  # the store it was taken of
    *counts("items", "evidence", "events"),
    *instants("created_at"),
    *optional_instants("undone_at"),
)
IMPORTED_ITEMS = _table(
    "ltm_imported_items",
    "A memory that an import added.",
    *_key("memory_id"),
    *required_texts("import_id"),
    *instants("updated_at"),  # as it came in: another one tells that somebody has changed it since
)
IMPORTED_EVENTS = _table(
    "ltm_imported_events", "A message that an import added.", *_key("event_id"), *required_texts("import_id")
)
