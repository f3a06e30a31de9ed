"""Succession: a newer item supersedes an older one as soon as it ranks as high.

A doubtful item supersedes nothing. A disabled item is neither superseded nor revived.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..domain.enums import WAITING, Status
from ..domain.memory import Item
from ..domain.transfer import Kind
from ..domain.writing import AuditEntry

RATE_RULES = frozenset({"max_writes_per_session", "max_writes_per_hour"})
"""Reasons of an item that a rate limit holds back."""
BY_POLICY = RATE_RULES | {"", "mode", "min_evidence_count", "require_approval_types"}
"""Reasons of an item that waits by policy; any other reason is a doubt about its evidence."""
RETURNED = "replacement_rejected"
"""Reason of an item that waits because the item that replaced it was rejected."""
REPLACEMENT_UNDONE = "replacement_undone"
"""Reason of an item that waits because the import of the item that replaced it was undone."""

_RANKS = {Status.ACTIVE: 3, Status.SHADOW: 2, Status.PENDING: 1}


def status_rank(status: Status) -> int:
    """The rank of a status, active highest; 0 takes no part in succession."""
    return _RANKS.get(status, 0)


def status_before(history: Sequence[AuditEntry]) -> Status | None:
    """The status of an item, oldest line first, before it was last superseded; None where no line tells."""
    over = (line.before for line in reversed(history) if line.after == Status.SUPERSEDED)
    before = next((status for status in over if status != Status.DELETED), "")  # as an undo leaves it
    return Status(before) if before else None


def waited_as(history: Sequence[AuditEntry]) -> tuple[Status, str] | None:
    """How an item waited that is out of use, oldest line first; None if it was used until then.

    It is the status and the name of the reason.
    """
    status: str = ""
    for line in reversed([each for each in history if each.action != "refuse"]):  # which changes nothing
        if line.after in WAITING and status in ("", line.after):
            # An import names itself in the place of a reason.
            return Status(line.after), line.reason if line.before or line.action not in Kind else ""
        if not status and Status.ACTIVE in (line.before, line.after):
            return None
        if not status and line.before in WAITING:
            status = line.before
    return (Status(status), "") if status else None


def is_in_doubt(status: Status, reason: str) -> bool:
    """Whether it waits for a person because of its evidence."""
    return status is Status.PENDING and reason not in BY_POLICY


def displaced(older: Iterable[Item], status: Status, reason: str) -> tuple[Item, ...]:
    """The older items that an item of this status and reason supersedes now."""
    if is_in_doubt(status, reason):
        return ()
    return tuple(item for item in older if 0 < status_rank(item.status) <= status_rank(status))


def is_outdated(newer: Item | None, status: Status, reason: str) -> bool:
    """Whether later words supersede a fact of this status at once."""
    ranks_as_high = newer is not None and status_rank(newer.status) >= status_rank(status)
    return ranks_as_high and not is_in_doubt(status, reason)


def left(item: Item, status: Status, why: str, *, now: datetime, by: str | None = None) -> Item:
    """The item out of use for this reason, or superseded `by` an id.

    A rate that held it back stays in the reason after a colon, so that the item never counts towards it.
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
