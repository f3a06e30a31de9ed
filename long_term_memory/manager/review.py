"""What operators decide about the items that wait."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..domain.chat import Access, Chat
from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..write.approval import approve, reject
from ..write.placement import Decision
from .parts import Parts
from .short_ids import id_prefix, only

SOON = timedelta(days=7)
"""How long before its end a waiting item is shown as one that expires soon."""


@dataclass(frozen=True, kw_only=True)
class WaitingPage:
    """Some of the items that wait, how many there are in all, and the instant they were looked at."""

    items: Sequence[Item]
    total: int
    at: datetime
    readable: frozenset[str]
    """Memory ids of those whose words may be shown in the chat that asks."""
    names: Mapping[str, str]
    """What the people are called whose scopes these are."""

    def ends_soon(self, item: Item) -> bool:
        """Whether the item expires soon if nobody decides."""
        return item.expires_at is not None and item.expires_at <= self.at + SOON


class Review:
    """Decisions about one item, named by its short id."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store

    async def waiting(self, chat: Chat, *, page: int, page_size: int) -> WaitingPage:
        """One page of what waits, oldest first; pages count from 1."""
        access = self._parts.people.access(chat)
        found = await self._store.waiting_page(page=page, page_size=page_size)
        readable = {item.memory_id: item.owner.scope_id for item in found.rows if _readable(item, access)}
        return WaitingPage(
            items=found.rows,
            total=found.total,
            at=self._parts.clock(),
            readable=frozenset(readable),
            names=await self._store.statistics.names(set(readable.values())),
        )

    async def approve(self, short_id: str, *, actor: str) -> Item:
        """Let one waiting item be used, whatever it waits for. Raises NotFoundError, AmbiguousError."""
        item = only(await self._store.waiting(id_prefix(short_id), limit=2))
        async with self._store.transaction() as transaction:
            approved = await approve(transaction, item, self._decision(actor))
        self._parts.embedding.notify()
        if approved is None:
            raise NotFoundError("no such memory")
        return approved

    async def reject(self, short_id: str, *, actor: str) -> Item:
        """Drop one item, whether it waits or is in use. Raises NotFoundError, AmbiguousError."""
        item = only(await self._store.live(id_prefix(short_id), limit=2))
        async with self._store.transaction() as transaction:
            gone = await reject(transaction, item, self._decision(actor))
        if gone is None:
            raise NotFoundError("no such memory")
        return gone

    def _decision(self, actor: str) -> Decision:
        return Decision(actor=actor, now=self._parts.clock())


def _readable(item: Item, access: Access) -> bool:
    """An operator reads everything, but in a group others read along: there only what is the group's."""
    return access.private or (item.owner in (access.group, *access.also_here) and item.level <= access.level)
