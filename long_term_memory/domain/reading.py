"""What one stage of the read pipeline hands to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from .chat import Access
from .memory import Item


@dataclass(frozen=True, kw_only=True)
class Query:
    """What memories are asked for."""

    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class QueryVector:
    """What is looked for, as one embedding model has it."""

    model_id: str
    numbers: Sequence[float]
    """Finite, of any norm."""


@dataclass(frozen=True, kw_only=True)
class Period:
    """The days a question names, such as those of last May: from `start` up to but without `end`."""

    start: datetime
    end: datetime


@dataclass(frozen=True, kw_only=True)
class Request:
    """One read, bounded: who may see what, and what is looked for."""

    access: Access
    at: datetime
    text: str
    """What is embedded."""
    words: str
    """The words of the text that carry content, for the full-text index; empty when there are none."""
    terms: Sequence[str] = ()
    """The same as an index holds them (`policies/terms.py`), each once."""
    period: Period | None = None


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A visible item with its raw signals."""

    item: Item
    words: float
    """BM25 turned so that more is better, >= 0; 0 when no word matched."""
    cosine: float | None
    """-1..1; None when vectors were not asked or the item has none."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """Everything the request may see."""

    hits: Sequence[Hit]
    vectors: bool
    """Whether vectors took part."""


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """An item with the score that orders it and each signal's share of it."""

    item: Item
    score: float
    similarity: float
    importance: float
    recency: float


@dataclass(frozen=True, kw_only=True)
class Omitted:
    """A visible item that is not injected, and the rule that left it out."""

    memory_id: str
    rule: str


@dataclass(frozen=True, kw_only=True)
class Sifted:
    """What one stage lets through, best first, and what it and the stages before it left out."""

    kept: Sequence[Ranked]
    omitted: Sequence[Omitted]


@dataclass(frozen=True, kw_only=True)
class Recall:
    """The outcome of one read: what is injected, as text and as items, and what is not."""

    block: str
    """Empty when nothing is injected."""
    injected: Sequence[Ranked]
    omitted: Sequence[Omitted]
    vectors: bool
    """Whether vectors took part."""
