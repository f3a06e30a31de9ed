"""Sharing: a person lets one memory of theirs be known everywhere, and takes that back."""

from dataclasses import replace
from functools import partial
from typing import Literal

from ..domain.chat import Chat
from ..domain.enums import LIVE_STATUSES, Audience, Level, Scope, Status
from ..domain.errors import RefusedError
from ..domain.memory import Item
from ..domain.writing import AuditEntry
from ..policies.succession import left, status_rank
from ..storage.store import StoreTransaction
from ..write.conflicts import holder_of
from ..write.reverting import bring_back
from ..write.transitions import Decision, supersede
from .editing import as_it_stands
from .operations import ItemOperation, Operations


class NotSharedError(RefusedError):
    """Nothing has changed; `item` is the memory that stands in the way, where it may be shown.

    `in_group`: there everybody reads along, and nobody is told even whether there is such a memory.
    `not_in_use`: only what may be used in replies can be shared; the item's status and reason say what keeps
    it back.
    """

    def __init__(
        self,
        why: Literal["in_group", "not_personal", "already", "not_shared", "not_in_use"],
        item: Item | None = None,
    ) -> None:
        super().__init__(f"{why}: the memory {item.memory_id} is {item.status}" if item else why)
        self.why = why
        self.item = item


class Sharing(Operations):
    """Who may see a memory: decided by its person, in private chats only, and by operators.

    With `on` it is used everywhere, as PUBLIC; else it is kept to the chats it was said in, at the level of
    its words, and a group's own version that it took the place of is as it was. Both return the memory as it
    is then, and raise NotSharedError, NotFoundError, and RefusedError while read-only.
    """

    async def of_anybody(self, memory_id: str, *, on: bool, actor: str) -> Item:
        """Of any person's memory, by an operator."""
        change = partial(_personal, apply=_share if on else _unshare)
        return (await self._change(memory_id, change, actor=actor))[0]

    async def own(self, chat: Chat, short_id: str, *, on: bool, message: object = None) -> Item:
        """Of one of the speaker's own, of whatever persona; one in use first. Not `on` while paused.

        What one `message` shares or unshares is undone at once.
        """
        if not chat.private:
            raise NotSharedError("in_group")
        if on:
            await self._unless_paused(chat)
        apply = _share if on else _unshare
        access = await self._every_persona(chat)
        item = await self._own_of_any_status(access, short_id)

        async def own(tx: StoreTransaction, current: Item, decision: Decision) -> Item | None:
            # It may have gone, or to another owner, meanwhile.
            if current.status is Status.DELETED or current.owner not in access.own:
                return None
            return await apply(tx, current, decision)

        changed, prior = await self._change(item.memory_id, own, actor=access.owner.scope_id)
        kind = "share" if on else "unshare"
        self._components.undo.add(chat, kind, {changed.memory_id: prior}, message=message)
        return changed


async def _personal(tx: StoreTransaction, item: Item, decision: Decision, apply: ItemOperation[Item]) -> Item:
    if item.owner.scope not in (Scope.USER, Scope.PROJECT):
        raise NotSharedError("not_personal", item)
    if item.status is Status.DELETED:
        raise NotSharedError("not_in_use", item)
    return await apply(tx, item, decision)


async def _share(tx: StoreTransaction, item: Item, decision: Decision) -> Item:
    if item.audience is Audience.EVERYWHERE and item.level is Level.PUBLIC:
        raise NotSharedError("already", item)
    now = as_it_stands(item, decision.now)
    if now.status is not Status.ACTIVE:
        raise NotSharedError("not_in_use", now)
    shared = replace(item, audience=Audience.EVERYWHERE, level=Level.PUBLIC, updated_at=decision.now)
    if other := await holder_of(tx, shared):
        if other.status is Status.DISABLED:
            # That does not come back through another version of it.
            raise NotSharedError("not_in_use", other)
        await supersede(tx, other, decision, by=item.memory_id)
    return await _put(tx, "share", decision, item, shared)


async def _unshare(tx: StoreTransaction, named: Item, decision: Decision) -> Item:
    is_shared = named.audience is Audience.EVERYWHERE  # or the same fact at another level is
    item = named if is_shared else await holder_of(tx, replace(named, level=Level.PUBLIC))
    if item is None or item.audience is not Audience.EVERYWHERE:
        raise NotSharedError("not_shared", named)
    level = await tx.level_said_at(item.memory_id)
    kept = replace(item, audience=Audience.CHAT, level=level, updated_at=decision.now)
    other = await holder_of(tx, kept) if item.status in LIVE_STATUSES else None
    if other is not None and 0 < status_rank(other.status) < status_rank(item.status):
        await supersede(tx, other, decision, by=item.memory_id)
        other = None
    if other is not None:
        kept = left(kept, Status.SUPERSEDED, "superseded", now=decision.now, by=other.memory_id)
    unshared = await _put(tx, "unshare", decision, item, kept)
    if item.status is Status.ACTIVE:
        await bring_back(tx, item, decision)
    return unshared


async def _put(tx: StoreTransaction, action: str, decision: Decision, before: Item, after: Item) -> Item:
    line = AuditEntry(
        actor=decision.actor,
        action=action,
        memory_id=after.memory_id,
        before=f"{before.audience} {before.level.name}",
        after=f"{after.audience} {after.level.name}",
        reason=f"superseded_by {after.superseded_by}" if after.status is Status.SUPERSEDED else "",
    )
    await tx.update_item(after)
    await tx.audit(line)
    return after
