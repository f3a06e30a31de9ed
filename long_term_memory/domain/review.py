"""What operators are shown of the items that wait for approval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .memory import EvidenceInContext, Item, Page, Paging


@dataclass(frozen=True, kw_only=True)
class WaitingFilter(Paging):
    """Which of the items that wait for approval an operator looks at."""

    reason: str | None = None
    """The name of a rule, as `WaitingItems.reasons` has it."""
    scope_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Replaceable:
    """A memory in use that an approval would replace."""

    memory_id: str
    fact: str
    newer: bool
    """Whether it was confirmed after what waits."""


@dataclass(frozen=True, kw_only=True)
class WaitingItem:
    """An item that waits, and what it rests on."""

    item: Item
    evidence: Sequence[EvidenceInContext]
    ends_soon: bool
    """Whether it expires soon if nobody decides."""
    replaces: Sequence[Replaceable] = ()
    """What its approval would take out of use."""
    similar: Sequence[Item] = ()
    """Those of its person about the same matter, in use or waiting, that its approval would leave so."""


@dataclass(frozen=True, kw_only=True)
class WaitingItems(Page[WaitingItem]):
    """One page of the items that wait, oldest first."""

    reasons: Mapping[str, int]
    """How many wait in all for which reason; only its name, never the words it may go on with."""
    changed_at: datetime | None
    """When the last of them changed; None when none waits."""
