"""What can be done for a reply while the host gets ready: the question's vector, and what it is put to."""

from functools import partial

from ..domain.chat import Chat
from .parts import Parts
from .pausing import Pausing


class Preparing:
    """Begins it in the background: nobody waits for it, and nothing is lost without it."""

    def __init__(self, parts: Parts, pausing: Pausing) -> None:
        self._parts = parts
        self._pausing = pausing

    def prepare(self, chat: Chat, text: str) -> None:
        """Begin, unless the speaker or the group is paused or reading is off."""
        if self._parts.policies.read().enable:
            self._parts.scheduler.spare("prepare", partial(self._prepare, chat, text))

    async def _prepare(self, chat: Chat, text: str) -> None:
        if await self._pausing.holds(chat):
            return
        # First what takes longest.
        self._parts.ahead.prepare(text)
        await self._parts.memory.warm(
            self._parts.people.access(chat),
            now=self._parts.clock(),
            min_confidence=self._parts.policies.read().min_confidence,
        )
