"""An item that is over or switched off is used again, because an operator says so (design 5.7).

That is a decision as an approval is: whoever stands in its place leaves for it, where they surfaced no
further than it does, and it lives as long as an item of its kind. What an operator switched off is displaced
by nobody.
"""

from dataclasses import replace

from ..domain.errors import RefusedError
from ..domain.memory import Item
from ..domain.words import MemoryType, Status
from ..domain.writing import AuditEntry
from ..policies.chosen_keys import shown_key
from ..policies.expiry import expiry
from ..policies.slots import is_exclusive
from ..policies.succession import height, still_stands_for
from .approval import WAITING, Decision, approve
from .persist import supersede
from .protocols import WriteTransaction
from .surface import giving_way, surface

MAX_SUCCESSIONS = 50
"""How often a place may have changed hands for whoever has it now to be found."""
_FORGOTTEN = "forgotten: something that this memory sums up is not to be told any more"


async def bring_back(tx: WriteTransaction, item: Item, decision: Decision) -> Item:
    """The item as it is active now, whatever it was.

    Raises RefusedError when a disabled item has its key, or it sums up something that was forgotten.
    """
    if item.status in WAITING:
        approved = await approve(tx, item, decision)
        if approved is None:
            raise RefusedError(_FORGOTTEN)
        return approved
    if not await _may_be_told(tx, item):
        raise RefusedError(_FORGOTTEN)
    for other in await _in_its_place(tx, item):
        await supersede(tx, other, by=item.memory_id, now=decision.now, actor=decision.actor)
    active = replace(
        item,
        fact_key=shown_key(item.fact_key),
        status=Status.ACTIVE,
        reason="",
        superseded_by=None,
        updated_at=decision.now,
        expires_at=expiry(item.ttl_days, decision.now),
        deleted_at=None,
    )
    await tx.update_item(active)
    await tx.audit(
        AuditEntry(
            actor=decision.actor,
            action="restore",
            memory_id=item.memory_id,
            before=item.status.value,
            after=active.status.value,
            reason="",
        )
    )
    return active


async def _in_its_place(tx: WriteTransaction, item: Item) -> list[Item]:
    """Who has its key; and of those who answer its slot or took its place, who gives way to it."""
    holder = await tx.find_item(item.owner, item.level, shown_key(item.fact_key), item.person)
    if holder and holder.status is Status.DISABLED and holder.memory_id != item.memory_id:
        raise RefusedError(f"taken: the disabled memory {holder.memory_id} has this place")
    rivals: list[Item] = []
    if is_exclusive(item.slot):
        answers = await tx.same_slot(item.owner, item.level, item.slot, item.person)
        rivals.extend(other for other in answers if other.status is Status.ACTIVE)
    successor = await _successor(tx, item)
    if successor and not _sums_up_others(successor):
        rivals.append(successor)
    leaving = await giving_way(tx, rivals, await surface(tx, item))
    found = {other.memory_id: other for other in (holder, *leaving) if other and height(other.status)}
    return [other for memory_id, other in found.items() if memory_id != item.memory_id]


async def _may_be_told(tx: WriteTransaction, item: Item) -> bool:
    """Whether nobody forgot any of what it sums up, if it sums up others."""
    if not _sums_up_others(item):
        return True
    return all([still_stands_for(item, await tx.get_item(each)) for each in item.supersedes])


async def _successor(tx: WriteTransaction, item: Item) -> Item | None:
    """Who has the place that the item left, directly or through others."""
    last, seen = item, {item.memory_id}
    while last.superseded_by and last.superseded_by not in seen and len(seen) <= MAX_SUCCESSIONS:
        seen.add(last.superseded_by)
        following = await tx.get_item(last.superseded_by)
        if following is None:
            break
        last = following
    return None if last is item else last


def _sums_up_others(item: Item) -> bool:
    """Whether it stands for several episodes: one of them comes back beside it."""
    return item.type is MemoryType.EPISODE and len(item.supersedes) > 1
