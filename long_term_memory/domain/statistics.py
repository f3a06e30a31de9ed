"""What is counted for an operator's overview. Days are those of UTC."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from .chat import ScopeRef
from .enums import MemoryType, Status
from .memory import Page


@dataclass(frozen=True, kw_only=True)
class ScopeCounts:
    """How much one scope holds."""

    ref: ScopeRef
    name: str
    """What its person was called last; empty when nobody knows."""
    items: int
    """All that is not deleted."""
    active: int
    waiting: int
    """What an approval would make active."""


@dataclass(frozen=True, kw_only=True)
class Growth:
    """What was new on a day, whatever has become of it."""

    day: date
    items: int
    events: int


@dataclass(frozen=True, kw_only=True)
class RecallsOfDay:
    """The recalls that the log holds of a day."""

    day: date
    total: int
    empty: int
    """Those that gave nothing."""


@dataclass(frozen=True, kw_only=True)
class TokensOfDay:
    """What models were asked on a day."""

    day: date
    calls: int
    prompt_tokens: int
    answer_tokens: int


@dataclass(frozen=True, kw_only=True)
class Overview(Page[ScopeCounts]):
    """One page of the scopes, the fullest first, and the figures of all of them together.

    The days follow one another, none is left out, today comes last.
    """

    types: Mapping[MemoryType, Mapping[Status, int]]
    growth: Sequence[Growth]
    recalls: Sequence[RecallsOfDay]
    tokens: Sequence[TokensOfDay]
