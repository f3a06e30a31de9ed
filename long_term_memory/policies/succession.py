"""Who takes whose place (design 5.5): the newer, as soon as it stands as high as the older.

What is only doubtful takes nobody's place, and what an operator disabled is neither displaced nor revived.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from ..domain.memory import Item
from ..domain.words import Audience, Status

RATE_RULES = frozenset({"max_writes_per_session", "max_writes_per_hour"})
"""Reasons of an item that waits only because too much was learnt at once."""
BY_POLICY = RATE_RULES | {"", "mode", "min_evidence_count", "require_approval_types"}
"""Reasons of an item that waits only because a policy says so; any other is a doubt of its evidence."""
COMPACTION = "compaction"
"""Reason of an item that sums up those it supersedes: nobody said it in so many words."""

_RANKS = {Status.ACTIVE: 3, Status.SHADOW: 2, Status.PENDING: 1}


def status_rank(status: Status) -> int:
    """How near an item of this status is to being used; 0 for what takes no part in any succession."""
    return _RANKS.get(status, 0)


def is_summary(item: Item) -> bool:
    """Whether it is a proposal to stand for other items."""
    return item.status is Status.PENDING and item.reason == COMPACTION


def still_stands_for(summary: Item, member: Item | None) -> bool:
    """Whether a proposal may still sum up one of its items: nobody forgot it or took it back from others."""
    if member is None or member.status is Status.DELETED:
        return False
    return member.audience is Audience.EVERYWHERE or summary.audience is Audience.CHAT


def is_in_doubt(status: Status, reason: str) -> bool:
    """Whether it waits for a person because its evidence does not hold."""
    return status is Status.PENDING and reason not in BY_POLICY


def displaced(older: Iterable[Item], status: Status, reason: str) -> tuple[Item, ...]:
    """Those of the older items that leave for one of this status and reason; the others stay for now."""
    if is_in_doubt(status, reason):
        return ()
    return tuple(item for item in older if 0 < status_rank(item.status) <= status_rank(status))


def is_outdated(newer: Item | None, status: Status, reason: str) -> bool:
    """Whether a fact that would get this status is history at once, for later words say otherwise."""
    return (
        newer is not None
        and not is_in_doubt(status, reason)
        and status_rank(newer.status) >= status_rank(status)
    )


def left(item: Item, status: Status, why: str, *, now: datetime, by: str | None = None) -> Item:
    """The item after it left its place for this reason, or for the item with the id `by`.

    Its reason names behind a colon the rate that had kept it waiting: it was never let in, and so goes on
    using up none of the rate.
    """
    rate = item.reason.rpartition(":")[2]
    return replace(
        item,
        status=status,
        reason=f"{why}:{rate}" if rate in RATE_RULES else why,
        superseded_by=by or item.superseded_by,
        updated_at=now,
        deleted_at=now if status is Status.DELETED else item.deleted_at,
    )
