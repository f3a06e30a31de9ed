"""What the read pipeline asks of the rest of the world."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from ..domain.chat import Access
from ..domain.reading import QueryVector, Sought, Term
from ..domain.transcript import Said
from .signals import Heard, Visible


class Memory(Protocol):
    """What may be read, searched by words and vectors at once. Who may see what is decided in its queries."""

    async def look_up(
        self,
        access: Access,
        terms: Sequence[Term],
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


class Transcript(Protocol):
    """What was said, searched by words and vectors at once. Who may see what is decided in its queries."""

    async def warm(self, access: Access, *, now: datetime) -> bool:
        """Have what this access reaches at hand; whether any of it has a vector of the present model."""
        ...

    async def look_up(
        self, access: Access, terms: Sequence[Term], vector: QueryVector | None, *, now: datetime
    ) -> Heard:
        """What this access reaches, with its signals; of a long transcript the newest part."""
        ...

    async def read(self, access: Access, event_ids: Sequence[str]) -> Mapping[str, Said]:
        """These messages by their ids, as far as this access reaches them now."""
        ...


class Ahead(Protocol):
    """The vectors of questions, asked for before they are needed."""

    def prepare(self, text: str) -> None:
        """Begin to embed the question in the background when that is worth it. Never raises."""
        ...

    async def arrived(self, text: str) -> QueryVector | None:
        """The vector of a question that was prepared, once it is there; None when it does not come.

        Waits as long as that takes, and says nothing about the provider. Never raises.
        """
        ...

    async def vector(self, text: str) -> Sought:
        """The vector of the question if it comes by the deadline, else why words alone answer. Never raises.

        The deadline runs from this call; what was prepared is mostly there at once.
        """
        ...
