"""One version of a fact in its place: who leaves for it, its row and its line of audit (design 5.5, 5.8)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..domain.chat import ScopeRef
from ..domain.memory import Evidence, Item
from ..domain.words import LIVE_STATUSES, Level, Status
from ..domain.writing import AuditEntry
from ..policies.keys import shown_key
from ..policies.slots import is_exclusive
from ..policies.succession import displaced, height, left
from .protocols import WriteTransaction


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Who decides, as the audit names them, and when."""

    actor: str
    now: datetime


async def take_place(
    tx: WriteTransaction,
    before: Item | None,
    after: Item,
    decision: Decision,
    action: str,
    standing: Sequence[Item],
    *,
    evidence: Sequence[Evidence] = (),
    whoever: bool = False,
) -> Item:
    """Put an item in the place of those of the `standing` that leave for it; of them all, `whoever` they are.

    It takes over the key that was chosen for it, and since when there is a fact under that; while another is
    in use there it waits under a key of its own.
    """
    leaving = standing if whoever else displaced(standing, after.status, after.reason)
    key = shown_key(after.fact_key)
    if not any(other.fact_key == key for other in standing if other not in leaving):
        since = [after.created_at, *(other.created_at for other in leaving if other.fact_key == key)]
        after = replace(after, fact_key=key, created_at=min(since))
    # First those that leave: two live items of one key are refused, even for a moment.
    for other in standing:
        waits_there = height(other.status) and other.fact_key == after.fact_key
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
    """Store an item, with a line of audit of its reason or, where that is over, its former one."""
    if before:
        await tx.update_item(after, evidence)
    else:
        await tx.insert_item(after, evidence)
    reason = after.reason or (before.reason if before else "")
    await tx.audit(line(decision, action, before, after, reason=reason))
    return after


async def supersede(tx: WriteTransaction, item: Item, decision: Decision, *, by: str) -> None:
    """Let an item leave for the one with the id `by`, which is stored in the same transaction."""
    gone = left(item, Status.SUPERSEDED, "superseded", now=decision.now, by=by)
    await tx.update_item(gone)
    await tx.audit(line(decision, "supersede", item, gone, reason=f"superseded_by {by}"))


async def leave(
    tx: WriteTransaction, item: Item, status: Status, decision: Decision, action: str, why: str
) -> Item:
    """Let an item leave its place for nobody; the item as it is then."""
    return await put(tx, item, left(item, status, why, now=decision.now), decision, action)


def line(
    decision: Decision, action: str, before: Item | None, after: Item | None, *, reason: str
) -> AuditEntry:
    """What the audit says of a change; of what is refused there is no item."""
    return AuditEntry(
        actor=decision.actor,
        action=action,
        memory_id=after.memory_id if after else "",
        before=before.status if before else "",
        after=after.status if after else "",
        # A reason may go on to name a word of the fact, and nothing erases what the audit holds.
        reason=reason.partition(":")[0],
    )


async def holder_of(tx: WriteTransaction, item: Item, *, key: str | None = None) -> Item | None:
    """The other live item that has its key, or this one, at its level."""
    found = await tx.find_item(item.owner, item.level, key or item.fact_key, item.person)
    is_other = found and found.memory_id != item.memory_id and found.status in LIVE_STATUSES
    return found if is_other else None


async def answers_of(
    tx: WriteTransaction, owner: ScopeRef, level: Level, slot: str, person: str
) -> list[Item]:
    """The items that answer this question and may be displaced, where it has one answer at a time."""
    found = await tx.same_slot(owner, level, slot, person) if is_exclusive(slot) else ()
    return [item for item in found if height(item.status)]


async def answers_beside(tx: WriteTransaction, item: Item) -> list[Item]:
    """The other active items that answer the same question as this one."""
    found = await answers_of(tx, item.owner, item.level, item.slot, item.person)
    return [other for other in found if other.status is Status.ACTIVE and other.memory_id != item.memory_id]
