"""What operators decide about the items that wait."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched

from ..domain.chat import Access
from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..policies.succession import BY_POLICY
from ..write.approval import approve, reject
from ..write.placement import Decision
from .parts import Parts
from .short_ids import id_prefix, only

APPROVED_AT_ONCE = 50
"""Items of one transaction: it takes less than the wait of a reply."""
BREATH = timedelta(milliseconds=100)
"""How long others may write between two of these; the host looks as often whether the file is free."""
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

    def ends_soon(self, item: Item) -> bool:
        """Whether the item expires soon if nobody decides."""
        return item.expires_at is not None and item.expires_at <= self.at + SOON


class Review:
    """Approvals, one by one and of all that is sure."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store

    async def waiting(self, access: Access, *, page: int, page_size: int) -> WaitingPage:
        """One page of what waits, oldest first; pages count from 1."""
        found = await self._store.waiting_page(page=page, page_size=page_size)
        readable = frozenset(item.memory_id for item in found.items if _readable(item, access))
        return WaitingPage(items=found.items, total=found.total, at=self._parts.clock(), readable=readable)

    async def approve(self, short_id: str, *, actor: str) -> Item:
        """Let one waiting item be used, whatever it waits for. Raises NotFoundError, AmbiguousError."""
        items = await self._store.waiting(id_prefix(short_id), limit=2)
        return only(await self._approve([only(items)], actor=actor))

    async def reject(self, short_id: str, *, actor: str) -> Item:
        """Drop one item, whether it waits or is in use. Raises NotFoundError, AmbiguousError."""
        item = only(await self._store.live(id_prefix(short_id), limit=2))
        async with self._store.transaction() as transaction:
            gone = await reject(transaction, item, self._decision(actor))
        if gone is None:
            raise NotFoundError("no such memory")
        return gone

    async def approve_all(self, *, actor: str) -> tuple[int, int]:
        """Let every waiting item be used but those in doubt; returns how many, and how many are left.

        In doubt is what no words of a person bear out: it deserves a look of its own. Works in parts, so that
        others can write meanwhile; should one fail, those before it are approved.
        """
        waiting = await self._store.waiting("", limit=None)
        sure = [item for item in waiting if item.reason in BY_POLICY]
        approved = 0
        # At least one part: a store that may not be written says so even when nothing waits.
        for place, part in enumerate(list(batched(sure, APPROVED_AT_ONCE)) or [()]):
            if place:
                await asyncio.sleep(BREATH.total_seconds())
            approved += len(await self._approve(part, actor=actor))
        return approved, len(waiting) - len(sure)

    async def _approve(self, items: Sequence[Item], *, actor: str) -> list[Item]:
        decision = self._decision(actor)
        async with self._store.transaction() as transaction:
            decided = [await approve(transaction, item, decision) for item in items]
        self._parts.embedding.notify()
        return [item for item in decided if item is not None]

    def _decision(self, actor: str) -> Decision:
        return Decision(actor=actor, now=self._parts.clock())


def _readable(item: Item, access: Access) -> bool:
    """An operator reads everything, but in a group others read along: there only what is the group's."""
    return access.private or (item.owner in (access.group, *access.also_here) and item.level <= access.level)
