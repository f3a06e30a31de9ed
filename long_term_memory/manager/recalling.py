"""Recall: what a request carries, and that no reply waits for it for long."""

import asyncio
from datetime import datetime, timedelta

from ..domain.chat import Chat
from ..domain.errors import UnavailableError
from ..domain.reading import Query, Recall
from ..domain.recalls import NoBlock
from ..upkeep.recall_log import Recalled
from .parts import Parts
from .pausing import Pausing

STORE_DEADLINE = timedelta(seconds=5)
"""How long a reply waits for the store, beside the vector of its question: others may be reading."""


class Recalling:
    """What is remembered for a reply, and the log of it."""

    def __init__(self, parts: Parts, pausing: Pausing) -> None:
        self._parts = parts
        self._pausing = pausing

    async def recall(self, chat: Chat, text: str) -> Recall:
        """What a request with these words carries: nothing while the speaker or the group is paused.

        Raises UnavailableError when the store keeps it waiting for too long.
        """
        patience = self._parts.settings.recall_deadline + STORE_DEADLINE
        try:
            async with asyncio.timeout(patience.total_seconds()):
                return await self._recall(chat, text)
        except TimeoutError as error:
            raise UnavailableError("the store does not answer in time") from error

    def recalled(
        self, chat: Chat, text: str, recall: Recall, *, sent: bool, asked_at: datetime | None = None
    ) -> None:
        """Note what became of the recall for these words; `sent`: its block went out.

        `asked_at` is when the message with them arrived, now if it is not given.
        """
        self._parts.recall_log.put(
            Recalled(
                access=self._parts.people.access(chat),
                conversation_id=chat.conversation_id,
                text=text,
                recall=recall,
                sent=sent,
                at=asked_at or self._parts.clock(),
            )
        )

    async def _recall(self, chat: Chat, text: str) -> Recall:
        if await self._pausing.holds(chat):
            return Recall(block="", injected=(), omitted=(), vectors=False, reason=NoBlock.PAUSED)
        query = Query(text=text, at=self._parts.clock())
        return await self._parts.reader.recall(self._parts.people.access(chat), query)
