"""Stage 2, retrieve: everything visible, with the signals that words and vectors give (design 6.2)."""

from dataclasses import dataclass

from ..domain.reading import Request, Unrelated
from .protocols import Ahead, Memory
from .references import References
from .signals import Visible


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """What a request may see, and what is known of its vector."""

    visible: Visible
    unrelated: Unrelated | None = None
    """What unrelated texts are like beside it; None without a vector, and until that is known."""
    why: str = ""
    """Why words alone answered (`NoVector`), else empty."""


class Retriever:
    """Asks memory, with the question's vector when there is one in time."""

    def __init__(self, *, memory: Memory, ahead: Ahead, references: References) -> None:
        self._memory = memory
        self._ahead = ahead
        self._references = references

    async def retrieve(self, request: Request, *, min_confidence: float) -> Found:
        """Collect every visible item with its signals, those of vectors only when they come in time."""
        sought = await self._ahead.vector(request.text)
        visible = await self._memory.look_up(
            request.access, request.terms, sought.vector, now=request.at, min_confidence=min_confidence
        )
        unrelated = sought.vector and self._references.unrelated(request.text, sought.vector)
        return Found(visible=visible, unrelated=unrelated, why=sought.why)
