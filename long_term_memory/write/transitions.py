"""Status changes of items: stored, superseded, approved, restored, rejected.

An approved or restored item takes the places it has been waiting for, except from items that are visible in
more chats than it. A rejected item is kept as deleted, so that it is not learnt again; the items that it had
superseded return for review.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..domain.enums import EDITED, LIVE_STATUSES, WAITING, MemoryType, Origin, Status
from ..domain.errors import RefusedError
from ..domain.memory import Evidence, Item
from ..domain.writing import AuditEntry
from ..policies.keys import shown_key
from ..policies.retention import expiry
from ..policies.succession import RATE_RULES, RETURNED, displaced, left, status_rank, waited_as
from ..text_analysis.dates import last_day
from .conflicts import PASSING, conflicts_of, holder_of
from .protocols import WriteTransaction

REJECTED = "rejected"
MAX_SUCCESSIONS = 50
"""Links followed from an item to the one that has its place now."""
_USED = (Status.ACTIVE, "")


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Who decides, as the audit names them, and when."""

    actor: str
    now: datetime


async def put_superseding(
    tx: WriteTransaction,
    before: Item | None,
    after: Item,
    decision: Decision,
    action: str,
    conflicts: Sequence[Item],
    *,
    evidence: Sequence[Evidence] = (),
    all_leave: bool = False,
) -> Item:
    """Store an item and supersede the `conflicts` that rank no higher, or all of them.

    Unless one that stays has the item's chosen key, the item gets it, with the age of what had it before.
    """
    leaving = conflicts if all_leave else displaced(conflicts, after.status, after.reason)
    key = shown_key(after.fact_key)
    if not any(other.fact_key == key for other in conflicts if other not in leaving):
        since = (other.created_at for other in leaving if other.fact_key == key)
        after = replace(after, fact_key=key, created_at=min((after.created_at, *since)))
    # Conflicting items leave first: the store never holds two live items of one key.
    for other in conflicts:
        waits_there = status_rank(other.status) and other.fact_key == after.fact_key
        if other in leaving or waits_there:
            await supersede(tx, other, decision, by=after.memory_id)
    return await put(tx, before, after, decision, action, evidence)


async def put(
    tx: WriteTransaction,
    before: Item | None,
    after: Item,
    decision: Decision,
    action: str,
    evidence: Sequence[Evidence] = (),
) -> Item:
    """Store an item, with an audit line of its reason or, where it has none nor waits, its former one."""
    if before:
        await tx.update_item(after, evidence)
    else:
        await tx.insert_item(after, evidence)
    reason = after.reason or (before.reason if before and after.status not in WAITING else "")
    await tx.audit(audit_line(decision, action, before, after, reason=reason))
    return after


async def supersede(tx: WriteTransaction, item: Item, decision: Decision, *, by: str) -> None:
    """Supersede an item by the one with the id `by`, which is stored in the same transaction."""
    gone = left(item, Status.SUPERSEDED, "superseded", now=decision.now, by=by)
    await tx.update_item(gone)
    await tx.audit(audit_line(decision, "supersede", item, gone, reason=f"superseded_by {by}"))


async def leave(
    tx: WriteTransaction, item: Item, status: Status, decision: Decision, action: str, why: str
) -> Item:
    """Take an item out of use without a successor; returns it as it is then."""
    return await put(tx, item, left(item, status, why, now=decision.now), decision, action)


def audit_line(
    decision: Decision, action: str, before: Item | None, after: Item | None, *, reason: str
) -> AuditEntry:
    """The audit entry of a change, or of a refusal, which has no item."""
    return AuditEntry(
        actor=decision.actor,
        action=action,
        memory_id=after.memory_id if after else "",
        before=before.status if before else "",
        after=after.status if after else "",
        # After a colon a reason may name a word of the fact, and the audit is never erased.
        reason=reason.partition(":")[0],
    )


async def approve(
    tx: WriteTransaction,
    item: Item,
    decision: Decision,
    *,
    status: tuple[Status, str] = _USED,
    action: str = "approve",
    conflicts: Sequence[Item] | None = None,
) -> Item | None:
    """Use an item in place of its `conflicts`, which are looked up; None when it may not be used any more.

    An operator's approval supersedes even a disabled item. Another `action`, such as its person's acceptance
    or the release from a wait, does not.
    """
    current = await tx.get_item(item.memory_id)
    if current is None or current.status not in WAITING:
        return None
    used, all_leave = await _in_use(tx, current, decision, status), action == "approve"
    conflicts = await conflicts_of_waiting(tx, current) if conflicts is None else conflicts
    return await put_superseding(tx, current, used, decision, action, conflicts, all_leave=all_leave)


async def conflicts_of_waiting(tx: WriteTransaction, item: Item) -> list[Item]:
    """What an operator's approval of this item supersedes."""
    return await conflicts_of(tx, item, [await tx.get_item(each) for each in item.supersedes])


async def restore(tx: WriteTransaction, item: Item, decision: Decision) -> Item:
    """Use an item of any status that waits or was used until it ended; another waits again as it did.

    What waits again supersedes what ranks no higher. Raises RefusedError when another item keeps its key.
    """
    if item.status in WAITING and (approved := await approve(tx, item, decision)):
        return approved
    conflicts = await conflicts_of(tx, item, [await _successor(tx, item)])
    keeping = [other for other in conflicts if other.status is Status.DISABLED]
    if (waited := waited_as(await history_of(tx, item))) and (holder := await holder_of(tx, item)):
        keeping += [] if displaced([holder], *waited) else [holder]
    if keeping:
        raise RefusedError(f"taken: the memory {keeping[0].memory_id} answers the same question")
    back = await _in_use(tx, item, decision, waited or _USED)
    return await put_superseding(tx, item, back, decision, "restore", conflicts, all_leave=waited is None)


async def history_of(tx: WriteTransaction, item: Item) -> list[AuditEntry]:
    """The audit lines of an item, oldest first; of an earlier wording those of the item it was."""
    reworded = item.reason == EDITED and item.superseded_by
    return [line for _, line in await tx.history(reworded or item.memory_id)]


async def reject(tx: WriteTransaction, item: Item, decision: Decision, *, refused: str = "") -> Item | None:
    """Delete a live item, or expire what verification `refused`; None when it is gone.

    What it superseded waits if its key is free.
    """
    current = await tx.get_item(item.memory_id)
    if current is None or current.status not in LIVE_STATUSES:
        return None
    status = Status.EXPIRED if refused else Status.DELETED
    gone = await leave(tx, current, status, decision, "reject", refused or REJECTED)
    for former in [await tx.get_item(memory_id) for memory_id in current.supersedes]:
        if former is None or (former.superseded_by, former.status) != (gone.memory_id, Status.SUPERSEDED):
            continue
        if await holder_of(tx, former) is None and not await tx.import_undone(former.memory_id):
            back = replace(former, status=Status.PENDING, reason=RETURNED, superseded_by=None)
            await put(tx, former, replace(back, updated_at=decision.now), decision, "revive")
    return gone


async def end_of(tx: WriteTransaction, item: Item, *, now: datetime) -> datetime | None:
    """The end of an item told or used again: a lifetime from now, or the present end from a day it names."""
    dated = item.expires_at and item.expires_at > now and last_day(item.fact, item.created_at)
    ends_then = item.type is MemoryType.TASK_STATE or item.origin is Origin.USER_EXPLICIT
    ends = dated and (ends_then or await tx.stance_of(item.memory_id) in PASSING)
    return item.expires_at if ends else expiry(item.ttl_days, now)


async def _in_use(tx: WriteTransaction, item: Item, decision: Decision, status: tuple[Status, str]) -> Item:
    """In use from now on for a whole lifetime. What a rate held back counts towards the rate from now on."""
    return replace(
        item,
        status=status[0],
        reason=status[1],
        superseded_by=None,
        created_at=decision.now if item.reason in RATE_RULES else item.created_at,
        updated_at=decision.now,
        expires_at=await end_of(tx, item, now=decision.now),
        deleted_at=None,
    )


async def _successor(tx: WriteTransaction, item: Item) -> Item | None:
    """The item at the end of the chain of successors; None when there is none."""
    last = item
    for _ in range(MAX_SUCCESSIONS):
        following = await tx.get_item(last.superseded_by) if last.superseded_by else None
        if following is None or following.memory_id == item.memory_id:
            break
        last = following
    return None if last is item else last
