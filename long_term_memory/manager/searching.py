"""Finding one's own memories by their words."""

import asyncio

from ..domain.chat import Chat
from ..domain.memory import Item, Page
from .parts import Parts
from .why_not import MAX_LOOKED_AT, with_words


class Searching:
    """For lists that people read: with ids, what waits and its state, unlike a recall."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._memories = parts.store.memories

    async def own(self, chat: Chat, words: str, *, page: int, page_size: int) -> Page[Item]:
        """The speaker's own live items with these words, as far as this chat may show them, best first.

        Counted are words of the fact, and of what was said where this chat may quote it. Pages count from 1.
        """
        access = self._parts.people.access(chat)
        kept = await self._memories.own_live(words, access.own, access, limit=MAX_LOOKED_AT)
        found, _ = await asyncio.to_thread(with_words, words, kept.values())
        first = (page - 1) * page_size
        return Page(rows=found[first : first + page_size], total=len(found), page=page, page_size=page_size)
