"""What the read pipeline asks of the rest of the world."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from ..domain.chat import Access, ScopeRef
from ..domain.memory import Item
from ..domain.reading import QueryVector
from .signals import Visible


class ReadStore(Protocol):
    """Memories, as far as an `Access` reaches. Each method filters inside its query."""

    async def visible_items(self, access: Access, *, now: datetime, min_confidence: float) -> Sequence[Item]:
        """Active, unexpired items this access reaches."""
        ...

    async def word_scores(
        self, access: Access, text: str, *, now: datetime, min_confidence: float, limit: int
    ) -> Mapping[str, float]:
        """Memory id to BM25 score (more is better, > 0) of visible items that share a word with the text.

        Any text is a fine query; one without words gives nothing.
        """
        ...


class Memory(Protocol):
    """What may be read, searched by words and vectors at once. Who may see what is decided in its queries."""

    async def look_up(
        self,
        access: Access,
        terms: Sequence[str],
        vector: QueryVector | None,
        *,
        now: datetime,
        min_confidence: float,
    ) -> Visible:
        """Everything active, unexpired and trusted enough that this access reaches, with its signals."""
        ...

    async def warm(self, access: Access, *, now: datetime, min_confidence: float) -> None:
        """Have what this access reaches at hand for the `look_up` that is about to come."""
        ...


class VectorIndex(Protocol):
    """The vectors of items, by scope."""

    async def search(
        self, ref: ScopeRef, vector: Sequence[float], *, model_id: str, allowed: Sequence[str], limit: int
    ) -> Mapping[str, float]:
        """Memory id to cosine (-1..1) of the nearest items among `allowed`, which is the visible ones.

        `vector` may have any norm. Empty when the scope holds no vectors of this model and dimension.
        """
        ...


class Embedder(Protocol):
    """The operator's embedding provider, resolved anew at each use."""

    def model_id(self) -> str | None:
        """What the vectors are tagged with; None when there is no embedding provider."""
        ...

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per text, finite numbers, all of one length. Raises UnavailableError."""
        ...


class AccessLog(Protocol):
    """The only thing a read may change."""

    async def touched(self, memory_ids: Sequence[str], *, at: datetime) -> None:
        """Count one injection of these items."""
        ...
