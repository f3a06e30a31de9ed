"""What becomes of an item once somebody has looked at it (design 5.5, 5.7).

What is approved or restored takes the places it has been waiting for, where whoever stands there surfaced no
further than it does. What is rejected is kept as deleted, so that it is not learnt again by itself, and
whoever left for it comes back to be looked at.
"""

from collections.abc import Iterable
from dataclasses import replace

from ..domain.errors import RefusedError
from ..domain.memory import Item
from ..domain.words import LIVE_STATUSES, MemoryType, Status
from ..policies.keys import shown_key
from ..policies.succession import RATE_RULES, height, is_summary, still_stands_for
from ..policies.worth import expiry
from .placement import Decision, answers_beside, holder_of, leave, put, take_place
from .protocols import WriteTransaction
from .surface import giving_way, surface

WAITING = frozenset({Status.SHADOW, Status.PENDING})
"""What may be approved."""
REJECTED = "rejected"
RETURNED = "replacement_rejected"
"""Why an item waits whose place was taken by one that is rejected."""
MAX_SUCCESSIONS = 50
"""How often a place may have changed hands for whoever has it now to be found."""

_USED = (Status.ACTIVE, "")
_FORGOTTEN = "forgotten: something that this memory sums up is not to be told any more"


async def approve(
    tx: WriteTransaction,
    item: Item,
    decision: Decision,
    *,
    status: tuple[Status, str] = _USED,
    action: str = "approve",
) -> Item | None:
    """Let an item be used, in the places of those it supersedes; None when that may not be any more.

    By an operator it takes the place even of what was switched off; by another `action`, as when its person
    accepts it or as far as the mode allows it what waited for something that is over, it does not.
    """
    current = await tx.get_item(item.memory_id)
    if current is None or current.status not in WAITING:
        return None
    if is_summary(current) and not await _may_be_told(tx, current):
        return None
    standing = await _standing(tx, current, [await tx.get_item(each) for each in current.supersedes])
    used, whoever = _used(current, decision, status), action == "approve"
    return await take_place(tx, current, used, decision, action, standing, whoever=whoever)


async def restore(tx: WriteTransaction, item: Item, decision: Decision) -> Item:
    """The item as it is active now, whatever it was.

    Raises RefusedError when a disabled item has its key, or it sums up something that was forgotten.
    """
    if item.status in WAITING:
        if approved := await approve(tx, item, decision):
            return approved
        raise RefusedError(_FORGOTTEN)
    if _sums_up_others(item) and not await _may_be_told(tx, item):
        raise RefusedError(_FORGOTTEN)
    successor = await _successor(tx, item)
    # One of several episodes comes back beside what stands for them all.
    beside = successor is None or _sums_up_others(successor)
    standing = await _standing(tx, item, () if beside else (successor,))
    if disabled := next((other for other in standing if other.status is Status.DISABLED), None):
        raise RefusedError(f"taken: the disabled memory {disabled.memory_id} has this place")
    return await take_place(tx, item, _used(item, decision), decision, "restore", standing, whoever=True)


async def reject(
    tx: WriteTransaction, item: Item, decision: Decision, *, reason: str = REJECTED
) -> Item | None:
    """Delete an item; None when it is gone already. What left for it waits, unless its place is taken."""
    current = await tx.get_item(item.memory_id)
    if current is None or current.status not in LIVE_STATUSES:
        return None
    gone = await leave(tx, current, Status.DELETED, decision, "reject", reason)
    for former in [await tx.get_item(memory_id) for memory_id in current.supersedes]:
        if former is None or (former.superseded_by, former.status) != (gone.memory_id, Status.SUPERSEDED):
            continue
        if await holder_of(tx, former) is None:
            back = replace(former, status=Status.PENDING, reason=RETURNED, superseded_by=None)
            await put(tx, former, replace(back, updated_at=decision.now), decision, "revive")
    return gone


def _used(item: Item, decision: Decision, status: tuple[Status, str] = _USED) -> Item:
    """In use from now on, and for as long as an item of its kind: it may have waited past its time.

    What a rate has held back counts from now on: it would else use up none of the rate.
    """
    return replace(
        item,
        status=status[0],
        reason=status[1],
        superseded_by=None,
        created_at=decision.now if item.reason in RATE_RULES else item.created_at,
        updated_at=decision.now,
        expires_at=expiry(item.ttl_days, decision.now),
        deleted_at=None,
    )


async def _standing(tx: WriteTransaction, item: Item, named: Iterable[Item | None]) -> list[Item]:
    """Who stands where it is to stand: of those named and of other answers who gives way, who has its key."""
    rivals = [other for other in (*named, *await answers_beside(tx, item)) if other and height(other.status)]
    giving = await giving_way(tx, rivals, await surface(tx, item))
    holder = await holder_of(tx, item, key=shown_key(item.fact_key))
    return list({other.memory_id: other for other in (*giving, holder) if other}.values())


async def _may_be_told(tx: WriteTransaction, summary: Item) -> bool:
    """Whether nobody forgot any of what it sums up."""
    return all([still_stands_for(summary, await tx.get_item(each)) for each in summary.supersedes])


async def _successor(tx: WriteTransaction, item: Item) -> Item | None:
    """Who has the place that the item left, directly or through others."""
    last = item
    for _ in range(MAX_SUCCESSIONS):
        following = await tx.get_item(last.superseded_by) if last.superseded_by else None
        if following is None or following.memory_id == item.memory_id:
            break
        last = following
    return None if last is item else last


def _sums_up_others(item: Item) -> bool:
    """Whether it stands for several episodes."""
    return item.type is MemoryType.EPISODE and len(item.supersedes) > 1
