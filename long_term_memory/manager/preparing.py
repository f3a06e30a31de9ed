"""What can be done for a reply while the host gets ready: the question's vector, and what it is put to."""

from functools import partial

from ..domain.chat import Chat
from ..domain.reading import Query
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
        access, now = self._parts.people.access(chat), self._parts.clock()
        await self._parts.memory.warm(
            access, now=now, min_confidence=self._parts.policies.read().min_confidence
        )
        await self._parts.reader.prepare(access, Query(text=text, at=now))
