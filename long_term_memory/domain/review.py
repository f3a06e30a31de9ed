"""What operators are shown of the items that wait for approval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from .memory import EvidenceInContext, Item, Page, Paging


@dataclass(frozen=True, kw_only=True)
class WaitingFilter(Paging):
    """Which of the items that wait for approval an operator looks at."""

    reason: str | None = None
    """The name of a rule, as `WaitingItems.reasons` has it."""
    scope_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Rival:
    """A memory of the same person that says otherwise than one that waits or is in use."""

    memory_id: str
    fact: str
    newer: bool
    """Whether it was confirmed after that one."""
    then: Literal["this", "both", "other", "waits"]
    """Which is used, after the approval of what waits: `this` is that one; or that the other `waits` on."""


@dataclass(frozen=True, kw_only=True)
class Explained:
    """An item, and what it rests on, oldest first."""

    item: Item
    evidence: Sequence[EvidenceInContext]
    older: Sequence[Item] = ()
    """What it took the place of, latest first, but for edits that were taken back."""
    replaces: Sequence[Rival] = ()
    """What its approval would take out of use, while it waits."""
    otherwise: Sequence[Rival] = ()
    """What says otherwise, in use or waiting; beside one that waits, what its approval would leave so."""


@dataclass(frozen=True, kw_only=True)
class WaitingItem:
    """An item that waits, and what it rests on."""

    item: Item
    evidence: Sequence[EvidenceInContext]
    ends_soon: bool
    """Whether it expires soon if nobody decides."""
    replaces: Sequence[Rival] = ()
    """What its approval would take out of use."""
    otherwise: Sequence[Rival] = ()
    """What its approval would leave in use or waiting."""


@dataclass(frozen=True, kw_only=True)
class WaitingItems(Page[WaitingItem]):
    """One page of the items that wait, oldest first."""

    reasons: Mapping[str, int]
    """How many wait in all for which reason; only its name, never the words it may go on with."""
    expire_soon: int
    """How many of these expire soon if nobody decides."""
    changed_at: datetime | None
    """When the last of them changed; None when none waits."""
