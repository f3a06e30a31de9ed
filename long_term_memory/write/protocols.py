"""The ports of the write pipeline."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ..domain.chat import ScopeRef
from ..domain.writing import Completion, Grounded, Segment
from ..prompts.verification import Judgement

if TYPE_CHECKING:
    from ..storage.namespaces import Namespace
    from ..storage.store import Store, StoreTransaction

type WriteTransaction = StoreTransaction
"""One transaction of the store."""
type WriteStore = Store
"""The store. A transaction raises RefusedError (`emergency_read_only`), or UnavailableError when locked."""
type VectorIndex = Callable[[ScopeRef], Namespace]
"""The vectors of items of a scope."""


class ChatModel(Protocol):
    """The chat provider of a chat."""

    async def provider_id(self, umo: str) -> str:
        """The id of the chat's provider. Raises NoProviderError, UnavailableError."""
        ...

    async def complete(self, *, umo: str, system: str, prompt: str) -> Completion:
        """One answer. Raises NoProviderError, and UnavailableError when it fails or takes too long."""
        ...


type Verify = Callable[[Segment, Sequence[Grounded], str], Awaitable[Sequence[Judgement | None]]]
"""Judges each fact against the segment with the provider of this id, in one call at most.

Raises StoreUnavailableError. None stands for a judgement that could not be had.
"""
