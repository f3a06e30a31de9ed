"""What is kept of a recall: which memories a request was given, which not and why. Never their text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
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
class ListedRecall:
    """A recall as a list shows it: its memories are only counted. See `LoggedRecall`."""

    recall_id: str
    owner: ScopeRef
    umo: str
    level: Level
    query: str
    given: int
    left_out: int
    vectors: bool
    reason: str
    at: datetime


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

    @property
    def listed(self) -> ListedRecall:
        """As a list shows it."""
        return ListedRecall(
            recall_id=self.recall_id,
            owner=self.owner,
            umo=self.umo,
            level=self.level,
            query=self.query,
            given=len(self.given),
            left_out=len(self.left_out),
            vectors=self.vectors,
            reason=self.reason,
            at=self.at,
        )


@dataclass(frozen=True, kw_only=True)
class RecallFilter:
    """Which recalls an operator looks at."""

    scope_id: str | None = None
    """Of whoever asked."""
    umo: str | None = None
    empty: bool | None = None
    """Whether nothing was given; while paused it is neither."""
    query: str = ""
    """Words of what was asked."""
    since: date | None = None
    """The first day, of UTC."""
    until: date | None = None
    """The last day."""
    page: int = 1
    page_size: int = 50


@dataclass(frozen=True, kw_only=True)
class RecallCounts:
    """How many recalls the log holds of some span of time."""

    total: int = 0
    empty: int = 0
    """Those that gave nothing."""
