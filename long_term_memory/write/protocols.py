"""What the write pipeline asks of the rest of the world."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ..domain.chat import ScopeRef
from ..domain.writing import Completion, Grounded, Segment
from ..prompts.verification import Judgement

if TYPE_CHECKING:
    from ..storage.event_queue import StoredEventQueue
    from ..storage.store import Store
    from ..storage.transaction import StoreTransaction

type WriteTransaction = StoreTransaction
"""One transaction of the store: all of it happens, or nothing."""
type WriteStore = Store
"""Where the pipeline writes, in one transaction at a time, rolled back when its block raises.

It raises RefusedError (`emergency_read_only`) while the store is read-only, and UnavailableError when the
database stays locked.
"""
type EventQueue = StoredEventQueue
"""The table of events, seen as the queue that the extraction works off."""


class ChatModel(Protocol):
    """The operator's chat provider for one chat."""

    async def provider_id(self, umo: str) -> str:
        """Which provider answers for this chat. Raises NoProviderError, UnavailableError."""
        ...

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        """One answer. Raises NoProviderError, and UnavailableError when it fails or takes too long."""
        ...


type Verify = Callable[[Segment, Sequence[Grounded], str], Awaitable[Sequence[Judgement | None]]]
"""Whether a conversation says what was noted of it, as the provider of this id judges; it never raises.

One judgement a fact, None for each that could not be had. It makes one call at most.
"""


class VectorIndex(Protocol):
    """The vectors of items, by scope."""

    async def search(
        self, ref: ScopeRef, vector: Sequence[float], *, model_id: str, limit: int
    ) -> Mapping[str, float]:
        """Memory id to cosine (-1..1) of the nearest items of the scope; empty without such vectors."""
        ...
