"""Taking decisions back: what each changed is kept in memory for a while, so a restart ends it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ..domain.errors import NotFoundError
from ..domain.memory import Item
from ..domain.time import Clock, MakeId
from ..domain.words import LIVE_STATUSES, Status
from ..storage.store import StoreTransaction
from ..write.transitions import Decision, answers_beside, holder_of, put

KEPT_FOR = timedelta(minutes=10)
MAX_KEPT = 20_000
"""Memories of all decisions together that can be taken back."""
CHANGED = "changed_since"
"""Somebody has changed it, or what left for it, after the decision."""
TAKEN = "taken"
"""Another memory has its place by now."""

type Changes = Sequence[tuple[Item, Item]]
"""Each memory before and after, in the order in which one decision changed them."""


class UndoLog:
    """The decisions that can be taken back, oldest first."""

    def __init__(self, clock: Clock, make_id: MakeId) -> None:
        self._clock = clock
        self._make_id = make_id
        self._kept: dict[str, tuple[datetime, Mapping[str, Changes]]] = {}

    def keep(self, changes: Mapping[str, Changes]) -> str:
        """The id by which these, by the memory that was decided about, can be undone; empty for none."""
        self._drop(room_for=len(changes))
        if not 0 < len(changes) <= MAX_KEPT:
            return ""
        decision_id = self._make_id()
        self._kept[decision_id] = (self._clock(), changes)
        return decision_id

    def get(self, decision_id: str) -> Mapping[str, Changes]:
        """What this decision changed. Raises NotFoundError when that is not known any more."""
        self._drop(room_for=0)
        if decision_id not in self._kept:
            raise NotFoundError("this cannot be undone any more")
        return self._kept[decision_id][1]

    def forget(self, decision_id: str) -> None:
        """It is undone."""
        self._kept.pop(decision_id, None)

    def _drop(self, *, room_for: int) -> None:
        oldest = self._clock() - KEPT_FOR
        for decision_id, (at, _) in list(self._kept.items()):
            kept = sum(len(changes) for _, changes in self._kept.values())
            if at < oldest or kept + room_for > MAX_KEPT:
                del self._kept[decision_id]


async def put_back(tx: StoreTransaction, changes: Changes, decision: Decision) -> str:
    """Put the memories of one decision back as they were; or say why not, and change nothing."""
    changed = {after.memory_id for _, after in changes}
    back: list[tuple[Item, Item]] = []
    for before, after in reversed(changes):
        now = await tx.get_item(after.memory_id)
        if now is None or now.updated_at != after.updated_at:
            return CHANGED
        earlier = replace(before, access_count=now.access_count, last_accessed_at=now.last_accessed_at)
        holder = await holder_of(tx, earlier) if earlier.status in LIVE_STATUSES else None
        answers = await answers_beside(tx, earlier) if earlier.status is Status.ACTIVE else []
        if any(other.memory_id not in changed for other in (holder, *answers) if other):
            return TAKEN
        back.append((now, earlier))
    for now, earlier in back:
        await put(tx, now, earlier, decision, "undo")
    return ""
