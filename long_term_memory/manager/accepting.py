"""What people accept: memories about themselves that wait and rest on nothing but their own words."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.chat import Access, Chat
from ..domain.errors import NotFoundError, RefusedError
from ..domain.memory import Item
from ..policies.succession import BY_POLICY
from ..policies.write_policy import MemoryWritePolicy
from ..storage.transaction import StoreTransaction
from ..write.approval import WAITING, approve
from ..write.placement import Decision
from .deciding import in_parts
from .parts import Parts
from .pausing import Pausing
from .short_ids import id_prefix, only

SWITCHED_OFF = "self_approval"
"""The rule: here only admins approve."""
ACCEPTED_BY_PEOPLE = BY_POLICY - {"require_approval_types"} | {"unverified"}
"""Reasons to wait that a person settles: what no model has verified yet they can answer for."""


@dataclass(frozen=True, kw_only=True)
class OwnWaiting:
    """The speaker's own memories that wait, as far as the chat may show them."""

    acceptable: Sequence[Item] = ()
    """Those that the speaker may accept, oldest first."""
    others: int = 0
    """How many only an admin may approve, or go on by themselves."""


@dataclass(frozen=True, kw_only=True)
class NotAccepted:
    """A memory as it stands that the speaker cannot accept: it is not waiting, or not for them."""

    item: Item


class Accepting:
    """Self-approval, decided from the event: whose words they are, and what this chat may show."""

    def __init__(self, parts: Parts, pausing: Pausing) -> None:
        self._parts = parts
        self._store = parts.store
        self._pausing = pausing

    async def waiting(self, chat: Chat) -> OwnWaiting:
        """What waits for whom."""
        return await self._waiting(self._parts.people.access(chat))

    async def keep(self, chat: Chat, short_id: str) -> Item | NotAccepted:
        """Let one be used, at the level and in the chats it has. Raises NotFoundError, AmbiguousError.

        Raises RefusedError while read-only or paused, and (`self_approval`) where only admins approve.
        """
        access = await self._access(chat)
        prefix = id_prefix(short_id)
        item = only(await self._store.memories.own_matching(prefix, access.own, access, limit=2))
        if item.memory_id not in {one.memory_id for one in (await self._waiting(access)).acceptable}:
            if item.status in WAITING:
                self._refuse_where_switched_off()
            return NotAccepted(item=item)
        kept = await self._accept([item], access)
        if not kept:
            raise NotFoundError("no such memory")
        return kept[0]

    async def keep_all(self, chat: Chat) -> tuple[Sequence[Item], OwnWaiting]:
        """Let all be used that are undisputed; returns them, and what still waits.

        Works in parts, so that others can write meanwhile; should one fail, those before it are kept.
        Raises RefusedError as `keep`.
        """
        access = await self._access(chat)
        self._refuse_where_switched_off()
        sure = [item for item in (await self._waiting(access)).acceptable if item.reason in BY_POLICY]
        kept: list[Item] = []
        async for part in in_parts(sure):
            kept += await self._accept(part, access)
        return kept, await self._waiting(access)

    async def _access(self, chat: Chat) -> Access:
        await self._pausing.refuse(chat)
        return self._parts.people.access(chat)

    def _refuse_where_switched_off(self) -> None:
        if not self._parts.policies.write().self_approval:
            raise RefusedError(SWITCHED_OFF)

    async def _waiting(self, access: Access) -> OwnWaiting:
        policy = self._parts.policies.write()
        found = await self._store.memories.own_waiting(access)
        acceptable = [item for item, by_own_words in found if by_own_words and _may_accept(item, policy)]
        return OwnWaiting(acceptable=acceptable, others=len(found) - len(acceptable))

    async def _accept(self, items: Sequence[Item], access: Access) -> list[Item]:
        decision = Decision(actor=access.owner.scope_id, now=self._parts.clock())
        async with self._store.transaction() as transaction:
            accepted = [await _accepted(transaction, item, decision) for item in items]
        self._parts.embedding.notify()
        return [item for item in accepted if item is not None]


async def _accepted(tx: StoreTransaction, item: Item, decision: Decision) -> Item | None:
    """The item in use; None when it has changed since it was found acceptable."""
    is_same = await tx.get_item(item.memory_id) == item
    return await approve(tx, item, decision, action="keep") if is_same else None


def _may_accept(item: Item, policy: MemoryWritePolicy) -> bool:
    """Whether the rules leave the decision on a waiting item to the person it is about (design 8)."""
    return (
        policy.self_approval
        and item.status in WAITING
        and item.type in policy.allowed_types - policy.require_approval_types
        and item.reason in ACCEPTED_BY_PEOPLE
    )
