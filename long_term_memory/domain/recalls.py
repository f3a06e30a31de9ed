"""What is kept of a recall: which memories a request was given, which not and why. Never their text."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from enum import StrEnum

from .chat import ScopeRef
from .enums import Level
from .memory import Paging
from .reading import Given, Omitted


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
class _Recall:
    """What a list and the log tell of a recall."""

    recall_id: str
    owner: ScopeRef
    """The scope of whoever asked."""
    umo: str
    level: Level
    query: str
    """The beginning of what was asked, secrets masked; empty while its speaker is paused."""
    vectors: bool
    reason: str
    """Why nothing was given (`NoBlock`), else why words alone answered, else empty."""
    at: datetime


@dataclass(frozen=True, kw_only=True)
class ListedRecall(_Recall):
    """A recall as a list shows it: its memories are only counted."""

    given: int
    left_out: int


@dataclass(frozen=True, kw_only=True)
class LoggedRecall(_Recall):
    """One recall as the log keeps it."""

    conversation_id: str
    given: Sequence[Given]
    """The best first."""
    left_out: Sequence[Omitted]
    """The next best first."""

    @property
    def listed(self) -> ListedRecall:
        """As a list shows it."""
        same = {each.name: getattr(self, each.name) for each in fields(_Recall)}
        return ListedRecall(**same, given=len(self.given), left_out=len(self.left_out))


@dataclass(frozen=True, kw_only=True)
class RecallFilter(Paging):
    """Which recalls an operator looks at."""

    scope_id: str | None = None
    """Of whoever asked."""
    umo: str | None = None
    empty: bool | None = None
    """Whether nothing was given; while paused it is neither."""
    query: str = ""
    """Words of what was asked."""
    since: date | None = None
    """The first day, of the host's zone."""
    until: date | None = None
