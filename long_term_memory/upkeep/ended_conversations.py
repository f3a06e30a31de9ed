"""Forgets how confidential a conversation was once the host has it no more (design 7).

Never by its age: somebody may go on with an old conversation, and what was said in it is still there.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from itertools import batched
from typing import Protocol

from ..domain.conversations import Conversation
from .breath import Breathe

AT_ONCE = 200
"""Conversations the host is asked about in one go."""

type Gone = Callable[[Sequence[str]], Awaitable[Collection[str]]]
"""Which of these conversation ids the host certainly has no more; raises when it cannot tell."""


async def none_gone(_conversation_ids: Sequence[str]) -> Collection[str]:
    """For a world without conversations that end."""
    return ()


class HeldLevels(Protocol):
    """Where the levels are held."""

    async def settle(self) -> None:
        """Write what is not written yet."""
        ...

    def raised(self) -> Sequence[Conversation]:
        """Each conversation that is held."""
        ...

    async def ended(self, conversations: Collection[Conversation]) -> None:
        """Forget these."""
        ...


class EndedConversations:
    """One step of housekeeping."""

    def __init__(self, levels: HeldLevels, gone: Gone, breathe: Breathe) -> None:
        self._levels = levels
        self._gone = gone
        self._breathe = breathe

    async def work(self) -> None:
        """Write what could not be written when it happened, then forget what has ended, bit by bit."""
        await self._levels.settle()
        for part in batched(self._levels.raised(), AT_ONCE):
            gone = await self._gone([each.conversation_id for each in part])
            if ended := [each for each in part if each.conversation_id in gone]:
                await self._levels.ended(ended)
            await self._breathe()
