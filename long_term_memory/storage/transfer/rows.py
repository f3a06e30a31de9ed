"""The entries of the document and the rows of the tables, either way."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, model_validator

from ...domain.words import (
    Audience,
    Extraction,
    Level,
    MemoryType,
    Origin,
    Role,
    Scope,
    SourceType,
    Status,
)
from ...models.memory import EVENT_CONTENT
from .document import Name, Number, Strict

MAX_TEXT = 200_000
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9998, 1, 1, tzinfo=UTC)


def _in_time(at: datetime) -> datetime:
    if not _FIRST <= at <= _LAST:
        raise ValueError("is no date of this calendar")
    return at


def _says_something(text: str) -> str:
    if not text.strip("\t\n\r "):
        raise ValueError("must say something")
    return text


def _named_level(name: object) -> Level:
    if not isinstance(name, str) or name not in Level.__members__:
        raise ValueError(f"must be one of {', '.join(Level.__members__)}")
    return Level[name]


def _without_nul(text: str) -> str:
    # SQLite ends a text there where it reads a list of ids.
    if "\0" in text:
        raise ValueError("must have no NUL")
    return text


Id = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_without_nul)]
Words = Annotated[str, Field(max_length=MAX_TEXT)]
Said = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_says_something)]
Share = Annotated[float, Field(ge=0, le=1)]
At = Annotated[AwareDatetime, AfterValidator(_in_time)]
NamedLevel = Annotated[Level, BeforeValidator(_named_level)]
Meta = Annotated[dict[Name, Words | bool | int | float], Field(max_length=100)]


class EventJson(Strict):
    """A message."""

    event_id: Id
    scope: Scope
    scope_id: Name
    owner_scope: Scope
    owner_scope_id: Name
    source_type: SourceType
    role: Role
    text: Words
    tool: Name
    quoted: Words
    quoted_sender: Name = ""
    """Which documents of before it was kept do not tell."""
    platform_id: Name
    umo: Name
    conversation_id: Name
    message_id: Name
    sender_id: Name
    sender_name: Name
    level: NamedLevel
    extraction: Extraction
    attempts: Number
    last_error: Name
    urgent: bool
    created_at: At

    def row(self) -> Mapping[str, Any]:
        """As the table has it."""
        values = dict(self)
        content = {key: values.pop(key) for key in EVENT_CONTENT}
        return values | {
            "content": content,
            "source_role": values.pop("role"),
            "session_id": values.pop("umo"),
        }


class ItemJson(Strict):
    """A memory."""

    memory_id: Id
    scope: Scope
    scope_id: Name
    type: MemoryType
    fact: Said
    fact_key: Name
    confidence: Share
    importance: Share
    evidence_count: Annotated[int, Field(ge=1, le=10**9)]
    ttl_days: Annotated[int, Field(ge=0, le=10**6)] | None
    status: Status
    reason: Name
    level: NamedLevel
    audience: Audience
    origin: Origin
    origin_umo: Name
    person: Name
    teller: Name
    relationship: Words
    backstory: Words
    slot: Name
    superseded_by: Id | None
    supersedes: Annotated[list[Id], Field(max_length=1_000)]
    tags: Annotated[list[Name], Field(max_length=1_000)]
    emotion: Share
    persona_id: Name
    access_count: Number
    created_at: At
    updated_at: At
    last_confirmed_at: At
    last_accessed_at: At | None
    expires_at: At | None
    deleted_at: At | None

    @model_validator(mode="after")
    def _not_by_itself(self) -> Self:
        if self.superseded_by == self.memory_id:
            raise ValueError("superseded_by names the memory itself")
        return self

    def row(self) -> Mapping[str, Any]:
        """As the table has it."""
        return dict(self)


class EvidenceJson(Strict):
    """Why a memory may exist."""

    evidence_id: Id
    memory_id: Id
    event_id: Id
    quote: Said
    extraction_method: Origin
    extraction_meta: Meta
    created_at: At

    def row(self) -> Mapping[str, Any]:
        """As the table has it."""
        return dict(self)


class LinkJson(Strict):
    """An account that its owner has joined to another."""

    account: Id
    joined_to: Id
    created_at: At

    @model_validator(mode="after")
    def _to_another(self) -> Self:
        if self.account == self.joined_to:
            raise ValueError("joined_to names the account itself")
        return self

    def row(self) -> Mapping[str, Any]:
        """As the table has it."""
        return dict(self)


class PausedJson(Strict):
    """A scope of which nothing is learnt."""

    scope: Scope
    scope_id: Name
    actor: Name
    created_at: At

    def row(self) -> Mapping[str, Any]:
        """As the table has it."""
        return dict(self)


type RowJson = EventJson | ItemJson | EvidenceJson | LinkJson | PausedJson
MODELS: Mapping[str, type[RowJson]] = {
    "events": EventJson,
    "items": ItemJson,
    "evidence": EvidenceJson,
    "links": LinkJson,
    "paused": PausedJson,
}
