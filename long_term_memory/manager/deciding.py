"""What operators decide about many items at once, a part at a time: between two, others may write."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import batched

from ..domain.errors import InvalidInputError, RefusedError
from ..domain.memory import Item, WaitingFilter, WaitingItems
from ..policies.succession import is_in_doubt
from ..storage.transaction import StoreTransaction
from ..write.approval import WAITING, approve, reject
from ..write.placement import Decision
from .editing import Edit, edited
from .parts import Parts
from .review import SOON
from .undoing import Changes, UndoLog, put_back

AT_ONCE = 20
"""Items of one transaction: a reply that has something to write hardly notices it."""
BREATH = timedelta(milliseconds=100)
"""How long others may write between two parts; the host looks as often whether the file is free."""
UNKNOWN = "unknown"
NOT_WAITING = "not_waiting"
"""Somebody has decided already, or its time is over."""
FORGOTTEN = "forgotten"
"""It sums up something that was forgotten."""
UNSURE = "in_doubt"
"""No words of a person bear it out: it deserves a look of its own."""
SO_ALREADY = "unchanged"
"""It is as it is to be."""

type Decide = Callable[[StoreTransaction, Item, Decision], Awaitable[str]]
"""Returns why nothing is decided, if so."""


@dataclass(frozen=True, kw_only=True)
class WaitingSlice:
    """Some of the items that wait, and the instant they were looked at."""

    found: WaitingItems
    at: datetime

    def ends_soon(self, item: Item) -> bool:
        """Whether the item expires soon if nobody decides."""
        return item.expires_at is not None and item.expires_at <= self.at + SOON


@dataclass(kw_only=True)
class Decided:
    """What came of it."""

    done: list[str] = field(default_factory=list[str])
    left: dict[str, str] = field(default_factory=dict[str, str])
    """Memory id to why nothing was decided about it."""
    decision_id: str = ""
    """By which it can be taken back; empty when it cannot."""


class Deciding:
    """For operators only. What decides raises RefusedError while read-only; parts before that stand."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store
        self._log = UndoLog(parts.clock, parts.make_id)

    async def waiting(self, wanted: WaitingFilter) -> WaitingSlice:
        """One page of everybody's items that wait, oldest first."""
        return WaitingSlice(found=await self._store.browsing.waiting(wanted), at=self._parts.clock())

    async def approve(self, memory_ids: Sequence[str], *, actor: str) -> Decided:
        """Let these be used, whatever they wait for."""
        return await self._each(memory_ids, _of_waiting(approve), actor=actor)

    async def reject(self, memory_ids: Sequence[str], *, actor: str) -> Decided:
        """Drop these for good."""
        return await self._each(memory_ids, _of_waiting(reject), actor=actor)

    async def approve_all(self, reason: str | None = None, *, actor: str) -> Decided:
        """Let all be used that wait for this reason, or for any, but those in doubt."""
        waiting = await self._store.browsing.waiting_ids(reason)
        doubtful = {memory_id for memory_id, status, why in waiting if is_in_doubt(status, why)}
        sure = [memory_id for memory_id, *_ in waiting if memory_id not in doubtful]
        decided = await self._each(sure, _of_waiting(approve), actor=actor)
        decided.left |= {memory_id: UNSURE for memory_id, *_ in waiting if memory_id in doubtful}
        return decided

    async def reject_all(self, reason: str | None = None, *, actor: str) -> Decided:
        """Drop all that wait for this reason, or for any."""
        waiting = await self._store.browsing.waiting_ids(reason)
        return await self.reject([memory_id for memory_id, *_ in waiting], actor=actor)

    async def edit(self, memory_ids: Sequence[str], wanted: Edit, *, actor: str) -> Decided:
        """Change these in the same way, each as `Editing.edit` would."""

        async def decide(tx: StoreTransaction, item: Item, decision: Decision) -> str:
            after = await edited(tx, item, wanted, decision, make_id=self._parts.make_id)
            return SO_ALREADY if after == item else ""

        return await self._each(memory_ids, decide, actor=actor)

    async def undo(self, decision_id: str, *, actor: str) -> Decided:
        """Put back what this decision changed, as far as nobody has changed it since.

        Raises NotFoundError when too much or too long ago was decided.
        """
        changes = self._log.get(decision_id)

        async def decide(tx: StoreTransaction, item: Item, decision: Decision) -> str:
            return await put_back(tx, changes[item.memory_id], decision)

        decided = await self._each(list(changes)[::-1], decide, actor=actor)
        self._log.forget(decision_id)
        return decided

    async def _each(self, memory_ids: Sequence[str], decide: Decide, *, actor: str) -> Decided:
        decided, changes = Decided(), dict[str, Changes]()
        async for part in in_parts(dict.fromkeys(memory_ids)):
            results = await self._part(part, decide, Decision(actor=actor, now=self._parts.clock()))
            changes |= {
                memory_id: result for memory_id, result in results.items() if not isinstance(result, str)
            }
            decided.left |= {
                memory_id: result for memory_id, result in results.items() if isinstance(result, str)
            }
        self._parts.embedding.notify()
        decided.done = list(changes)
        decided.decision_id = self._log.keep(changes)
        return decided

    async def _part(
        self, memory_ids: Sequence[str], decide: Decide, decision: Decision
    ) -> Mapping[str, Changes | str]:
        """For each id what was changed, or why nothing was decided about it."""

        async def work(tx: StoreTransaction) -> Mapping[str, Changes | str]:
            return {memory_id: await _one(tx, memory_id, decide, decision) for memory_id in memory_ids}

        return await self._store.at_once(work)


async def in_parts[T](everything: Iterable[T]) -> AsyncIterator[Sequence[T]]:
    """The parts of one transaction each, with time for others to write between two.

    At least one: a store that may not be written says so even when there is nothing to decide.
    """
    for place, part in enumerate(list(batched(everything, AT_ONCE)) or [()]):
        if place:
            await asyncio.sleep(BREATH.total_seconds())
        yield part


async def _one(tx: StoreTransaction, memory_id: str, decide: Decide, decision: Decision) -> Changes | str:
    item = await tx.get_item(memory_id)
    if item is None:
        return UNKNOWN
    changes: list[tuple[Item, Item]] = []
    tx.changes = changes
    try:
        return await decide(tx, item, decision) or changes
    except (RefusedError, InvalidInputError) as refused:
        return str(refused).partition(":")[0]


def _of_waiting(decide: Callable[[StoreTransaction, Item, Decision], Awaitable[Item | None]]) -> Decide:
    async def decided(tx: StoreTransaction, item: Item, decision: Decision) -> str:
        if item.status not in WAITING:
            return NOT_WAITING
        return "" if await decide(tx, item, decision) else FORGOTTEN

    return decided
