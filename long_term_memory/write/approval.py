"""What becomes of an item that waits, once somebody has looked at it (design 5.5, 5.7).

An approval is the decision that the item holds: it is used from now on, and takes the places it has been
waiting for. What sums up others cannot be approved once one of them is forgotten. A rejection is the
decision that it does not hold: it is kept as deleted, so that it is not learnt again by itself, and whoever
left for it comes back to be looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, Status
from ..domain.writing import AuditEntry
from ..policies.chosen_keys import shown_key, waits
from ..policies.expiry import expiry
from ..policies.slots import is_exclusive
from ..policies.succession import RATE_RULES, displaced, height, is_summary, on_leaving, still_stands_for
from .persist import supersede
from .protocols import WriteTransaction
from .surface import giving_way, surface

WAITING = frozenset({Status.SHADOW, Status.PENDING})
"""What may be approved."""
REJECTED = "rejected"
RETURNED = "replacement_rejected"
"""Why an item waits whose place was taken by one that is rejected."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Who decides, and when."""

    actor: str
    now: datetime


_USED = (Status.ACTIVE, "")


async def approve(
    tx: WriteTransaction, item: Item, decision: Decision, *, status: tuple[Status, str] | None = None
) -> Item | None:
    """Let an item be used, in the places of those it supersedes; None when that may not be any more.

    With a `status` and its reason, as far as the mode allows what waited for something that is over.
    """
    current = await tx.get_item(item.memory_id)
    if current is None or current.status not in WAITING or not await _stands(tx, current):
        return None
    standing = await _in_its_place(tx, current)
    # Who decides in person takes the place even of what was switched off.
    leaving = displaced(standing, *status) if status else standing
    for older in leaving:
        await supersede(tx, older, by=current.memory_id, now=decision.now, actor=decision.actor)
    # While another is in use under the key, it goes on waiting for that key under its own.
    holds_key = not any(
        other.fact_key == shown_key(current.fact_key) for other in standing if other not in leaving
    )
    active = _approved(current, leaving, decision.now, status or _USED, holds_key=holds_key)
    await tx.update_item(active)
    await tx.audit(_entry("release" if status else "approve", current, active, decision))
    return active


async def reject(
    tx: WriteTransaction, item: Item, decision: Decision, *, reason: str = REJECTED
) -> Item | None:
    """Delete an item, so that it is not learnt again by itself; None when it is gone already."""
    current = await tx.get_item(item.memory_id)
    if current is None or current.status not in LIVE_STATUSES:
        return None
    gone = replace(
        current,
        status=Status.DELETED,
        reason=on_leaving(current, reason),
        deleted_at=decision.now,
        updated_at=decision.now,
    )
    await tx.update_item(gone)
    await tx.audit(_entry("reject", current, gone, decision))
    for memory_id in current.supersedes:
        await _return(tx, memory_id, gone, decision)
    return gone


async def _stands(tx: WriteTransaction, item: Item) -> bool:
    """Whether all that an item sums up may still be told where it would be."""
    members = [await tx.get_item(memory_id) for memory_id in item.supersedes]
    return not is_summary(item) or all(still_stands_for(item, member) for member in members)


async def _in_its_place(tx: WriteTransaction, item: Item) -> list[Item]:
    """The items that stand where it is to stand: those it names, and who else has its key or slot."""
    named = [older for memory_id in item.supersedes if (older := await tx.get_item(memory_id))]
    answers: list[Item] = []
    if is_exclusive(item.slot):
        found = await tx.same_slot(item.owner, item.level, item.slot, item.person)
        answers = [other for other in found if other.status is Status.ACTIVE]
    rivals = [other for other in (*named, *answers) if height(other.status)]
    standing = {other.memory_id: other for other in await giving_way(tx, rivals, await surface(tx, item))}
    holder = await tx.find_item(item.owner, item.level, shown_key(item.fact_key), item.person)
    if waits(item.fact_key) and holder and holder.status in LIVE_STATUSES:
        standing[holder.memory_id] = holder
    return list(standing.values())


async def _return(tx: WriteTransaction, memory_id: str, gone: Item, decision: Decision) -> None:
    """Let an item that left for a rejected one wait for approval, unless its place is taken."""
    item = await tx.get_item(memory_id)
    if item is None or item.superseded_by != gone.memory_id or item.status is not Status.SUPERSEDED:
        return
    holder = await tx.find_item(item.owner, item.level, item.fact_key, item.person)
    if holder and holder.status in LIVE_STATUSES:
        return
    back = replace(item, status=Status.PENDING, reason=RETURNED, superseded_by=None, updated_at=decision.now)
    await tx.update_item(back)
    await tx.audit(_entry("revive", item, back, decision))


def _approved(
    item: Item, leaving: Sequence[Item], now: datetime, status: tuple[Status, str], *, holds_key: bool
) -> Item:
    """In use from now on, and for as long as an item of its kind: it may have waited past its time.

    What a rate has held back counts from now on: it would else use up none of the rate.
    """
    key = shown_key(item.fact_key) if holds_key else item.fact_key
    since = now if item.reason in RATE_RULES else item.created_at
    return replace(
        item,
        fact_key=key,
        status=status[0],
        reason=status[1],
        created_at=min([since, *(each.created_at for each in leaving if each.fact_key == key)]),
        updated_at=now,
        expires_at=expiry(item.ttl_days, now),
    )


def _entry(action: str, before: Item, after: Item, decision: Decision) -> AuditEntry:
    return AuditEntry(
        actor=decision.actor,
        action=action,
        memory_id=after.memory_id,
        before=before.status,
        after=after.status,
        reason=after.reason,
    )
