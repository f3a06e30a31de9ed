"""What people see and decide about their own memories."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..domain.chat import Access, Chat
from ..domain.errors import NotFoundError
from ..domain.memory import EvidenceInContext, Item, ItemPage
from ..domain.words import MemoryType, Status
from ..domain.writing import AuditEntry
from .owning import access_to_every_persona, own_scopes
from .parts import Parts
from .pausing import Pausing
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

    async def items(self, chat: Chat, *, kind: MemoryType | None, page: int, page_size: int) -> ItemPage:
        """Live ones, last changed first; pages count from 1."""
        access = self._parts.people.access(chat)
        return await self._store.memories.own_items(
            own_scopes(access), access, kind=kind, page=page, page_size=page_size
        )

    async def why(self, chat: Chat, short_id: str) -> Explained:
        """One item with its words. Raises NotFoundError, AmbiguousError."""
        access = self._parts.people.access(chat)
        item = await self._item(access, short_id)
        memories, own = self._store.memories, own_scopes(access)
        return Explained(
            item=item,
            evidence=await memories.own_evidence(item.memory_id, own, access),
            older=await memories.own_older(item.memory_id, own, access),
        )

    async def why_not(self, chat: Chat, words: str) -> WhyNot:
        """What became of those that have these words."""
        access, paused = self._parts.people.access(chat), await self._pausing.holds(chat)
        return await why_not(self._parts, access, own_scopes(access), words, paused=paused)

    async def forget(self, chat: Chat, short_id: str) -> Item:
        """Delete one, of whatever persona. Raises NotFoundError, AmbiguousError, RefusedError."""
        access = await access_to_every_persona(self._parts, chat)
        item = await self._item(access, short_id)
        now = self._parts.clock()
        async with self._store.transaction() as transaction:
            current = await transaction.get_item(item.memory_id)
            if current is None or current.status is Status.DELETED:
                raise NotFoundError("no such memory")
            gone = replace(current, status=Status.DELETED, reason="forgotten", deleted_at=now, updated_at=now)
            await transaction.update_item(gone)
            await transaction.audit(_entry(access.owner.scope_id, "forget", current, gone))
        return gone

    async def _item(self, access: Access, short_id: str) -> Item:
        prefix = id_prefix(short_id)
        return only(await self._store.memories.own_matching(prefix, own_scopes(access), access, limit=2))


def _entry(actor: str, action: str, before: Item, after: Item) -> AuditEntry:
    return AuditEntry(
        actor=actor,
        action=action,
        memory_id=after.memory_id,
        before=before.status,
        after=after.status,
        reason=after.reason,
    )
