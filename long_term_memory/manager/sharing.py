"""Sharing: a person lets one memory of theirs be known everywhere, and takes that back (design 7)."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from ..domain.chat import Access, Chat, ScopeRef
from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Audience, Level, Scope, Status
from ..domain.writing import AuditEntry
from ..policies.expiry import TTL_RULE
from ..policies.succession import height, superseded
from ..storage.transaction import StoreTransaction
from ..write.persist import supersede
from .owning import access_to_every_persona
from .parts import Parts
from .short_ids import id_prefix, only


class WhyNotShared(StrEnum):
    """Why nothing came of it."""

    IN_GROUP = "in_group"
    """In a group everybody reads along: there nobody is told even whether there is such a memory."""
    NOT_PERSONAL = "not_personal"
    """What is a group's, or everybody's, is for them as it is."""
    ALREADY = "already"
    NOT_SHARED = "not_shared"
    NOT_IN_USE = "not_in_use"
    """Only what may be used in replies can be shared; the item's status and reason say what keeps it back."""


@dataclass(frozen=True, kw_only=True)
class NotShared:
    """Nothing has changed."""

    why: WhyNotShared
    item: Item | None = None
    """The memory; none in a group."""


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The memory as it is now."""

    item: Item
    stands_for: Item | None = None
    """Which other memory of the same fact left its place for this one, or took this one's."""


class Sharing:
    """What people decide about who may see one of their memories; in private chats only."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store

    async def share(self, chat: Chat, short_id: str) -> Shared | NotShared:
        """Let one of the speaker's own memories be used in every chat, under the level PUBLIC.

        Another live one of that level that says the same leaves its place for it. Raises NotFoundError,
        AmbiguousError, RefusedError, UnavailableError; InvalidInputError for an id too short to be one.
        """
        if not chat.private:
            return NotShared(why=WhyNotShared.IN_GROUP)
        access, item = await self._own(chat, short_id)
        now = self._parts.clock()
        async with self._store.transaction() as transaction:
            current = await _still_own(transaction, item, access)
            return await _shared(transaction, current, actor=access.owner.scope_id, now=now)

    async def unshare(self, chat: Chat, short_id: str) -> Shared | NotShared:
        """Keep a shared memory to the chats it was said in and the speaker's private ones again.

        Its level is the one its words were said at. Another live one of that level that says the same
        stays and this one leaves for it, unless the other only waits. Raises as `share`.
        """
        if not chat.private:
            return NotShared(why=WhyNotShared.IN_GROUP)
        access, item = await self._own(chat, short_id)
        now = self._parts.clock()
        async with self._store.transaction() as transaction:
            current = await _still_own(transaction, item, access)
            return await _unshared(transaction, current, actor=access.owner.scope_id, now=now)

    async def share_one(self, memory_id: str, *, actor: str) -> Shared | NotShared:
        """As `share`, by an operator and of any person's memory. Raises NotFoundError, RefusedError."""
        now = self._parts.clock()
        async with self._store.transaction() as transaction:
            current = await _there(transaction, memory_id)
            return _refusal(current) or await _shared(transaction, current, actor=actor, now=now)

    async def unshare_one(self, memory_id: str, *, actor: str) -> Shared | NotShared:
        """As `unshare`, by an operator and of any person's memory. Raises NotFoundError, RefusedError."""
        now = self._parts.clock()
        async with self._store.transaction() as transaction:
            current = await _there(transaction, memory_id)
            return _refusal(current) or await _unshared(transaction, current, actor=actor, now=now)

    async def _own(self, chat: Chat, short_id: str) -> tuple[Access, Item]:
        """One of the speaker's own, of whatever persona; one in use before those that are not."""
        access = await access_to_every_persona(self._parts, chat)
        prefix, scopes, memories = id_prefix(short_id), access.own, self._store.memories
        live = await memories.own_matching(prefix, scopes, access, limit=2)
        return access, only(live or await memories.own_ended(prefix, scopes, access, limit=2))


async def _shared(tx: StoreTransaction, item: Item, *, actor: str, now: datetime) -> Shared | NotShared:
    if item.audience is Audience.EVERYWHERE and item.level is Level.PUBLIC:
        return NotShared(why=WhyNotShared.ALREADY, item=item)
    if not _in_use(item, now):
        return NotShared(why=WhyNotShared.NOT_IN_USE, item=_as_it_is(item, now))
    other = await _in_place(tx, item, Level.PUBLIC)
    if other is not None and other.status is Status.DISABLED:
        # What an operator switched off does not come back through another version of it.
        return NotShared(why=WhyNotShared.NOT_IN_USE, item=other)
    return await _share(tx, item, other, actor=actor, now=now)


async def _unshared(tx: StoreTransaction, item: Item, *, actor: str, now: datetime) -> Shared | NotShared:
    if item.audience is not Audience.EVERYWHERE:
        return NotShared(why=WhyNotShared.NOT_SHARED, item=item)
    return await _unshare(tx, item, actor=actor, now=now)


async def _share(
    tx: StoreTransaction, item: Item, other: Item | None, *, actor: str, now: datetime
) -> Shared:
    if other is not None:
        await supersede(tx, other, by=item.memory_id, now=now, actor=actor)
    shared = replace(item, audience=Audience.EVERYWHERE, level=Level.PUBLIC, updated_at=now)
    await tx.update_item(shared)
    await tx.audit(_entry("share", actor, item, shared))
    return Shared(item=shared, stands_for=other)


async def _unshare(tx: StoreTransaction, item: Item, *, actor: str, now: datetime) -> Shared:
    kept = replace(item, audience=Audience.CHAT, level=await tx.level_said_at(item.memory_id), updated_at=now)
    other = await _in_place(tx, item, kept.level) if item.status in LIVE_STATUSES else None
    if other is not None and 0 < height(other.status) < height(item.status):
        await supersede(tx, other, by=item.memory_id, now=now, actor=actor)
        other = None
    if other is not None:
        kept = superseded(kept, by=other.memory_id, now=now)
    await tx.update_item(kept)
    await tx.audit(_entry("unshare", actor, item, kept))
    return Shared(item=kept, stands_for=other)


async def _in_place(tx: StoreTransaction, item: Item, level: Level) -> Item | None:
    """The live item that has the same identity at that level, other than this one."""
    other = await tx.find_item(item.owner, level, item.fact_key, item.person)
    if other is None or other.memory_id == item.memory_id or other.status not in LIVE_STATUSES:
        return None
    return other


async def _there(tx: StoreTransaction, memory_id: str) -> Item:
    item = await tx.get_item(memory_id)
    if item is None:
        raise NotFoundError("no such memory")
    return item


def _refusal(item: Item) -> NotShared | None:
    """Why an operator cannot decide about it; None when they can."""
    if item.owner.scope not in (Scope.USER, Scope.PROJECT):
        return NotShared(why=WhyNotShared.NOT_PERSONAL, item=item)
    if item.status is Status.DELETED:
        return NotShared(why=WhyNotShared.NOT_IN_USE, item=item)
    return None


async def _still_own(tx: StoreTransaction, item: Item, access: Access) -> Item:
    """The item as it is stored now. Raises NotFoundError when it went, or to another owner, meanwhile."""
    current = await tx.get_item(item.memory_id)
    owners: set[ScopeRef] = set(access.own)
    if current is None or current.status is Status.DELETED or current.owner not in owners:
        raise NotFoundError("no such memory")
    return current


def _in_use(item: Item, now: datetime) -> bool:
    return _as_it_is(item, now).status is Status.ACTIVE


def _as_it_is(item: Item, now: datetime) -> Item:
    """The item as it would stand had upkeep looked at it by now."""
    if item.status is Status.ACTIVE and item.expires_at is not None and item.expires_at <= now:
        return replace(item, status=Status.EXPIRED, reason=TTL_RULE)
    return item


def _entry(action: str, actor: str, before: Item, after: Item) -> AuditEntry:
    return AuditEntry(
        actor=actor,
        action=action,
        memory_id=after.memory_id,
        before=f"{before.audience} {before.level.name}",
        after=f"{after.audience} {after.level.name}",
        reason=f"superseded_by {after.superseded_by}" if after.status is Status.SUPERSEDED else "",
    )
