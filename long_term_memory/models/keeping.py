"""What is kept about the work itself: audit, policies, tokens, pauses."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from ..domain.words import (
    Scope,
)
from ..storage.columns import (
    Words,
    a_level,
    as_json,
    instant,
    number,
    one_of,
    optional_words,
    words,
)
from .base import Base


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


class SessionLevelRow(Base, table=True):
    """How confidential a conversation has become by the tools used in it; it ends with the conversation."""

    __tablename__ = "ltm_session_levels"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it
    __table_args__ = (a_level(),)

    umo: str = Field(sa_type=Words, primary_key=True)
    conversation_id: str = Field(sa_type=Words, primary_key=True)
    level: int
    raised_by: str = optional_words()
    """The tool that raised it last."""
    updated_at: datetime = instant()


class MetaRow(Base, table=True):
    """What the store says about itself: its id."""

    __tablename__ = "ltm_meta"  # pyright: ignore[reportAssignmentType] - as SQLModel documents it

    name: str = Field(sa_type=Words, primary_key=True)
    value: str = words()
