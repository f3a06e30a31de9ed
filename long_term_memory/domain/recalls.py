"""What is kept of a recall: which memories a request was given, which not and why. Never their text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .chat import ScopeRef
from .words import Level


class NoBlock(StrEnum):
    """Why a request was given no memories at all: the `reason` of such a recall."""

    NOTHING_REMEMBERED = "nothing_remembered"
    """There is nothing that this chat may see."""
    NOTHING_RELEVANT = "nothing_relevant"
    """Of what there is nothing was let through."""
    READING_OFF = "reading_off"
    PAUSED = "paused"
    NOT_SENT = "not_sent"
    """The request had no place for it."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """A memory that a request carried, with its signals."""

    memory_id: str
    score: float
    similarity: float
    importance: float
    recency: float
    words: float | None = None
    cosine: float | None = None


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A memory that a request might have carried, and the rule that left it out."""

    memory_id: str
    rule: str
    score: float | None = None
    """None where none was worked out."""


@dataclass(frozen=True, kw_only=True)
class LoggedRecall:
    """One recall as the log keeps it."""

    recall_id: str
    owner: ScopeRef
    """The scope of whoever asked."""
    umo: str
    """The chat."""
    conversation_id: str
    level: Level
    query: str
    """The beginning of what was asked, secrets masked; empty while its speaker is paused."""
    given: Sequence[Given]
    """The best first."""
    left_out: Sequence[LeftOut]
    """The next best first."""
    vectors: bool
    """Whether vectors took part."""
    reason: str
    """Why nothing was given (`NoBlock`), else why words alone answered, else empty."""
    at: datetime


@dataclass(frozen=True, kw_only=True)
class RecallCounts:
    """How many recalls the log holds of some span of time."""

    total: int = 0
    empty: int = 0
    """Those that gave nothing."""
