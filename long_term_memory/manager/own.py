"""What people see and decide about their own memories."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.chat import Access, Chat
from ..domain.memory import EvidenceInContext, Item, Page
from ..domain.words import Audience, MemoryType
from .parts import Parts
from .pausing import Pausing
from .reading import Unread, unread
from .short_ids import id_prefix, only
from .why_not import WhyNot, why_not


@dataclass(frozen=True, kw_only=True)
class Explained:
    """An item, the words it rests on, oldest first, and its history."""

    item: Item
    evidence: Sequence[EvidenceInContext]
    older: Sequence[Item]
    """What it took the place of, latest first."""


class OwnMemories:
    """The speaker's own, as far as the chat may show them."""

    def __init__(self, parts: Parts, pausing: Pausing) -> None:
        self._parts = parts
        self._store = parts.store
        self._pausing = pausing

    async def items(self, chat: Chat, *, kind: MemoryType | None, page: int, page_size: int) -> Page[Item]:
        """Live ones, last changed first; pages count from 1."""
        access = self._parts.people.access(chat)
        return await self._store.memories.own_items(
            access.own, access, kind=kind, page=page, page_size=page_size
        )

    async def why(self, chat: Chat, short_id: str) -> Explained:
        """One item with its words. Raises NotFoundError, AmbiguousError."""
        access = self._parts.people.access(chat)
        item = await self._item(access, short_id)
        memories, own = self._store.memories, access.own
        return Explained(
            item=item,
            evidence=await memories.own_evidence(item.memory_id, own, access),
            older=await memories.own_older(item.memory_id, own, access),
        )

    async def why_not(self, chat: Chat, words: str) -> WhyNot:
        """What became of those that have these words."""
        paused = await self._pausing.holds(chat)
        return await why_not(self._parts, self._parts.people.access(chat), words, paused=paused)

    async def unread(self, chat: Chat) -> Unread:
        """How many of the speaker's own messages are unread, as far as this chat may know, and when."""
        return await unread(self._parts, self._parts.people.access(chat))

    async def was_told_here(self, chat: Chat, item: Item) -> bool:
        """Whether this chat knew the item before it was told a moment ago, and so may hear of that."""
        if chat.private or item.audience is Audience.EVERYWHERE:
            return True
        access = self._parts.people.access(chat)
        return len(await self._store.memories.own_evidence(item.memory_id, access.own, access)) > 1

    async def _item(self, access: Access, short_id: str) -> Item:
        prefix = id_prefix(short_id)
        return only(await self._store.memories.own_matching(prefix, access.own, access, limit=2))
